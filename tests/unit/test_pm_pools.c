/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_pools.c: announced blocks, inside other blocks and outside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "hosted.h"
#include "pm_pools.h"

static struct pm_heap heap;
static struct pm_calls calls;
static struct pm_call_thread thread;
static struct pm_pools pools;
static struct pm_phase phase;
static struct pm_instance *instance;
static uint64_t instrs;

static uint64_t word_at(uint64_t address)
{
   (void)address;
   return 0;
}

static bool same_stack(uint64_t a, uint64_t b)
{
   (void)a;
   (void)b;
   return true;
}

static const struct pm_guest guest = {
   .word_at = word_at, .same_stack = same_stack, .return_pops_bytes = 8};

static bool start(void)
{
   pm_heap_init(&heap, &hosted);
   pm_calls_init(&calls, &hosted, &guest, &heap, &instrs);
   pm_pools_init(&pools, &hosted, &calls);
   phase = (struct pm_phase){.name = "program", .complete = true};
   thread = (struct pm_call_thread){.levels = NULL};
   instance = pm_phases_begin(&heap.phases, &phase, &heap.state, 1, 0);
   return instance && pm_call_thread_init(&calls, &thread, 1);
}

static void stop(void)
{
   if (thread.levels)
      pm_call_thread_exit(&calls, &thread);
   pm_heap_release(&heap);
   pm_pools_release(&pools);
   assert_int_equal(hosted_live_bytes(), 0);
}

static int setup(void **state)
{
   (void)state;
   assert_true(start());
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   stop();
   return 0;
}

/* malloc, realloc and free of the program, as announced blocks of its heap. */
static void allocate(uint64_t address, uint64_t size_bytes)
{
   pm_calls_announce(&calls, &thread, address, size_bytes);
}

static void release(uint64_t address)
{
   assert_true(pm_calls_announce_end(&calls, &thread, address));
}

static void move(uint64_t address, uint64_t new_address, uint64_t size_bytes)
{
   pm_block_id id = pm_ledger_find(&heap.ledger, address);
   assert_int_not_equal(id, 0);
   pm_ledger_unfile(&heap.ledger, id);
   pm_heap_resized(&heap, &thread.heap, id, new_address, size_bytes);
}

static void pool_is(uint64_t bytes, uint64_t most, uint64_t blocks_ever)
{
   uint64_t value[PM_METRICS];
   pm_instance_values(instance, &heap.state, 0, value);
   assert_int_equal(value[PM_METRIC_POOL_EXIT], bytes);
   assert_int_equal(value[PM_METRIC_POOL_PEAK], most);
   assert_int_equal(value[PM_METRIC_POOL_COUNT], blocks_ever);
}

static void heap_is(uint64_t bytes, uint64_t blocks)
{
   assert_int_equal(heap.state.gauge[PM_GAUGE_LIVE_BYTES], bytes);
   assert_int_equal(heap.state.live_blocks, blocks);
}

static uint64_t unmatched(void)
{
   return heap.state.counter[PM_COUNT_DEALLOCATIONS_UNMATCHED];
}

enum { POOL = 0x77, OTHER = 0x88 };

static void a_block_inside_another_is_a_pools(void **state)
{
   (void)state;
   allocate(0x1000, 1000);
   pm_pools_alloc(&pools, &thread, 0, 0x1000, 10);       /* from the first byte on */
   pm_pools_alloc(&pools, &thread, 0, 0x1000 + 990, 10); /* to the last one */
   pool_is(20, 20, 2);
   heap_is(1000, 1);
   pm_pools_free(&pools, &thread, 0x1000);
   pool_is(10, 20, 2);
   pm_pools_resize(&pools, &thread, 0x1000 + 990, 4);
   pool_is(4, 20, 2);
   release(0x1000); /* and what is in it */
   pool_is(0, 20, 2);
   heap_is(0, 0);
   assert_int_equal(unmatched(), 0);
   pm_pools_free(&pools, &thread, 0x1000 + 990);
   assert_int_equal(unmatched(), 1);
}

static void a_block_outside_is_an_ordinary_one(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   pm_pools_alloc(&pools, &thread, 0, 0x1000 + 100, 50); /* just behind */
   pm_pools_alloc(&pools, &thread, POOL, 0x2000, 0);
   heap_is(150, 3);
   pool_is(0, 0, 0);
   pm_pools_resize(&pools, &thread, 0x1000 + 100, 60);
   heap_is(160, 3);
   assert_int_equal(heap.state.counter[PM_COUNT_REALLOCATIONS], 1);
   pm_pools_free(&pools, &thread, 0x1000 + 100);
   pm_pools_free(&pools, &thread, 0x2000);
   heap_is(100, 1);
   assert_int_equal(unmatched(), 0);
}

/* Blocks that were there before the first announcement, small ones too, are containers. */
static void small_blocks_of_before_count_as_containers(void **state)
{
   (void)state;
   for (uint64_t b = 0; b < 100; b++)
      allocate(0x1000 + 32 * b, 32);
   for (uint64_t b = 0; b < 100; b++)
      pm_pools_alloc(&pools, &thread, 0, 0x1000 + 32 * b + 8, 24);
   pool_is(2400, 2400, 100);
   heap_is(3200, 100);
   allocate(0x9000, 8);
   pm_pools_alloc(&pools, &thread, 0, 0x9000, 8);
   pool_is(2408, 2408, 101);
}

static void a_block_that_sticks_out_is_not_inside(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   pm_pools_alloc(&pools, &thread, 0, 0x1010, 0x60);
   pool_is(0, 0, 0);
   heap_is(100 + 0x60, 2);
   pm_pools_alloc(&pools, &thread, 0, 0x1020, UINT64_MAX);
   pool_is(0, 0, 0);
}

static void pieces_of_an_announced_block_are_a_pools(void **state)
{
   (void)state;
   pm_pools_alloc(&pools, &thread, 0, 0x1000, 4096); /* of memory from the system */
   pm_pools_alloc(&pools, &thread, POOL, 0x1100, 16);
   heap_is(4096, 1);
   pool_is(16, 16, 1);
   pm_pools_free(&pools, &thread, 0x1000);
   heap_is(0, 0);
   pool_is(0, 16, 1);
}

static void a_container_that_moves_or_shrinks(void **state)
{
   (void)state;
   allocate(0x1000, 1000);
   pm_pools_alloc(&pools, &thread, 0, 0x1000, 10);
   pm_pools_alloc(&pools, &thread, 0, 0x1100, 20);
   pm_pools_alloc(&pools, &thread, 0, 0x1200, 30);
   pool_is(60, 60, 3);
   move(0x1000, 0x1000, 0x200); /* in place: the last one is out */
   pool_is(30, 60, 3);
   move(0x1000, 0x1000, 0x400);
   pool_is(30, 60, 3);
   move(0x1000, 0x8000, 0x400); /* elsewhere: the others stayed behind */
   pool_is(0, 60, 3);
   heap_is(0x400, 1);
   pm_pools_alloc(&pools, &thread, 0, 0x8000, 7);
   pool_is(7, 60, 4);
}

static void blocks_elsewhere_stay(void **state)
{
   (void)state;
   allocate(0x1000, 0x100);
   allocate(0x1100, 0x100);
   allocate(0x1200, 0x100);
   for (uint64_t b = 0; b < 3; b++)
      pm_pools_alloc(&pools, &thread, 0, 0x1000 + 0x100 * b, 1 + b);
   release(0x1100);
   pool_is(4, 6, 3);
   release(0x1000);
   pool_is(3, 6, 3);
}

static void a_pool_is_destroyed(void **state)
{
   (void)state;
   allocate(0x1000, 1000);
   pm_pools_alloc(&pools, &thread, POOL, 0x1000, 10);
   pm_pools_alloc(&pools, &thread, OTHER, 0x1020, 20);
   pm_pools_alloc(&pools, &thread, POOL, 0x1040, 0);
   pm_pools_alloc(&pools, &thread, POOL, 0x5000, 40); /* outside */
   pm_pools_alloc(&pools, &thread, 0, 0x1060, 1);
   heap_is(1040, 2);
   pm_pools_destroy(&pools, &thread, POOL);
   pool_is(21, 31, 4);
   heap_is(1000, 1);
   pm_pools_rename(&pools, OTHER, POOL);
   pm_pools_destroy(&pools, &thread, OTHER);
   pool_is(21, 31, 4);
   pm_pools_destroy(&pools, &thread, POOL);
   pool_is(1, 31, 4);
   assert_int_equal(unmatched(), 0);
}

static void a_pool_gets_another_name(void **state)
{
   (void)state;
   allocate(0x1000, 1000);
   pm_pools_alloc(&pools, &thread, OTHER, 0x1000, 10);
   pm_pools_alloc(&pools, &thread, OTHER, 0x1020, 20);
   pm_pools_rename(&pools, OTHER, POOL);
   pm_pools_destroy(&pools, &thread, OTHER);
   pool_is(30, 30, 2);
   pm_pools_destroy(&pools, &thread, POOL);
   pool_is(0, 30, 2);
}

/* Valgrind's manual: what lies inside the range is preserved, what lies outside is given
   back, and others lose what lies outside. */
static void a_pools_blocks_join_another(void **state)
{
   (void)state;
   allocate(0x1000, 0x1000);
   for (uint64_t b = 0; b < 6; b++)
      pm_pools_alloc(&pools, &thread, b % 2 ? POOL : OTHER, 0x1000 + 16 * b, 10);
   pm_pools_rename(&pools, POOL, POOL);
   pm_pools_rename(&pools, POOL, 0);
   pm_pools_rename(&pools, POOL, OTHER);
   pm_pools_destroy(&pools, &thread, POOL);
   pool_is(60, 60, 6);
   pm_pools_alloc(&pools, &thread, POOL, 0x1800, 7);
   pm_pools_destroy(&pools, &thread, OTHER);
   pool_is(7, 67, 7);
}

/* What was announced by itself is in no pool, also not in one called 0. */
static void no_pool_is_called_0(void **state)
{
   (void)state;
   allocate(0x1000, 0x1000);
   pm_pools_alloc(&pools, &thread, 0, 0x1000, 10);
   pm_pools_alloc(&pools, &thread, 0, 0x5000, 20);
   pm_pools_destroy(&pools, &thread, 0);
   pm_pools_trim(&pools, &thread, 0, 0x1000, 1);
   pm_pools_rename(&pools, 0, POOL);
   pm_pools_destroy(&pools, &thread, POOL);
   pool_is(10, 10, 1);
   heap_is(0x1000 + 20, 2);
}

/* The end of one takes others of its pool with it. */
static void a_pools_blocks_lie_in_each_other(void **state)
{
   (void)state;
   for (int trim = 0; trim < 2; trim++) {
      pm_pools_alloc(&pools, &thread, POOL, 0x2000, 0x10);
      for (uint64_t b = 0; b < 4; b++) {
         uint64_t outer = 0x10000 + 0x10000 * b;
         pm_pools_alloc(&pools, &thread, POOL, outer, 0x1000);
         pm_pools_alloc(&pools, &thread, POOL, outer + 0x100, 0x10);
         pm_pools_alloc(&pools, &thread, POOL, outer, 0x2000); /* the pieces end */
         pm_pools_alloc(&pools, &thread, POOL, outer + 0x200, 0x20);
      }
      pool_is(4 * 0x20, 4 * 0x20, 8 * (trim + 1));
      heap_is(0x10 + 4 * 0x2000, 5);
      /* In another pool they stand the other way round. */
      pm_pools_alloc(&pools, &thread, OTHER, 0x3000, 0);
      pm_pools_rename(&pools, POOL, OTHER);
      pm_pools_rename(&pools, OTHER, POOL);
      if (trim)
         pm_pools_trim(&pools, &thread, POOL, 0x2000, 0x10);
      else
         pm_pools_destroy(&pools, &thread, POOL);
      pool_is(0, 4 * 0x20, 8 * (trim + 1));
      heap_is(trim ? 0x10 : 0, (uint64_t)trim);
   }
}

/* Each with a block: the end of one costs nothing that grows with the others, or this
   would not come to an end. */
static void as_many_pools_as_blocks(void **state)
{
   enum { MANY = 300000 };
   (void)state;
   allocate(0x1000000, 16 * MANY);
   for (uint64_t b = 0; b < MANY; b++)
      pm_pools_alloc(&pools, &thread, 0x10 + b, 0x1000000 + 16 * b, 8);
   pool_is(8 * MANY, 8 * MANY, MANY);
   for (uint64_t b = 0; b < MANY; b++) {
      pm_pools_rename(&pools, 0x10 + b, 0x100000000 + b);
      pm_pools_trim(&pools, &thread, 0x100000000 + b, 0x1000000 + 16 * b, 4);
      pm_pools_destroy(&pools, &thread, 0x100000000 + b);
   }
   pool_is(0, 8 * MANY, MANY);
}

static void a_pool_is_trimmed(void **state)
{
   (void)state;
   allocate(0x1000, 0x1000);
   pm_pools_alloc(&pools, &thread, POOL, 0x1000, 0x100);  /* before */
   pm_pools_alloc(&pools, &thread, POOL, 0x1100, 0x100);  /* up to the start */
   pm_pools_alloc(&pools, &thread, POOL, 0x1200, 0x80);   /* inside, at the start */
   pm_pools_alloc(&pools, &thread, POOL, 0x1280, 0);      /* inside, empty */
   pm_pools_alloc(&pools, &thread, POOL, 0x12f0, 0x20);   /* across the end */
   pm_pools_alloc(&pools, &thread, OTHER, 0x1400, 0x100); /* another pool's */
   pm_pools_alloc(&pools, &thread, POOL, 0x1500, 0x100);  /* behind */
   pm_pools_trim(&pools, &thread, POOL, 0x1200, 0x100);
   pool_is(0x80 + 0x10 + 0x100, 0x4a0, 7);
   pm_pools_trim(&pools, &thread, POOL, 0x1220, 0x40); /* across both ends of one */
   pool_is(0x40 + 0x100, 0x4a0, 7);
   pm_pools_free(&pools, &thread, 0x1220); /* where it starts now */
   pool_is(0x100, 0x4a0, 7);
   assert_int_equal(unmatched(), 0);

   /* Outside of other blocks: the same for the heap's. */
   pm_pools_alloc(&pools, &thread, POOL, 0x5000, 0x100);
   pm_pools_alloc(&pools, &thread, POOL, 0x5100, 0x100);
   pm_pools_trim(&pools, &thread, POOL, 0x5080, 0x100);
   heap_is(0x1000 + 0x80 + 0x80, 3);
   pm_pools_trim(&pools, &thread, POOL, 0, 0);
   heap_is(0x1000, 1);
   pm_pools_trim(&pools, &thread, OTHER, 0, UINT64_MAX);
   pool_is(0x100, 0x4a0, 7);
}

/* Overlapping announcements are a mistake of the program's, and no reason to stop. */
static void trimming_what_overlaps(void **state)
{
   (void)state;
   allocate(0x1000, 0x1000);
   pm_pools_alloc(&pools, &thread, POOL, 0x1000, 0x100);
   pm_pools_alloc(&pools, &thread, POOL, 0x1080, 0x100);
   pm_pools_trim(&pools, &thread, POOL, 0x1080, 0x40);
   pool_is(0x40, 0x200, 2);
}

static void a_block_is_moved(void **state)
{
   (void)state;
   allocate(0x1000, 0x1000);
   pm_pools_alloc(&pools, &thread, POOL, 0x1000, 10);
   pm_pools_change(&pools, &thread, POOL, 0x1000, 0x1000, 30); /* in place */
   pool_is(30, 30, 1);
   pm_pools_change(&pools, &thread, POOL, 0x1000, 0x1100, 20);
   pool_is(20, 30, 2);
   pm_pools_free(&pools, &thread, 0x1100);
   pool_is(0, 30, 2);
   pm_pools_change(&pools, &thread, POOL, 0x1300, 0x1200, 5); /* of none: a new one */
   pool_is(5, 30, 3);
   assert_int_equal(unmatched(), 0);
}

static void an_address_announced_again_ends_the_first_block(void **state)
{
   (void)state;
   allocate(0x1000, 1000);
   pm_pools_alloc(&pools, &thread, POOL, 0x1000, 10);
   pm_pools_alloc(&pools, &thread, POOL, 0x1000, 20);
   pool_is(20, 20, 2);
   pm_pools_alloc(&pools, &thread, POOL, 0x5000, 7);
   pm_pools_alloc(&pools, &thread, POOL, 0x5000, 8);
   heap_is(1008, 2);
   assert_int_equal(heap.state.counter[PM_COUNT_DEALLOCATIONS_UNSEEN], 0);
}

static void no_address_is_nothing(void **state)
{
   (void)state;
   pm_pools_alloc(&pools, &thread, POOL, 0, 10);
   pm_pools_free(&pools, &thread, 0);
   pm_pools_resize(&pools, &thread, 0, 10);
   pm_pools_resize(&pools, &thread, 0x1234, 10);
   pool_is(0, 0, 0);
   heap_is(0, 0);
   assert_int_equal(unmatched(), 0);
   pm_pools_alloc(&pools, &thread, POOL, UINT64_MAX, 0); /* the last one there is */
   pm_pools_destroy(&pools, &thread, POOL);
   heap_is(0, 0);
}

static void many_blocks(void)
{
   for (uint64_t b = 0; b < 300; b++)
      allocate(0x100000 + 0x1000 * b, 0x1000);
   for (uint64_t b = 0; b < 3000; b++)
      pm_pools_alloc(&pools, &thread, POOL, 0x100000 + 64 * b, 48);
   for (uint64_t b = 0; b < 300; b++)
      pm_pools_alloc(&pools, &thread, OTHER, 0x1000000 + 64 * b, 48);
   pm_pools_trim(&pools, &thread, POOL, 0x100000 + 32, 64 * 500);
   pm_pools_destroy(&pools, &thread, OTHER);
}

static void without_memory_the_numbers_end(void **state)
{
   unsigned long failures = 0;
   (void)state;
   for (unsigned long n = 1;; n++) {
      hosted_fail_alloc(n);
      bool started = start();
      if (started)
         many_blocks();
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      if (started)
         assert_int_equal(heap.lost, failed);
      if (started && failed)
         many_blocks(); /* also when there is memory again */
      if (!failed)
         pool_is(16 + 499 * 48 + 32, 3000 * 48, 3000);
      stop();
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
      TEST(a_block_inside_another_is_a_pools),
      TEST(a_block_outside_is_an_ordinary_one),
      TEST(small_blocks_of_before_count_as_containers),
      TEST(a_block_that_sticks_out_is_not_inside),
      TEST(pieces_of_an_announced_block_are_a_pools),
      TEST(a_container_that_moves_or_shrinks),
      TEST(blocks_elsewhere_stay),
      TEST(a_pool_is_destroyed),
      TEST(a_pool_gets_another_name),
      TEST(a_pools_blocks_join_another),
      TEST(no_pool_is_called_0),
      TEST(a_pools_blocks_lie_in_each_other),
      TEST(as_many_pools_as_blocks),
      TEST(a_pool_is_trimmed),
      TEST(trimming_what_overlaps),
      TEST(a_block_is_moved),
      TEST(an_address_announced_again_ends_the_first_block),
      TEST(no_address_is_nothing),
      cmocka_unit_test(without_memory_the_numbers_end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
