/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_breakdown.c: the first rows of a breakdown. See pr_render_breakdown.h. */
#include <stdlib.h>
#include <string.h>

#include "pr_render_breakdown.h"
#include "pr_text.h"

/* The first rows ---------------------------------------------------------- */

/* The key in qsort_r's context. Rows lie in one array, so their addresses are in order. */
static int by_key_then_place(const void *left, const void *right, void *context)
{
   const struct pr_row *a = *(const struct pr_row *const *)left;
   const struct pr_row *b = *(const struct pr_row *const *)right;
   size_t key = *(const size_t *)context;
   if (a->values[key] != b->values[key])
      return a->values[key] > b->values[key] ? -1 : 1;
   return (a > b) - (a < b);
}

bool pr_ranking_make(struct pr_ranking *ranking, const struct pr_breakdown *breakdown,
                     enum pr_breakdown_kind kind, size_t key, size_t top)
{
   size_t columns = pr_breakdowns[kind].column_count;
   *ranking = (struct pr_ranking){.count = 0};
   ranking->rows = malloc((breakdown->row_count + 1) * sizeof *ranking->rows);
   if (!ranking->rows)
      return false;
   for (size_t i = 0; i < breakdown->row_count; i++)
      if (breakdown->rows[i].values[key])
         ranking->rows[ranking->count++] = &breakdown->rows[i];
   qsort_r(ranking->rows, ranking->count, sizeof *ranking->rows, by_key_then_place, &key);
   ranking->count = ranking->count < top ? ranking->count : top;
   ranking->whole = pr_breakdown_sum(breakdown, key);
   for (size_t c = 0; c < columns; c++) {
      ranking->rest[c] = pr_breakdown_sum(breakdown, c);
      for (size_t i = 0; i < ranking->count; i++)
         ranking->rest[c] -= ranking->rows[i]->values[c];
   }
   ranking->rest_count =
      (unsigned __int128)breakdown->row_count + breakdown->others_count - ranking->count;
   return true;
}

/* Pieces ------------------------------------------------------------------ */

const char *pr_render_wide(char text[PR_NUMBER_TEXT_BYTES], unsigned __int128 number)
{
   return pr_number_format(text, (struct pr_number){false, number});
}

const char *pr_render_scaled(char text[PR_NUMBER_TEXT_BYTES], unsigned __int128 bytes)
{
   return pr_number_format_scaled(text, (struct pr_number){false, bytes});
}

const char *pr_render_bar(char text[PR_BAR_COLUMNS + 1], unsigned __int128 part,
                          unsigned __int128 whole)
{
   size_t length = whole ? (size_t)((part * PR_BAR_COLUMNS + whole / 2) / whole) : 0;
   if (length == 0 && part)
      length = 1;
   memset(text, '#', length);
   text[length] = '\0';
   return text;
}

char *pr_render_short_name(const char *name, size_t columns)
{
   const char *end = strrchr(name, ')'), *start = end;
   if (!columns || !end || pr_text_puts(NULL, name) <= columns)
      return strdup(name);
   for (unsigned depth = 1; depth && start > name;) {
      start--;
      depth += *start == ')';
      depth -= *start == '(';
   }
   enum { ELLIPSIS = 3 };
   if (*start != '(' || end - start <= ELLIPSIS + 1)
      return strdup(name);
   char *text = NULL;
   return asprintf(&text, "%.*s(...)%s", (int)(start - name), name, end + 1) < 0 ? NULL : text;
}

void pr_render_unit(const char *unit, unsigned __int128 number, FILE *out)
{
   char scaled[PR_NUMBER_TEXT_BYTES] = "";
   fprintf(out, " %s%s", unit, number == 1 ? "" : "s");
   if (strcmp(unit, "byte") == 0 && pr_render_scaled(scaled, number)[0])
      fprintf(out, " (%s)", scaled);
}

void pr_render_list_title(const char *title, const struct pr_phase *phase,
                          const struct pr_style *style, FILE *out)
{
   putc('\n', out);
   pr_style_emphasize(style, PR_STRONG, out);
   fprintf(out, "%s of phase ", title);
   pr_text_puts_word(out, phase->name);
   pr_style_emphasize(style, PR_PLAIN, out);
}

bool pr_render_absence(const struct pr_report *report, const struct pr_phase *phase,
                       enum pr_breakdown_kind kind, const struct pr_style *style, FILE *out)
{
   const char *list = pr_breakdowns[kind].list;
   if (phase->breakdowns[kind]->is_listed)
      return false;
   pr_render_list_title(list, phase, style, out);
   if (report->unavailable[kind]) {
      fputs(": unavailable: ", out);
      pr_text_puts(out, report->unavailable[kind]);
   } else {
      fputs(": not in the report", out);
   }
   putc('\n', out);
   return true;
}
