/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_heap.c: heap metrics of small stories, worked out by hand.
 *
 * tests/model compares every metric with a second implementation; here a reader can
 * follow the numbers from the definitions (design section 3), and memory runs out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "hosted.h"
#include "pm_heap.h"

static struct pm_heap heap;
static struct pm_heap_thread one, two;
static struct pm_phase phase;
static struct pm_instance *instance;

static int setup(void **state)
{
   (void)state;
   pm_heap_init(&heap, &hosted);
   one = (struct pm_heap_thread){.number = 1};
   two = (struct pm_heap_thread){.number = 2};
   phase = (struct pm_phase){.name = "story", .complete = true};
   instance = NULL;
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_heap_release(&heap);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

static pm_block_id obtain(struct pm_heap_thread *thread, uint64_t address, uint64_t size_bytes)
{
   pm_block_id id = pm_heap_file(&heap, address, size_bytes);
   assert_int_equal(id == 0, heap.lost);
   if (id)
      pm_heap_obtained(&heap, thread, id);
   return id;
}

static void resize(pm_block_id id, uint64_t address, uint64_t size_bytes)
{
   if (heap.lost)
      return;
   pm_ledger_unfile(&heap.ledger, id);
   pm_heap_resized(&heap, &one, id, address, size_bytes);
}

static void give_back(struct pm_heap_thread *thread, pm_block_id id)
{
   if (!heap.lost)
      pm_heap_given_back(&heap, thread, id, true);
}

static void begin(void)
{
   instance = pm_phases_begin(&heap.phases, &phase, &heap.state, 1, 0);
   assert_non_null(instance);
}

static void end(void)
{
   pm_phases_end(&heap.phases, instance, &heap.state, 0, true);
   pm_phase_release(&hosted, &phase);
}

static void is(enum pm_metric metric, int64_t should)
{
   int64_t value = (int64_t)phase.value[metric];
   if (value != should)
      fail_msg("%s is %" PRId64 ", should be %" PRId64, pm_metric_rows[metric].name, value,
               should);
}

/* --- stories ------------------------------------------------------------------------ */

static void entry_peak_and_exit(void **state)
{
   (void)state;
   obtain(&one, 0x1000, 100);
   begin();
   pm_block_id a = obtain(&one, 0x2000, 50);
   obtain(&one, 0x3000, 0);
   give_back(&one, a);
   obtain(&one, 0x4000, 20);
   end();
   is(PM_METRIC_HEAP_ENTRY, 100);
   is(PM_METRIC_HEAP_ENTRY_BLOCKS, 1);
   is(PM_METRIC_HEAP_PEAK, 150);
   is(PM_METRIC_HEAP_PEAK_BLOCKS, 2); /* at the first moment; later there are 3 */
   is(PM_METRIC_HEAP_GROWTH, 50);
   is(PM_METRIC_HEAP_EXIT, 120);
   is(PM_METRIC_HEAP_EXIT_BLOCKS, 3);
   is(PM_METRIC_HEAP_RETAINED, 20);
   is(PM_METRIC_HEAP_RELEASED, 0);
   is(PM_METRIC_ALLOCATIONS_COUNT, 3);
   is(PM_METRIC_ALLOCATIONS_ZERO_SIZE, 1);
   is(PM_METRIC_DEALLOCATIONS_COUNT, 1);
   is(PM_METRIC_TRAFFIC_BLOCKS, 3);
   is(PM_METRIC_TRAFFIC_BYTES, 70);
}

/* "earlier blocks freed meanwhile can hide later ones" from growth, not from scratch */
static void scratch_is_what_the_phase_needed(void **state)
{
   (void)state;
   pm_block_id old = obtain(&one, 0x1000, 1000);
   begin();
   give_back(&one, old);
   pm_block_id own = obtain(&one, 0x2000, 900);
   give_back(&one, own);
   end();
   is(PM_METRIC_HEAP_PEAK, 1000);
   is(PM_METRIC_HEAP_GROWTH, 0);
   is(PM_METRIC_HEAP_SCRATCH_PEAK, 900);
   is(PM_METRIC_HEAP_RELEASED, 1000);
   is(PM_METRIC_HEAP_RETAINED, 0);
}

/* "for each older block resized inside max(0, size now - size at begin)" */
static void scratch_counts_what_older_blocks_grew_by(void **state)
{
   (void)state;
   pm_block_id old = obtain(&one, 0x1000, 100);
   resize(old, 0x1000, 200); /* before */
   begin();
   resize(old, 0x1000, 150); /* shrunk: nothing */
   resize(old, 0x1000, 260); /* 60 more than at the begin */
   resize(old, 0x1000, 180);
   pm_block_id own = obtain(&one, 0x2000, 30);
   resize(own, 0x2000, 50);
   resize(old, 0x1000, 205); /* 5 more, and 50 */
   give_back(&one, old);
   end();
   is(PM_METRIC_HEAP_SCRATCH_PEAK, 60);
   is(PM_METRIC_HEAP_RESIZED, -50 + 110 - 80 + 25);
   is(PM_METRIC_HEAP_RELEASED, 205);
   is(PM_METRIC_HEAP_RETAINED, 50);
   is(PM_METRIC_HEAP_ENTRY, 200);
   is(PM_METRIC_HEAP_EXIT, 50);
   is(PM_METRIC_REALLOCATIONS_COUNT, 5);
   is(PM_METRIC_REALLOCATIONS_MOVED, 0);
   is(PM_METRIC_REALLOCATIONS_NET_BYTES, 25);
}

/* "at each moving resize, live just before its event + new size" */
static void a_moving_resize_holds_both_blocks(void **state)
{
   (void)state;
   begin();
   pm_block_id a = obtain(&one, 0x1000, 100);
   resize(a, 0x1000, 120); /* in place */
   resize(a, 0x2000, 30);
   resize(a, 0x3000, 40);
   end();
   is(PM_METRIC_HEAP_PEAK, 120);
   is(PM_METRIC_HEAP_MOVE_PEAK, 150);
   is(PM_METRIC_REALLOCATIONS_MOVED, 2);
   is(PM_METRIC_REALLOCATIONS_BYTES, 190);
}

/* "its deallocation, inside the same instance, is the next heap event of the thread
   that obtained it, by that thread" */
static void temporary_blocks(void **state)
{
   (void)state;
   pm_block_id before = obtain(&one, 0x1000, 1);
   begin();
   give_back(&one, before); /* obtained outside */
   pm_block_id a = obtain(&one, 0x1000, 1);
   give_back(&one, a); /* temporary */
   a = obtain(&one, 0x1000, 1);
   pm_block_id b = obtain(&two, 0x2000, 1);
   give_back(&one, a); /* temporary: another thread's events are between */
   give_back(&one, b); /* by another thread */
   a = obtain(&one, 0x1000, 1);
   b = obtain(&one, 0x2000, 1);
   give_back(&one, b); /* temporary */
   give_back(&one, a); /* an event of its thread is between */
   a = obtain(&one, 0x1000, 1);
   resize(a, 0x1000, 2);
   give_back(&one, a); /* the resize is */
   obtain(&one, 0x1000, 1);
   end();
   is(PM_METRIC_ALLOCATIONS_COUNT, 7);
   is(PM_METRIC_ALLOCATIONS_TEMPORARY, 3);
}

/* Ranges that are no part of a block any more, for blocks announced inside. */
static uint64_t gone_bytes;

static void add_gone(void *ctx, uint64_t start, uint64_t end_)
{
   (void)ctx;
   assert_in_range(start, 0x1000, end_ - 1);
   gone_bytes += end_ - start;
}

static void gone_ranges_are_told(void **state)
{
   (void)state;
   heap.range_gone = add_gone;
   gone_bytes = 0;
   pm_block_id a = obtain(&one, 0x1000, 100);
   resize(a, 0x1000, 300);
   resize(a, 0x1000, 100);
   assert_int_equal(gone_bytes, 0); /* too small to hold a stack */
   assert_true(pm_ledger_order_all(&heap.ledger));
   resize(a, 0x1000, 300);
   assert_int_equal(gone_bytes, 0);
   resize(a, 0x1000, 250);
   assert_int_equal(gone_bytes, 50);
   resize(a, 0x2000, 400); /* moved: all of the old range */
   assert_int_equal(gone_bytes, 300);
   give_back(&one, a);
   assert_int_equal(gone_bytes, 700);
}

/* --- memory ----------------------------------------------------------------------------- */

enum { BLOCKS = 5000 };

/* Enough for every table to grow; false: an instance could not begin. */
static bool story(void)
{
   static pm_block_id ids[BLOCKS];
   static struct pm_phase phases[20];
   for (int p = 0; p < 20; p++) {
      phases[p] = (struct pm_phase){.name = "many", .complete = true};
      struct pm_instance *begun = pm_phases_begin(&heap.phases, &phases[p], &heap.state, 1, 0);
      if (!begun)
         return false;
      for (int b = p; b < BLOCKS; b += 20)
         ids[b] = obtain(&one, 0x1000 + 4096 * (uint64_t)b, b % 2 ? 3000 : 30);
      for (int b = 0; b <= p && !heap.lost; b++)
         resize(ids[b], 0x1000 + 4096 * (uint64_t)b, 40 + (uint64_t)p);
   }
   for (int b = 0; b < BLOCKS; b++)
      give_back(&one, ids[b]);
   return true;
}

static void without_memory_the_numbers_end(void **state)
{
   unsigned long failures = 0;
   for (unsigned long n = 1;; n++) {
      setup(state);
      hosted_fail_alloc(n);
      bool begun = story();
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      assert_int_equal(heap.lost, failed && begun);
      if (heap.lost) {
         /* Nothing counts any more, also when there is memory again. */
         struct pm_state before = heap.state;
         story();
         assert_int_equal(obtain(&one, 0x9000000, 5), 0);
         assert_memory_equal(&before, &heap.state, sizeof before);
      }
      teardown(state);
      if (!failed)
         break;
      failures++;
   }
   assert_in_range(failures, 20, 200);
}

/* A failed resize needs room to file its block again, if others took its place. */
static void a_block_that_cannot_be_filed_again(void **state)
{
   (void)state;
   pm_block_id id = obtain(&one, 0x1000, 10);
   pm_ledger_unfile(&heap.ledger, id);
   for (uint64_t b = 1; heap.ledger.filed < heap.ledger.table_slots; b++)
      obtain(&one, 0x1000 + 16 * b, 10);
   hosted_fail_alloc(1);
   pm_heap_refile(&heap, id);
   hosted_fail_alloc(0);
   assert_true(heap.lost);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(entry_peak_and_exit),
      TEST(scratch_is_what_the_phase_needed),
      TEST(scratch_counts_what_older_blocks_grew_by),
      TEST(a_moving_resize_holds_both_blocks),
      TEST(temporary_blocks),
      TEST(gone_ranges_are_told),
      TEST(a_block_that_cannot_be_filed_again),
      cmocka_unit_test(without_memory_the_numbers_end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
