/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_phase.c: phases and their metrics. See pr_build_phase.h. */
#include "pr_build_phase.h"

#include <stdlib.h>
#include <string.h>

#include "pr_build_attributes.h"

bool pr_build_phase_start(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_phase *phase = PR_APPEND(builder, report->phases, report->phase_count);
   if (!phase)
      return pr_builder_refuse_memory(builder);
   phase->line = (unsigned)builder->line;
   builder->metric_count = 0;
   builder->unknown_metric_count = 0;
   memset(builder->seen, 0, sizeof builder->seen);
   return pr_attribute_require_string(builder, "name", &phase->name)
          && pr_attribute_take_string(builder, "kind", &phase->kind)
          && pr_attribute_require_number(builder, "instances", &phase->instances)
          && pr_attribute_take_yes_no(builder, "complete", &phase->is_complete)
          && pr_attribute_take_string(builder, "parent", &phase->parent)
          && pr_attribute_take_yes_no(builder, "overlapping", &phase->is_overlapping);
}

/* The metrics are cut to measure: phases are many, and all have the same. */
bool pr_build_phase_end(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   struct pr_phase *phase = &report->phases[report->phase_count - 1];
   size_t bytes = builder->metric_count * sizeof *phase->metrics;
   if (bytes == 0)
      return true;
   phase->metrics = pr_arena_alloc(&report->arena, bytes);
   if (!phase->metrics)
      return pr_builder_refuse_memory(builder);
   memcpy(phase->metrics, builder->metrics, bytes);
   phase->metric_count = builder->metric_count;
   return true;
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
   size_t guess = builder->metric_count;
   metric->id = guess < PR_METRIC_COUNT && pr_attribute_equals(name, pr_metrics[guess].name)
                   ? (enum pr_metric_id)guess
                   : pr_metric_find(name->value, name->value_bytes);
   bool is_repeated = false;
   if (metric->id != PR_METRIC_UNKNOWN) {
      metric->name = pr_metrics[metric->id].name;
      is_repeated = builder->seen[metric->id];
      builder->seen[metric->id] = true;
   } else {
      if (++builder->unknown_metric_count > PR_BUILD_UNKNOWN_METRICS_MAX)
         return pr_builder_refuse(builder, "more than %d unknown metrics in a phase",
                                  PR_BUILD_UNKNOWN_METRICS_MAX);
      if (!pr_attribute_copy(builder, name, &metric->name))
         return false;
      for (size_t i = 0; i < builder->metric_count && !is_repeated; i++)
         is_repeated = builder->metrics[i].id == PR_METRIC_UNKNOWN
                       && strcmp(builder->metrics[i].name, metric->name) == 0;
   }
   return !is_repeated
          || pr_builder_refuse(builder, "metric '%.80s' appears twice in a phase", metric->name);
}

static bool take_unit(struct pr_builder *builder, struct pr_metric *metric)
{
   const struct pr_attribute *unit = pr_attribute_find(builder, "unit");
   if (unit && metric->id != PR_METRIC_UNKNOWN
       && pr_attribute_equals(unit, pr_metrics[metric->id].unit)) {
      metric->unit = pr_metrics[metric->id].unit;
      return true;
   }
   return pr_attribute_take_string(builder, "unit", &metric->unit);
}

bool pr_build_metric_start(struct pr_builder *builder)
{
   if (builder->metric_count == builder->metric_capacity) {
      size_t capacity = builder->metric_capacity ? builder->metric_capacity * 2 : 64;
      struct pr_metric *larger = realloc(builder->metrics, capacity * sizeof *larger);
      if (!larger)
         return pr_builder_refuse_memory(builder);
      builder->metrics = larger;
      builder->metric_capacity = capacity;
   }
   struct pr_metric metric = {.line = (unsigned)builder->line};
   if (!identify(builder, &metric) || !take_unit(builder, &metric) || !take_value(builder, &metric)
       || !take_extra(builder, &metric))
      return false;
   builder->metrics[builder->metric_count++] = metric;
   return true;
}

static int by_name_then_line(const void *left, const void *right)
{
   const struct pr_phase *a = *(const struct pr_phase *const *)left;
   const struct pr_phase *b = *(const struct pr_phase *const *)right;
   int order = strcmp(a->name, b->name);
   return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* A phase is looked up by its name, so the name must say which. */
bool pr_build_phases_finish(struct pr_builder *builder)
{
   const struct pr_report *report = builder->report;
   if (report->phase_count < 2)
      return true;
   const struct pr_phase **sorted = malloc(report->phase_count * sizeof *sorted);
   if (!sorted)
      return pr_builder_refuse_memory(builder);
   for (size_t i = 0; i < report->phase_count; i++)
      sorted[i] = &report->phases[i];
   qsort(sorted, report->phase_count, sizeof *sorted, by_name_then_line);
   for (size_t i = 1; i < report->phase_count; i++) {
      if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0)
         continue;
      builder->line = sorted[i]->line;
      pr_builder_refuse(builder, "phase '%.80s' appears twice", sorted[i]->name);
      break;
   }
   free(sorted);
   return !builder->refused;
}
