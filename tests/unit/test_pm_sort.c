/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_sort.c: sorting against qsort, and what it costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "pm_sort.h"

enum { MOST = 3000 };

static uint64_t values[MOST];
static uint64_t comparisons;

/* ctx points to 1 or -1: the direction. */
static int compare(const void *a, const void *b, const void *ctx)
{
   uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
   comparisons++;
   return *(const int *)ctx * (left < right ? -1 : left > right);
}

static int compare_values(const void *a, const void *b)
{
   uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
   return left < right ? -1 : left > right;
}

static void check(size_t count)
{
   static void *pointers[MOST];
   static uint64_t should[MOST];
   for (int direction = -1; direction <= 1; direction += 2) {
      for (size_t i = 0; i < count; i++) {
         pointers[i] = &values[i];
         should[i] = values[i];
      }
      comparisons = 0;
      pm_sort(pointers, count, compare, &direction);
      qsort(should, count, sizeof *should, compare_values);
      for (size_t i = 0; i < count; i++)
         assert_int_equal(*(uint64_t *)pointers[i],
                          should[direction > 0 ? i : count - 1 - i]);
      /* 2 n log2 n, also at its worst. */
      uint64_t log = 1;
      while ((size_t)1 << log < count)
         log++;
      assert_in_range(comparisons, 0, 2 * count * (log + 1));
   }
}

static void any_order_becomes_that_of_qsort(void **state)
{
   uint64_t random = 1;
   (void)state;
   for (size_t count = 0; count < MOST; count += count < 70 ? 1 : 257)
      for (uint64_t different = 1; different < 10000; different *= 10) {
         for (size_t i = 0; i < count; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
            values[i] = (random >> 33) % different;
         }
         check(count);
      }
}

static void orders_that_are_there_already(void **state)
{
   (void)state;
   for (size_t i = 0; i < MOST; i++)
      values[i] = i;
   check(MOST);
   for (size_t i = 0; i < MOST; i++)
      values[i] = MOST - i;
   check(MOST);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_order_becomes_that_of_qsort),
      cmocka_unit_test(orders_that_are_there_already),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
