/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_explain_metrics.c: what metrics are made of, and what they have to do with each other.
   See pr_explain.h. */
#include "pr_explain.h"

#define PLUS(symbol) {PR_METRIC_##symbol, false}
#define MINUS(symbol) {PR_METRIC_##symbol, true}

/* Identities of the format, solved for a metric that has no list; and what is the same number
   where nothing tells two metrics apart, as in a phase that one thread alone was in. */
static const struct identity {
   enum pr_metric_id metric;
   size_t count;
   struct pr_term terms[PR_TERMS_MAX];
} identities[] = {
   {PR_METRIC_HEAP_GROWTH, 2, {PLUS(HEAP_PEAK), MINUS(HEAP_ENTRY)}},
   {PR_METRIC_HEAP_EXIT, 4,
    {PLUS(HEAP_RETAINED), PLUS(HEAP_RESIZED), MINUS(HEAP_RELEASED), PLUS(HEAP_ENTRY)}},
   {PR_METRIC_HEAP_EXIT_BLOCKS, 3,
    {PLUS(ALLOCATIONS_COUNT), MINUS(DEALLOCATIONS_COUNT), PLUS(HEAP_ENTRY_BLOCKS)}},
   {PR_METRIC_ALLOCATIONS_COUNT, 2, {PLUS(TRAFFIC_BLOCKS), MINUS(REALLOCATIONS_COUNT)}},
   {PR_METRIC_ALLOCATIONS_BYTES, 2, {PLUS(TRAFFIC_BYTES), MINUS(REALLOCATIONS_BYTES)}},
   {PR_METRIC_DEALLOCATIONS_COUNT, 3,
    {PLUS(ALLOCATIONS_COUNT), MINUS(HEAP_EXIT_BLOCKS), PLUS(HEAP_ENTRY_BLOCKS)}},
   {PR_METRIC_DEALLOCATIONS_BYTES, 4,
    {PLUS(ALLOCATIONS_BYTES), PLUS(REALLOCATIONS_NET_BYTES), MINUS(HEAP_EXIT),
     PLUS(HEAP_ENTRY)}},
   {PR_METRIC_INSTRUCTIONS_PROGRAM, 2, {PLUS(INSTRUCTIONS_TOTAL), MINUS(INSTRUCTIONS_ALLOCATOR)}},
   {PR_METRIC_INSTRUCTIONS_OWN_THREAD, 1, {PLUS(INSTRUCTIONS_TOTAL)}},
};

/* One more, for where no related metric tells more. */
static const struct identity of_allocator = {
   PR_METRIC_INSTRUCTIONS_ALLOCATOR, 2, {PLUS(INSTRUCTIONS_TOTAL), MINUS(INSTRUCTIONS_PROGRAM)}};

enum { RELATED_MAX = 2 };

/* Maxima over the course of a phase, and what is counted of some blocks only. */
static const struct relation {
   enum pr_metric_id metric;
   enum pr_metric_id related[RELATED_MAX];
} relations[] = {
   {PR_METRIC_HEAP_SCRATCH_PEAK, {PR_METRIC_HEAP_PEAK, PR_METRIC_TRAFFIC_BYTES}},
   {PR_METRIC_HEAP_MOVE_PEAK, {PR_METRIC_HEAP_PEAK, PR_METRIC_REALLOCATIONS_BYTES}},
   {PR_METRIC_HEAP_GROWTH, {PR_METRIC_HEAP_PEAK, PR_METRIC_TRAFFIC_BYTES}},
   {PR_METRIC_HEAP_RELEASED, {PR_METRIC_DEALLOCATIONS_BYTES, PR_METRIC_UNKNOWN}},
   {PR_METRIC_HEAP_RESIZED, {PR_METRIC_REALLOCATIONS_NET_BYTES, PR_METRIC_UNKNOWN}},
   {PR_METRIC_ALLOCATIONS_ZERO_SIZE, {PR_METRIC_TRAFFIC_BLOCKS, PR_METRIC_UNKNOWN}},
   {PR_METRIC_REALLOCATIONS_MOVED, {PR_METRIC_REALLOCATIONS_COUNT, PR_METRIC_UNKNOWN}},
   {PR_METRIC_INSTRUCTIONS_ALLOCATOR, {PR_METRIC_TRAFFIC_BLOCKS, PR_METRIC_UNKNOWN}},
   {PR_METRIC_INSTRUCTIONS_OWN_THREAD, {PR_METRIC_INSTRUCTIONS_TOTAL, PR_METRIC_UNKNOWN}},
};

static bool value_of(const struct pr_phase *phase, enum pr_metric_id id, __int128 *value)
{
   const struct pr_metric *metric = pr_metric_list_available(&phase->metrics, id);
   if (metric)
      *value = pr_value_wide(&metric->value);
   return metric;
}

static bool holds(const struct identity *identity, const struct pr_phase *phase)
{
   __int128 whole, sum = 0, value;
   if (!value_of(phase, identity->metric, &whole))
      return false;
   for (size_t t = 0; t < identity->count; t++) {
      if (!value_of(phase, identity->terms[t].metric, &value))
         return false;
      sum += identity->terms[t].is_subtracted ? -value : value;
   }
   return sum == whole;
}

/* Is there a related metric whose change goes the same way? */
static bool has_related(enum pr_metric_id metric, const struct pr_phase *const phases[PR_SIDES])
{
   __int128 olds, news;
   return value_of(phases[PR_OLD], metric, &olds) && value_of(phases[PR_NEW], metric, &news)
          && pr_related_metric(metric, news - olds, phases) != PR_METRIC_UNKNOWN;
}

/* NULL: the metric is not made of others in both phases. */
static const struct identity *find_identity(enum pr_metric_id metric,
                                            const struct pr_phase *const phases[PR_SIDES])
{
   const struct identity *found = NULL;
   for (size_t i = 0; !found && i < sizeof identities / sizeof identities[0]; i++)
      if (identities[i].metric == metric)
         found = &identities[i];
   if (metric == of_allocator.metric && !has_related(metric, phases))
      found = &of_allocator;
   return found && holds(found, phases[PR_OLD]) && holds(found, phases[PR_NEW]) ? found : NULL;
}

size_t pr_made_of(enum pr_metric_id metric, const struct pr_phase *const phases[PR_SIDES],
                  struct pr_term terms[PR_TERMS_MAX])
{
   const struct identity *identity = find_identity(metric, phases);
   for (size_t t = 0; identity && t < identity->count; t++)
      terms[t] = identity->terms[t];
   return identity ? identity->count : 0;
}

enum pr_metric_id pr_related_metric(enum pr_metric_id metric, __int128 change,
                                    const struct pr_phase *const phases[PR_SIDES])
{
   for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++) {
      if (relations[i].metric != metric)
         continue;
      for (size_t r = 0; r < RELATED_MAX; r++) {
         enum pr_metric_id related = relations[i].related[r];
         __int128 olds, news;
         if (value_of(phases[PR_OLD], related, &olds) && value_of(phases[PR_NEW], related, &news)
             && ((change > 0 && news > olds) || (change < 0 && news < olds)))
            return related;
      }
   }
   return PR_METRIC_UNKNOWN;
}

bool pr_column_of_metric(enum pr_breakdown_kind kind, enum pr_metric_id metric, size_t *column)
{
   if (kind == PR_BY_INSTRUCTION || metric == PR_METRIC_UNKNOWN)
      return false;
   for (size_t c = 0; c < pr_breakdowns[kind].column_count; c++)
      if (pr_breakdowns[kind].columns[c].metric == metric) {
         *column = c;
         return true;
      }
   return false;
}
