/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_notes.h: footnotes of a table.
 *
 * Most metrics that are unavailable share one reason, and it is long: cells say [1],
 * and the reason stands once below the table.
 */
#ifndef PR_NOTES_H
#define PR_NOTES_H

#include <stddef.h>
#include <stdio.h>

enum {
   PR_NOTES_MAX = 64, /* texts that are told apart */
   PR_NOTE_MARK_BYTES = 16,
};

/* Empty at first. The texts belong to the caller. */
struct pr_notes {
   struct pr_note {
      const char *lead, *text; /* which are printed one behind the other */
   } items[PR_NOTES_MAX];
   size_t count;
};

/* "[3]", numbered in the order of appearance; "[...]" beyond the bound. Returns `mark`. */
const char *pr_notes_mark(struct pr_notes *notes, const char *lead, const char *text,
                          char mark[PR_NOTE_MARK_BYTES]);

/* A line each, behind `indent` blanks. */
void pr_notes_print(const struct pr_notes *notes, size_t indent, FILE *out);

#endif
