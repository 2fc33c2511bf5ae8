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

bool pr_ranking_make(struct pr_ranking *ranking, const struct pr_phase *phase,
                     enum pr_breakdown_kind kind, size_t key, size_t top)
{
   const struct pr_breakdown *breakdown = phase->breakdowns[kind];
   *ranking = (struct pr_ranking){.kind = kind, .key = key};
   ranking->rows = malloc((breakdown->row_count + 1) * sizeof *ranking->rows);
   if (!ranking->rows)
      return false;
   for (size_t i = 0; i < breakdown->row_count; i++)
      if (breakdown->rows[i].values[key])
         ranking->rows[ranking->count++] = &breakdown->rows[i];
   qsort_r(ranking->rows, ranking->count, sizeof *ranking->rows, by_key_then_place, &key);
   ranking->count = ranking->count < top ? ranking->count : top;
   ranking->whole = pr_breakdown_sum(breakdown, kind, key);
   for (size_t c = 0; c < pr_breakdowns[kind].column_count; c++)
      ranking->rest[c] = pr_breakdown_sum(breakdown, kind, c);
   for (size_t i = 0; i < ranking->count; i++) {
      __int128 values[PR_COLUMNS_MAX];
      pr_ranking_values(ranking, i, values);
      for (size_t c = 0; c < pr_breakdowns[kind].column_count; c++)
         ranking->rest[c] -= values[c];
   }
   ranking->rest_count =
      (__int128)breakdown->row_count + breakdown->others_count - (__int128)ranking->count;
   return true;
}

void pr_ranking_values(const struct pr_ranking *ranking, size_t row,
                       __int128 values[PR_COLUMNS_MAX])
{
   const struct pr_breakdown_info *info = &pr_breakdowns[ranking->kind];
   for (size_t c = 0; c < info->column_count; c++)
      values[c] = pr_column_value(&info->columns[c], ranking->rows[row]->values[c]);
}

bool pr_ranking_print(const struct pr_ranking *ranking, struct pr_table *table, const char *items,
                      bool (*print_item)(const struct pr_row *, const struct pr_view *, FILE *),
                      const struct pr_view *view, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   size_t widths[PR_TABLE_COLUMNS_MAX];
   if (table->exhausted)
      return false;
   pr_table_measure(table, widths);
   pr_table_print_row(table, 0, widths, PR_INDENT, &view->style, out);
   for (size_t i = 0; i < ranking->count; i++) {
      pr_table_print_row(table, i + 1, widths, PR_INDENT, &view->style, out);
      if (!print_item(ranking->rows[i], view, out))
         return false;
   }
   if (ranking->rest_count == 0)
      return true;
   pr_table_print_row(table, ranking->count + 1, widths, PR_INDENT, &view->style, out);
   fprintf(out, "%*s%s other %s%s\n", PR_ITEM_INDENT - PR_INDENT, "",
           pr_render_wide(number, ranking->rest_count), items,
           ranking->rest_count == 1 ? "" : "s");
   return true;
}

/* Pieces ------------------------------------------------------------------ */

const char *pr_render_wide(char text[PR_NUMBER_TEXT_BYTES], __int128 number)
{
   return pr_number_format(text, pr_number_of_wide(number));
}

const char *pr_render_scaled(char text[PR_NUMBER_TEXT_BYTES], __int128 bytes)
{
   return pr_number_format_scaled(text, pr_number_of_wide(bytes));
}

const char *pr_render_bar(char *text, size_t columns, __int128 part, __int128 whole)
{
   size_t length = whole ? (size_t)((part * (__int128)columns + whole / 2) / whole) : 0;
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

void pr_render_unit(const char *unit, __int128 number, FILE *out)
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
   const struct pr_breakdown_info *info = &pr_breakdowns[kind];
   if (phase->breakdowns[kind]->is_listed)
      return false;
   pr_render_list_title(info->list, phase, style, out);
   if (report->unavailable[info->names]) {
      fputs(": unavailable: ", out);
      pr_text_puts(out, report->unavailable[info->names]);
   } else {
      fputs(": not in the report", out);
   }
   putc('\n', out);
   return true;
}
