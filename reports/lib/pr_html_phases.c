/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_phases.c: the phases of the page as a tree, and what each of them measured. See
 * pr_html_view.h.
 */
#include <inttypes.h>

#include "pr_html_table.h"
#include "pr_html_view.h"
#include "pr_piece.h"
#include "pr_render.h"

/* Rows of main metrics ----------------------------------------------------- */

static void add_main_columns(struct pr_html_table *table, const char *first, const char *second)
{
   pr_html_add_column(table, "text", first);
   pr_html_add_column(table, "number", second);
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++)
      pr_html_add_column(table, "number", pr_metrics[pr_phase_columns[c].metric].name);
}

/* `olds` is NULL if there is nothing to compare with. */
static void add_main_metrics(struct pr_html_table *table, const struct pr_metric_list *metrics,
                             const struct pr_metric_list *olds)
{
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++) {
      enum pr_metric_id id = pr_phase_columns[c].metric;
      const struct pr_metric *metric = pr_metric_list_get(metrics, id);
      const struct pr_metric *part = pr_metric_list_available(metrics, id);
      const struct pr_metric *whole =
         pr_metric_list_available(metrics, pr_phase_columns[c].whole);
      xmlNode *cell = pr_html_add_metric_cell(table, metric);
      if (part && whole)
         pr_html_set_share(table->view, cell, pr_value_wide(&part->value),
                           pr_value_wide(&whole->value));
      if (olds)
         pr_html_set_metric_change(table, cell, pr_metric_list_get(olds, id), metric);
   }
}

/* Tree --------------------------------------------------------------------- */

static void add_phase_name(struct pr_html_table *table, const struct pr_phase *phase,
                           const char *kind)
{
   pr_html_add_row(table, kind);
   xmlNode *cell = pr_html_add_name_cell(table, phase->name);
   if (!phase->is_complete)
      pr_html_set(table->view, cell, "is-incomplete", "yes");
   if (phase->is_overlapping)
      pr_html_set(table->view, cell, "is-overlapping", "yes");
}

static void add_phase_row(const struct pr_html_page *page, struct pr_html_table *table,
                          const struct pr_html_phase *phase)
{
   enum { DEPTH_MAX = 20 }; /* that is shown: deeper ones stand below each other */
   bool is_compared = page->request->diff, is_new = is_compared && !phase->old_phase;
   add_phase_name(table, phase->phase, is_new ? "new" : NULL);
   pr_html_setf(page->view, table->row, "depth", "%zu",
                phase->depth < DEPTH_MAX ? phase->depth : DEPTH_MAX);
   xmlNode *cell = pr_html_add_number_cell(table, phase->phase->instances, false);
   if (phase->old_phase) {
      pr_html_set_number(page->view, cell, "old", phase->old_phase->instances);
      pr_html_set_difference(page->view, cell, phase->old_phase->instances,
                             phase->phase->instances, false);
   }
   add_main_metrics(table, &phase->phase->metrics,
                    phase->old_phase ? &phase->old_phase->metrics : NULL);
}

/* Those that only the baseline has, behind all others: what they were. */
static void add_gone_phases(const struct pr_html_page *page, struct pr_html_table *table)
{
   const struct pr_diff *diff = page->request->diff;
   for (size_t p = 0; diff && p < diff->count; p++) {
      const struct pr_phase *phase = diff->phases[p].phases[PR_OLD];
      if (diff->phases[p].phases[PR_NEW])
         continue;
      add_phase_name(table, phase, "gone");
      pr_html_add_number_cell(table, phase->instances, false);
      add_main_metrics(table, &phase->metrics, NULL);
   }
}

static void add_tree(const struct pr_html_page *page, xmlNode *section)
{
   struct pr_html_table table;
   pr_html_table_start(&table, page->view, section, "phases");
   add_main_columns(&table, "phase", "instances");
   for (size_t p = 0; p < page->request->report->phase_count; p++)
      add_phase_row(page, &table, &page->phases[p]);
   add_gone_phases(page, &table);
   pr_html_table_finish(&table);
}

/* One phase ---------------------------------------------------------------- */

/* What is said of a phase besides its numbers; and what it took in from outside. */
static void set_description(const struct pr_html_page *page, xmlNode *node,
                            const struct pr_phase *phase)
{
   struct pr_piece piece;
   FILE *out = pr_piece_open(&piece);
   pr_html_set_name(page->view, node, "kind", phase->kind);
   pr_html_set_name(page->view, node, "parent", phase->parent);
   if (!phase->is_complete)
      pr_html_set(page->view, node, "is-incomplete", "yes");
   if (phase->is_overlapping)
      pr_html_set(page->view, node, "is-overlapping", "yes");
   if (out)
      pr_render_outside_kinds(page->request->report, phase, true, out);
   const char *text = pr_piece_text(&piece);
   page->view->is_exhausted = page->view->is_exhausted || !text;
   pr_html_set(page->view, node, "outside", text);
   pr_piece_release(&piece);
}

/* Columns that only some phases need. */
struct extra_columns {
   bool has_range;     /* over single instances */
   bool has_stability; /* another run was made */
};

static struct extra_columns extra_columns_of(const struct pr_metric_list *metrics)
{
   struct extra_columns columns = {false, false};
   for (size_t m = 0; m < metrics->count; m++) {
      const struct pr_metric_extra *extra = metrics->items[m].extra;
      columns.has_range = columns.has_range || (extra && extra->has_range);
      columns.has_stability =
         columns.has_stability || (extra && extra->stability != PR_STABILITY_UNKNOWN);
   }
   return columns;
}

static void add_extra_cells(struct pr_html_table *table, const struct pr_metric *metric,
                            struct extra_columns columns)
{
   const struct pr_metric_extra *extra = metric->extra;
   bool is_bytes = pr_html_metric_is_in_bytes(metric);
   if (columns.has_range && extra && extra->has_range) {
      pr_html_add_number_cell(table, pr_value_wide(&extra->min), is_bytes);
      pr_html_add_number_cell(table, pr_value_wide(&extra->max), is_bytes);
   } else if (columns.has_range) {
      pr_html_add_cell(table);
      pr_html_add_cell(table);
   }
   if (!columns.has_stability)
      return;
   xmlNode *cell = pr_html_add_cell(table);
   if (extra && extra->stability == PR_UNSTABLE)
      pr_html_set_number(table->view, cell, "unstable", extra->stable_difference);
   else if (extra && extra->stability == PR_STABLE)
      pr_html_set(table->view, cell, "text", "the same");
}

static void add_metric_columns(struct pr_html_table *table, struct extra_columns columns)
{
   pr_html_add_column(table, "text", "metric");
   pr_html_add_column(table, "number", "value");
   pr_html_add_column(table, "text", "unit");
   if (columns.has_range) {
      pr_html_add_column(table, "number", "min");
      pr_html_add_column(table, "number", "max");
   }
   if (columns.has_stability)
      pr_html_add_column(table, "text", "in another run");
}

static void add_metrics(const struct pr_html_page *page, xmlNode *node,
                        const struct pr_html_phase *phase)
{
   const struct pr_metric_list *metrics = &phase->phase->metrics;
   struct extra_columns columns = extra_columns_of(metrics);
   struct pr_html_table table;
   pr_html_table_start(&table, page->view, node, "metrics");
   add_metric_columns(&table, columns);
   for (size_t m = 0; m < metrics->count; m++) {
      const struct pr_metric *metric = &metrics->items[m];
      pr_html_add_row(&table, NULL);
      xmlNode *cell = pr_html_add_name_cell(&table, metric->name);
      if (metric->id != PR_METRIC_UNKNOWN)
         pr_html_set(page->view, cell, "metric", pr_metrics[metric->id].name);
      cell = pr_html_add_metric_cell(&table, metric);
      if (phase->old_phase)
         pr_html_set_metric_change(&table, cell, pr_phase_metric(phase->old_phase, metric->name),
                                   metric);
      pr_html_add_name_cell(&table, metric->unit);
      add_extra_cells(&table, metric, columns);
   }
   pr_html_table_finish(&table);
}

static void add_instances(const struct pr_html_page *page, xmlNode *node,
                          const struct pr_phase *phase)
{
   size_t top = page->request->top, shown = phase->listed_count < top ? phase->listed_count : top;
   struct pr_html_table table;
   if (shown == 0)
      return;
   pr_html_table_start(&table, page->view, node, "instances");
   add_main_columns(&table, "instance", "thread");
   for (size_t i = 0; i < shown; i++) {
      const struct pr_instance *instance = &phase->listed[i];
      pr_html_add_row(&table, NULL);
      xmlNode *cell = pr_html_add_cell(&table);
      pr_html_setf(page->view, cell, "text", "%" PRIu64, instance->number);
      if (!instance->is_complete)
         pr_html_set(page->view, cell, "is-incomplete", "yes");
      cell = pr_html_add_cell(&table);
      if (instance->thread)
         pr_html_setf(page->view, cell, "text", "%" PRIu64, instance->thread);
      add_main_metrics(&table, &instance->metrics, NULL);
   }
   if (phase->listed_count > shown)
      pr_html_set_number(page->view, table.node, "more",
                         (__int128)(phase->listed_count - shown));
   pr_html_table_finish(&table);
}

void pr_html_add_phases(const struct pr_html_page *page, xmlNode *section)
{
   xmlNode *node;
   add_tree(page, section);
   for (size_t p = 0; (node = pr_html_next_phase(page, section, &p)); p++) {
      set_description(page, node, page->phases[p].phase);
      add_metrics(page, node, &page->phases[p]);
      add_instances(page, node, page->phases[p].phase);
   }
}
