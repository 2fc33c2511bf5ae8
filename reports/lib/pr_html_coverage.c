/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_coverage.c: the last section of the page: what was seen, what was not, and what the
 * names of the metrics mean. See pr_html_view.h.
 */
#include "pr_html_lists.h"

static void add_allocation_functions(struct pr_html_view *view, xmlNode *section,
                                     const struct pr_report *report)
{
   static const char title[] = "allocation functions found";
   struct pr_html_table table;
   if (!report->allocation_functions_listed)
      return pr_html_add_nothing(view, section, title, "not in the report", NULL);
   if (report->allocation_function_count == 0)
      return pr_html_add_nothing(view, section, title, "none", NULL);
   pr_html_table_start(&table, view, section, title);
   pr_html_add_column(&table, "text", "function");
   pr_html_add_column(&table, "text", "object");
   pr_html_add_column(&table, "text", "kind");
   pr_html_add_column(&table, "number", "calls");
   for (size_t i = 0; i < report->allocation_function_count; i++) {
      const struct pr_allocation_function *function = &report->allocation_functions[i];
      pr_html_add_row(&table, NULL);
      pr_html_add_name_cell(&table, function->name);
      pr_html_add_name_cell(&table, function->object);
      pr_html_add_name_cell(&table, function->kind);
      pr_html_add_number_cell(&table, function->calls, false);
   }
   pr_html_table_finish(&table);
}

static void add_not_measured(struct pr_html_view *view, xmlNode *section,
                             const struct pr_report *report)
{
   struct pr_html_table table;
   if (report->not_measured_count == 0)
      return;
   pr_html_table_start(&table, view, section, "not measured");
   pr_html_add_column(&table, "text", "quantity");
   pr_html_add_column(&table, "text", "reason");
   pr_html_add_column(&table, "text", "instead");
   for (size_t i = 0; i < report->not_measured_count; i++) {
      const struct pr_not_measured *quantity = &report->not_measured[i];
      pr_html_add_row(&table, NULL);
      pr_html_add_name_cell(&table, quantity->name);
      pr_html_add_name_cell(&table, quantity->reason);
      pr_html_add_name_cell(&table, quantity->instead);
   }
   pr_html_table_finish(&table);
}

static void add_meanings(struct pr_html_view *view, xmlNode *section)
{
   for (int m = 0; m < PR_METRIC_COUNT; m++) {
      xmlNode *node = pr_html_add(view, section, "metric");
      pr_html_set(view, node, "name", pr_metrics[m].name);
      pr_html_set(view, node, "unit", pr_metrics[m].unit);
      pr_html_set(view, node, "meaning", pr_metrics[m].meaning);
   }
}

void pr_html_add_coverage(const struct pr_html_page *page, xmlNode *section)
{
   const struct pr_report *report = page->request->report;
   add_allocation_functions(page->view, section, report);
   add_not_measured(page->view, section, report);
   add_meanings(page->view, section);
}
