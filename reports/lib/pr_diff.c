/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_diff.c: in which phases and metrics two reports differ. See pr_diff.h. */
#include "pr_diff.h"

#include <stdlib.h>
#include <string.h>

#include "pr_explain.h"

static unsigned __int128 magnitude(__int128 number)
{
   return number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
}

/* Relative changes --------------------------------------------------------- */

/* Whole parts first, then what is left over, upside down: as Euclid's algorithm does. */
int pr_ratio_compare(unsigned __int128 a, unsigned __int128 a_whole, unsigned __int128 b,
                     unsigned __int128 b_whole)
{
   for (int larger = 1;; larger = -larger) {
      if (a / a_whole != b / b_whole)
         return a / a_whole > b / b_whole ? larger : -larger;
      unsigned __int128 a_left = a % a_whole, b_left = b % b_whole;
      if (!a_left || !b_left)
         return larger * ((a_left > 0) - (b_left > 0));
      a = a_whole;
      a_whole = a_left;
      b = b_whole;
      b_whole = b_left;
   }
}

/* Metrics that are a part of another one, by which their changes are measured. */
static enum pr_metric_id whole_of(enum pr_metric_id id)
{
   switch (id) {
   case PR_METRIC_INSTRUCTIONS_ALLOCATOR:
   case PR_METRIC_INSTRUCTIONS_OWN_THREAD:
   case PR_METRIC_INSTRUCTIONS_REP_ITERATIONS:
   case PR_METRIC_INSTRUCTIONS_REP_ENDED_BY_CONDITION:
   case PR_METRIC_INSTRUCTIONS_VECTOR:
   case PR_METRIC_INSTRUCTIONS_SCALAR_FLOAT:
   case PR_METRIC_INSTRUCTIONS_LOAD:
   case PR_METRIC_INSTRUCTIONS_STORE:
   case PR_METRIC_INSTRUCTIONS_BRANCH:
   case PR_METRIC_INSTRUCTIONS_CALL:
      return PR_METRIC_INSTRUCTIONS_TOTAL;
   case PR_METRIC_ALLOCATIONS_ZERO_SIZE:
   case PR_METRIC_ALLOCATIONS_TEMPORARY:
      return PR_METRIC_ALLOCATIONS_COUNT;
   case PR_METRIC_REALLOCATIONS_MOVED:
      return PR_METRIC_REALLOCATIONS_COUNT;
   default:
      return id;
   }
}

/* What is little, in a metric's unit. */
static unsigned little_of(const struct pr_metric *metric)
{
   enum { BYTES = 1024, INSTRUCTIONS = 1024, OTHERS = 16 };
   if (metric->unit && strcmp(metric->unit, "bytes") == 0)
      return BYTES;
   return metric->unit && strcmp(metric->unit, "instructions") == 0 ? INSTRUCTIONS : OTHERS;
}

static __int128 base_of(const struct pr_phase *old_phase, const struct pr_metric *old_metric)
{
   const struct pr_metric *whole =
      pr_metric_list_available(&old_phase->metrics, whole_of(old_metric->id));
   __int128 value = pr_value_wide(whole ? &whole->value : &old_metric->value);
   return (value < 0 ? -value : value) + little_of(old_metric);
}

static enum pr_change_rank rank_of(const struct pr_metric_change *metric,
                                   const struct pr_phase *const phases[PR_SIDES])
{
   struct pr_term terms[PR_TERMS_MAX];
   size_t column;
   if (!metric->metrics[PR_OLD] || !metric->metrics[PR_NEW])
      return PR_RANK_NOT_LISTED;
   if (!metric->is_comparable)
      return PR_RANK_NO_NUMBER;
   enum pr_metric_id id = metric->metrics[PR_OLD]->id;
   for (int kind = 0; kind < PR_BY_THREAD; kind++)
      if (pr_column_of_metric(kind, id, &column) && phases[PR_OLD]->breakdowns[kind]->is_listed
          && phases[PR_NEW]->breakdowns[kind]->is_listed)
         return PR_RANK_EXPLAINED;
   if (pr_made_of(id, phases, terms))
      return PR_RANK_MADE_OF_OTHERS;
   return pr_related_metric(id, metric->change, phases) != PR_METRIC_UNKNOWN
             ? PR_RANK_EXPLAINED
             : PR_RANK_UNEXPLAINED;
}

static bool is_small(const struct pr_metric_change *metric, const struct pr_share *threshold)
{
   return metric->is_comparable && !metric->is_moved && metric->change
          && metric->values[PR_OLD]
          && magnitude(metric->change) * threshold->denominator
                < magnitude(metric->values[PR_OLD]) * threshold->numerator;
}

/* Metrics ------------------------------------------------------------------ */

static bool is_range_changed(const struct pr_metric *old_metric,
                             const struct pr_metric *new_metric)
{
   const struct pr_metric_extra *a = old_metric->extra, *b = new_metric->extra;
   if (!a || !b || !a->has_range || !b->has_range)
      return false;
   return pr_value_wide(&a->min) != pr_value_wide(&b->min)
          || pr_value_wide(&a->max) != pr_value_wide(&b->max);
}

static struct pr_metric_change compare_metric(const struct pr_metric *old_metric,
                                              const struct pr_metric *new_metric)
{
   struct pr_metric_change metric = {
      .name = (old_metric ? old_metric : new_metric)->name,
      .metrics = {old_metric, new_metric},
      .is_comparable = old_metric && new_metric
                       && old_metric->value.kind != PR_VALUE_UNAVAILABLE
                       && new_metric->value.kind != PR_VALUE_UNAVAILABLE,
   };
   if (metric.is_comparable) {
      metric.values[PR_OLD] = pr_value_wide(&old_metric->value);
      metric.values[PR_NEW] = pr_value_wide(&new_metric->value);
      metric.change = metric.values[PR_NEW] - metric.values[PR_OLD];
      metric.is_range_changed = is_range_changed(old_metric, new_metric);
   }
   return metric;
}

/* What is unavailable on both sides does not differ, whatever the reasons. */
static bool differs(const struct pr_metric_change *metric)
{
   if (metric->is_comparable)
      return metric->change || metric->is_range_changed || metric->is_moved;
   for (int side = 0; side < PR_SIDES; side++)
      if (!metric->metrics[side] || metric->metrics[side]->value.kind != PR_VALUE_UNAVAILABLE)
         return true;
   return false;
}

/* Which metrics come from others, although some of them have the same value. */
static bool find_moved(const struct pr_diff *diff, const struct pr_phase *const phases[PR_SIDES],
                       bool moved[PR_METRIC_COUNT])
{
   memset(moved, 0, PR_METRIC_COUNT * sizeof *moved);
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++) {
      struct pr_rows rows;
      if (kind == PR_BY_INSTRUCTION || !phases[PR_OLD]->breakdowns[kind]->is_listed
          || !phases[PR_NEW]->breakdowns[kind]->is_listed)
         continue;
      bool ok = pr_rows_gather(&rows, &diff->pairing, phases, kind);
      for (size_t c = 0; ok && c < pr_breakdowns[kind].column_count; c++) {
         enum pr_metric_id id = pr_breakdowns[kind].columns[c].metric;
         if (id != PR_METRIC_UNKNOWN && !moved[id])
            moved[id] = pr_rows_differ(&rows, c);
      }
      pr_rows_release(&rows);
      if (!ok)
         return false;
   }
   return true;
}

/* A phase of both reports. */
struct comparison {
   struct pr_diff *diff;
   const struct pr_diff_request *request;
   struct pr_phase_change *phase;
   bool moved[PR_METRIC_COUNT];
};

static void add_metric(struct comparison *comparison, const struct pr_metric *old_metric,
                       const struct pr_metric *new_metric)
{
   const struct pr_diff_request *request = comparison->request;
   struct pr_phase_change *phase = comparison->phase;
   if (!old_metric && !new_metric)
      return;
   struct pr_metric_change metric = compare_metric(old_metric, new_metric);
   enum pr_metric_id id = (old_metric ? old_metric : new_metric)->id;
   metric.is_moved = id != PR_METRIC_UNKNOWN && metric.is_comparable && metric.change == 0
                     && comparison->moved[id];
   if ((request->metric && strcmp(request->metric, metric.name) != 0) || !differs(&metric))
      return;
   if (is_small(&metric, &request->threshold)) {
      phase->hidden++;
      return;
   }
   metric.rank = rank_of(&metric, phase->phases);
   metric.base = metric.is_comparable ? base_of(phase->phases[PR_OLD], old_metric) : 1;
   phase->metrics[phase->count++] = metric;
}

/* <0: a is the larger change. */
static int compare_metric_changes(const struct pr_metric_change *a,
                                  const struct pr_metric_change *b)
{
   if (a->rank != b->rank)
      return a->rank < b->rank ? -1 : 1;
   if (!a->is_comparable)
      return 0;
   return -pr_ratio_compare(magnitude(a->change), (unsigned __int128)a->base,
                            magnitude(b->change), (unsigned __int128)b->base);
}

/* Of equal ones in the order of the table, what it does not have last. */
static int by_rank(const void *left, const void *right)
{
   const struct pr_metric_change *a = left, *b = right;
   int order = compare_metric_changes(a, b);
   if (order)
      return order;
   unsigned a_id = (unsigned)(a->metrics[PR_NEW] ? a->metrics[PR_NEW] : a->metrics[PR_OLD])->id;
   unsigned b_id = (unsigned)(b->metrics[PR_NEW] ? b->metrics[PR_NEW] : b->metrics[PR_OLD])->id;
   return a_id != b_id ? (a_id > b_id ? 1 : -1) : strcmp(a->name, b->name);
}

static bool compare_metrics(struct comparison *comparison)
{
   struct pr_phase_change *phase = comparison->phase;
   const struct pr_phase *olds = phase->phases[PR_OLD], *news = phase->phases[PR_NEW];
   size_t room = olds->metrics.count + news->metrics.count + 1;
   phase->metrics = malloc(room * sizeof *phase->metrics);
   if (!phase->metrics || !find_moved(comparison->diff, phase->phases, comparison->moved))
      return false;
   for (int id = 0; id < PR_METRIC_COUNT; id++)
      add_metric(comparison, pr_phase_metric_by_id(olds, id), pr_phase_metric_by_id(news, id));
   for (size_t i = 0; i < olds->metrics.count; i++)
      if (olds->metrics.items[i].id == PR_METRIC_UNKNOWN)
         add_metric(comparison, &olds->metrics.items[i],
                    pr_phase_metric(news, olds->metrics.items[i].name));
   for (size_t i = 0; i < news->metrics.count; i++)
      if (news->metrics.items[i].id == PR_METRIC_UNKNOWN
          && !pr_phase_metric(olds, news->metrics.items[i].name))
         add_metric(comparison, NULL, &news->metrics.items[i]);
   qsort(phase->metrics, phase->count, sizeof *phase->metrics, by_rank);
   return true;
}

/* Phases ------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
   return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_described_otherwise(const struct pr_phase *a, const struct pr_phase *b)
{
   return a->instances != b->instances || a->is_complete != b->is_complete
          || a->is_overlapping != b->is_overlapping || !is_same_text(a->kind, b->kind)
          || !is_same_text(a->parent, b->parent);
}

static bool compare_histograms(struct pr_phase_change *phase)
{
   const struct pr_phase *olds = phase->phases[PR_OLD], *news = phase->phases[PR_NEW];
   bool ok = true;
   for (int kind = 0; ok && kind < PR_HISTOGRAM_KINDS; kind++)
      if (olds->histograms && olds->histograms[kind].is_listed && news->histograms
          && news->histograms[kind].is_listed)
         ok = pr_histogram_compare(&olds->histograms[kind], &news->histograms[kind],
                                   &phase->histograms[kind]);
   return ok;
}

static bool is_changed(const struct pr_phase_change *phase)
{
   bool is = phase->count || phase->is_described_otherwise;
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      is = is || phase->histograms[kind].count;
   return is;
}

static void release_phase(struct pr_phase_change *phase)
{
   free(phase->metrics);
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      free(phase->histograms[kind].items);
}

static int by_name(const void *left, const void *right)
{
   return strcmp((*(const struct pr_phase *const *)left)->name,
                 (*(const struct pr_phase *const *)right)->name);
}

/* The phases of a report by name, a NULL behind the last; NULL: no memory left. */
static const struct pr_phase **sort_phases(const struct pr_report *report)
{
   const struct pr_phase **sorted = malloc((report->phase_count + 1) * sizeof *sorted);
   if (!sorted)
      return NULL;
   for (size_t i = 0; i < report->phase_count; i++)
      sorted[i] = &report->phases[i];
   qsort(sorted, report->phase_count, sizeof *sorted, by_name);
   sorted[report->phase_count] = NULL;
   return sorted;
}

/* Those on one side only come first, then the largest change; of equal ones in the order of
   the reports. */
static int by_largest_change(const void *left, const void *right)
{
   const struct pr_phase_change *a = left, *b = right;
   bool a_is_single = !a->phases[PR_OLD] || !a->phases[PR_NEW];
   bool b_is_single = !b->phases[PR_OLD] || !b->phases[PR_NEW];
   if (a_is_single != b_is_single)
      return a_is_single ? -1 : 1;
   if (!a->count != !b->count)
      return a->count ? -1 : 1;
   int order = a->count ? compare_metric_changes(&a->metrics[0], &b->metrics[0]) : 0;
   for (int side = PR_NEW; order == 0 && side >= PR_OLD; side--)
      if (a->phases[side] && b->phases[side])
         order = (a->phases[side] > b->phases[side]) - (a->phases[side] < b->phases[side]);
      else
         order = !a->phases[side] - !b->phases[side];
   return order;
}

static const char *parent_of(const struct pr_child *child)
{
   return (child->phases[PR_NEW] ? child->phases[PR_NEW] : child->phases[PR_OLD])->within->name;
}

/* Note a phase that is inside of the same one wherever it is. */
static void add_child(struct pr_diff *diff, const struct pr_phase *old_phase,
                      const struct pr_phase *new_phase)
{
   const struct pr_phase *old_parent = old_phase ? old_phase->within : NULL;
   const struct pr_phase *new_parent = new_phase ? new_phase->within : NULL;
   bool is_in_one = (old_parent || new_parent) && (!old_phase || old_parent)
                    && (!new_phase || new_parent);
   if (is_in_one && old_parent && new_parent)
      is_in_one = strcmp(old_parent->name, new_parent->name) == 0;
   if (is_in_one)
      diff->children[diff->child_count++] = (struct pr_child){{old_phase, new_phase}};
}

static int by_parent(const void *left, const void *right)
{
   const struct pr_child *a = left, *b = right;
   int order = strcmp(parent_of(a), parent_of(b));
   for (int side = PR_NEW; order == 0 && side >= PR_OLD; side--)
      order = (a->phases[side] > b->phases[side]) - (a->phases[side] < b->phases[side]);
   return order;
}

const struct pr_child *pr_diff_children(const struct pr_diff *diff, const char *phase,
                                        size_t *count)
{
   size_t from = 0, to = diff->child_count;
   while (from < to) {
      size_t middle = from + (to - from) / 2;
      if (strcmp(parent_of(&diff->children[middle]), phase) < 0)
         from = middle + 1;
      else
         to = middle;
   }
   *count = 0;
   while (from + *count < diff->child_count
          && strcmp(parent_of(&diff->children[from + *count]), phase) == 0)
      ++*count;
   return diff->children + from;
}

/* Add the phase, which is on at least one side, if it differs. */
static bool compare_phase(struct pr_diff *diff, const struct pr_diff_request *request,
                          const struct pr_phase *old_phase, const struct pr_phase *new_phase)
{
   struct pr_phase_change *phase = &diff->phases[diff->count];
   const char *name = (old_phase ? old_phase : new_phase)->name;
   if (request->phase && strcmp(request->phase, name) != 0)
      return true;
   *phase = (struct pr_phase_change){.phases = {old_phase, new_phase}};
   diff->compared++;
   if (!old_phase || !new_phase) {
      diff->count++;
      return true;
   }
   struct comparison comparison = {diff, request, phase, {false}};
   phase->is_described_otherwise =
      !request->metric && is_described_otherwise(old_phase, new_phase);
   bool ok = compare_metrics(&comparison) && (request->metric || compare_histograms(phase));
   diff->hidden += phase->hidden;
   if (ok && is_changed(phase))
      diff->count++;
   else
      release_phase(phase);
   return ok;
}

static bool compare_phases(struct pr_diff *diff, const struct pr_diff_request *request)
{
   const struct pr_report *const *reports = diff->pairing.reports;
   const struct pr_phase **olds = sort_phases(reports[PR_OLD]);
   const struct pr_phase **news = sort_phases(reports[PR_NEW]);
   diff->phases = malloc((reports[PR_OLD]->phase_count + reports[PR_NEW]->phase_count + 1)
                         * sizeof *diff->phases);
   diff->children = malloc((reports[PR_OLD]->phase_count + reports[PR_NEW]->phase_count + 1)
                           * sizeof *diff->children);
   bool ok = olds && news && diff->phases && diff->children;
   for (size_t o = 0, n = 0; ok && (olds[o] || news[n]);) {
      int order = !olds[o] ? 1 : !news[n] ? -1 : strcmp(olds[o]->name, news[n]->name);
      const struct pr_phase *old_phase = order <= 0 ? olds[o] : NULL;
      const struct pr_phase *new_phase = order >= 0 ? news[n] : NULL;
      add_child(diff, old_phase, new_phase);
      ok = compare_phase(diff, request, old_phase, new_phase);
      o += order <= 0;
      n += order >= 0;
   }
   free(olds);
   free(news);
   return ok;
}

bool pr_diff_make(struct pr_diff *diff, const struct pr_report *old_report,
                  const struct pr_report *new_report, const struct pr_diff_request *request)
{
   *diff = (struct pr_diff){.phases = NULL};
   if (!pr_pairing_make(&diff->pairing, old_report, new_report)
       || !compare_phases(diff, request))
      return false;
   qsort(diff->phases, diff->count, sizeof *diff->phases, by_largest_change);
   qsort(diff->children, diff->child_count, sizeof *diff->children, by_parent);
   return true;
}

void pr_diff_release(struct pr_diff *diff)
{
   for (size_t i = 0; i < diff->count; i++)
      release_phase(&diff->phases[i]);
   free(diff->phases);
   free(diff->children);
   pr_pairing_release(&diff->pairing);
}
