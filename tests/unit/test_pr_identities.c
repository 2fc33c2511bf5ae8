/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_identities.c: each identity is found broken when it is, and only then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_identities.h"
#include "pr_sample.h"

/* A phase in which every identity holds and no inequality is an equality, so
   that a small step in any number breaks exactly the equalities it is in. */
static const struct {
   const char *name;
   int64_t value;
} consistent[] = {
   {"heap.entry", 1000},
   {"heap.entry-blocks", 10},
   {"heap.peak", 5000},
   {"heap.peak-blocks", 50},
   {"heap.exit", 1500},
   {"heap.exit-blocks", 15},
   {"heap.growth", 4000},
   {"heap.scratch-peak", 4500},
   {"heap.retained", 900},
   {"heap.released", 300},
   {"heap.resized", -100},
   {"heap.move-peak", 6000},
   {"allocations.count", 20},
   {"allocations.bytes", 9000},
   {"allocations.zero-size", 3},
   {"allocations.temporary", 4},
   {"reallocations.count", 7},
   {"reallocations.bytes", 800},
   {"reallocations.net-bytes", -200},
   {"reallocations.moved", 5},
   {"deallocations.count", 15},
   {"deallocations.bytes", 8300},
   {"deallocations.unseen", 2},
   {"traffic.blocks", 27},
   {"traffic.bytes", 9800},
   {"mapped.entry", 4096},
   {"mapped.peak", 16384},
   {"mapped.exit", 8192},
   {"allocator-mapped.entry", 4096},
   {"allocator-mapped.peak", 16384},
   {"allocator-mapped.exit", 8192},
   {"pool.entry", 5},
   {"pool.peak", 15},
   {"pool.exit", 10},
   {"instructions.total", 100000},
   {"instructions.allocator", 30000},
   {"instructions.program", 70000},
   {"instructions.own-thread", 90000},
};

enum { METRICS = sizeof consistent / sizeof consistent[0] };

/* The phase with one metric changed, or made unavailable if `value` is NULL;
   checks it and returns the diagnostics, which the caller releases. */
static struct pr_diagnostics check_with(const char *changed, const char *value,
                                        const char *instances)
{
   char phase[METRICS * 128], *at = phase;
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   at += sprintf(at, "<phase name='p' kind='request' instances='%s' complete='yes'>", instances);
   for (size_t i = 0; i < METRICS; i++) {
      at += sprintf(at, "<metric name='%s' ", consistent[i].name);
      if (strcmp(changed, consistent[i].name) != 0)
         at += sprintf(at, "value='%" PRId64 "'/>", consistent[i].value);
      else if (value)
         at += sprintf(at, "value='%s'/>", value);
      else
         at += sprintf(at, "unavailable='why'/>");
   }
   strcpy(at, "</phase>");
   char *text = pr_sample_with_phases(phase);
   struct pr_report *report = pr_sample_load(text, NULL, &diagnostics);
   assert_non_null(report);
   bool hold = pr_identities_check(report, &diagnostics);
   assert_int_equal(hold, diagnostics.count == 0);
   pr_report_free(report);
   free(text);
   return diagnostics;
}

/* Exactly the expected identities are reported, each named by a part of it. */
static void check_broken(const char *changed, const char *value, const char *instances,
                         const char *const *expected)
{
   struct pr_diagnostics diagnostics = check_with(changed, value, instances);
   size_t count = 0;
   for (; expected[count]; count++) {
      bool found = false;
      for (size_t i = 0; i < diagnostics.count; i++)
         found = found || strstr(diagnostics.items[i].reason, expected[count]);
      if (!found)
         fail_msg("%s = %s: not reported: %s", changed, value, expected[count]);
   }
   if (diagnostics.count != count)
      fail_msg("%s = %s: %zu reports for %zu", changed, value, diagnostics.count, count);
   pr_diagnostics_release(&diagnostics);
}

#define BYTES "heap.exit = heap.entry + allocations.bytes + reallocations.net-bytes - " \
              "deallocations.bytes does not hold"
#define BLOCKS "heap.exit-blocks = heap.entry-blocks + allocations.count - deallocations.count"
#define OWNED "heap.exit = heap.entry + heap.retained + heap.resized - heap.released"
#define TRAFFIC_BLOCKS "traffic.blocks = allocations.count + reallocations.count"
#define TRAFFIC_BYTES "traffic.bytes = allocations.bytes + reallocations.bytes"
#define GROWTH "heap.growth = heap.peak - heap.entry"
#define PROGRAM "instructions.program = instructions.total - instructions.allocator"

static void what_is_consistent_passes(void **state)
{
   static const char *const nothing[] = {NULL};
   (void)state;
   check_broken("none", "", "1", nothing);
   check_broken("none", "", "3", nothing);
}

static void every_broken_identity_is_named(void **state)
{
   static const struct {
      const char *changed, *value;
      const char *expected[5];
   } cases[] = {
      {"heap.entry", "1001", {BYTES, OWNED, GROWTH}},
      {"heap.exit", "1501", {BYTES, OWNED}},
      {"heap.entry-blocks", "11", {BLOCKS}},
      {"heap.exit-blocks", "14", {BLOCKS}},
      {"heap.retained", "901", {OWNED}},
      {"heap.released", "301", {OWNED}},
      {"heap.resized", "-101", {OWNED}},
      {"allocations.bytes", "9001", {BYTES, TRAFFIC_BYTES}},
      {"allocations.count", "21", {BLOCKS, TRAFFIC_BLOCKS}},
      {"reallocations.bytes", "801", {TRAFFIC_BYTES}},
      {"reallocations.net-bytes", "-201", {BYTES}},
      {"reallocations.count", "8", {TRAFFIC_BLOCKS}},
      {"deallocations.bytes", "8301", {BYTES}},
      {"deallocations.count", "16", {BLOCKS}},
      {"traffic.blocks", "28", {TRAFFIC_BLOCKS}},
      {"traffic.bytes", "9799", {TRAFFIC_BYTES}},
      {"heap.peak", "5001", {GROWTH}},
      {"heap.growth", "4001", {GROWTH}},
      {"heap.growth", "5001", {GROWTH, "heap.growth <= heap.peak does not hold"}},
      {"heap.peak", "999",
       {GROWTH, "heap.peak >= heap.entry does not hold: 999 is not >= 1,000",
        "heap.peak >= heap.exit does not hold", "heap.growth <= heap.peak"}},
      {"heap.scratch-peak", "899", {"heap.scratch-peak >= heap.retained"}},
      {"heap.move-peak", "4999", {"heap.move-peak >= heap.peak"}},
      {"allocations.zero-size", "21", {"allocations.zero-size <= allocations.count"}},
      {"allocations.temporary", "21", {"allocations.temporary <= allocations.count"}},
      {"reallocations.moved", "8", {"reallocations.moved <= reallocations.count"}},
      {"deallocations.unseen", "16", {"deallocations.unseen <= deallocations.count"}},
      {"mapped.peak", "8191", {"mapped.peak >= mapped.exit"}},
      {"mapped.entry", "16385", {"mapped.peak >= mapped.entry"}},
      {"allocator-mapped.peak", "8191", {"allocator-mapped.peak >= allocator-mapped.exit"}},
      {"allocator-mapped.entry", "16385", {"allocator-mapped.peak >= allocator-mapped.entry"}},
      {"pool.peak", "9", {"pool.peak >= pool.exit"}},
      {"pool.entry", "16", {"pool.peak >= pool.entry"}},
      {"instructions.program", "70001", {PROGRAM}},
      {"instructions.total", "100001", {PROGRAM}},
      {"instructions.allocator", "0", {PROGRAM}},
      {"instructions.own-thread", "100001", {"instructions.own-thread <= instructions.total"}},
      /* Numbers at the ends of their ranges do not wrap. */
      {"allocations.bytes", "18446744073709551615", {BYTES, TRAFFIC_BYTES}},
      {"reallocations.net-bytes", "-9223372036854775808", {BYTES}},
      {"instructions.allocator", "18446744073709551615", {PROGRAM}},
   };
   (void)state;
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
      check_broken(cases[i].changed, cases[i].value, "1", cases[i].expected);
}

/* The first entry and the last exit of several instances have no such relation. */
static void several_instances_have_fewer_identities(void **state)
{
   static const char *const nothing[] = {NULL};
   static const char *const traffic[] = {TRAFFIC_BYTES, NULL};
   static const char *const peak[] = {"heap.peak >= heap.entry", "heap.peak >= heap.exit",
                                      "heap.growth <= heap.peak", NULL};
   (void)state;
   check_broken("heap.exit", "1501", "3", nothing);
   check_broken("heap.growth", "4001", "3", nothing);
   check_broken("heap.scratch-peak", "899", "3", nothing);
   check_broken("allocations.bytes", "9001", "3", traffic);
   check_broken("heap.peak", "999", "3", peak);
}

static void what_is_unavailable_is_not_taken_for_0(void **state)
{
   static const char *const nothing[] = {NULL};
   (void)state;
   for (size_t i = 0; i < METRICS; i++)
      check_broken(consistent[i].name, NULL, "1", nothing);
}

static bool range_holds(const char *metric, const char *instances)
{
   char phase[512];
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   snprintf(phase, sizeof phase,
            "<phase name='p' kind='request' instances='%s' complete='yes'>"
            "<metric name=%s/></phase>",
            instances, metric);
   char *text = pr_sample_with_phases(phase);
   struct pr_report *report = pr_sample_load(text, NULL, &diagnostics);
   assert_non_null(report);
   bool holds = pr_identities_check(report, &diagnostics);
   pr_report_free(report);
   pr_diagnostics_release(&diagnostics);
   free(text);
   return holds;
}

static void values_agree_with_their_ranges(void **state)
{
   (void)state;
   /* first and last */
   assert_true(range_holds("'heap.entry' value='5' min='5' max='9'", "3"));
   assert_true(range_holds("'heap.exit' value='9' min='5' max='9'", "3"));
   assert_false(range_holds("'heap.entry' value='4' min='5' max='9'", "3"));
   assert_false(range_holds("'heap.exit' value='10' min='5' max='9'", "3"));
   /* maximum */
   assert_true(range_holds("'heap.peak' value='9' min='5' max='9'", "3"));
   assert_false(range_holds("'heap.peak' value='8' min='5' max='9'", "3"));
   /* sum */
   assert_true(range_holds("'allocations.count' value='15' min='5' max='5'", "3"));
   assert_false(range_holds("'allocations.count' value='14' min='5' max='9'", "3"));
   assert_false(range_holds("'allocations.count' value='28' min='5' max='9'", "3"));
   assert_true(range_holds("'heap.resized' value='-15' min='-9' max='9'", "3"));
   assert_false(range_holds("'heap.resized' value='-28' min='-9' max='9'", "3"));
   /* products beyond 128 bits */
   assert_true(range_holds("'allocations.bytes' value='18446744073709551615' min='0' "
                           "max='18446744073709551615'", "18446744073709551615"));
   assert_false(range_holds("'allocations.bytes' value='18446744073709551615' "
                            "min='18446744073709551615' max='18446744073709551615'",
                            "18446744073709551615"));
   /* any metric */
   assert_false(range_holds("'heap.other' value='7' min='9' max='5'", "3"));
   assert_true(range_holds("'heap.other' value='70' min='5' max='9'", "3"));
   assert_false(range_holds("'heap.peak' unavailable='why' min='9' max='5'", "3"));
}

/* Checks a phase and a timeline: true if all holds. */
static bool shape_holds(const char *shape)
{
   struct pr_diagnostics diagnostics;
   char *text = NULL;
   assert_true(asprintf(&text, "<profmem format='1'><phases>%s</profmem>", shape) > 0);
   pr_diagnostics_init(&diagnostics);
   struct pr_report *report = pr_sample_load(text, NULL, &diagnostics);
   assert_non_null(report);
   bool holds = pr_identities_check(report, &diagnostics);
   assert_int_equal(holds, diagnostics.count == 0);
   pr_report_free(report);
   pr_diagnostics_release(&diagnostics);
   free(text);
   return holds;
}

#define MOST "18446744073709551615"
#define SIZES(metrics, buckets)                                                                    \
   "<phase name='program' instances='1'>" metrics "<histograms><sizes>" buckets                    \
   "</sizes></histograms></phase></phases>"
#define BUCKET(from, blocks) "<bucket from='" from "' blocks='" blocks "'/>"
#define HIGHEST "9223372036854775808"

/* Sums and products of the largest numbers stay on their side. */
static void histograms_of_the_largest_numbers(void **state)
{
   (void)state;
   assert_true(shape_holds(SIZES("<metric name='traffic.bytes' value='" HIGHEST "'/>",
                                 BUCKET(HIGHEST, "1"))));
   assert_true(shape_holds(SIZES("<metric name='traffic.bytes' value='" MOST "'/>",
                                 BUCKET(HIGHEST, "1"))));
   assert_false(shape_holds(SIZES("<metric name='traffic.bytes' value='" MOST "'/>",
                                  BUCKET(HIGHEST, "2"))));
   assert_false(shape_holds(SIZES("<metric name='traffic.bytes' value='" MOST "'/>",
                                  BUCKET(HIGHEST, MOST))));
   assert_false(shape_holds(SIZES("<metric name='traffic.bytes' value='0'/>",
                                  BUCKET("0", "1") BUCKET(HIGHEST, MOST))));
   assert_true(shape_holds(SIZES("<metric name='allocations.count' value='" MOST "'/>"
                                 "<metric name='reallocations.count' value='1'/>",
                                 BUCKET("0", MOST) BUCKET("1", "1"))));
   assert_false(shape_holds(SIZES("<metric name='allocations.count' value='" MOST "'/>"
                                  "<metric name='reallocations.count' value='0'/>",
                                  BUCKET("0", MOST) BUCKET("1", "1"))));
}

static void every_power_of_two_is_a_bucket(void **state)
{
   static const char *const not_a_power[] = {"3", "6", "18446744073709551615",
                                             "9223372036854775809", "9223372036854775807"};
   char buckets[65 * 64], *at = buckets, shape[sizeof buckets + 256];
   (void)state;
   at += sprintf(at, "<bucket from='0' blocks='1'/>");
   for (int bit = 0; bit < 64; bit++)
      at += sprintf(at, "<bucket from='%" PRIu64 "' blocks='1'/>", UINT64_C(1) << bit);
   snprintf(shape, sizeof shape, SIZES("", "%s"), buckets);
   assert_true(shape_holds(shape));
   for (size_t i = 0; i < sizeof not_a_power / sizeof not_a_power[0]; i++) {
      snprintf(shape, sizeof shape, SIZES("", "<bucket from='%s' blocks='1'/>"), not_a_power[i]);
      assert_false(shape_holds(shape));
   }
}

#define TIMELINE(total, interval, points)                                                          \
   "<phase name='program' instances='1'>"                                                          \
   "<metric name='instructions.total' value='" total "'/></phase></phases>"                        \
   "<timeline interval-instructions='" interval "'>" points "</timeline>"
#define POINT(most, last) "<point most-bytes='" most "' last-bytes='" last "'/>"

static void timelines_at_the_ends_of_their_ranges(void **state)
{
   (void)state;
   assert_true(shape_holds(TIMELINE("0", "1", POINT("0", "0"))));
   assert_true(shape_holds(TIMELINE("1", "1", POINT("0", "0") POINT(MOST, MOST))));
   assert_false(shape_holds(TIMELINE("0", "1", POINT("0", "0") POINT(MOST, MOST))));
   assert_true(shape_holds(TIMELINE(MOST, MOST, POINT(MOST, "0") POINT("0", "0"))));
   assert_false(shape_holds(
      TIMELINE(MOST, MOST, POINT(MOST, "0") POINT("0", "0") POINT("0", "0"))));
   assert_true(shape_holds(TIMELINE("0", "1", "")));
   assert_false(shape_holds(TIMELINE("0", "0", "")));
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_consistent_passes),
      cmocka_unit_test(every_broken_identity_is_named),
      cmocka_unit_test(several_instances_have_fewer_identities),
      cmocka_unit_test(what_is_unavailable_is_not_taken_for_0),
      cmocka_unit_test(values_agree_with_their_ranges),
      cmocka_unit_test(histograms_of_the_largest_numbers),
      cmocka_unit_test(every_power_of_two_is_a_bucket),
      cmocka_unit_test(timelines_at_the_ends_of_their_ranges),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
