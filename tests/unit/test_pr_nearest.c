/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_nearest.c: suggestions that help, and none that do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "pr_metric.h"
#include "pr_nearest.h"

static const char *nearest_metric(const char *wanted)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, wanted);
   for (int i = 0; i < PR_METRIC_COUNT; i++)
      pr_nearest_offer(&nearest, pr_metrics[i].name);
   return nearest.name;
}

static void mistyped_names_are_found(void **state)
{
   (void)state;
   assert_string_equal(nearest_metric("heap.peek"), "heap.peak");
   assert_string_equal(nearest_metric("heap-peak"), "heap.peak");
   assert_string_equal(nearest_metric("peak"), "heap.peak");
   assert_string_equal(nearest_metric("instruction.totals"), "instructions.total");
   assert_string_equal(nearest_metric("allocations.zerosize"), "allocations.zero-size");
   assert_string_equal(nearest_metric("syscalls"), "syscalls.count");
}

static void strange_names_are_not(void **state)
{
   char very_long[1000];
   (void)state;
   memset(very_long, 'a', sizeof very_long);
   very_long[sizeof very_long - 1] = '\0';
   assert_null(nearest_metric(""));
   assert_null(nearest_metric("x"));
   assert_null(nearest_metric("qwertyuiop"));
   assert_null(nearest_metric(very_long));
}

static void the_first_of_equals_stays(void **state)
{
   struct pr_nearest nearest;
   (void)state;
   pr_nearest_init(&nearest, "show");
   pr_nearest_offer(&nearest, "shot");
   pr_nearest_offer(&nearest, "slow");
   assert_string_equal(nearest.name, "shot");
   pr_nearest_offer(&nearest, "show");
   assert_string_equal(nearest.name, "show");
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(mistyped_names_are_found),
      cmocka_unit_test(strange_names_are_not),
      cmocka_unit_test(the_first_of_equals_stays),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
