/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_functions.c: the first functions of a phase, and its threads. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_render_breakdown.h"
#include "pr_text.h"

/* Functions --------------------------------------------------------------- */

/* Instructions, share, bar, calls, function, object, then these, where there are any. */
static const enum pr_function_column further_columns[] = {
   PR_FUNCTION_REP_ITERATIONS,
   PR_FUNCTION_VECTOR,
   PR_FUNCTION_SCALAR_FLOAT,
};
enum { FURTHER_COLUMNS = sizeof further_columns / sizeof further_columns[0] };
static const char function_alignment[] = "rrlrllrrr";

/* How the table makes do with a line's width. */
struct function_layout {
   bool has_bar;
   size_t name_columns, object_columns; /* at most; 0: as many as they need */
};

static void add_function_row(struct pr_table *table, const struct pr_ranking *ranking,
                             const struct function_layout *layout,
                             const unsigned __int128 *values, const char *name,
                             const char *object)
{
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[PR_BAR_COLUMNS + 1];
   unsigned __int128 instructions = values[PR_FUNCTION_INSTRUCTIONS];
   pr_table_add(table, pr_render_wide(number, instructions));
   pr_table_add(table, pr_render_share(share, instructions, ranking->whole));
   pr_table_add(table, layout->has_bar ? pr_render_bar(bar, instructions, ranking->whole) : "");
   pr_table_add(table, pr_render_wide(number, values[PR_FUNCTION_CALLS]));
   char *shorter = pr_render_short_name(name, layout->name_columns);
   table->exhausted = table->exhausted || !shorter;
   pr_table_add_cut(table, shorter, layout->name_columns);
   free(shorter);
   pr_table_add_cut(table, object, layout->object_columns);
   for (size_t i = 0; i < FURTHER_COLUMNS; i++) {
      unsigned __int128 value = values[further_columns[i]];
      pr_table_add(table, value ? pr_render_wide(number, value) : "");
   }
}

/* The title of a column that is empty would keep it. */
static const char *title_if_any(const struct pr_ranking *ranking, enum pr_function_column column)
{
   bool has_any = ranking->rest[column] > 0;
   for (size_t i = 0; i < ranking->count && !has_any; i++)
      has_any = ranking->rows[i]->values[column] > 0;
   return has_any ? pr_breakdowns[PR_BY_FUNCTION].columns[column].name : "";
}

static void fill_function_table(struct pr_table *table, const struct pr_ranking *ranking,
                                const struct function_layout *layout)
{
   static const char *const titles[] = {"instructions", "share", "", "calls", "function",
                                        "object"};
   pr_table_clear(table);
   table->emphasis = PR_FAINT;
   for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
      pr_table_add(table, titles[i]);
   for (size_t i = 0; i < FURTHER_COLUMNS; i++)
      pr_table_add(table, title_if_any(ranking, further_columns[i]));
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      const struct pr_row *row = ranking->rows[i];
      unsigned __int128 values[PR_FUNCTION_COLUMNS];
      for (size_t c = 0; c < PR_FUNCTION_COLUMNS; c++)
         values[c] = row->values[c];
      add_function_row(table, ranking, layout, values, row->function->name,
                       row->function->object);
   }
   if (ranking->rest_count) {
      char number[PR_NUMBER_TEXT_BYTES], others[PR_NUMBER_TEXT_BYTES + 32];
      const struct function_layout uncut = {.has_bar = layout->has_bar};
      snprintf(others, sizeof others, "%s other function%s",
               pr_render_wide(number, ranking->rest_count), ranking->rest_count == 1 ? "" : "s");
      add_function_row(table, ranking, &uncut, ranking->rest, others, "");
   }
}

/* Names get what the columns beside them leave of the line; these are measured with
   names as short as they come. */
static bool print_functions(const struct pr_ranking *ranking, const struct pr_style *style,
                            FILE *out)
{
   enum { WIDE = 100, OBJECT_COLUMNS = 20, GAP = 2, NAME = 4, OBJECT = 5 };
   struct function_layout layout = {.has_bar = true};
   struct pr_table table;
   pr_table_init(&table, function_alignment);
   table.label = NAME;
   if (style->width) {
      size_t widths[PR_TABLE_COLUMNS_MAX], used = PR_INDENT;
      layout = (struct function_layout){style->width >= WIDE, 1, OBJECT_COLUMNS};
      fill_function_table(&table, ranking, &layout);
      pr_table_measure(&table, widths);
      for (size_t c = 0; c <= OBJECT; c++)
         used += c == NAME || widths[c] == 0 ? 0 : widths[c] + GAP;
      layout.name_columns = style->width > used + PR_CUT_NAME_COLUMNS_MIN ? style->width - used
                                                                        : PR_CUT_NAME_COLUMNS_MIN;
   }
   fill_function_table(&table, ranking, &layout);
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, PR_INDENT, style, out);
   pr_table_release(&table);
   return ok;
}

bool pr_render_functions(const struct pr_report *report, const struct pr_phase *phase,
                         const struct pr_view *view, FILE *out)
{
   const struct pr_style *style = &view->style;
   struct pr_ranking ranking;
   char number[PR_NUMBER_TEXT_BYTES];
   if (pr_render_absence(report, phase, PR_BY_FUNCTION, style, out))
      return true;
   if (!pr_ranking_make(&ranking, phase->breakdowns[PR_BY_FUNCTION], PR_BY_FUNCTION,
             PR_FUNCTION_INSTRUCTIONS, view->top))
      return false;
   pr_render_list_title("functions", phase, style, out);
   fprintf(out, ", by what they executed themselves: %s", pr_render_wide(number, ranking.whole));
   pr_render_unit("instruction", ranking.whole, out);
   putc('\n', out);
   bool ok = ranking.whole == 0 || print_functions(&ranking, style, out);
   free(ranking.rows);
   return ok;
}

/* Threads ----------------------------------------------------------------- */

/* Thread, instructions, share, bar, then the other columns in the format's order. */
static const char thread_alignment[] = "lrrlrrrr";

static void add_thread_row(struct pr_table *table, const struct pr_ranking *ranking,
                           const unsigned __int128 *values)
{
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[PR_BAR_COLUMNS + 1];
   unsigned __int128 instructions = values[PR_THREAD_INSTRUCTIONS];
   pr_table_add(table, pr_render_wide(number, instructions));
   pr_table_add(table, pr_render_share(share, instructions, ranking->whole));
   pr_table_add(table, pr_render_bar(bar, instructions, ranking->whole));
   for (size_t c = PR_THREAD_INSTRUCTIONS + 1; c < PR_THREAD_COLUMNS; c++)
      pr_table_add(table, pr_render_wide(number, values[c]));
}

static void fill_thread_table(struct pr_table *table, const struct pr_ranking *ranking)
{
   const struct pr_column *columns = pr_breakdowns[PR_BY_THREAD].columns;
   table->emphasis = PR_FAINT;
   pr_table_add(table, "thread");
   pr_table_add(table, columns[PR_THREAD_INSTRUCTIONS].name);
   pr_table_add(table, "share");
   pr_table_add(table, "");
   for (size_t c = PR_THREAD_INSTRUCTIONS + 1; c < PR_THREAD_COLUMNS; c++)
      pr_table_add(table, columns[c].name);
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      unsigned __int128 values[PR_THREAD_COLUMNS];
      for (size_t c = 0; c < PR_THREAD_COLUMNS; c++)
         values[c] = ranking->rows[i]->values[c];
      pr_table_addf(table, "%" PRIu64, ranking->rows[i]->id);
      add_thread_row(table, ranking, values);
   }
   if (ranking->rest_count) {
      char number[PR_NUMBER_TEXT_BYTES];
      pr_table_addf(table, "%s other%s", pr_render_wide(number, ranking->rest_count),
                    ranking->rest_count == 1 ? "" : "s");
      add_thread_row(table, ranking, ranking->rest);
   }
}

bool pr_render_threads(const struct pr_phase *phase, const struct pr_view *view, FILE *out)
{
   const struct pr_breakdown *threads = phase->breakdowns[PR_BY_THREAD];
   struct pr_ranking ranking;
   struct pr_table table;
   if (threads->row_count + (threads->others != NULL) < 2)
      return true;
   if (!pr_ranking_make(&ranking, threads, PR_BY_THREAD, PR_THREAD_INSTRUCTIONS, view->top))
      return false;
   pr_render_list_title("threads", phase, &view->style, out);
   fputs(", by what they executed, numbered in the order of their creation\n", out);
   pr_table_init(&table, thread_alignment);
   fill_thread_table(&table, &ranking);
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, PR_INDENT, &view->style, out);
   pr_table_release(&table);
   free(ranking.rows);
   return ok;
}
