/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_benchmarks.c: metrics for services that draw them over the history of a
 * project: Bencher's Metric Format, and what github-action-benchmark calls
 * customSmallerIsBetter.
 *
 * Neither has a place for a reason, nor for a number that is none: a metric that is
 * unavailable is left out and noted. Unless metrics are named, those that a project is
 * likely to gate on are written.
 */
#include <stdlib.h>
#include <string.h>

#include "pr_export.h"
#include "pr_json.h"

static const enum pr_metric_id usual[] = {
   PR_METRIC_HEAP_PEAK,      PR_METRIC_HEAP_SCRATCH_PEAK, PR_METRIC_HEAP_RETAINED,
   PR_METRIC_ALLOCATIONS_COUNT, PR_METRIC_TRAFFIC_BYTES,  PR_METRIC_INSTRUCTIONS_TOTAL,
   PR_METRIC_UNKNOWN,
};

/* The metric is wanted and has a value; if it is wanted and has none, that is noted. */
static bool is_written(const struct pr_selection *selection, const struct pr_phase *phase,
                       const struct pr_metric *metric, FILE *notes)
{
   if (!pr_selection_has_metric(selection, metric, usual))
      return false;
   if (metric->value.kind != PR_VALUE_UNAVAILABLE)
      return true;
   pr_export_note_unavailable(phase, metric, notes);
   return false;
}

/* Bencher refuses a document as a whole for the name of one benchmark in it. */
enum { BENCHER_NAME_BYTES_MAX = 1024 };

static bool is_bencher_name(const struct pr_phase *phase, FILE *notes)
{
   if (phase->name[0] && strlen(phase->name) <= BENCHER_NAME_BYTES_MAX)
      return true;
   pr_export_note_phase(phase, phase->name[0] ? "its name has more than 1,024 bytes"
                                              : "it has no name", notes);
   return false;
}

/* {"PHASE": {"METRIC": {"value": N, "lower_value": MIN, "upper_value": MAX}}} */
enum pr_exported pr_export_bencher(const struct pr_report *report,
                                   const struct pr_selection *selection, FILE *out,
                                   FILE *notes)
{
   struct pr_json json = {false};
   json_object *root = pr_json_new(&json, json_object_new_object());
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      if (!pr_selection_has_phase(selection, phase) || !is_bencher_name(phase, notes))
         continue;
      json_object *benchmark = pr_json_add_object(&json, root, phase->name);
      for (size_t m = 0; m < phase->metrics.count; m++) {
         const struct pr_metric *metric = &phase->metrics.items[m];
         if (!is_written(selection, phase, metric, notes))
            continue;
         json_object *item = pr_json_add_object(&json, benchmark, metric->name);
         pr_json_add_value(&json, item, "value", &metric->value);
         if (metric->extra && metric->extra->has_range) {
            pr_json_add_value(&json, item, "lower_value", &metric->extra->min);
            pr_json_add_value(&json, item, "upper_value", &metric->extra->max);
         }
      }
   }
   return pr_json_print(&json, root, out) ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}

/* [{"name": "PHASE METRIC", "unit": "bytes", "value": N}] */
enum pr_exported pr_export_benchmark_action(const struct pr_report *report,
                                            const struct pr_selection *selection, FILE *out,
                                            FILE *notes)
{
   struct pr_json json = {false};
   json_object *root = pr_json_new(&json, json_object_new_array());
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      for (size_t m = 0; m < phase->metrics.count && pr_selection_has_phase(selection, phase);
           m++) {
         const struct pr_metric *metric = &phase->metrics.items[m];
         char *name = NULL;
         if (!is_written(selection, phase, metric, notes))
            continue;
         if (asprintf(&name, "%s %s", phase->name, metric->name) < 0) {
            json.exhausted = true;
            break;
         }
         json_object *item = pr_json_add_object(&json, root, NULL);
         pr_json_add_text(&json, item, "name", name);
         pr_json_add_text(&json, item, "unit", metric->unit);
         pr_json_add_value(&json, item, "value", &metric->value);
         free(name);
      }
   }
   return pr_json_print(&json, root, out) ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}
