/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_shape.c: the sections of the page about histograms and the timeline. See
 * pr_html_view.h.
 */
#include "pr_html_lists.h"
#include "pr_render_breakdown.h"

/* Histograms --------------------------------------------------------------- */

static const struct pr_histogram *histogram_of(const struct pr_phase *phase,
                                               enum pr_histogram_kind kind)
{
   const struct pr_histogram *histogram =
      phase && phase->histograms ? &phase->histograms[kind] : NULL;
   return histogram && histogram->is_listed ? histogram : NULL;
}

static uint64_t most_of(const struct pr_histogram *histogram)
{
   uint64_t most = 0;
   for (size_t i = 0; histogram && i < histogram->count; i++)
      most = histogram->buckets[i].blocks > most ? histogram->buckets[i].blocks : most;
   return most;
}

/* First and last value; the first in larger units, too. */
static void add_bucket_names(struct pr_html_table *table, uint64_t from, bool is_bytes)
{
   pr_html_add_row(table, NULL);
   pr_html_add_number_cell(table, from, is_bytes);
   pr_html_add_number_cell(table, from ? 2 * (__int128)from - 1 : 0, false);
}

/* The bar of the fullest bucket is full. */
static void add_buckets(struct pr_html_table *table, const struct pr_histogram *histogram,
                        bool is_bytes)
{
   __int128 whole = pr_histogram_blocks(histogram);
   pr_html_add_column(table, "number", "blocks");
   pr_html_add_column(table, "share", "share");
   for (size_t i = 0; i < histogram->count; i++) {
      const struct pr_bucket *bucket = &histogram->buckets[i];
      add_bucket_names(table, bucket->from, is_bytes);
      pr_html_add_number_cell(table, bucket->blocks, false);
      xmlNode *cell = pr_html_add_cell(table);
      pr_html_set_share(table->view, cell, bucket->blocks, whole);
      pr_html_set_bar(table->view, cell, bucket->blocks, most_of(histogram));
   }
}

/* Those of both, in their order. */
static void add_changed_buckets(struct pr_html_table *table, const struct pr_histogram *olds,
                                const struct pr_histogram *news, bool is_bytes)
{
   pr_html_add_column(table, "number", "blocks before");
   pr_html_add_column(table, "number", "blocks now");
   pr_html_add_column(table, "change", "change");
   for (size_t o = 0, n = 0; o < olds->count || n < news->count;) {
      const struct pr_bucket *old_bucket = o < olds->count ? &olds->buckets[o] : NULL;
      const struct pr_bucket *new_bucket = n < news->count ? &news->buckets[n] : NULL;
      bool in_old = old_bucket && (!new_bucket || old_bucket->from <= new_bucket->from);
      bool in_new = new_bucket && (!old_bucket || new_bucket->from <= old_bucket->from);
      uint64_t before = in_old ? old_bucket->blocks : 0, now = in_new ? new_bucket->blocks : 0;
      add_bucket_names(table, in_old ? old_bucket->from : new_bucket->from, is_bytes);
      pr_html_add_number_cell(table, before, false);
      pr_html_add_number_cell(table, now, false);
      pr_html_add_change_cell(table, before, now, false);
      o += in_old;
      n += in_new;
   }
}

static void add_histogram(const struct pr_html_page *page, xmlNode *node,
                          const struct pr_html_phase *phase, enum pr_histogram_kind kind)
{
   const struct pr_histogram *news = histogram_of(phase->phase, kind);
   const struct pr_histogram *olds = histogram_of(phase->old_phase, kind);
   const struct pr_histogram_words *words = &pr_histogram_words[kind];
   struct pr_html_table table;
   if (!news)
      return pr_html_add_nothing(page->view, node, pr_histogram_names[kind], "not in the report",
                                 NULL);
   if (news->count == 0 && (!olds || olds->count == 0))
      return pr_html_add_nothing(page->view, node, pr_histogram_names[kind], "none", NULL);
   pr_html_table_start(&table, page->view, node, pr_histogram_names[kind]);
   pr_html_set(page->view, table.node, "about", words->title);
   pr_html_add_column(&table, "number", "from");
   pr_html_add_column(&table, "number", "to");
   if (olds)
      add_changed_buckets(&table, olds, news, words->is_bytes);
   else
      add_buckets(&table, news, words->is_bytes);
   pr_html_table_finish(&table);
}

void pr_html_add_histograms(const struct pr_html_page *page, xmlNode *section)
{
   xmlNode *node;
   for (size_t p = 0; (node = pr_html_next_phase(page, section, &p)); p++)
      for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
         add_histogram(page, node, &page->phases[p], kind);
}

/* Timeline ----------------------------------------------------------------- */

static void add_timeline(const struct pr_html_page *page, xmlNode *section, const char *title,
                         const struct pr_timeline *timeline)
{
   struct pr_timeline_rows rows;
   struct pr_html_table table;
   if (timeline->count == 0)
      return pr_html_add_nothing(page->view, section, title,
                                 timeline->is_listed ? "no points" : "not in the report", NULL);
   pr_timeline_start(&rows, timeline);
   pr_html_table_start(&table, page->view, section, title);
   pr_html_set_number(page->view, table.node, "interval", rows.instructions);
   pr_html_add_column(&table, "number", "instructions");
   pr_html_add_column(&table, "number", "most-bytes");
   pr_html_add_column(&table, "share", "");
   pr_html_add_column(&table, "number", "last-bytes");
   while (pr_timeline_next(&rows)) {
      pr_html_add_row(&table, NULL);
      pr_html_add_number_cell(&table, rows.begin, false);
      pr_html_add_number_cell(&table, rows.most_bytes, true);
      pr_html_set_bar(page->view, pr_html_add_cell(&table), rows.most_bytes, rows.highest_bytes);
      pr_html_add_number_cell(&table, rows.last_bytes, true);
   }
   pr_html_table_finish(&table);
}

/* The intervals of two runs are not the same ones, so that there is a table for each. */
void pr_html_add_timeline(const struct pr_html_page *page, xmlNode *section)
{
   const struct pr_diff *diff = page->request->diff;
   add_timeline(page, section, diff ? "live bytes, now" : "live bytes",
                &page->request->report->timeline);
   if (diff)
      add_timeline(page, section, "live bytes, before",
                   &diff->pairing.reports[PR_OLD]->timeline);
}
