/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_totals.c: do the parts of a phase make up the phase? See pr_totals.h. */
#include "pr_totals.h"

#include <inttypes.h>

/* Where a check stands, and whether all held so far. */
struct check {
   const struct pr_report *report;
   const struct pr_phase *phase;
   struct pr_diagnostics *diagnostics;
   bool all_hold;
};

static const char *number_text(char text[PR_NUMBER_TEXT_BYTES], __int128 number)
{
   return pr_number_format(text, pr_number_of_wide(number));
}

/* Sites, pairs of them, functions, lines, threads ------------------------- */

static void check_column(struct check *check, enum pr_breakdown_kind kind, size_t column)
{
   const struct pr_breakdown_info *info = &pr_breakdowns[kind];
   const struct pr_breakdown *breakdown = check->phase->breakdowns[kind];
   char value_text[PR_NUMBER_TEXT_BYTES], sum_text[PR_NUMBER_TEXT_BYTES];
   const struct pr_metric *metric =
      pr_metric_list_available(&check->phase->metrics, info->columns[column].metric);
   if (!metric)
      return;
   __int128 value = pr_value_wide(&metric->value);
   __int128 sum = pr_breakdown_sum(breakdown, kind, column);
   if (value == sum)
      return;
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, metric->line,
                      "phase '%.80s': %s = sum of %s over its %s does not hold: %s is not %s",
                      check->phase->name, metric->name, info->columns[column].name, info->list,
                      number_text(value_text, value), number_text(sum_text, sum));
}

static void check_breakdowns(struct check *check)
{
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++) {
      const struct pr_breakdown *breakdown = check->phase->breakdowns[kind];
      for (size_t c = 0; breakdown->is_listed && c < pr_breakdowns[kind].column_count; c++)
         check_column(check, kind, c);
   }
}

static void add_number_diagnostic(struct check *check, unsigned line, const char *what,
                                  uint64_t number, const char *wrong)
{
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, line,
                      "phase '%.80s': %s %" PRIu64 " %s", check->phase->name, what, number, wrong);
}

/* In order of their creation, each once. */
static void check_threads(struct check *check)
{
   const struct pr_breakdown *threads = check->phase->breakdowns[PR_BY_THREAD];
   uint64_t last = 0;
   for (size_t i = 0; i < threads->row_count; i++) {
      const struct pr_row *row = &threads->rows[i];
      if (row->id <= last)
         add_number_diagnostic(check, row->line, "thread", row->id, "is listed out of order");
      last = row->id;
   }
}

/* Instances -------------------------------------------------------------- */

/* In order of their begins, each once, and no more than there are. */
static void check_numbers(struct check *check)
{
   const struct pr_phase *phase = check->phase;
   uint64_t last = 0;
   for (size_t i = 0; i < phase->listed_count; i++) {
      const struct pr_instance *instance = &phase->listed[i];
      if (instance->number <= last)
         add_number_diagnostic(check, instance->line, "instance", instance->number,
                               "is listed out of order");
      if (i == phase->instances)
         add_number_diagnostic(check, instance->line, "instance", instance->number,
                               "is one more than the phase has");
      last = instance->number;
   }
}

/* A metric over the listed instances. */
struct summary {
   __int128 sum, min, max, first;
   bool has_value; /* one of them has the phase's value */
};

/* False: one of them has no number. */
static bool summarize(const struct pr_phase *phase, const struct pr_metric *metric,
                      struct summary *summary)
{
   *summary = (struct summary){.has_value = false};
   for (size_t i = 0; i < phase->listed_count; i++) {
      const struct pr_metric *part =
         pr_metric_list_available(&phase->listed[i].metrics, metric->id);
      if (!part)
         return false;
      __int128 value = pr_value_wide(&part->value);
      if (i == 0)
         summary->first = summary->min = summary->max = value;
      summary->sum += value;
      summary->min = value < summary->min ? value : summary->min;
      summary->max = value > summary->max ? value : summary->max;
      summary->has_value = summary->has_value || value == pr_value_wide(&metric->value);
   }
   return true;
}

/* The metric in the first instance with the highest peak. False: there is none. */
static bool find_at_peak(const struct pr_phase *phase, enum pr_metric_id id, __int128 *value)
{
   const struct pr_metric *highest = NULL, *wanted = NULL;
   for (size_t i = 0; i < phase->listed_count; i++) {
      const struct pr_metric_list *metrics = &phase->listed[i].metrics;
      const struct pr_metric *peak = pr_metric_list_available(metrics, PR_METRIC_HEAP_PEAK);
      if (!peak)
         return false;
      if (!highest || pr_value_wide(&peak->value) > pr_value_wide(&highest->value)) {
         highest = peak;
         wanted = pr_metric_list_available(metrics, id);
      }
   }
   if (wanted)
      *value = pr_value_wide(&wanted->value);
   return wanted != NULL;
}

static void compare(struct check *check, const struct pr_metric *metric, const char *which,
                    __int128 stated, __int128 found)
{
   char stated_text[PR_NUMBER_TEXT_BYTES], found_text[PR_NUMBER_TEXT_BYTES];
   if (stated == found)
      return;
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, metric->line,
                      "phase '%.80s': %s: its %s is %s, but that of its instances is %s",
                      check->phase->name, metric->name, which, number_text(stated_text, stated),
                      number_text(found_text, found));
}

static void require_value(struct check *check, const struct pr_metric *metric,
                          const struct summary *summary)
{
   if (summary->has_value)
      return;
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, metric->line,
                      "phase '%.80s': %s: its value is that of none of its instances",
                      check->phase->name, metric->name);
}

/* Does the phase's value follow from its instances, all of which are listed? */
static void check_value(struct check *check, const struct pr_metric *metric,
                        const struct summary *summary)
{
   __int128 value = pr_value_wide(&metric->value), at_peak;
   switch (pr_metrics[metric->id].over_instances) {
   case PR_OVER_INSTANCES_FIRST:
      return compare(check, metric, "first value", value, summary->first);
   case PR_OVER_INSTANCES_LAST:
      /* The one that ended last; the list does not say which that was. */
      return require_value(check, metric, summary);
   case PR_OVER_INSTANCES_SUM:
      return compare(check, metric, "sum", value, summary->sum);
   case PR_OVER_INSTANCES_MAX:
      return compare(check, metric, "maximum", value, summary->max);
   case PR_OVER_INSTANCES_AT_PEAK:
      if (find_at_peak(check->phase, metric->id, &at_peak))
         compare(check, metric, "value at the peak", value, at_peak);
      return;
   case PR_OVER_INSTANCES_PHASE: /* its instances have no values */
      return;
   }
}

static void check_metric(struct check *check, const struct pr_metric *metric)
{
   struct summary summary;
   if (metric->id == PR_METRIC_UNKNOWN || metric->value.kind == PR_VALUE_UNAVAILABLE
       || !summarize(check->phase, metric, &summary))
      return;
   bool all_listed = check->phase->listed_count == check->phase->instances;
   if (all_listed)
      check_value(check, metric, &summary);
   if (!metric->extra || !metric->extra->has_range)
      return;
   /* Those that are not listed may reach further out, but not less far. */
   __int128 min = pr_value_wide(&metric->extra->min), max = pr_value_wide(&metric->extra->max);
   if (all_listed || min > summary.min)
      compare(check, metric, "min", min, summary.min);
   if (all_listed || max < summary.max)
      compare(check, metric, "max", max, summary.max);
}

bool pr_totals_check(const struct pr_report *report, const struct pr_phase *phase,
                     struct pr_diagnostics *diagnostics)
{
   struct check check = {report, phase, diagnostics, true};
   check_breakdowns(&check);
   check_threads(&check);
   check_numbers(&check);
   for (size_t m = 0; phase->listed_count > 0 && m < phase->metrics.count; m++)
      check_metric(&check, &phase->metrics.items[m]);
   return check.all_hold;
}
