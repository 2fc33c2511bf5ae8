/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_json.c: everything that a report says, as JSON; docs/reading-reports.md says how
 * it is laid out.
 *
 * Many readers of JSON hold numbers in doubles, which are exact up to 2^53. So a metric's
 * value stands also as text beside it, and any other number above 2^53 stands also in
 * `exact`, an object beside it, under the same name.
 */
#include <string.h>

#include "pr_export_json.h"

enum { DOUBLES_ARE_EXACT_BITS = 53 };

/* The object `exact` of a parent, made when it is first needed. */
static void add_exact(struct pr_json *json, json_object *parent, const char *name,
                      const struct pr_value *value)
{
   char digits[PR_NUMBER_TEXT_BYTES];
   json_object *exact = NULL;
   if (!parent)
      return;
   if (!json_object_object_get_ex(parent, "exact", &exact))
      exact = pr_json_add_object(json, parent, "exact");
   pr_json_add_text(json, exact, name, pr_export_digits(digits, value));
}

static bool is_exact_in_doubles(const struct pr_value *value)
{
   __int128 wide = pr_value_wide(value), limit = (__int128)1 << DOUBLES_ARE_EXACT_BITS;
   return wide <= limit && wide >= -limit;
}

/* A number that is no metric's. */
static void add_number(struct pr_json *json, json_object *parent, const char *name,
                       uint64_t number, bool is_signed)
{
   struct pr_value value = {.kind = PR_VALUE_UNSIGNED, .as_unsigned = number};
   if (is_signed)
      value = (struct pr_value){.kind = PR_VALUE_SIGNED, .as_signed = (int64_t)number};
   pr_json_add_value(json, parent, name, &value);
   if (!is_exact_in_doubles(&value))
      add_exact(json, parent, name, &value);
}

static void add_unsigned(struct pr_json *json, json_object *parent, const char *name,
                         uint64_t number)
{
   add_number(json, parent, name, number, false);
}

/* Left out where the report has none. */
static void add_optional_text(struct pr_json *json, json_object *parent, const char *name,
                              const char *text)
{
   if (text)
      pr_json_add_text(json, parent, name, text);
}

/* --- the run ---------------------------------------------------------------------- */

static void add_pairs(struct pr_json *json, json_object *parent, const char *list,
                      const char *second, const struct pr_pair *pairs, size_t count)
{
   json_object *array = pr_json_add_array(json, parent, list);
   for (size_t i = 0; i < count; i++) {
      json_object *item = pr_json_add_object(json, array, NULL);
      pr_json_add_text(json, item, "name", pairs[i].name);
      add_optional_text(json, item, second, pairs[i].value);
      add_optional_text(json, item, "sha256", pairs[i].digest);
   }
}

static void add_inputs(struct pr_json *json, json_object *parent, const struct pr_run *run)
{
   json_object *array = pr_json_add_array(json, parent, "inputs");
   for (size_t i = 0; i < run->input_count; i++) {
      json_object *item = pr_json_add_object(json, array, NULL);
      pr_json_add_text(json, item, "name", run->inputs[i].name);
      add_unsigned(json, item, "size", run->inputs[i].bytes);
      add_optional_text(json, item, "sha256", run->inputs[i].value);
   }
}

static void add_end(struct pr_json *json, json_object *run, const struct pr_end *end)
{
   static const char *const kinds[] = {[PR_END_EXIT] = "exit",
                                       [PR_END_SIGNAL] = "signal",
                                       [PR_END_EXEC] = "exec",
                                       [PR_END_UNKNOWN] = "unknown"};
   if (end->kind == PR_END_ABSENT)
      return;
   json_object *item = pr_json_add_object(json, run, "end");
   pr_json_add_text(json, item, "kind", kinds[end->kind]);
   if (end->kind == PR_END_EXIT)
      add_unsigned(json, item, "status", end->status);
   if (end->kind == PR_END_SIGNAL)
      add_unsigned(json, item, "signal", end->signal);
   add_optional_text(json, item, "name", end->kind == PR_END_SIGNAL ? end->signal_name : NULL);
   add_optional_text(json, item, "path", end->kind == PR_END_EXEC ? end->path : NULL);
   add_optional_text(json, item, "reason", end->kind == PR_END_UNKNOWN ? end->reason : NULL);
}

static void add_run(struct pr_json *json, json_object *root, const struct pr_report *report)
{
   const struct pr_run *run = &report->run;
   json_object *item = pr_json_add_object(json, root, "producer");
   add_optional_text(json, item, "name", report->producer_name);
   add_optional_text(json, item, "version", report->producer_version);
   add_optional_text(json, item, "valgrind", report->producer_valgrind);
   add_optional_text(json, item, "platform", report->producer_platform);
   item = pr_json_add_object(json, root, "run");
   json_object *command = pr_json_add_array(json, item, "command");
   for (size_t a = 0; a < run->argument_count; a++)
      pr_json_add_text(json, command, NULL, run->arguments[a]);
   json_object *executable = pr_json_add_object(json, item, "executable");
   add_optional_text(json, executable, "path", run->executable_path);
   add_unsigned(json, executable, "size", run->executable_bytes);
   add_optional_text(json, executable, "build-id", run->executable_build_id);
   add_optional_text(json, executable, "sha256", run->executable_sha256);
   if (run->loader_cache_sha256)
      pr_json_add_text(json, pr_json_add_object(json, item, "loader-cache"), "sha256",
                       run->loader_cache_sha256);
   add_inputs(json, item, run);
   add_pairs(json, item, "objects", "build-id", run->objects, run->object_count);
   add_pairs(json, item, "options", "value", run->options, run->option_count);
   add_pairs(json, item, "fixed", "value", run->fixes, run->fix_count);
   json_object *environment = pr_json_add_object(json, item, "environment");
   add_unsigned(json, environment, "variables", run->environment_variables);
   add_optional_text(json, environment, "digest", run->environment_digest);
   add_end(json, item, &report->end);
}

static void add_coverage(struct pr_json *json, json_object *root, const struct pr_report *report)
{
   json_object *coverage = pr_json_add_object(json, root, "coverage"), *list, *item;
   if (report->allocation_functions_listed) {
      list = pr_json_add_array(json, coverage, "allocation-functions");
      for (size_t f = 0; f < report->allocation_function_count; f++) {
         const struct pr_allocation_function *function = &report->allocation_functions[f];
         item = pr_json_add_object(json, list, NULL);
         pr_json_add_text(json, item, "object", function->object);
         pr_json_add_text(json, item, "name", function->name);
         pr_json_add_text(json, item, "kind", function->kind);
         add_unsigned(json, item, "calls", function->calls);
      }
   }
   list = pr_json_add_array(json, coverage, "not-measured");
   for (size_t q = 0; q < report->not_measured_count; q++) {
      item = pr_json_add_object(json, list, NULL);
      pr_json_add_text(json, item, "name", report->not_measured[q].name);
      pr_json_add_text(json, item, "reason", report->not_measured[q].reason);
      add_optional_text(json, item, "instead", report->not_measured[q].instead);
   }
}

/* --- phases --------------------------------------------------------------------------- */

static void add_metric(struct pr_json *json, json_object *metrics, const struct pr_metric *metric)
{
   char digits[PR_NUMBER_TEXT_BYTES];
   const struct pr_metric_extra *extra = metric->extra;
   json_object *item = pr_json_add_object(json, metrics, metric->name);
   pr_json_add_text(json, item, "unit", metric->unit);
   pr_json_add_value(json, item, "value", &metric->value);
   if (metric->value.kind == PR_VALUE_UNAVAILABLE)
      pr_json_add_text(json, item, "unavailable", metric->value.reason);
   else
      pr_json_add_text(json, item, "text", pr_export_digits(digits, &metric->value));
   if (extra && extra->has_range) {
      pr_json_add_value(json, item, "min", &extra->min);
      pr_json_add_value(json, item, "max", &extra->max);
      if (!is_exact_in_doubles(&extra->min))
         add_exact(json, item, "min", &extra->min);
      if (!is_exact_in_doubles(&extra->max))
         add_exact(json, item, "max", &extra->max);
   }
   if (extra && extra->stability != PR_STABILITY_UNKNOWN)
      pr_json_add_bool(json, item, "stable", extra->stability == PR_STABLE);
   if (extra && extra->stability == PR_UNSTABLE)
      add_unsigned(json, item, "stable-difference", extra->stable_difference);
}

static void add_metrics(struct pr_json *json, json_object *parent,
                        const struct pr_metric_list *list, const struct pr_selection *selection)
{
   json_object *metrics = pr_json_add_object(json, parent, "metrics");
   for (size_t m = 0; m < list->count; m++)
      if (pr_selection_has_metric(selection, &list->items[m], NULL))
         add_metric(json, metrics, &list->items[m]);
}

static void add_columns(struct pr_json *json, json_object *item,
                        const struct pr_breakdown_info *info, const uint64_t *values)
{
   for (size_t c = 0; c < info->column_count; c++)
      add_number(json, item, info->columns[c].name, values[c],
                 info->columns[c].flags & PR_COLUMN_SIGNED);
}

static uint64_t id_of(const struct pr_row *row, enum pr_name_kind names)
{
   switch (names) {
   case PR_NAME_SITE:
      return row->site->id;
   case PR_NAME_FUNCTION:
      return row->function->id;
   case PR_NAME_LINE:
      return row->source_line->id;
   case PR_NAME_INSTRUCTION:
      return row->instruction->id;
   case PR_NAME_NONE:
      break;
   }
   return row->id;
}

static void add_breakdown(struct pr_json *json, json_object *phase,
                          const struct pr_breakdown *breakdown,
                          const struct pr_breakdown_info *info)
{
   if (!breakdown->is_listed)
      return;
   json_object *list = pr_json_add_object(json, phase, info->list);
   json_object *rows = pr_json_add_array(json, list, "rows");
   for (size_t r = 0; r < breakdown->row_count; r++) {
      const struct pr_row *row = &breakdown->rows[r];
      json_object *item = pr_json_add_object(json, rows, NULL);
      add_unsigned(json, item, info->id, id_of(row, info->names));
      if (info->origin)
         add_unsigned(json, item, info->origin, row->origin->id);
      add_columns(json, item, info, row->values);
   }
   if (!breakdown->others)
      return;
   json_object *others = pr_json_add_object(json, list, "others");
   add_unsigned(json, others, info->others, breakdown->others_count);
   add_columns(json, others, info, breakdown->others);
}

static void add_histograms(struct pr_json *json, json_object *parent,
                           const struct pr_histogram *histograms)
{
   if (!histograms)
      return;
   json_object *list = pr_json_add_object(json, parent, "histograms");
   for (int h = 0; h < PR_HISTOGRAM_KINDS; h++) {
      if (!histograms[h].is_listed)
         continue;
      json_object *buckets = pr_json_add_array(json, list, pr_histogram_names[h]);
      for (size_t b = 0; b < histograms[h].count; b++) {
         json_object *item = pr_json_add_object(json, buckets, NULL);
         add_unsigned(json, item, "from", histograms[h].buckets[b].from);
         add_unsigned(json, item, "blocks", histograms[h].buckets[b].blocks);
      }
   }
}

static void add_span(struct pr_json *json, json_object *item, const struct pr_span *span)
{
   if (!span->is_known)
      return;
   add_unsigned(json, item, "begin-instructions", span->begin);
   if (span->has_peak)
      add_unsigned(json, item, "peak-instructions", span->peak);
   add_unsigned(json, item, "end-instructions", span->end);
}

static void add_instances(struct pr_json *json, json_object *parent, const struct pr_phase *phase,
                          const struct pr_selection *selection)
{
   if (phase->listed_count == 0)
      return;
   json_object *list = pr_json_add_array(json, parent, "listed-instances");
   for (size_t i = 0; i < phase->listed_count; i++) {
      const struct pr_instance *instance = &phase->listed[i];
      json_object *item = pr_json_add_object(json, list, NULL);
      add_unsigned(json, item, "number", instance->number);
      add_unsigned(json, item, "thread", instance->thread);
      pr_json_add_bool(json, item, "complete", instance->is_complete);
      add_optional_text(json, item, "parent", instance->parent);
      add_span(json, item, &instance->span);
      add_metrics(json, item, &instance->metrics, selection);
   }
}

static void add_phase(struct pr_json *json, json_object *phases, const struct pr_phase *phase,
                      const struct pr_selection *selection)
{
   json_object *item = pr_json_add_object(json, phases, NULL);
   pr_json_add_text(json, item, "name", phase->name);
   pr_json_add_text(json, item, "kind", phase->kind);
   add_unsigned(json, item, "instances", phase->instances);
   pr_json_add_bool(json, item, "complete", phase->is_complete);
   pr_json_add_bool(json, item, "overlapping", phase->is_overlapping);
   add_optional_text(json, item, "parent", phase->parent);
   add_span(json, item, &phase->span);
   add_metrics(json, item, &phase->metrics, selection);
   for (int b = 0; b < PR_BREAKDOWN_KINDS; b++)
      add_breakdown(json, item, phase->breakdowns[b], &pr_breakdowns[b]);
   add_histograms(json, item, phase->histograms);
   add_instances(json, item, phase, selection);
}

/* --- names ------------------------------------------------------------------------------- */

static void add_frame(struct pr_json *json, json_object *frames, const struct pr_frame *frame)
{
   json_object *item = pr_json_add_object(json, frames, NULL);
   pr_json_add_text(json, item, "function", frame->function);
   pr_json_add_text(json, item, "object", frame->object);
   add_optional_text(json, item, "file", frame->file);
   if (frame->file)
      add_unsigned(json, item, "line", frame->line);
   pr_json_add_bool(json, item, "inlined", frame->is_inlined);
}

static void add_sites(struct pr_json *json, json_object *list, const struct pr_report *report)
{
   for (size_t s = 0; s < report->site_count; s++) {
      const struct pr_site *site = &report->sites[s];
      json_object *item = pr_json_add_object(json, list, NULL);
      add_unsigned(json, item, "id", site->id);
      add_unsigned(json, item, "largest-bytes", site->largest_bytes);
      json_object *frames = pr_json_add_array(json, item, "frames");
      for (size_t f = 0; f < site->frame_count; f++)
         add_frame(json, frames, &site->frames[f]);
   }
}

static void add_functions(struct pr_json *json, json_object *list, const struct pr_report *report)
{
   for (size_t f = 0; f < report->function_count; f++) {
      json_object *item = pr_json_add_object(json, list, NULL);
      add_unsigned(json, item, "id", report->functions[f].id);
      pr_json_add_text(json, item, "name", report->functions[f].name);
      pr_json_add_text(json, item, "object", report->functions[f].object);
   }
}

static void add_lines(struct pr_json *json, json_object *list, const struct pr_report *report)
{
   for (size_t l = 0; l < report->line_count; l++) {
      const struct pr_source_line *line = &report->lines[l];
      json_object *item = pr_json_add_object(json, list, NULL);
      add_unsigned(json, item, "id", line->id);
      pr_json_add_text(json, item, "function", line->function);
      pr_json_add_text(json, item, "object", line->object);
      add_optional_text(json, item, "file", line->file);
      if (line->file)
         add_unsigned(json, item, "line", line->number);
   }
}

static void add_instructions(struct pr_json *json, json_object *list,
                             const struct pr_report *report)
{
   for (size_t i = 0; i < report->instruction_count; i++) {
      const struct pr_instruction *instruction = &report->instructions[i];
      json_object *item = pr_json_add_object(json, list, NULL);
      add_unsigned(json, item, "id", instruction->id);
      add_optional_text(json, item, "address", instruction->address);
      pr_json_add_text(json, item, "object", instruction->file->object);
      add_optional_text(json, item, "path", instruction->file->path);
      add_optional_text(json, item, "build-id", instruction->file->build_id);
      pr_json_add_text(json, item, "function", instruction->function);
      add_optional_text(json, item, "file", instruction->source);
      if (instruction->source)
         add_unsigned(json, item, "line", instruction->number);
   }
}

static void add_names(struct pr_json *json, json_object *root, const struct pr_report *report)
{
   static void (*const add_list[PR_NAME_KINDS])(struct pr_json *, json_object *,
                                                const struct pr_report *) = {
      [PR_NAME_SITE] = add_sites,
      [PR_NAME_FUNCTION] = add_functions,
      [PR_NAME_LINE] = add_lines,
      [PR_NAME_INSTRUCTION] = add_instructions};
   for (int n = 0; n < PR_NAME_KINDS; n++) {
      if (report->unavailable[n]) {
         json_object *none = pr_json_add_object(json, root, pr_names[n].list);
         pr_json_add_text(json, none, "unavailable", report->unavailable[n]);
         continue;
      }
      add_list[n](json, pr_json_add_array(json, root, pr_names[n].list), report);
   }
}

static void add_timeline(struct pr_json *json, json_object *root,
                         const struct pr_timeline *timeline)
{
   if (!timeline->is_listed)
      return;
   json_object *item = pr_json_add_object(json, root, "timeline");
   add_unsigned(json, item, "interval-instructions", timeline->interval_instructions);
   json_object *points = pr_json_add_array(json, item, "points");
   for (size_t p = 0; p < timeline->count; p++) {
      json_object *point = pr_json_add_object(json, points, NULL);
      add_unsigned(json, point, "most-bytes", timeline->points[p].most_bytes);
      add_unsigned(json, point, "last-bytes", timeline->points[p].last_bytes);
   }
}

static void add_diagnostics(struct pr_json *json, json_object *root,
                            const struct pr_report *report)
{
   json_object *list = pr_json_add_array(json, root, "diagnostics");
   for (size_t d = 0; d < report->diagnostic_count; d++) {
      const struct pr_run_diagnostic *diagnostic = &report->diagnostics[d];
      json_object *item = pr_json_add_object(json, list, NULL);
      pr_json_add_text(json, item, "severity", diagnostic->severity);
      pr_json_add_text(json, item, "code", diagnostic->code);
      add_optional_text(json, item, "phase", diagnostic->phase);
      add_unsigned(json, item, "count", diagnostic->count);
      add_optional_text(json, item, "text", diagnostic->text);
   }
}

json_object *pr_json_of_report(struct pr_json *json, const struct pr_report *report,
                               const struct pr_selection *selection)
{
   json_object *root = pr_json_new(json, json_object_new_object());
   add_unsigned(json, root, "format", 1);
   add_run(json, root, report);
   add_coverage(json, root, report);
   json_object *phases = pr_json_add_array(json, root, "phases");
   for (size_t p = 0; p < report->phase_count; p++)
      if (pr_selection_has_phase(selection, &report->phases[p]))
         add_phase(json, phases, &report->phases[p], selection);
   add_names(json, root, report);
   add_timeline(json, root, &report->timeline);
   add_diagnostics(json, root, report);
   return root;
}

enum pr_exported pr_export_json(const struct pr_report *report,
                                const struct pr_selection *selection, FILE *out,
                                FILE *notes)
{
   struct pr_json json = {false};
   (void)notes;
   json_object *root = pr_json_of_report(&json, report, selection);
   return pr_json_print(&json, root, out) ? PR_EXPORTED : PR_EXPORT_EXHAUSTED;
}
