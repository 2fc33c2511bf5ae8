/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_phase.c: phases, their instances, the metrics of both. See pr_build_phase.h. */
#include "pr_build_phase.h"

#include <stdlib.h>
#include <string.h>

#include "pr_build_attributes.h"
#include "pr_build_breakdown.h"
#include "pr_build_shape.h"

static void start_metrics(struct pr_builder *builder, struct pr_build_metrics *metrics)
{
   pr_buffer_clear(&metrics->items);
   metrics->unknown_count = 0;
   memset(metrics->seen, 0, sizeof metrics->seen);
   builder->metrics = metrics;
}

static bool end_metrics(struct pr_builder *builder, struct pr_metric_list *list)
{
   const struct pr_buffer *items = &builder->metrics->items;
   list->count = items->count;
   return pr_buffer_copy(items, sizeof *list->items, &builder->report->arena, &list->items)
          || pr_builder_refuse_memory(builder);
}

/* Phases, instances ------------------------------------------------------ */

static struct pr_phase *open_phase(const struct pr_builder *builder)
{
   return (struct pr_phase *)builder->phases.items + builder->phases.count - 1;
}

/* Older reports have none of it. */
static bool take_span(struct pr_builder *builder, struct pr_span *span)
{
   span->is_known = pr_attribute_find(builder, "begin-instructions") != NULL;
   span->has_peak = span->is_known && pr_attribute_find(builder, "peak-instructions");
   return !span->is_known
          || (pr_attribute_require_number(builder, "begin-instructions", &span->begin)
              && pr_attribute_require_number(builder, "end-instructions", &span->end)
              && (!span->has_peak
                  || pr_attribute_require_number(builder, "peak-instructions", &span->peak)));
}

bool pr_build_phase_start(struct pr_builder *builder)
{
   struct pr_phase *phase = pr_buffer_append(&builder->phases, sizeof *phase);
   if (!phase)
      return pr_builder_refuse_memory(builder);
   *phase = (struct pr_phase){.line = (unsigned)builder->line};
   start_metrics(builder, &builder->phase_metrics);
   pr_buffer_clear(&builder->instances);
   pr_build_breakdowns_clear(builder);
   pr_build_histograms_clear(builder);
   return pr_attribute_require_string(builder, "name", &phase->name)
          && pr_attribute_take_name(builder, "kind", &phase->kind)
          && pr_attribute_require_number(builder, "instances", &phase->instances)
          && pr_attribute_take_yes_no(builder, "complete", &phase->is_complete)
          && pr_attribute_take_name(builder, "parent", &phase->parent)
          && pr_attribute_take_yes_no(builder, "overlapping", &phase->is_overlapping)
          && take_span(builder, &phase->span);
}

/* The parts are cut to measure: phases are many, and all have the same. */
bool pr_build_phase_end(struct pr_builder *builder)
{
   struct pr_phase *phase = open_phase(builder);
   phase->listed_count = builder->instances.count;
   return end_metrics(builder, &phase->metrics) && pr_build_breakdowns_end(builder, phase)
          && pr_build_histograms_end(builder, phase)
          && (pr_buffer_copy(&builder->instances, sizeof *phase->listed,
                             &builder->report->arena, &phase->listed)
              || pr_builder_refuse_memory(builder));
}

static struct pr_instance *open_instance(const struct pr_builder *builder)
{
   return (struct pr_instance *)builder->instances.items + builder->instances.count - 1;
}

bool pr_build_instance_start(struct pr_builder *builder)
{
   struct pr_instance *instance = pr_buffer_append(&builder->instances, sizeof *instance);
   if (!instance)
      return pr_builder_refuse_memory(builder);
   *instance = (struct pr_instance){.line = (unsigned)builder->line};
   start_metrics(builder, &builder->instance_metrics);
   return pr_attribute_require_number(builder, "number", &instance->number)
          && pr_attribute_require_number(builder, "thread", &instance->thread)
          && pr_attribute_take_yes_no(builder, "complete", &instance->is_complete)
          && pr_attribute_take_name(builder, "parent", &instance->parent)
          && take_span(builder, &instance->span);
}

bool pr_build_instance_end(struct pr_builder *builder)
{
   bool ok = end_metrics(builder, &open_instance(builder)->metrics);
   builder->metrics = &builder->phase_metrics;
   return ok;
}

/* Metrics ---------------------------------------------------------------- */

static const char *place_of_metrics(const struct pr_builder *builder)
{
   return builder->metrics == &builder->phase_metrics ? "a phase" : "an instance";
}

static bool parse_value(struct pr_builder *builder, const struct pr_attribute *attribute,
                        enum pr_metric_id id, struct pr_value *value)
{
   /* The sign of a newer report's metric is not known; a minus tells. */
   bool is_signed = id == PR_METRIC_UNKNOWN
                       ? attribute->value_bytes > 0 && attribute->value[0] == '-'
                       : pr_metrics[id].sign == PR_SIGN_SIGNED;
   enum pr_number_result result;
   if (is_signed) {
      value->kind = PR_VALUE_SIGNED;
      result = pr_number_parse_signed(attribute->value, attribute->value_bytes, &value->as_signed);
   } else {
      value->kind = PR_VALUE_UNSIGNED;
      result =
         pr_number_parse_unsigned(attribute->value, attribute->value_bytes, &value->as_unsigned);
   }
   return result == PR_NUMBER_OK || pr_attribute_refuse_number(builder, attribute, result);
}

static bool take_reason(struct pr_builder *builder, const struct pr_attribute *reason,
                        const char **string)
{
   if (builder->last_reason && pr_attribute_equals(reason, builder->last_reason)) {
      *string = builder->last_reason;
      return true;
   }
   if (!pr_attribute_copy(builder, reason, string))
      return false;
   builder->last_reason = *string;
   return true;
}

static bool take_value(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *value = pr_attribute_find(builder, "value");
   const struct pr_attribute *reason = pr_attribute_find(builder, "unavailable");
   if ((value != NULL) == (reason != NULL))
      return pr_builder_refuse(builder, "metric '%.80s' has %s 'value' %s 'unavailable'",
                               metric->name, value ? "both" : "neither", value ? "and" : "nor");
   if (value)
      return parse_value(builder, value, metric->id, &metric->value);
   metric->value.kind = PR_VALUE_UNAVAILABLE;
   return take_reason(builder, reason, &metric->value.reason);
}

static bool take_extra(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *min = pr_attribute_find(builder, "min");
   const struct pr_attribute *max = pr_attribute_find(builder, "max");
   const struct pr_attribute *stable = pr_attribute_find(builder, "stable");
   if (!min && !max && !stable)
      return true;
   struct pr_metric_extra *extra = pr_arena_alloc(&builder->report->arena, sizeof *extra);
   if (!extra)
      return pr_builder_refuse_memory(builder);
   metric->extra = extra;
   if ((min != NULL) != (max != NULL))
      return pr_builder_refuse(builder, "metric '%.80s' has only one of 'min' and 'max'",
                               metric->name);
   extra->has_range = min != NULL;
   if (min
       && !(parse_value(builder, min, metric->id, &extra->min)
            && parse_value(builder, max, metric->id, &extra->max)))
      return false;
   bool is_stable = false;
   if (!stable)
      return true;
   if (!pr_attribute_take_yes_no(builder, "stable", &is_stable))
      return false;
   extra->stability = is_stable ? PR_STABLE : PR_UNSTABLE;
   return is_stable
          || pr_attribute_require_number(builder, "stable-difference", &extra->stable_difference);
}

/* Which metric is it? Reports list them in the table's order, so the guess
   that it is the one after the last is nearly always right. */
static bool identify(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *name = pr_attribute_require(builder, "name");
   if (!name)
      return false;
   struct pr_build_metrics *metrics = builder->metrics;
   const struct pr_metric *items = metrics->items.items;
   size_t guess = metrics->items.count;
   metric->id = guess < PR_METRIC_COUNT && pr_attribute_equals(name, pr_metrics[guess].name)
                   ? (enum pr_metric_id)guess
                   : pr_metric_find(name->value, name->value_bytes);
   bool is_repeated = false;
   if (metric->id != PR_METRIC_UNKNOWN) {
      metric->name = pr_metrics[metric->id].name;
      is_repeated = metrics->seen[metric->id];
      metrics->seen[metric->id] = true;
   } else {
      if (++metrics->unknown_count > PR_BUILD_UNKNOWN_METRICS_MAX)
         return pr_builder_refuse(builder, "more than %d unknown metrics in %s",
                                  PR_BUILD_UNKNOWN_METRICS_MAX, place_of_metrics(builder));
      if (!pr_attribute_require_name(builder, "name", &metric->name))
         return false;
      for (size_t i = 0; i < metrics->items.count && !is_repeated; i++)
         is_repeated =
            items[i].id == PR_METRIC_UNKNOWN && strcmp(items[i].name, metric->name) == 0;
   }
   return !is_repeated
          || pr_builder_refuse(builder, "metric '%.80s' appears twice in %s", metric->name,
                               place_of_metrics(builder));
}

static bool take_unit(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *unit = pr_attribute_find(builder, "unit");
   if (unit && metric->id != PR_METRIC_UNKNOWN
       && pr_attribute_equals(unit, pr_metrics[metric->id].unit)) {
      metric->unit = pr_metrics[metric->id].unit;
      return true;
   }
   return pr_attribute_take_name(builder, "unit", &metric->unit);
}

bool pr_build_metric_start(struct pr_builder *builder)
{
   struct pr_metric metric = {.line = (unsigned)builder->line};
   if (!identify(builder, &metric) || !take_unit(builder, &metric) || !take_value(builder, &metric)
       || !take_extra(builder, &metric))
      return false;
   struct pr_metric *place = pr_buffer_append(&builder->metrics->items, sizeof *place);
   if (!place)
      return pr_builder_refuse_memory(builder);
   *place = metric;
   return true;
}

/* All phases ------------------------------------------------------------- */

static int by_name_then_line(const void *left, const void *right)
{
   const struct pr_phase *a = *(const struct pr_phase *const *)left;
   const struct pr_phase *b = *(const struct pr_phase *const *)right;
   int order = strcmp(a->name, b->name);
   return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_name(const void *name, const void *phase)
{
   return strcmp(name, (*(const struct pr_phase *const *)phase)->name);
}

/* A phase is looked up by its name, so the name must say which. */
static bool check_names(struct pr_builder *builder, const struct pr_phase *const *sorted)
{
   for (size_t i = 1; i < builder->report->phase_count; i++) {
      if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
         continue;
      builder->line = sorted[i]->line;
      return pr_builder_refuse(builder, "phase '%.80s' appears twice", sorted[i]->name);
   }
   return true;
}

static void find_parents(struct pr_report *report, const struct pr_phase *const *sorted)
{
   for (size_t i = 0; i < report->phase_count; i++) {
      struct pr_phase *phase = &report->phases[i];
      const struct pr_phase *const *parent =
         phase->parent ? bsearch(phase->parent, sorted, report->phase_count, sizeof *sorted,
                                 compare_name)
                       : NULL;
      phase->within = parent ? *parent : NULL;
   }
}

bool pr_build_phases_finish(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   report->phase_count = builder->phases.count;
   report->phases = pr_buffer_take(&builder->phases);
   if (report->phase_count == 0)
      return true;
   const struct pr_phase **sorted = malloc(report->phase_count * sizeof *sorted);
   if (!sorted)
      return pr_builder_refuse_memory(builder);
   for (size_t i = 0; i < report->phase_count; i++)
      sorted[i] = &report->phases[i];
   qsort(sorted, report->phase_count, sizeof *sorted, by_name_then_line);
   bool ok = check_names(builder, sorted);
   if (ok)
      find_parents(report, sorted);
   free(sorted);
   return ok;
}
