/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_breakdowns.c: the sections of the page that say who numbers come from: memory,
 * functions, mix, threads. See pr_html_view.h.
 */
#include "pr_html_lists.h"
#include "pr_render.h"

/* Memory ------------------------------------------------------------------- */

static const struct pr_html_list memory_lists[] = {
   {PR_BY_SITE, &pr_html_sites, PR_SITE_PEAK_BYTES, 1, {PR_SITE_PEAK_BLOCKS},
    "live at the peak", false},
   {PR_BY_SITE, &pr_html_sites, PR_SITE_TRAFFIC_BYTES, 1, {PR_SITE_TRAFFIC_BLOCKS},
    "obtained or resized (traffic)", false},
   {PR_BY_SITE, &pr_html_sites, PR_SITE_RETAINED_BYTES, 1, {PR_SITE_RETAINED_BLOCKS},
    "obtained inside and live at the end (retained)", false},
   {PR_BY_SITE, &pr_html_sites, PR_SITE_TEMPORARY_BLOCKS, 0, {0}, "temporary", false},
   {PR_BY_RESIZE, &pr_html_resizes, PR_RESIZE_BYTES, 2,
    {PR_RESIZE_BLOCKS, PR_RESIZE_NET_BYTES}, "resizes, by their new sizes", true},
   {PR_BY_RELEASE, &pr_html_releases, PR_RELEASE_BYTES, 1, {PR_RELEASE_BLOCKS},
    "given back", true},
};

void pr_html_add_memory(const struct pr_html_page *page, xmlNode *section)
{
   pr_html_add_lists(page, section, memory_lists, sizeof memory_lists / sizeof memory_lists[0]);
}

/* Functions ---------------------------------------------------------------- */

static const struct pr_html_list function_lists[] = {
   {PR_BY_FUNCTION, &pr_html_functions, PR_FUNCTION_INSTRUCTIONS, 2,
    {PR_FUNCTION_CALLS, PR_FUNCTION_REP_ITERATIONS}, "functions, by what they executed themselves",
    false},
   {PR_BY_LINE, &pr_html_lines, PR_FUNCTION_INSTRUCTIONS, 1, {PR_FUNCTION_REP_ITERATIONS},
    "source lines, by what was executed in them", true},
};

void pr_html_add_functions(const struct pr_html_page *page, xmlNode *section)
{
   pr_html_add_lists(page, section, function_lists,
                     sizeof function_lists / sizeof function_lists[0]);
}

/* Mix ---------------------------------------------------------------------- */

static const enum pr_metric_id classes[] = {
   PR_METRIC_INSTRUCTIONS_VECTOR, PR_METRIC_INSTRUCTIONS_SCALAR_FLOAT, PR_METRIC_INSTRUCTIONS_LOAD,
   PR_METRIC_INSTRUCTIONS_STORE,  PR_METRIC_INSTRUCTIONS_BRANCH,       PR_METRIC_INSTRUCTIONS_CALL,
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static const struct pr_html_list mix_lists[] = {
   {PR_BY_FUNCTION, &pr_html_functions, PR_FUNCTION_INSTRUCTIONS, 6,
    {PR_FUNCTION_VECTOR, PR_FUNCTION_SCALAR_FLOAT, PR_FUNCTION_LOAD, PR_FUNCTION_STORE,
     PR_FUNCTION_BRANCH, PR_FUNCTION_CALL},
    "functions, by what they executed themselves", false},
};

/* One with its number in the baseline; of the classes, also as a share of all instructions. */
static void add_class(const struct pr_html_page *page, struct pr_html_table *table,
                      const struct pr_html_phase *phase, enum pr_metric_id id)
{
   const struct pr_metric *metric = pr_phase_metric_by_id(phase->phase, id);
   const struct pr_metric *available = pr_metric_list_available(&phase->phase->metrics, id);
   const struct pr_metric *whole =
      pr_metric_list_available(&phase->phase->metrics, PR_METRIC_INSTRUCTIONS_TOTAL);
   xmlNode *cell = pr_html_add_metric_cell(table, metric);
   if (available && whole && available != whole) {
      __int128 part = pr_value_wide(&available->value), all = pr_value_wide(&whole->value);
      pr_html_set_share(table->view, cell, part, all);
      pr_html_set_bar(table->view, cell, part, all);
   }
   if (page->request->diff)
      pr_html_set_metric_change(
         table, cell, phase->old_phase ? pr_phase_metric_by_id(phase->old_phase, id) : NULL,
         metric);
}

static void add_mix_of_phases(const struct pr_html_page *page, xmlNode *section)
{
   struct pr_html_table table;
   pr_html_table_start(&table, page->view, section, "classes of instructions, which overlap");
   pr_html_add_column(&table, "text", "phase");
   pr_html_add_column(&table, "number", pr_metrics[PR_METRIC_INSTRUCTIONS_TOTAL].name);
   for (size_t c = 0; c < CLASSES; c++)
      pr_html_add_column(&table, "number", pr_metrics[classes[c]].name);
   for (size_t p = 0; p < page->request->report->phase_count; p++) {
      const struct pr_html_phase *phase = &page->phases[p];
      if (!phase->has_tables)
         continue;
      pr_html_add_row(&table, NULL);
      pr_html_add_name_cell(&table, phase->phase->name);
      add_class(page, &table, phase, PR_METRIC_INSTRUCTIONS_TOTAL);
      for (size_t c = 0; c < CLASSES; c++)
         add_class(page, &table, phase, classes[c]);
   }
   pr_html_table_finish(&table);
}

void pr_html_add_mix(const struct pr_html_page *page, xmlNode *section)
{
   add_mix_of_phases(page, section);
   pr_html_add_lists(page, section, mix_lists, sizeof mix_lists / sizeof mix_lists[0]);
}

/* Threads ------------------------------------------------------------------ */

static const struct pr_html_list thread_lists[] = {
   {PR_BY_THREAD, &pr_html_threads, PR_THREAD_INSTRUCTIONS, 4,
    {PR_THREAD_TRAFFIC_BLOCKS, PR_THREAD_TRAFFIC_BYTES, PR_THREAD_RELEASED_BLOCKS,
     PR_THREAD_FOREIGN_BLOCKS},
    "threads, by what they executed", false},
};

void pr_html_add_threads(const struct pr_html_page *page, xmlNode *section)
{
   pr_html_add_lists(page, section, thread_lists, sizeof thread_lists / sizeof thread_lists[0]);
}
