/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_unlike.c: each difference of two runs is found, weighed right, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_sample.h"
#include "pr_unlike.h"

/* A run in which everything that is compared is recorded. */
static const char sample[] =
   "<profmem format='1'>"
   "<producer name='profmem' version='0.1' valgrind='3.19' platform='amd64-linux'/>"
   "<run><command><arg>./app</arg><arg>one</arg><arg>two</arg></command>"
   "<executable path='/old/app' size='100' build-id='e1' sha256='e2'/>"
   "<loader-cache sha256='c1'/>"
   "<inputs><input name='in' size='3' sha256='i1'/></inputs>"
   "<objects><object name='app' build-id='e1'/><object name='libc.so.6' build-id='l1'/>"
   "<object name='libfoo.so' build-id='f1'/></objects>"
   "<options><option name='--cpu' value='avx2'/><option name='--phase-fn' value='a'/>"
   "<option name='--phase-fn' value='b'/><option name='--stacks' value='yes'/></options>"
   "<environment variables='1' digest='d1'/>"
   "<fixed><fix name='cpu' value='avx2'/><fix name='scheduling' value='fifo'/></fixed>"
   "<end kind='exit' status='0'/></run>"
   "<coverage><allocation-functions/><not-measured/></coverage><phases/></profmem>";

/* The sample with a part of it replaced, once. */
static char *changed(const char *part, const char *by)
{
   const char *at = strstr(sample, part);
   char *text = NULL;
   assert_non_null(at);
   assert_true(asprintf(&text, "%.*s%s%s", (int)(at - sample), sample, by, at + strlen(part)) > 0);
   return text;
}

/* What is said of two runs: "!option --cpu: avx2 -> sse42", a line each, ! being unlike. */
static char *differences(const char *old_text, const char *new_text)
{
   struct pr_diagnostics diagnostics;
   struct pr_unlike unlike;
   char *text = NULL;
   size_t bytes = 0, unlike_count = 0;
   pr_diagnostics_init(&diagnostics);
   struct pr_report *old_report = pr_sample_load(old_text, NULL, &diagnostics);
   struct pr_report *new_report = pr_sample_load(new_text, NULL, &diagnostics);
   assert_non_null(old_report);
   assert_non_null(new_report);
   assert_true(pr_unlike_compare(old_report, new_report, &unlike));
   FILE *out = open_memstream(&text, &bytes);
   for (size_t i = 0; i < unlike.count; i++) {
      const struct pr_difference *item = &unlike.items[i];
      unlike_count += item->is_unlike;
      fprintf(out, "%s%s%s%s: %s -> %s\n", item->is_unlike ? "!" : "", item->subject,
              item->name ? " " : "", item->name ? item->name : "",
              item->old_value ? item->old_value : "none",
              item->new_value ? item->new_value : "none");
   }
   fclose(out);
   assert_int_equal(unlike.unlike_count, unlike_count);
   pr_unlike_release(&unlike);
   pr_report_free(old_report);
   pr_report_free(new_report);
   pr_diagnostics_release(&diagnostics);
   return text;
}

static void expect(const char *part, const char *by, const char *expected)
{
   char *text = changed(part, by), *found = differences(sample, text);
   if (strcmp(found, expected) != 0)
      fail_msg("'%s' for '%s': %s", by, part, found);
   free(found);
   free(text);
}

static void equal_runs_do_not_differ(void **state)
{
   (void)state;
   char *found = differences(sample, sample);
   assert_string_equal(found, "");
   free(found);
}

static void what_makes_runs_unlike(void **state)
{
   (void)state;
   expect("./app", "./other", "!program: app -> other\n");
   expect("<arg>two</arg>", "<arg>2</arg>", "!argument 2: two -> 2\n");
   expect("<arg>two</arg>", "", "!argument 2: two -> none\n");
   expect("<arg>two</arg>", "<arg>two</arg><arg/>", "!argument 3: none -> \n");
   expect("'i1'", "'i2'", "!input in: i1 -> i2\n");
   expect(" sha256='i1'", "", "!input in: i1 -> no digest\n");
   expect("name='in'", "name='on'", "!input in: i1 -> none\n!input on: none -> i1\n");
   expect("name='--stacks' value='yes'", "name='--stacks' value='no'",
          "!option --stacks: yes -> no\n");
   expect("valgrind='3.19'", "valgrind='3.20'", "!Valgrind: 3.19 -> 3.20\n");
   expect("valgrind='3.19'", "", "!Valgrind: 3.19 -> none\n");
   expect("amd64-linux", "arm64-linux", "!platform: amd64-linux -> arm64-linux\n");
   expect("'l1'", "'l2'", "!libc libc.so.6: l1 -> l2\n");
   expect("'libc.so.6' build-id='l1'", "'ld-musl-x86_64.so.1' build-id='m1'",
          "!libc ld-musl-x86_64.so.1: none -> m1\n!libc libc.so.6: l1 -> none\n");
   expect("<fix name='cpu' value='avx2'/>", "<fix name='cpu' value='sse42'/>",
          "!fixed cpu: avx2 -> sse42\n");
   expect("<fix name='cpu' value='avx2'/>", "", "!fixed cpu: avx2 -> none\n");
}

static void what_is_only_told(void **state)
{
   (void)state;
   expect("<arg>./app", "<arg>/new/app", "");
   expect("'/old/app'", "'/new/app'", "executable's path: /old/app -> /new/app\n");
   expect("'e2'", "'e3'", "executable's sha256: e2 -> e3\n");
   expect(" build-id='e1' sha256='e2'", " build-id='e4'", "executable's build-id: e1 -> e4\n");
   expect("size='100' build-id='e1' sha256='e2'", "size='101'",
          "executable's size: 100 bytes -> 101 bytes\n");
   expect("'app' build-id='e1'", "'app' build-id='e9'", "");
   expect("'f1'", "'f2'", "object libfoo.so: f1 -> f2\n");
   expect(" build-id='f1'", "", "object libfoo.so: f1 -> no build-id\n");
   expect("version='0.1'", "version='0.2'", "tool's version: 0.1 -> 0.2\n");
   expect("'d1'", "'d2'", "environment: d1 -> d2\n");
   expect("'c1'", "'c2'", "loader's cache: c1 -> c2\n");
   expect("'fifo'", "'batch'", "fixed scheduling: fifo -> batch\n");
   expect("kind='exit' status='0'", "kind='signal' signal='6' name='SIGABRT'",
          "end: exit status 0 -> signal 6 (SIGABRT)\n");
   expect("<end kind='exit' status='0'/>", "", "end: exit status 0 -> not recorded\n");
}

static void options_given_several_times(void **state)
{
   (void)state;
   /* Another order is no difference; of different numbers the common ones are set aside. */
   expect("<option name='--phase-fn' value='a'/><option name='--phase-fn' value='b'/>",
          "<option name='--phase-fn' value='b'/><option name='--phase-fn' value='a'/>", "");
   expect("<option name='--phase-fn' value='a'/>", "", "!option --phase-fn: a -> none\n");
   expect("<option name='--phase-fn' value='a'/>",
          "<option name='--phase-fn' value='c'/><option name='--phase-fn' value='b'/>",
          "!option --phase-fn: a -> c\n!option --phase-fn: none -> b\n");
}

static void unlike_ones_come_first(void **state)
{
   (void)state;
   char *first = changed("'f1'", "'f2'"), *with_both = NULL;
   char *at = strstr(first, "'--cpu' value='avx2'");
   assert_true(asprintf(&with_both, "%.*s'--cpu' value='sse2'%s", (int)(at - first), first,
                        at + strlen("'--cpu' value='avx2'"))
               > 0);
   char *found = differences(sample, with_both);
   assert_string_equal(found, "!option --cpu: avx2 -> sse2\nobject libfoo.so: f1 -> f2\n");
   free(found);
   /* And back. */
   found = differences(with_both, sample);
   assert_string_equal(found, "!option --cpu: sse2 -> avx2\nobject libfoo.so: f2 -> f1\n");
   free(found);
   free(with_both);
   free(first);
}

static void printed_with_names_made_safe(void **state)
{
   (void)state;
   struct pr_diagnostics diagnostics;
   struct pr_unlike unlike;
   static const struct pr_style style = {0, false};
   char *other = changed("'--stacks' value='yes'", "'--st\xc2\x9b"
                                                   "cks' value='n&#xa;o'");
   char *text = NULL;
   size_t bytes = 0;
   pr_diagnostics_init(&diagnostics);
   struct pr_report *old_report = pr_sample_load(sample, NULL, &diagnostics);
   struct pr_report *new_report = pr_sample_load(other, NULL, &diagnostics);
   assert_true(pr_unlike_compare(old_report, new_report, &unlike));
   FILE *out = open_memstream(&text, &bytes);
   assert_true(pr_unlike_print(&unlike, unlike.count, 2, &style, out));
   fclose(out);
   assert_string_equal(text, "  option --stacks       yes   ->  none\n"
                             "  option --st\\u{9b}cks  none  ->  n\\no\n");
   free(text);
   free(other);
   pr_unlike_release(&unlike);
   pr_report_free(old_report);
   pr_report_free(new_report);
   pr_diagnostics_release(&diagnostics);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_runs_do_not_differ),
      cmocka_unit_test(what_makes_runs_unlike),
      cmocka_unit_test(what_is_only_told),
      cmocka_unit_test(options_given_several_times),
      cmocka_unit_test(unlike_ones_come_first),
      cmocka_unit_test(printed_with_names_made_safe),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
