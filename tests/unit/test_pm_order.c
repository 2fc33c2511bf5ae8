/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_order.c: borders of the address order, and memory.
 *
 * tests/model has random sequences of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hosted.h"
#include "pm_order.h"

static struct pm_order order;

static int setup(void **state)
{
   (void)state;
   pm_order_init(&order, &hosted);
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_order_release(&order);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

static void an_empty_order_has_no_neighbours(void **state)
{
   (void)state;
   assert_int_equal(pm_order_at_or_below(&order, UINT64_MAX), 0);
   assert_int_equal(pm_order_at_or_above(&order, 0), 0);
   pm_order_remove(&order, 5); /* nothing happens */
   assert_true(pm_order_add(&order, 5, 1));
   pm_order_remove(&order, 5);
   assert_int_equal(pm_order_at_or_below(&order, UINT64_MAX), 0);
   assert_int_equal(pm_order_at_or_above(&order, 0), 0);
}

static void the_first_and_the_last_address(void **state)
{
   (void)state;
   assert_true(pm_order_add(&order, UINT64_MAX, 1));
   assert_true(pm_order_add(&order, 0, 2));
   assert_int_equal(pm_order_at_or_below(&order, UINT64_MAX), 1);
   assert_int_equal(pm_order_at_or_below(&order, UINT64_MAX - 1), 2);
   assert_int_equal(pm_order_at_or_above(&order, 1), 1);
   assert_int_equal(pm_order_at_or_above(&order, 0), 2);
   pm_order_remove(&order, 0);
   assert_int_equal(pm_order_at_or_below(&order, UINT64_MAX - 1), 0);
}

/* Never returns to what broke it. */
static void to_cmocka(const char *file, int line, const char *invariant)
{
   mock_assert(0, invariant, file, line);
}

static void an_address_is_filed_once(void **state)
{
   (void)state;
   void (*before)(const char *, int, const char *) = hosted_broken;
   assert_true(pm_order_add(&order, 7, 1));
   hosted_broken = to_cmocka;
   expect_assert_failure(pm_order_add(&order, 7, 2));
   hosted_broken = before;
}

static void without_memory_all_is_as_before(void **state)
{
   (void)state;
   for (unsigned long n = 1; n <= 6; n++) {
      pm_order_init(&order, &hosted);
      hosted_fail_alloc(n);
      uint32_t count = 0;
      while (pm_order_add(&order, 16 * (uint64_t)count, count + 1))
         count++;
      assert_true(hosted_has_failed());
      for (uint32_t i = 0; i < count; i++)
         assert_int_equal(pm_order_at_or_below(&order, 16 * (uint64_t)i + 15), i + 1);
      assert_int_equal(pm_order_at_or_above(&order, 16 * (uint64_t)count), 0);
      assert_true(pm_order_add(&order, 16 * (uint64_t)count, count + 1)); /* again */
      assert_int_equal(pm_order_at_or_above(&order, 16 * (uint64_t)count), count + 1);
      pm_order_release(&order);
      assert_int_equal(hosted_live_bytes(), 0);
   }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(an_empty_order_has_no_neighbours),
      TEST(the_first_and_the_last_address),
      TEST(an_address_is_filed_once),
      cmocka_unit_test(without_memory_all_is_as_before),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
