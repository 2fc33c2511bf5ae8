/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_ledger.c: what the ledger relies on, and memory.
 *
 * tests/model has random sequences of it, its memory and its cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hosted.h"
#include "pm_ledger.h"

static struct pm_ledger ledger;

static int setup(void **state)
{
   (void)state;
   pm_ledger_init(&ledger, &hosted);
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_ledger_release(&ledger);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

/* 0: no memory. Not inlined, since what is local to a caller of setjmp can be lost. */
__attribute__((noinline)) static pm_block_id file(uint64_t address, uint64_t size_bytes)
{
   pm_block_id id = pm_ledger_new(&ledger, address, size_bytes, PM_BLOCK_LIVE);
   return id && pm_ledger_file(&ledger, id) ? id : 0;
}

static void holding_knows_the_borders(void **state)
{
   (void)state;
   pm_block_id small = file(0x1000, PM_STACK_BLOCK_BYTES - 1);
   pm_block_id large = file(0x2000, PM_STACK_BLOCK_BYTES);
   pm_block_id empty = file(0x4000, 0);
   assert_int_equal(pm_ledger_holding(&ledger, 0x1fff), 0);
   assert_int_equal(pm_ledger_holding(&ledger, 0x2000), large);
   assert_int_equal(pm_ledger_holding(&ledger, 0x2000 + PM_STACK_BLOCK_BYTES - 1), large);
   assert_int_equal(pm_ledger_holding(&ledger, 0x2000 + PM_STACK_BLOCK_BYTES), 0);
   assert_int_equal(pm_ledger_holding(&ledger, 0x1000), 0); /* too small to be ordered */
   assert_true(pm_ledger_order_all(&ledger));
   assert_true(pm_ledger_order_all(&ledger)); /* once more: nothing happens */
   assert_int_equal(pm_ledger_holding(&ledger, 0x1000), small);
   assert_int_equal(pm_ledger_holding(&ledger, 0x4000), 0); /* holds nothing */
   assert_int_equal(pm_ledger_find(&ledger, 0x4000), empty);
   pm_ledger_unfile(&ledger, small);
   assert_int_equal(pm_ledger_holding(&ledger, 0x1000), 0);
}

/* A record is found by its id for as long as it is not dropped, filed or not. */
static void records_stay_where_they_are(void **state)
{
   (void)state;
   pm_block_id first = file(0x1000, 10);
   const struct pm_block *record = pm_ledger_block(&ledger, first);
   pm_ledger_unfile(&ledger, first);
   for (uint64_t b = 0; b < 20000; b++)
      assert_int_not_equal(file(0x10000 + 16 * b, 8), 0);
   assert_ptr_equal(pm_ledger_block(&ledger, first), record);
   assert_int_equal(record->address, 0x1000);
   assert_int_equal(pm_ledger_find(&ledger, 0x1000), 0);
   assert_true(pm_ledger_file(&ledger, first));
   assert_int_equal(pm_ledger_find(&ledger, 0x1000), first);
}

static void ids_are_used_again(void **state)
{
   (void)state;
   pm_block_id id = file(0x1000, 10);
   pm_ledger_block(&ledger, id)->site = 5;
   pm_ledger_unfile(&ledger, id);
   pm_ledger_drop(&ledger, id);
   assert_int_equal(pm_ledger_new(&ledger, 0x1000, 0, PM_BLOCK_LIVE), id);
   assert_int_equal(pm_ledger_block(&ledger, id)->site, 0);
   assert_int_equal(pm_ledger_block(&ledger, id)->size_bytes, 0);
}

/* Never returns to what broke it. */
static void to_cmocka(const char *file_, int line, const char *invariant)
{
   mock_assert(0, invariant, file_, line);
}

static void misuse_is_a_broken_invariant(void **state)
{
   (void)state;
   void (*before)(const char *, int, const char *) = hosted_broken;
   pm_block_id id = file(0x1000, 10);
   pm_block_id other = pm_ledger_new(&ledger, 0x1000, 10, PM_BLOCK_LIVE);
   hosted_broken = to_cmocka;
   expect_assert_failure(pm_ledger_file(&ledger, other)); /* the address is taken */
   pm_ledger_unfile(&ledger, id);
   expect_assert_failure(pm_ledger_unfile(&ledger, id)); /* not filed */
   pm_ledger_drop(&ledger, id);
   expect_assert_failure(pm_ledger_drop(&ledger, id)); /* not there */
   hosted_broken = before;
}

/* What could be filed is found, whatever could not. */
static void without_memory_all_is_as_before(void **state)
{
   enum { BLOCKS = 20000 }; /* more than the first table has slots */
   static pm_block_id ids[BLOCKS];
   unsigned long failures = 0;
   for (unsigned long n = 1;; n++) {
      setup(state);
      hosted_fail_alloc(n);
      unsigned refused = 0;
      for (uint64_t b = 0; b < BLOCKS; b++) {
         ids[b] = file(0x10000 + 4096 * b, b % 3 ? 16 : 4096);
         refused += ids[b] == 0;
      }
      bool ordered = pm_ledger_order_all(&ledger);
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      assert_int_equal(refused + !ordered, failed);
      for (uint64_t b = 0; b < BLOCKS; b++) {
         assert_int_equal(pm_ledger_find(&ledger, 0x10000 + 4096 * b), ids[b]);
         if (b % 3 == 0 || ordered)
            assert_int_equal(pm_ledger_holding(&ledger, 0x10000 + 4096 * b + 15), ids[b]);
      }
      teardown(state);
      if (!failed)
         break;
      failures++;
   }
   assert_in_range(failures, 15, 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(holding_knows_the_borders),
      TEST(records_stay_where_they_are),
      TEST(ids_are_used_again),
      TEST(misuse_is_a_broken_invariant),
      cmocka_unit_test(without_memory_all_is_as_before),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
