/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_shape_check.c: do histograms and the timeline agree with the metrics? See the header. */
#include "pr_shape_check.h"

#include <inttypes.h>

#include "pr_relation.h"

static const char *number_text(char text[PR_NUMBER_TEXT_BYTES], __int128 number)
{
   return pr_number_format(text, pr_number_of_wide(number));
}

/* Histograms ------------------------------------------------------------- */

/* What a histogram says of its blocks as a whole. */
enum quantity {
   BLOCKS,       /* their number */
   ZEROS,        /* the number of those with the value 0 */
   LEAST_VALUES, /* their values added up are at least that */
   MOST_VALUES,  /* and at most that */
};

static const char *const quantity_texts[] = {
   [BLOCKS] = "sum of blocks",
   [ZEROS] = "blocks from 0",
   [LEAST_VALUES] = "sum of from x blocks",
   [MOST_VALUES] = "sum of (2 x from - 1) x blocks",
};

enum { TERMS = 2 };

static const struct rule {
   enum pr_histogram_kind kind;
   enum quantity left;
   enum pr_relation relation;
   enum pr_metric_id right[TERMS]; /* added up; PR_METRIC_UNKNOWN: no term */
} rules[] = {
   {PR_SIZES, BLOCKS, PR_EQUAL, {PR_METRIC_ALLOCATIONS_COUNT, PR_METRIC_REALLOCATIONS_COUNT}},
   {PR_SIZES, ZEROS, PR_AT_LEAST, {PR_METRIC_ALLOCATIONS_ZERO_SIZE, PR_METRIC_UNKNOWN}},
   {PR_SIZES, LEAST_VALUES, PR_AT_MOST, {PR_METRIC_TRAFFIC_BYTES, PR_METRIC_UNKNOWN}},
   {PR_SIZES, MOST_VALUES, PR_AT_LEAST, {PR_METRIC_TRAFFIC_BYTES, PR_METRIC_UNKNOWN}},
   {PR_LIFETIMES, BLOCKS, PR_AT_MOST, {PR_METRIC_DEALLOCATIONS_COUNT, PR_METRIC_UNKNOWN}},
   {PR_LIFETIMES, BLOCKS, PR_AT_MOST, {PR_METRIC_ALLOCATIONS_COUNT, PR_METRIC_UNKNOWN}},
   {PR_LIFETIMES, BLOCKS, PR_AT_LEAST, {PR_METRIC_ALLOCATIONS_TEMPORARY, PR_METRIC_UNKNOWN}},
};

struct check {
   const struct pr_report *report;
   const struct pr_phase *phase;
   struct pr_diagnostics *diagnostics;
   bool all_hold;
};

/* Stays at the largest number there is, which no true sum comes near. */
static __int128 add_product(__int128 sum, uint64_t blocks, __int128 value)
{
   const __int128 largest = (__int128)(~(unsigned __int128)0 >> 1);
   __int128 product;
   if (__builtin_mul_overflow((__int128)blocks, value, &product)
       || __builtin_add_overflow(sum, product, &sum))
      return largest;
   return sum;
}

static __int128 quantity_of(const struct pr_histogram *histogram, enum quantity quantity)
{
   __int128 sum = 0;
   for (size_t i = 0; i < histogram->count; i++) {
      const struct pr_bucket *bucket = &histogram->buckets[i];
      __int128 least = bucket->from, most = least ? 2 * least - 1 : 0;
      switch (quantity) {
      case BLOCKS: sum = add_product(sum, bucket->blocks, 1); break;
      case ZEROS: sum = add_product(sum, bucket->blocks, least == 0); break;
      case LEAST_VALUES: sum = add_product(sum, bucket->blocks, least); break;
      case MOST_VALUES: sum = add_product(sum, bucket->blocks, most); break;
      }
   }
   return sum;
}

static void check_rule(struct check *check, const struct rule *rule)
{
   const struct pr_histogram *histogram = &check->phase->histograms[rule->kind];
   const char *names[TERMS] = {"", ""};
   __int128 left = quantity_of(histogram, rule->left), right = 0;
   for (size_t i = 0; i < TERMS && rule->right[i] != PR_METRIC_UNKNOWN; i++) {
      const struct pr_metric *metric =
         pr_metric_list_available(&check->phase->metrics, rule->right[i]);
      if (!metric)
         return;
      names[i] = metric->name;
      right += pr_value_wide(&metric->value);
   }
   if (pr_relation_holds(rule->relation, left, right))
      return;
   char left_text[PR_NUMBER_TEXT_BYTES], right_text[PR_NUMBER_TEXT_BYTES];
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, histogram->line,
                      "phase '%.80s': %s over its %s %s %s%s%s does not hold: %s is not %s%s",
                      check->phase->name, quantity_texts[rule->left],
                      pr_histogram_names[rule->kind], pr_relation_text(rule->relation), names[0],
                      names[1][0] ? " + " : "", names[1], number_text(left_text, left),
                      pr_relation_unmet(rule->relation), number_text(right_text, right));
}

/* A block obtained inside was given back inside, or was live at the end. */
static void check_retained(struct check *check)
{
   char left[PR_NUMBER_TEXT_BYTES], lifetimes[PR_NUMBER_TEXT_BYTES], rest[PR_NUMBER_TEXT_BYTES];
   const struct pr_breakdown *sites = check->phase->breakdowns[PR_BY_SITE];
   const struct pr_histogram *histogram = &check->phase->histograms[PR_LIFETIMES];
   const struct pr_metric *count =
      pr_metric_list_available(&check->phase->metrics, PR_METRIC_ALLOCATIONS_COUNT);
   if (!sites->is_listed || !count)
      return;
   __int128 obtained = pr_value_wide(&count->value);
   __int128 given_back = quantity_of(histogram, BLOCKS);
   __int128 retained = pr_breakdown_sum(sites, PR_BY_SITE, PR_SITE_RETAINED_BLOCKS);
   if (obtained == given_back + retained)
      return;
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, count->line,
                      "phase '%.80s': %s = sum of blocks over its lifetimes + sum of "
                      "retained-blocks over its sites does not hold: %s is not %s + %s",
                      check->phase->name, count->name, number_text(left, obtained),
                      number_text(lifetimes, given_back), number_text(rest, retained));
}

static void check_buckets(struct check *check, enum pr_histogram_kind kind)
{
   const struct pr_histogram *histogram = &check->phase->histograms[kind];
   for (size_t i = 0; i < histogram->count; i++) {
      const struct pr_bucket *bucket = &histogram->buckets[i];
      const char *wrong = NULL;
      if (bucket->from & (bucket->from - 1))
         wrong = "is neither from 0 nor from a power of two";
      else if (i > 0 && bucket->from <= histogram->buckets[i - 1].from)
         wrong = "is listed out of order";
      if (!wrong)
         continue;
      check->all_hold = false;
      pr_diagnostics_add(check->diagnostics, check->report->file, bucket->line,
                         "phase '%.80s': the bucket of its %s from %" PRIu64 " %s",
                         check->phase->name, pr_histogram_names[kind], bucket->from, wrong);
   }
}

bool pr_histograms_check(const struct pr_report *report, const struct pr_phase *phase,
                         struct pr_diagnostics *diagnostics)
{
   struct check check = {report, phase, diagnostics, true};
   if (!phase->histograms)
      return true;
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      check_buckets(&check, kind);
   for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
      if (phase->histograms[rules[i].kind].is_listed)
         check_rule(&check, &rules[i]);
   if (phase->histograms[PR_LIFETIMES].is_listed)
      check_retained(&check);
   return check.all_hold;
}

/* Timeline --------------------------------------------------------------- */

static void compare(struct check *check, unsigned line, const char *left, __int128 left_value,
                    enum pr_relation relation, const char *right, __int128 right_value)
{
   char left_text[PR_NUMBER_TEXT_BYTES], right_text[PR_NUMBER_TEXT_BYTES];
   if (pr_relation_holds(relation, left_value, right_value))
      return;
   check->all_hold = false;
   pr_diagnostics_add(check->diagnostics, check->report->file, line,
                      "timeline: %s %s %s does not hold: %s is not %s%s", left,
                      pr_relation_text(relation), right, number_text(left_text, left_value),
                      pr_relation_unmet(relation), number_text(right_text, right_value));
}

/* Against a metric of program, where there is one. */
static void compare_metric(struct check *check, unsigned line, const char *left,
                           __int128 left_value, enum pr_relation relation, enum pr_metric_id id,
                           const char *right)
{
   const struct pr_metric *metric =
      check->phase ? pr_metric_list_available(&check->phase->metrics, id) : NULL;
   if (metric)
      compare(check, line, left, left_value, relation, right, pr_value_wide(&metric->value));
}

bool pr_timeline_check(const struct pr_report *report, struct pr_diagnostics *diagnostics)
{
   const struct pr_timeline *timeline = &report->timeline;
   struct check check = {report, pr_report_phase(report, "program"), diagnostics, true};
   uint64_t most = 0, last = 0;
   if (!timeline->is_listed)
      return true;
   for (size_t i = 0; i < timeline->count; i++) {
      const struct pr_point *point = &timeline->points[i];
      compare(&check, point->line, "last-bytes", point->last_bytes, PR_AT_MOST, "most-bytes",
              point->most_bytes);
      compare(&check, point->line, "most-bytes", point->most_bytes, PR_AT_LEAST,
              "last-bytes of the point before", last);
      most = point->most_bytes > most ? point->most_bytes : most;
      last = point->last_bytes;
   }
   compare(&check, timeline->line, "interval-instructions", timeline->interval_instructions,
           PR_AT_LEAST, "1", 1);
   compare_metric(&check, timeline->line, "largest most-bytes", most, PR_EQUAL,
                  PR_METRIC_HEAP_PEAK, "heap.peak of program");
   compare_metric(&check, timeline->line, "last-bytes of the last point", last, PR_EQUAL,
                  PR_METRIC_HEAP_EXIT, "heap.exit of program");
   if (timeline->count > 0)
      compare_metric(&check, timeline->line, "begin of the last interval",
                     (__int128)timeline->interval_instructions * (timeline->count - 1), PR_AT_MOST,
                     PR_METRIC_INSTRUCTIONS_TOTAL, "instructions.total of program");
   return check.all_hold;
}
