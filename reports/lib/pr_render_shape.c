/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_shape.c: the histograms of a phase, the timeline of the run. */
#include <string.h>

#include "pr_render_breakdown.h"

/* Bars -------------------------------------------------------------------- */

/* How long they may be beside the other columns of a table, which is filled with them as
   short as they come; 0: there is no room for them. */
static size_t bar_columns(const struct pr_table *table, size_t column, size_t most,
                          const struct pr_style *style)
{
   enum { FEWEST = 5 };
   if (style->width == 0)
      return most;
   size_t last = strlen(table->alignment) - 1;
   size_t left = pr_table_left(table, column, last, PR_INDENT, style);
   return left < FEWEST ? 0 : left < most ? left : most;
}

static void add_bar(struct pr_table *table, size_t columns, uint64_t part, uint64_t whole)
{
   char bar[PR_BAR_COLUMNS_MAX + 1];
   pr_table_add(table, columns ? pr_render_bar(bar, columns, part, whole) : "");
}

static bool print_and_release(struct pr_table *table, const struct pr_style *style, FILE *out)
{
   bool ok = !table->exhausted;
   if (ok)
      pr_table_print(table, PR_INDENT, style, out);
   pr_table_release(table);
   return ok;
}

/* Histograms -------------------------------------------------------------- */

const struct pr_histogram_words pr_histogram_words[PR_HISTOGRAM_KINDS] = {
   [PR_SIZES] = {"in bytes, of blocks obtained or resized", true},
   [PR_LIFETIMES] = {"in instructions, of blocks obtained and given back inside", false},
};

/* First and last value of the bucket, the first in larger units; blocks, share, bar. */
static const char histogram_alignment[] = "rrrrrl";
enum { HISTOGRAM_BAR = 5, HISTOGRAM_BAR_COLUMNS = 20 };

/* The bar of the fullest bucket is full. */
static void fill_histogram_table(struct pr_table *table, const struct pr_histogram *histogram,
                                 bool is_bytes, size_t columns)
{
   static const char *const titles[] = {"from", "to", "", "blocks", "share", ""};
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES];
   __int128 whole = pr_histogram_blocks(histogram);
   uint64_t most = 0;
   for (size_t i = 0; i < histogram->count; i++)
      most = histogram->buckets[i].blocks > most ? histogram->buckets[i].blocks : most;
   pr_table_clear(table);
   table->emphasis = PR_FAINT;
   for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
      pr_table_add(table, titles[i]);
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < histogram->count; i++) {
      const struct pr_bucket *bucket = &histogram->buckets[i];
      __int128 from = bucket->from;
      pr_table_add(table, pr_render_wide(number, from));
      pr_table_add(table, pr_render_wide(number, from ? 2 * from - 1 : 0));
      pr_table_add(table, is_bytes ? pr_render_scaled(number, from) : "");
      pr_table_add(table, pr_render_wide(number, bucket->blocks));
      pr_table_add(table, pr_render_share(share, bucket->blocks, whole));
      add_bar(table, columns, bucket->blocks, most);
   }
}

static bool print_histogram(const struct pr_phase *phase, enum pr_histogram_kind kind,
                            const struct pr_style *style, FILE *out)
{
   const struct pr_histogram *histogram = phase->histograms ? &phase->histograms[kind] : NULL;
   pr_render_list_title(pr_histogram_names[kind], phase, style, out);
   if (!histogram || !histogram->is_listed) {
      fputs(": not in the report\n", out);
      return true;
   }
   char number[PR_NUMBER_TEXT_BYTES];
   __int128 blocks = pr_histogram_blocks(histogram);
   fprintf(out, ", %s: %s", pr_histogram_words[kind].title, pr_render_wide(number, blocks));
   pr_render_unit("block", blocks, out);
   putc('\n', out);
   if (blocks == 0)
      return true;
   struct pr_table table;
   pr_table_init(&table, histogram_alignment);
   fill_histogram_table(&table, histogram, pr_histogram_words[kind].is_bytes, 1);
   fill_histogram_table(&table, histogram, pr_histogram_words[kind].is_bytes,
                        bar_columns(&table, HISTOGRAM_BAR, HISTOGRAM_BAR_COLUMNS, style));
   return print_and_release(&table, style, out);
}

bool pr_render_histograms(const struct pr_phase *phase, const struct pr_view *view, FILE *out)
{
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      if (!print_histogram(phase, kind, &view->style, out))
         return false;
   return true;
}

/* Timeline ---------------------------------------------------------------- */

/* Begin of the interval in instructions; the most in it, exact, in larger units and as a bar;
   what is live at its end. */
static const char timeline_alignment[] = "rrrlr";
enum { TIMELINE_BAR = 3, TIMELINE_ROWS_MAX = 20 };

void pr_timeline_start(struct pr_timeline_rows *rows, const struct pr_timeline *timeline)
{
   *rows = (struct pr_timeline_rows){.timeline = timeline};
   rows->points = (timeline->count + TIMELINE_ROWS_MAX - 1) / TIMELINE_ROWS_MAX;
   rows->instructions = (__int128)timeline->interval_instructions * rows->points;
   for (size_t i = 0; i < timeline->count; i++)
      if (timeline->points[i].most_bytes > rows->highest_bytes)
         rows->highest_bytes = timeline->points[i].most_bytes;
}

bool pr_timeline_next(struct pr_timeline_rows *rows)
{
   const struct pr_timeline *timeline = rows->timeline;
   if (rows->at == timeline->count)
      return false;
   rows->begin = (__int128)timeline->interval_instructions * rows->at;
   rows->most_bytes = 0;
   for (size_t end = rows->at + rows->points; rows->at < end && rows->at < timeline->count;
        rows->at++) {
      const struct pr_point *point = &timeline->points[rows->at];
      rows->most_bytes = point->most_bytes > rows->most_bytes ? point->most_bytes
                                                              : rows->most_bytes;
      rows->last_bytes = point->last_bytes;
   }
   return true;
}

static void fill_timeline_table(struct pr_table *table, const struct pr_timeline *timeline,
                                size_t columns)
{
   static const char *const titles[] = {"instructions", "most-bytes", "", "", "last-bytes"};
   struct pr_timeline_rows rows;
   char number[PR_NUMBER_TEXT_BYTES];
   pr_table_clear(table);
   table->emphasis = PR_FAINT;
   for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
      pr_table_add(table, titles[i]);
   table->emphasis = PR_PLAIN;
   pr_timeline_start(&rows, timeline);
   while (pr_timeline_next(&rows)) {
      pr_table_add(table, pr_render_wide(number, rows.begin));
      pr_table_add(table, pr_render_number(number, rows.most_bytes));
      pr_table_add(table, pr_render_scaled(number, rows.most_bytes));
      add_bar(table, columns, rows.most_bytes, rows.highest_bytes);
      pr_table_add(table, pr_render_number(number, rows.last_bytes));
   }
}

bool pr_render_timeline(const struct pr_report *report, const struct pr_view *view, FILE *out)
{
   const struct pr_style *style = &view->style;
   char number[PR_NUMBER_TEXT_BYTES];
   putc('\n', out);
   pr_style_emphasize(style, PR_STRONG, out);
   fputs("timeline of the run", out);
   pr_style_emphasize(style, PR_PLAIN, out);
   if (report->timeline.count == 0) {
      fputs(report->timeline.is_listed ? ": no points\n" : ": not in the report\n", out);
      return true;
   }
   struct pr_timeline_rows rows;
   pr_timeline_start(&rows, &report->timeline);
   fprintf(out, ", in intervals of %s", pr_render_wide(number, rows.instructions));
   pr_render_unit("instruction", rows.instructions, out);
   fprintf(out, ": live at most %s", pr_render_number(number, rows.highest_bytes));
   pr_render_unit("byte", rows.highest_bytes, out);
   putc('\n', out);
   struct pr_table table;
   pr_table_init(&table, timeline_alignment);
   fill_timeline_table(&table, &report->timeline, 1);
   fill_timeline_table(&table, &report->timeline,
                       bar_columns(&table, TIMELINE_BAR, PR_BAR_COLUMNS_MAX, style));
   return print_and_release(&table, style, out);
}
