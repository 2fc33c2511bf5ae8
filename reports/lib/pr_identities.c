/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_identities.c: do the numbers of a report agree? See pr_identities.h.
 *
 * One table row per identity: LEFT relation (sum of signed terms). All hold for
 * a single instance, listed or the phase's only one; of the aggregate of several,
 * sums still agree while a maximum of peaks and the first entry need not. `scope`
 * says which.
 *
 * Sums are taken in 128 bits: no sum of a few 64-bit numbers leaves them.
 */
#include "pr_identities.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "pr_code_check.h"
#include "pr_relation.h"
#include "pr_shape_check.h"
#include "pr_totals.h"

/* Whose metrics are checked: a phase's or a listed instance's. */
struct subject {
   const struct pr_report *report;
   const struct pr_phase *phase;
   const struct pr_instance *instance; /* NULL: the phase as a whole */
   const struct pr_metric_list *metrics;
   uint64_t instances; /* that the metrics are of */
};

enum scope {
   ANY_INSTANCES,
   ONE_INSTANCE,
};

enum { TERMS_MAX = 4 };

struct term {
   int sign; /* +1, -1; 0: no more terms */
   enum pr_metric_id metric;
};

struct identity {
   enum pr_metric_id left;
   enum pr_relation relation;
   struct term right[TERMS_MAX];
   enum scope scope;
};

#define PLUS(symbol) {+1, PR_METRIC_##symbol}
#define MINUS(symbol) {-1, PR_METRIC_##symbol}
#define LEFT(symbol) PR_METRIC_##symbol

static const struct identity identities[] = {
   /* What goes in and out of the heap. */
   {LEFT(HEAP_EXIT), PR_EQUAL,
    {PLUS(HEAP_ENTRY), PLUS(ALLOCATIONS_BYTES), PLUS(REALLOCATIONS_NET_BYTES),
     MINUS(DEALLOCATIONS_BYTES)},
    ONE_INSTANCE},
   {LEFT(HEAP_EXIT_BLOCKS), PR_EQUAL,
    {PLUS(HEAP_ENTRY_BLOCKS), PLUS(ALLOCATIONS_COUNT), MINUS(DEALLOCATIONS_COUNT)},
    ONE_INSTANCE},
   {LEFT(HEAP_EXIT), PR_EQUAL,
    {PLUS(HEAP_ENTRY), PLUS(HEAP_RETAINED), PLUS(HEAP_RESIZED), MINUS(HEAP_RELEASED)},
    ONE_INSTANCE},
   {LEFT(TRAFFIC_BLOCKS), PR_EQUAL, {PLUS(ALLOCATIONS_COUNT), PLUS(REALLOCATIONS_COUNT)},
    ANY_INSTANCES},
   {LEFT(TRAFFIC_BYTES), PR_EQUAL, {PLUS(ALLOCATIONS_BYTES), PLUS(REALLOCATIONS_BYTES)},
    ANY_INSTANCES},

   /* Peaks lie above what they are the peak of. */
   {LEFT(HEAP_PEAK), PR_AT_LEAST, {PLUS(HEAP_ENTRY)}, ANY_INSTANCES},
   {LEFT(HEAP_PEAK), PR_AT_LEAST, {PLUS(HEAP_EXIT)}, ANY_INSTANCES},
   {LEFT(HEAP_GROWTH), PR_EQUAL, {PLUS(HEAP_PEAK), MINUS(HEAP_ENTRY)}, ONE_INSTANCE},
   {LEFT(HEAP_GROWTH), PR_AT_MOST, {PLUS(HEAP_PEAK)}, ANY_INSTANCES},
   {LEFT(HEAP_SCRATCH_PEAK), PR_AT_LEAST, {PLUS(HEAP_RETAINED)}, ONE_INSTANCE},
   {LEFT(HEAP_MOVE_PEAK), PR_AT_LEAST, {PLUS(HEAP_PEAK)}, ANY_INSTANCES},
   {LEFT(MAPPED_PEAK), PR_AT_LEAST, {PLUS(MAPPED_ENTRY)}, ANY_INSTANCES},
   {LEFT(MAPPED_PEAK), PR_AT_LEAST, {PLUS(MAPPED_EXIT)}, ANY_INSTANCES},
   {LEFT(ALLOCATOR_MAPPED_PEAK), PR_AT_LEAST, {PLUS(ALLOCATOR_MAPPED_ENTRY)}, ANY_INSTANCES},
   {LEFT(ALLOCATOR_MAPPED_PEAK), PR_AT_LEAST, {PLUS(ALLOCATOR_MAPPED_EXIT)}, ANY_INSTANCES},
   {LEFT(POOL_PEAK), PR_AT_LEAST, {PLUS(POOL_ENTRY)}, ANY_INSTANCES},
   {LEFT(POOL_PEAK), PR_AT_LEAST, {PLUS(POOL_EXIT)}, ANY_INSTANCES},

   /* Parts are not larger than their whole. */
   {LEFT(ALLOCATIONS_ZERO_SIZE), PR_AT_MOST, {PLUS(ALLOCATIONS_COUNT)}, ANY_INSTANCES},
   {LEFT(ALLOCATIONS_TEMPORARY), PR_AT_MOST, {PLUS(ALLOCATIONS_COUNT)}, ANY_INSTANCES},
   {LEFT(REALLOCATIONS_MOVED), PR_AT_MOST, {PLUS(REALLOCATIONS_COUNT)}, ANY_INSTANCES},
   {LEFT(DEALLOCATIONS_UNSEEN), PR_AT_MOST, {PLUS(DEALLOCATIONS_COUNT)}, ANY_INSTANCES},
   {LEFT(INSTRUCTIONS_PROGRAM), PR_EQUAL,
    {PLUS(INSTRUCTIONS_TOTAL), MINUS(INSTRUCTIONS_ALLOCATOR)},
    ANY_INSTANCES},
   {LEFT(INSTRUCTIONS_OWN_THREAD), PR_AT_MOST, {PLUS(INSTRUCTIONS_TOTAL)}, ANY_INSTANCES},
};

static const struct pr_metric *available(const struct subject *subject, enum pr_metric_id id)
{
   return pr_metric_list_available(subject->metrics, id);
}

static void add_diagnostic(const struct subject *subject, const struct pr_metric *metric,
                           struct pr_diagnostics *diagnostics, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

/* With the place before it: "phase 'parse', instance 3: ". */
static void add_diagnostic(const struct subject *subject, const struct pr_metric *metric,
                           struct pr_diagnostics *diagnostics, const char *format, ...)
{
   char instance[64] = "", text[1024];
   va_list arguments;
   va_start(arguments, format);
   vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   if (subject->instance)
      snprintf(instance, sizeof instance, ", instance %" PRIu64, subject->instance->number);
   pr_diagnostics_add(diagnostics, subject->report->file, metric->line, "phase '%.80s'%s: %s",
                      subject->phase->name, instance, text);
}

/* Room for a right side in words and in numbers; both are bounded by the
   table: TERMS_MAX names, or numbers of at most 27 characters. */
enum { RIGHT_SIDE_BYTES = 256 };

/* "heap.entry + heap.retained - heap.released", and the same in numbers. */
static void describe(const struct identity *identity, const struct subject *subject,
                     char names[RIGHT_SIDE_BYTES], char numbers[RIGHT_SIDE_BYTES])
{
   int names_used = 0, numbers_used = 0;
   for (size_t i = 0; i < TERMS_MAX && identity->right[i].sign; i++) {
      const struct term *term = &identity->right[i];
      const struct pr_metric *metric = available(subject, term->metric);
      const char *joint = i == 0 ? "" : term->sign > 0 ? " + " : " - ";
      char number[PR_NUMBER_TEXT_BYTES];
      pr_number_format(number, pr_value_number(&metric->value));
      names_used += snprintf(names + names_used, (size_t)(RIGHT_SIDE_BYTES - names_used), "%s%s",
                             joint, metric->name);
      numbers_used += snprintf(numbers + numbers_used, (size_t)(RIGHT_SIDE_BYTES - numbers_used),
                               number[0] == '-' ? "%s(%s)" : "%s%s", joint, number);
   }
}

static void report_violation(const struct identity *identity, const struct subject *subject,
                             const struct pr_metric *left, __int128 right,
                             struct pr_diagnostics *diagnostics)
{
   char names[RIGHT_SIDE_BYTES], numbers[RIGHT_SIDE_BYTES];
   char left_text[PR_NUMBER_TEXT_BYTES], right_text[PR_NUMBER_TEXT_BYTES];
   describe(identity, subject, names, numbers);
   bool is_sum = identity->right[1].sign != 0;
   pr_number_format(right_text, pr_number_of_wide(right));
   add_diagnostic(subject, left, diagnostics, "%s %s %s does not hold: %s is not %s%s%s%s",
                  left->name, pr_relation_text(identity->relation), names,
                  pr_number_format(left_text, pr_value_number(&left->value)),
                  pr_relation_unmet(identity->relation), numbers, is_sum ? " = " : "",
                  is_sum ? right_text : "");
}

static bool check_identity(const struct identity *identity, const struct subject *subject,
                           struct pr_diagnostics *diagnostics)
{
   if (identity->scope == ONE_INSTANCE && subject->instances != 1)
      return true;
   const struct pr_metric *left = available(subject, identity->left);
   if (!left)
      return true;
   __int128 right = 0;
   for (size_t i = 0; i < TERMS_MAX && identity->right[i].sign; i++) {
      const struct pr_metric *metric = available(subject, identity->right[i].metric);
      if (!metric)
         return true;
      right += identity->right[i].sign * pr_value_wide(&metric->value);
   }
   if (pr_relation_holds(identity->relation, pr_value_wide(&left->value), right))
      return true;
   report_violation(identity, subject, left, right, diagnostics);
   return false;
}

/* count * value, which may need more than 128 bits; then the largest or
   smallest number there is. */
static __int128 saturated_product(uint64_t count, __int128 value)
{
   __int128 product;
   if (!__builtin_mul_overflow((__int128)count, value, &product))
      return product;
   __int128 largest = (__int128)(~(unsigned __int128)0 >> 1);
   return value > 0 ? largest : -largest - 1;
}

/* The range over the instances must hold the value that follows from it. */
static bool check_range(const struct subject *subject, const struct pr_metric *metric,
                        struct pr_diagnostics *diagnostics)
{
   if (!metric->extra || !metric->extra->has_range)
      return true;
   __int128 min = pr_value_wide(&metric->extra->min);
   __int128 max = pr_value_wide(&metric->extra->max);
   const char *wrong = NULL;
   if (min > max) {
      wrong = "its min is above its max";
   } else if (metric->value.kind != PR_VALUE_UNAVAILABLE && metric->id != PR_METRIC_UNKNOWN) {
      __int128 value = pr_value_wide(&metric->value);
      switch (pr_metrics[metric->id].over_instances) {
      case PR_OVER_INSTANCES_FIRST:
      case PR_OVER_INSTANCES_LAST:
      case PR_OVER_INSTANCES_AT_PEAK:
         if (value < min || value > max)
            wrong = "its value is not between its min and its max";
         break;
      case PR_OVER_INSTANCES_MAX:
         if (value != max)
            wrong = "its value is not its max";
         break;
      case PR_OVER_INSTANCES_PHASE: /* has no range */
         wrong = "it has a range, and is counted per phase";
         break;
      case PR_OVER_INSTANCES_SUM:
         if (value < saturated_product(subject->instances, min)
             || value > saturated_product(subject->instances, max))
            wrong = "its value is no sum over its instances";
         break;
      }
   }
   if (wrong)
      add_diagnostic(subject, metric, diagnostics, "%.80s: %s", metric->name, wrong);
   return !wrong;
}

/* Where an instance lies agrees with how much it executed, and its peak is inside of it. */
static bool check_span(const struct subject *subject, struct pr_diagnostics *diagnostics)
{
   const struct pr_span *span = subject->instance ? &subject->instance->span
                                                  : &subject->phase->span;
   const struct pr_metric *total = available(subject, PR_METRIC_INSTRUCTIONS_TOTAL);
   if (!span->is_known || !total)
      return true;
   const char *wrong = NULL;
   if ((__int128)span->end - span->begin != pr_value_wide(&total->value))
      wrong = "is not end-instructions less begin-instructions";
   else if (span->has_peak && (span->peak < span->begin || span->peak > span->end))
      wrong = "has its peak-instructions outside of begin- and end-instructions";
   if (wrong)
      add_diagnostic(subject, total, diagnostics, "%s %s", total->name, wrong);
   return !wrong;
}

static bool check(const struct subject *subject, struct pr_diagnostics *diagnostics)
{
   bool all_hold = true;
   for (size_t i = 0; i < sizeof identities / sizeof identities[0]; i++)
      if (!check_identity(&identities[i], subject, diagnostics))
         all_hold = false;
   for (size_t m = 0; m < subject->metrics->count; m++)
      if (!check_range(subject, &subject->metrics->items[m], diagnostics))
         all_hold = false;
   return check_span(subject, diagnostics) && all_hold;
}

bool pr_identities_check(const struct pr_report *report, struct pr_diagnostics *diagnostics)
{
   bool all_hold = true;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      const struct subject whole = {report, phase, NULL, &phase->metrics, phase->instances};
      if (!check(&whole, diagnostics))
         all_hold = false;
      for (size_t i = 0; i < phase->listed_count; i++) {
         const struct pr_instance *instance = &phase->listed[i];
         const struct subject single = {report, phase, instance, &instance->metrics, 1};
         if (!check(&single, diagnostics))
            all_hold = false;
      }
      if (!pr_totals_check(report, phase, diagnostics))
         all_hold = false;
      if (!pr_code_check(report, phase, diagnostics))
         all_hold = false;
      if (!pr_histograms_check(report, phase, diagnostics))
         all_hold = false;
   }
   if (!pr_timeline_check(report, diagnostics))
      all_hold = false;
   return all_hold;
}
