/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_functions.c: the first functions of a phase, and the first source lines. */
#include <inttypes.h>
#include <stdlib.h>

#include "pr_render_breakdown.h"

/* Instructions, share, bar, calls, place, function, object, then these, where there are any. */
static const enum pr_function_column further_columns[] = {
   PR_FUNCTION_REP_ITERATIONS,
   PR_FUNCTION_VECTOR,
   PR_FUNCTION_SCALAR_FLOAT,
};
enum { FURTHER_COLUMNS = sizeof further_columns / sizeof further_columns[0] };
static const char alignment[] = "rrlrlllrrr";
enum { PLACE = 4, NAME = 5, OBJECT = 6 };

/* How the table makes do with a line's width. */
struct layout {
   bool has_bar;
   size_t name_columns, place_columns, object_columns; /* at most; 0: as many as they need */
};

/* "load.cc:34", "???" if it is not known. */
static void add_place(struct pr_table *table, const struct pr_source_line *line, size_t columns)
{
   char *text = NULL;
   if (!line->file)
      return pr_table_add(table, "???");
   if (asprintf(&text, "%s:%" PRIu64, line->file, line->number) < 0) {
      table->exhausted = true;
      return;
   }
   pr_table_add_cut(table, text, columns);
   free(text);
}

static void add_name(struct pr_table *table, const char *name, size_t columns)
{
   char *shorter = pr_render_short_name(name, columns);
   table->exhausted = table->exhausted || !shorter;
   pr_table_add_cut(table, shorter, columns);
   free(shorter);
}

/* Place, function and object of a row. */
static void add_names(struct pr_table *table, const struct pr_ranking *ranking,
                      const struct layout *layout, const struct pr_row *row)
{
   bool is_line = ranking->kind == PR_BY_LINE;
   if (is_line)
      add_place(table, row->source_line, layout->place_columns);
   else
      pr_table_add(table, "");
   add_name(table, is_line ? row->source_line->function : row->function->name,
            layout->name_columns);
   pr_table_add_cut(table, is_line ? row->source_line->object : row->function->object,
                    layout->object_columns);
}

/* The same of those that are not shown: what labels the rows says how many they are. */
static void add_rest_names(struct pr_table *table, const struct pr_ranking *ranking)
{
   char number[PR_NUMBER_TEXT_BYTES];
   for (size_t c = PLACE; c <= OBJECT; c++)
      if (c == table->label)
         pr_table_addf(table, "%s other %s%s", pr_render_wide(number, ranking->rest_count),
                       pr_breakdowns[ranking->kind].row, ranking->rest_count == 1 ? "" : "s");
      else
         pr_table_add(table, "");
}

/* `row` is NULL for those that are not shown. */
static void add_row(struct pr_table *table, const struct pr_ranking *ranking,
                    const struct layout *layout, const struct pr_row *row,
                    const __int128 *values)
{
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[PR_BAR_COLUMNS + 1];
   __int128 instructions = values[PR_FUNCTION_INSTRUCTIONS];
   pr_table_add(table, pr_render_wide(number, instructions));
   pr_table_add(table, pr_render_share(share, instructions, ranking->whole));
   pr_table_add(table, layout->has_bar
                          ? pr_render_bar(bar, PR_BAR_COLUMNS, instructions, ranking->whole)
                          : "");
   pr_table_add(table, ranking->kind == PR_BY_FUNCTION
                          ? pr_render_wide(number, values[PR_FUNCTION_CALLS])
                          : "");
   if (row)
      add_names(table, ranking, layout, row);
   else
      add_rest_names(table, ranking);
   for (size_t i = 0; i < FURTHER_COLUMNS; i++) {
      __int128 value = values[further_columns[i]];
      pr_table_add(table, value ? pr_render_wide(number, value) : "");
   }
}

/* The title of a column that is empty would keep it. */
static const char *title_if_any(const struct pr_ranking *ranking, enum pr_function_column column)
{
   bool has_any = ranking->rest[column] > 0;
   for (size_t i = 0; i < ranking->count && !has_any; i++)
      has_any = ranking->rows[i]->values[column] > 0;
   return has_any ? pr_breakdowns[ranking->kind].columns[column].name : "";
}

static void fill_table(struct pr_table *table, const struct pr_ranking *ranking,
                       const struct layout *layout)
{
   bool is_lines = ranking->kind == PR_BY_LINE;
   const char *const titles[] = {"instructions", "share",    "",      is_lines ? "" : "calls",
                                 is_lines ? "line" : "", "function", "object"};
   pr_table_clear(table);
   table->emphasis = PR_FAINT;
   for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
      pr_table_add(table, titles[i]);
   for (size_t i = 0; i < FURTHER_COLUMNS; i++)
      pr_table_add(table, title_if_any(ranking, further_columns[i]));
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      __int128 values[PR_COLUMNS_MAX];
      pr_ranking_values(ranking, i, values);
      add_row(table, ranking, layout, ranking->rows[i], values);
   }
   if (ranking->rest_count)
      add_row(table, ranking, layout, NULL, ranking->rest);
}

/* Names get what the columns beside them leave of the line; these are measured with
   names as short as they come. */
static bool print_table(const struct pr_ranking *ranking, const struct pr_style *style, FILE *out)
{
   enum { WIDE = 100, PLACE_COLUMNS = 24, OBJECT_COLUMNS = 20 };
   struct layout layout = {.has_bar = true};
   struct pr_table table;
   pr_table_init(&table, alignment);
   table.label = ranking->kind == PR_BY_LINE ? PLACE : NAME;
   if (style->width) {
      layout = (struct layout){style->width >= WIDE, 1, PLACE_COLUMNS, OBJECT_COLUMNS};
      fill_table(&table, ranking, &layout);
      size_t left = pr_table_left(&table, NAME, OBJECT, PR_INDENT, style);
      layout.name_columns = left > PR_CUT_NAME_COLUMNS_MIN ? left : PR_CUT_NAME_COLUMNS_MIN;
   }
   fill_table(&table, ranking, &layout);
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, PR_INDENT, style, out);
   pr_table_release(&table);
   return ok;
}

static bool render(const struct pr_report *report, const struct pr_phase *phase,
                   enum pr_breakdown_kind kind, const char *title, const struct pr_view *view,
                   FILE *out)
{
   struct pr_ranking ranking;
   char number[PR_NUMBER_TEXT_BYTES];
   if (pr_render_absence(report, phase, kind, &view->style, out))
      return true;
   if (!pr_ranking_make(&ranking, phase, kind, PR_FUNCTION_INSTRUCTIONS, view->top))
      return false;
   pr_render_list_title(pr_breakdowns[kind].list, phase, &view->style, out);
   fprintf(out, ", %s: %s", title, pr_render_wide(number, ranking.whole));
   pr_render_unit("instruction", ranking.whole, out);
   putc('\n', out);
   bool ok = ranking.whole == 0 || print_table(&ranking, &view->style, out);
   free(ranking.rows);
   return ok;
}

bool pr_render_functions(const struct pr_report *report, const struct pr_phase *phase,
                         const struct pr_view *view, FILE *out)
{
   return render(report, phase, PR_BY_FUNCTION, "by what they executed themselves", view, out);
}

bool pr_render_lines(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out)
{
   return render(report, phase, PR_BY_LINE, "by what was executed in them", view, out);
}
