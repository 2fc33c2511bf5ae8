/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_notes.c: footnotes of a table. See pr_notes.h. */
#include "pr_notes.h"

#include <stdbool.h>
#include <string.h>

#include "pr_text.h"

static bool is_same(const struct pr_note *note, const char *lead, const char *text)
{
   return strcmp(note->lead, lead) == 0 && strcmp(note->text, text) == 0;
}

const char *pr_notes_mark(struct pr_notes *notes, const char *lead, const char *text,
                          char mark[PR_NOTE_MARK_BYTES])
{
   size_t at = 0;
   while (at < notes->count && !is_same(&notes->items[at], lead, text))
      at++;
   if (at == PR_NOTES_MAX) {
      strcpy(mark, "[...]");
      return mark;
   }
   if (at == notes->count)
      notes->items[notes->count++] = (struct pr_note){lead, text};
   snprintf(mark, PR_NOTE_MARK_BYTES, "[%u]", (unsigned)at + 1);
   return mark;
}

void pr_notes_print(const struct pr_notes *notes, size_t indent, FILE *out)
{
   for (size_t i = 0; i < notes->count; i++) {
      fprintf(out, "%*s[%zu] %s", (int)indent, "", i + 1, notes->items[i].lead);
      pr_text_puts(out, notes->items[i].text);
      putc('\n', out);
   }
   if (notes->count == PR_NOTES_MAX)
      fprintf(out, "%*s[...] any of these, or another one\n", (int)indent, "");
}
