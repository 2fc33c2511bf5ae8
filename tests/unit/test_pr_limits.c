/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_limits.c: limits from their text, the bounds of their numbers, and tightening.
 *
 * That every form means what it says is shown through the program (limits_model.py); here
 * is what the program does not show: what is kept of a line, and that numbers do not leave
 * 128 bits where they are largest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_check.h"
#include "pr_limits_amount.h"
#include "pr_limits_tighten.h"
#include "pr_sample.h"

static void parse(struct pr_limits *limits, const char *text)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   pr_limits_init(limits);
   if (!pr_limits_parse(limits, text, strlen(text), "limits", 1, &diagnostics))
      fail_msg("%s: %s", text, diagnostics.items[0].reason);
   assert_int_equal(diagnostics.count, 0);
   pr_diagnostics_release(&diagnostics);
}

static void a_line_keeps_what_it_says(void **state)
{
   struct pr_limits limits;
   (void)state;
   parse(&limits, "# a comment\n"
                  "  \"parse \"*\theap.peak  <=1.5KiB  +0.5% warn # more\n"
                  "\n"
                  "p#1 heap.resized >= -2k overlapping");
   assert_int_equal(limits.count, 2);
   assert_int_equal(limits.source_count, 1);
   const struct pr_limit *first = &limits.items[0], *second = &limits.items[1];
   assert_int_equal(first->line, 2);
   assert_string_equal(first->phase_text, "\"parse \"*");
   assert_string_equal(first->pattern, "parse \xFE");
   assert_true(first->has_wildcard && first->only_warns && !first->accepts_overlapping);
   assert_int_equal(first->metric, PR_METRIC_HEAP_PEAK);
   assert_int_equal(first->bound_count, 2);
   const struct pr_bound *bound = &first->bounds[0];
   assert_string_equal(bound->text, "<=1.5KiB");
   assert_true(bound->relation == PR_BOUND_AT_MOST && !bound->of_baseline);
   assert_true(bound->number == 1536);
   assert_memory_equal(limits.sources[0].text + bound->number_offset, "1.5KiB", 6);
   assert_int_equal(bound->number_bytes, 6);
   bound = &first->bounds[1];
   assert_true(bound->relation == PR_BOUND_AT_MOST && bound->of_baseline);
   assert_int_equal(bound->step_count, 1);
   assert_true(bound->steps[0].is_share && !bound->steps[0].is_negative);
   assert_true(bound->steps[0].amount == 5 && bound->steps[0].whole == 1000);
   assert_int_equal(second->line, 4);
   assert_string_equal(second->pattern, "p#1");
   assert_true(!second->has_wildcard && !second->only_warns && second->accepts_overlapping);
   assert_true(second->bounds[0].relation == PR_BOUND_AT_LEAST);
   assert_true(second->bounds[0].number == -2000);
   assert_true(pr_limit_needs_baseline(first) && !pr_limit_needs_baseline(second));
   assert_ptr_equal(pr_limits_need_baseline(&limits), first);
   pr_limits_release(&limits);
}

static void quoted_names_hold_any_character(void **state)
{
   static const struct {
      const char *text, *name;
   } rows[] = {
      {"\"\"", ""},
      {"\"a b\"", "a b"},
      {"a\"*?\"b", "a*?b"},
      {"\"\\\"\\\\\\n\\t\\r\"", "\"\\\n\t\r"},
      {"\"\\x1b[31m\"", "\\x1b[31m"},
      {"\\x1b[31m", "\\x1b[31m"},
      {"\"\\u{41}\\u{e4}\\u{6f22}\\u{1f600}\"", "A\xC3\xA4\xE6\xBC\xA2\xF0\x9F\x98\x80"},
      {"\"\\u{202e}#\"", "\xE2\x80\xAE#"},
      {"operator[]", "operator[]"},
      {"a#b", "a#b"},
   };
   (void)state;
   for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
      struct pr_limits limits;
      char line[128];
      snprintf(line, sizeof line, "%s heap.peak = 0", rows[r].text);
      parse(&limits, line);
      assert_int_equal(limits.count, 1);
      assert_string_equal(limits.items[0].pattern, rows[r].name);
      assert_false(limits.items[0].has_wildcard);
      assert_true(pr_limits_match(&limits.items[0], rows[r].name));
      pr_limits_release(&limits);
   }
}

/* The largest product there is: 2^64-1 of 10^18 parts. UBSan would see an overflow of the
   signed sums, a wrong number an unsigned one. */
static void the_largest_numbers_fit(void **state)
{
   struct pr_limits limits;
   (void)state;
   parse(&limits, "p heap.peak +1000000000% +999999999.999999999% <= baseline-1000000000%");
   const struct pr_bound *bounds = limits.items[0].bounds;
   __int128 most = UINT64_MAX;
   assert_true(pr_bound_allowed(&bounds[0], most) == most + most * 10000000);
   /* 999999999.999999999% is 10^7 less 10^-11, so 2^64-1 times that lacks
      184467440.73709551615 of 10^7 times it. */
   assert_true(pr_bound_allowed(&bounds[1], most) == most + most * 10000000 - 184467441);
   assert_true(pr_bound_allowed(&bounds[2], most) == most - most * 10000000);
   assert_true(pr_bound_allowed(&bounds[0], INT64_MIN)
               == INT64_MIN + (__int128)1 * 10000000 * ((__int128)1 << 63));
   struct pr_decimal decimal;
   const char *text = "18446744073709551615.999999999", *at = text;
   uint64_t number;
   assert_null(pr_decimal_parse(&at, text + strlen(text), &decimal));
   assert_ptr_equal(at, text + strlen(text));
   assert_non_null(pr_decimal_scale(&decimal, 1 << 30, &number));
   pr_limits_release(&limits);
}

static void changes_are_told_in_percent(void **state)
{
   static const struct {
      __int128 number, other;
      const char *percent;
   } rows[] = {
      {100, 100, ""},       {5, 0, ""},           {0, 0, ""},          {0, 5, "-100.00%"},
      {101, 100, "+1.00%"}, {199, 200, "-0.50%"}, {3, 2, "+50.00%"},   {100001, 100000, "+<0.01%"},
      {99999, 100000, "-<0.01%"},                 {20001, 20000, "+0.01%"},
      {-202, -200, "-1.00%"},                     {-198, -200, "+1.00%"},
      {200, -200, "+200.00%"},                    {20050, 20000, "+0.25%"},
      {UINT64_MAX, 1, "+1,844,674,407,370,955,161,400.00%"},
      {INT64_MIN, UINT64_MAX, "-150.00%"},
   };
   (void)state;
   for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
      char text[PR_PERCENT_TEXT_BYTES];
      assert_string_equal(pr_percent_format(text, rows[r].number, rows[r].other),
                          rows[r].percent);
   }
   char text[PR_NUMBER_TEXT_BYTES + 1];
   assert_string_equal(pr_change_format(text, 0), "0");
   assert_string_equal(pr_change_format(text, 1234), "+1,234");
   assert_string_equal(pr_change_format(text, -1234), "-1,234");
}

/* Values of 1000, -202 and 3 MiB; the text with the numbers that hold. */
static void tightening_keeps_the_layout(void **state)
{
   static const char phases[] =
      "<phase name='p' kind='request' instances='1' complete='yes'>"
      "<metric name='heap.peak' unit='bytes' value='1000'/>"
      "<metric name='heap.resized' unit='bytes' value='-202'/></phase>"
      "<phase name='q' kind='request' instances='1' complete='yes'>"
      "<metric name='heap.peak' unit='bytes' value='3145728'/></phase>";
   static const struct {
      const char *before, *after;
      size_t changed;
   } rows[] = {
      {"p heap.peak <= 1000", "p heap.peak <= 1000", 0},
      {"p heap.peak <= 1001", "p heap.peak <= 1000", 1},
      {"p heap.peak <= 999", "p heap.peak <= 999", 0},
      {"p heap.peak = 1000", "p heap.peak = 1000", 0},
      {"p heap.peak >= 1", "p heap.peak >= 1000", 1},
      {"p heap.peak <= 1k", "p heap.peak <= 1k", 0},
      {"p heap.peak <= 9k", "p heap.peak <= 1k", 1},
      {"p heap.peak <= 9kB", "p heap.peak <= 1kB", 1},
      {"p heap.peak <= 1.5KiB", "p heap.peak <= 1000", 1},
      {"q heap.peak <= 3.5MiB", "q heap.peak <= 3MiB", 1},
      {"p heap.peak <=1MiB # c", "p heap.peak <=1000 # c", 1},
      {"p heap.peak <= 1MiB  # c", "p heap.peak <= 1000  # c", 1},
      {"p heap.peak <= 9999999   warn", "p heap.peak <= 1000      warn", 1},
      {"p heap.peak <= 9G    # c", "p heap.peak <= 1000  # c", 1},
      {"p heap.peak <= 9G # c", "p heap.peak <= 1000 # c", 1},
      {"p heap.peak <= 9G   ", "p heap.peak <= 1000   ", 1},
      {"p heap.peak <= 9G   \n", "p heap.peak <= 1000   \n", 1},
      {"p heap.peak <= 9G   \r\n", "p heap.peak <= 1000   \r\n", 1},
      {"p heap.peak <= 9G >= 1 <= 8G", "p heap.peak <= 1000 >= 1000 <= 1000", 3},
      {"p heap.peak <= 9G = 1", "p heap.peak <= 9G = 1", 0},
      {"p heap.resized >= -1k <= 0", "p heap.resized >= -202 <= -202", 2},
      {"* heap.peak <= 9GiB >= 0", "* heap.peak <= 3145728 >= 1000", 2},
      {"\xEF\xBB\xBF# x\r\n\r\np heap.peak <= 9G", "\xEF\xBB\xBF# x\r\n\r\np heap.peak <= 1000",
       1},
      {"none heap.peak <= 9G\np heap.peak <= 9G", "none heap.peak <= 9G\np heap.peak <= 1000", 1},
      {"", "", 0},
   };
   (void)state;
   char *sample = pr_sample_with_phases(phases);
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   struct pr_report *report = pr_sample_load(sample, NULL, &diagnostics);
   assert_non_null(report);
   for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
      struct pr_limits limits;
      struct pr_verdict verdict;
      char *text = NULL;
      size_t bytes;
      parse(&limits, rows[r].before);
      pr_verdict_init(&verdict, &limits);
      assert_true(pr_check_report(&verdict, report, NULL, false));
      FILE *out = open_memstream(&text, &bytes);
      assert_non_null(out);
      assert_int_equal(pr_limits_tighten(&verdict, 0, out), rows[r].changed);
      fclose(out);
      assert_string_equal(text, rows[r].after);
      free(text);
      pr_verdict_release(&verdict);
      pr_limits_release(&limits);
   }
   pr_report_free(report);
   pr_diagnostics_release(&diagnostics);
   free(sample);
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_line_keeps_what_it_says),
      cmocka_unit_test(quoted_names_hold_any_character),
      cmocka_unit_test(the_largest_numbers_fit),
      cmocka_unit_test(changes_are_told_in_percent),
      cmocka_unit_test(tightening_keeps_the_layout),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
