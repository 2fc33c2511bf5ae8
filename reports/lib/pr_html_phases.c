/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_phases.c: the phases of the page as a tree, and what each of them measured. See
 * pr_html_view.h.
 */
#include <stdlib.h>

#include "pr_html_table.h"
#include "pr_html_view.h"
#include "pr_render.h"
#include "pr_tree.h"

/* The phase of that name in the baseline; NULL: there is none, or no baseline. */
static const struct pr_phase *old_phase_of(const struct pr_html_request *request,
                                           const struct pr_phase *phase)
{
   return request->diff ? pr_report_phase(request->diff->pairing.reports[PR_OLD], phase->name)
                        : NULL;
}

/* Tree --------------------------------------------------------------------- */

static void add_main_metrics(struct pr_html_table *table, const struct pr_html_request *request,
                             const struct pr_phase *phase, const struct pr_phase *old_phase)
{
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++) {
      const struct pr_phase_column *column = &pr_phase_columns[c];
      const struct pr_metric *metric = pr_phase_metric_by_id(phase, column->metric);
      const struct pr_metric *whole = pr_metric_list_available(&phase->metrics, column->whole);
      xmlNode *cell = pr_html_add_metric_cell(table, metric);
      if (whole && metric && metric->value.kind == PR_VALUE_UNSIGNED)
         pr_html_set_share(table->view, cell, metric->value.as_unsigned,
                           pr_value_wide(&whole->value));
      if (request->diff)
         pr_html_set_metric_change(
            table, cell, old_phase ? pr_phase_metric_by_id(old_phase, column->metric) : NULL,
            metric);
   }
}

static void add_phase_row(struct pr_html_table *table, const struct pr_html_request *request,
                          const struct pr_tree_node *node)
{
   const struct pr_phase *phase = node->phase, *old_phase = old_phase_of(request, phase);
   char number[PR_NUMBER_TEXT_BYTES];
   pr_html_add_row(table, NULL);
   pr_html_setf(table->view, table->row, "depth", "%zu", node->depth);
   xmlNode *cell = pr_html_add_name_cell(table, phase->name);
   if (!phase->is_complete)
      pr_html_set(table->view, cell, "is-incomplete", "yes");
   if (phase->is_overlapping)
      pr_html_set(table->view, cell, "is-overlapping", "yes");
   if (request->diff && !old_phase)
      pr_html_set(table->view, cell, "is-new", "yes");
   cell = pr_html_add_text_cell(table, pr_render_number(number, phase->instances));
   if (old_phase && old_phase->instances != phase->instances)
      pr_html_set_change(table->view, cell, old_phase->instances, phase->instances, false);
   add_main_metrics(table, request, phase, old_phase);
}

static void add_tree(struct pr_html_view *view, xmlNode *section,
                     const struct pr_html_request *request)
{
   struct pr_tree_node *nodes = pr_tree_of_phases(request->report);
   struct pr_html_table table;
   if (!nodes) {
      view->is_exhausted = true;
      return;
   }
   pr_html_table_start(&table, view, section, "phases");
   pr_html_add_column(&table, "text", "phase");
   pr_html_add_column(&table, "number", "instances");
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++)
      pr_html_add_column(&table, "number", pr_metrics[pr_phase_columns[c].metric].name);
   for (size_t i = 0; i < request->report->phase_count; i++)
      add_phase_row(&table, request, &nodes[i]);
   pr_html_table_finish(&table);
   free(nodes);
}

void pr_html_add_phases(struct pr_html_view *view, xmlNode *section,
                        const struct pr_html_request *request)
{
   add_tree(view, section, request);
}
