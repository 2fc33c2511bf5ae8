/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_calls.c: from entries and returns to heap events, a case at a time.
 *
 * The cases are those that design section 2 names, written out as the host would report
 * them. tests/model has the same rules on random programs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "hosted.h"
#include "pm_calls.h"

/* --- a process -------------------------------------------------------------------- */

enum { STACK = 0x7800000, OTHER_STACK = 0x8800000, ALTERNATE = 0x6800000, CALLER = 0x4000 };

static struct pm_heap heap;
static struct pm_calls calls;
static struct pm_call_thread threads[2], *thread;
static struct pm_function functions[PM_ALLOCKINDS];
static uint64_t instrs, word;
static bool own_release;

static uint64_t word_at(uint64_t address)
{
   assert_int_equal(address, 0x500);
   return word;
}

static bool same_stack(uint64_t a, uint64_t b)
{
   return a >> 24 == b >> 24;
}

static bool is_own_release(const struct pm_function *function, uint64_t return_address)
{
   (void)function;
   (void)return_address;
   return own_release;
}

/* The object of an allocation function has other code, too. */
static bool jumped_from_beside;

static bool is_own_jump(const struct pm_entry *entry)
{
   (void)entry;
   return jumped_from_beside;
}

static struct pm_guest guest;

static bool start(void)
{
   guest = (struct pm_guest){.word_at = word_at, .same_stack = same_stack,
                             .is_own_release = is_own_release, .is_own_jump = is_own_jump,
                             .return_pops_bytes = 8};
   jumped_from_beside = false;
   own_release = false;
   instrs = word = 0;
   for (int k = 0; k < PM_ALLOCKINDS; k++)
      functions[k] = (struct pm_function){.name = pm_allockinds[k].name,
                                          .kind = (enum pm_allockind_id)k,
                                          .address = 0x100000 * (uint64_t)(k + 1),
                                          .size_bytes = 256};
   pm_heap_init(&heap, &hosted);
   pm_calls_init(&calls, &hosted, &guest, &heap, &instrs);
   thread = &threads[0];
   return pm_call_thread_init(&calls, &threads[0], 1) &&
          pm_call_thread_init(&calls, &threads[1], 2);
}

static void stop(void)
{
   for (int t = 0; t < 2; t++)
      if (threads[t].levels)
         pm_call_thread_exit(&calls, &threads[t]);
   pm_heap_release(&heap);
   memset(threads, 0, sizeof threads);
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

/* The entry of a function of that kind, from the code at `from`, with the stack pointer
   `sp` before the call. */
static void enter_from(uint64_t came_from, uint64_t from, enum pm_allockind_id kind, uint64_t sp,
                       uint64_t a, uint64_t b, uint64_t c)
{
   instrs++;
   pm_calls_enter(&calls, thread,
                  &(struct pm_entry){.function = &functions[kind],
                                     .stack_pointer = sp - guest.return_pops_bytes,
                                     .return_address = from,
                                     .came_from = came_from,
                                     .args = {a, b, c, 0}});
}

static void enter(enum pm_allockind_id kind, uint64_t sp, uint64_t a, uint64_t b, uint64_t c)
{
   enter_from(CALLER, CALLER + sp % 4096, kind, sp, a, b, c);
}

/* The return from a call that was entered with these. */
static void leave_to(uint64_t to, uint64_t sp, uint64_t result)
{
   instrs++;
   if (sp >= pm_calls_watch(&calls, thread))
      pm_calls_return(&calls, thread, sp, to, result);
}

static void leave(uint64_t sp, uint64_t result)
{
   leave_to(CALLER + sp % 4096, sp, result);
}

/* A whole call. */
static void call(enum pm_allockind_id kind, uint64_t sp, uint64_t a, uint64_t b, uint64_t c,
                 uint64_t result)
{
   enter(kind, sp, a, b, c);
   leave(sp, result);
}

static void allocate(uint64_t address, uint64_t size_bytes)
{
   call(PM_ALLOCKIND_MALLOC, STACK, size_bytes, 0, 0, address);
}

static void has_block(uint64_t address, uint64_t size_bytes)
{
   pm_block_id id = pm_ledger_find(&heap.ledger, address);
   if (id == 0)
      fail_msg("no block at %" PRIx64, address);
   assert_int_equal(pm_ledger_block(&heap.ledger, id)->size_bytes, size_bytes);
   assert_int_equal(pm_block_state(pm_ledger_block(&heap.ledger, id)), PM_BLOCK_LIVE);
}

static void has_none(uint64_t address)
{
   assert_int_equal(pm_ledger_find(&heap.ledger, address), 0);
}

static uint64_t count(enum pm_counter counter)
{
   return heap.state.counter[counter];
}

/* What has happened: blocks obtained, resized, given back; live bytes. */
static void totals(uint64_t obtained, uint64_t resized, uint64_t given_back, uint64_t live)
{
   assert_int_equal(count(PM_COUNT_ALLOCATIONS), obtained);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS), resized);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS), given_back);
   assert_int_equal(heap.state.gauge[PM_GAUGE_LIVE_BYTES], live);
   assert_int_equal(heap.state.live_blocks, obtained - given_back);
   assert_int_equal(heap.state.events, obtained + resized + given_back);
}

static void is_done(void)
{
   assert_false(pm_calls_pending(thread));
   assert_int_equal(pm_calls_watch(&calls, thread), UINT64_MAX);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 0);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 0);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNMATCHED), 0);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNSEEN), 0);
   assert_false(heap.lost);
}

/* --- one call --------------------------------------------------------------------------- */

static void an_allocation_takes_effect_at_its_return(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   totals(0, 0, 0, 0);
   assert_true(pm_calls_pending(thread));
   leave(STACK, 0x1000);
   totals(1, 0, 0, 100);
   has_block(0x1000, 100);
   is_done();
   assert_int_equal(functions[PM_ALLOCKIND_MALLOC].calls, 1);
}

static void a_deallocation_takes_effect_at_its_entry(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   enter(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0);
   totals(1, 0, 1, 0);
   has_none(0x1000);
   /* Another thread may be given the address before free has returned. */
   thread = &threads[1];
   allocate(0x1000, 7);
   thread = &threads[0];
   leave(STACK, 0);
   totals(2, 0, 1, 7);
   is_done();
}

static void arguments_are_those_of_the_kind(void **state)
{
   (void)state;
   call(PM_ALLOCKIND_CALLOC, STACK, 3, 5, 0, 0x1000);
   call(PM_ALLOCKIND_ALIGNED, STACK, 64, 7, 0, 0x2000);
   call(PM_ALLOCKIND_ALIGNED_CALLOC, STACK, 64, 3, 4, 0x3000);
   call(PM_ALLOCKIND_NEW, STACK, 9, 0, 0, 0x4000);
   call(PM_ALLOCKIND_HEAP_MALLOC, STACK, 0xdead, 11, 0, 0x5000);
   call(PM_ALLOCKIND_HEAP_CALLOC, STACK, 0xdead, 2, 6, 0x6000);
   call(PM_ALLOCKIND_REALLOCARRAY, STACK, 0x1000, 4, 25, 0x7000);
   call(PM_ALLOCKIND_HEAP_REALLOC, STACK, 0xdead, 0x2000, 50, 0x8000);
   call(PM_ALLOCKIND_DELETE, STACK, 0x4000, 9, 0, 0);
   has_block(0x7000, 100);
   has_block(0x8000, 50);
   has_block(0x3000, 12);
   has_block(0x5000, 11);
   has_block(0x6000, 12);
   totals(6, 2, 1, 100 + 50 + 12 + 11 + 12);
   is_done();
}

static void no_block_is_a_failure(void **state)
{
   (void)state;
   call(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0, 0);
   call(PM_ALLOCKIND_CALLOC, STACK, UINT64_C(1) << 33, UINT64_C(1) << 33, 0, 0);
   call(PM_ALLOCKIND_REALLOC, STACK, 0, 100, 0, 0);
   totals(0, 0, 0, 0);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 3);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 0);
}

static void size_zero_is_a_block(void **state)
{
   (void)state;
   allocate(0x1000, 0);
   has_block(0x1000, 0);
   totals(1, 0, 0, 0);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_ZERO_SIZE), 1);
   call(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0, 0);
   totals(1, 0, 1, 0);
   is_done();
}

/* The result is an int: the other half of the register is nobody's. */
static void posix_memalign_stores_its_block(void **state)
{
   (void)state;
   word = 0x1000;
   call(PM_ALLOCKIND_POSIX_MEMALIGN, STACK, 0x500, 64, 100, 0);
   has_block(0x1000, 100);
   word = 0x2000;
   call(PM_ALLOCKIND_POSIX_MEMALIGN, STACK, 0x500, 64, 50, UINT64_C(0xffffffff00000000));
   has_block(0x2000, 50);
   word = 0x3000; /* what was there before */
   call(PM_ALLOCKIND_POSIX_MEMALIGN, STACK, 0x500, 64, 50, 12);
   has_none(0x3000);
   totals(2, 0, 0, 150);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
}

static void nothing_given_back_is_no_event(void **state)
{
   (void)state;
   call(PM_ALLOCKIND_FREE, STACK, 0, 0, 0, 0);
   call(PM_ALLOCKIND_DELETE, STACK, 0, 0, 0, 0);
   totals(0, 0, 0, 0);
   is_done();
}

static void an_unknown_address_is_unmatched(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   call(PM_ALLOCKIND_FREE, STACK, 0x1010, 0, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0, 0);
   totals(1, 0, 1, 0);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNMATCHED), 2);

   /* A resize of one: from here on it is known. */
   call(PM_ALLOCKIND_REALLOC, STACK, 0x9000, 40, 0, 0x2000);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNMATCHED), 3);
   has_block(0x2000, 40);
   totals(2, 0, 1, 40);
}

static void what_an_allocator_tidies_up_is_not_unmatched(void **state)
{
   (void)state;
   own_release = true;
   call(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0, 0);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNMATCHED), 0);
   allocate(0x1000, 100);
   call(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0, 0); /* a block is one all the same */
   totals(1, 0, 1, 0);
}

static void an_address_returned_twice_ends_the_first_block(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   allocate(0x1000, 30);
   totals(2, 0, 1, 30);
   has_block(0x1000, 30);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNSEEN), 1);
}

/* --- resizes ---------------------------------------------------------------------------- */

static void a_resize_takes_its_block_out_meanwhile(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   enter(PM_ALLOCKIND_REALLOC, STACK, 0x1000, 300, 0);
   has_none(0x1000);
   totals(1, 0, 0, 100); /* live unchanged */
   thread = &threads[1];
   allocate(0x1000, 7); /* given to another thread already */
   thread = &threads[0];
   leave(STACK, 0x2000);
   has_block(0x1000, 7);
   has_block(0x2000, 300);
   totals(2, 1, 0, 307);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_MOVED), 1);
   assert_int_equal(count(PM_COUNT_REALLOCATION_BYTES), 300);
   assert_int_equal(count(PM_COUNT_REALLOCATION_NET_BYTES), 200);
   is_done();
}

static void a_failed_resize_leaves_its_block(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   call(PM_ALLOCKIND_REALLOC, STACK, 0x1000, 300, 0, 0);
   has_block(0x1000, 100);
   call(PM_ALLOCKIND_REALLOCARRAY, STACK, 0x1000, UINT64_MAX, 2, 0);
   has_block(0x1000, 100);
   totals(1, 0, 0, 100);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 2);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 0);
   call(PM_ALLOCKIND_REALLOCF, STACK, 0x1000, 300, 0, 0); /* this kind gives it back */
   totals(1, 0, 1, 0);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 3);
}

/* The address was given away on a path that was not seen, and the resize did not move
   the block after all. */
static void a_failed_resize_takes_its_address_back(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   enter(PM_ALLOCKIND_REALLOC, STACK, 0x1000, 300, 0);
   thread = &threads[1];
   allocate(0x1000, 7);
   thread = &threads[0];
   leave(STACK, 0);
   has_block(0x1000, 100);
   totals(2, 0, 1, 100);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNSEEN), 1);
}

static void a_resize_to_nothing_is_what_it_returns(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   allocate(0x2000, 100);
   call(PM_ALLOCKIND_REALLOC, STACK, 0x1000, 0, 0, 0x1000);
   has_block(0x1000, 0);
   totals(2, 1, 0, 100);
   call(PM_ALLOCKIND_REALLOC, STACK, 0x2000, 0, 0, 0);
   has_none(0x2000);
   totals(2, 1, 1, 0);
   is_done();
}

static void a_resize_in_place_returns_a_size(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   call(PM_ALLOCKIND_XALLOCX, STACK, 0x1000, 300, 0, 320);
   has_block(0x1000, 300);
   totals(1, 1, 0, 300);
   call(PM_ALLOCKIND_XALLOCX, STACK, 0x1000, 900, 0, 320);
   has_block(0x1000, 300);
   totals(1, 1, 0, 300);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 1);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_MOVED), 0);
}

/* --- calls within calls -------------------------------------------------------------------- */

static void operator_new_calls_malloc(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 128, 0, 0, 0x1000);
   totals(0, 0, 0, 0);
   leave(STACK, 0x1000);
   has_block(0x1000, 100); /* as the program asked */
   totals(1, 0, 0, 100);

   enter(PM_ALLOCKIND_DELETE, STACK, 0x1000, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK - 32, 0x1000, 0, 0, 0);
   leave(STACK, 0);
   totals(1, 0, 1, 0);
   is_done();
}

static void operator_new_jumps_to_malloc(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   enter_from(CALLER, CALLER + STACK % 4096, PM_ALLOCKIND_MALLOC, STACK, 128, 0, 0);
   leave(STACK, 0x1000);
   has_block(0x1000, 100);
   totals(1, 0, 0, 100);
   is_done();
}

static void an_aligned_block_lies_in_a_larger_one(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_ALIGNED, STACK, 64, 100, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 172, 0, 0, 0x1010);
   leave(STACK, 0x1040);
   has_block(0x1040, 100);
   has_none(0x1010);
   totals(1, 0, 0, 100);
   enter(PM_ALLOCKIND_FREE, STACK, 0x1040, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK - 32, 0x1010, 0, 0, 0); /* of no known block: its own */
   leave(STACK, 0);
   totals(1, 0, 1, 0);
   is_done();
}

/* One byte past a block is not in it; where an empty block starts is. */
static void borders_of_raw_material(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_ALIGNED, STACK, 64, 10, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 0x40, 0, 0, 0x1000);
   leave(STACK, 0x1040);
   totals(2, 0, 0, 0x40 + 10);
   enter(PM_ALLOCKIND_NEW, STACK, 5, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 0, 0, 0, 0x2000);
   leave(STACK, 0x2000);
   totals(3, 0, 0, 0x40 + 10 + 5);
   is_done();
}

/* An empty block behind a header begins where its raw material ends; not if a block of its
   own begins there, and no other block does. */
static void an_empty_block_behind_its_header(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK, 0, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 16, 0, 0, 0x1000);
   leave(STACK, 0x1010);
   has_block(0x1010, 0);
   has_none(0x1000);
   totals(1, 0, 0, 0);
   enter(PM_ALLOCKIND_MALLOC, STACK, 0, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 16, 0, 0, 0x2000);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 0, 0, 0, 0x2010);
   leave(STACK, 0x2010);
   has_block(0x2000, 16);
   totals(3, 0, 0, 16);
   enter(PM_ALLOCKIND_MALLOC, STACK, 1, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 16, 0, 0, 0x3000);
   leave(STACK, 0x3010);
   has_block(0x3000, 16);
   totals(5, 0, 0, 33);
   is_done();
}

static void other_inner_blocks_are_events_before(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 11, 0, 0, 0x3000); /* a table of its own */
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 100, 0, 0, 0x1000);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 22, 0, 0, 0x2000);
   totals(0, 0, 0, 0);
   leave(STACK, 0x1000);
   totals(3, 0, 0, 133);
   assert_int_equal(pm_ledger_block(&heap.ledger, pm_ledger_find(&heap.ledger, 0x3000))->birth_event, 1);
   assert_int_equal(pm_ledger_block(&heap.ledger, pm_ledger_find(&heap.ledger, 0x2000))->birth_event, 2);
   assert_int_equal(pm_ledger_block(&heap.ledger, pm_ledger_find(&heap.ledger, 0x1000))->birth_event, 3);
   is_done();
}

static void an_inner_block_given_back_is_no_event(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 11, 0, 0, 0x3000);
   call(PM_ALLOCKIND_REALLOC, STACK - 32, 0x3000, 22, 0, 0x4000);
   call(PM_ALLOCKIND_FREE, STACK - 32, 0x4000, 0, 0, 0);
   leave(STACK, 0x3000); /* the address again, which is no inner block any more */
   totals(1, 0, 0, 100);
   has_block(0x3000, 100);
   is_done();
}

static void inner_failures_do_not_count(void **state)
{
   (void)state;
   allocate(0x8000, 1);
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 100, 0, 0, 0);
   call(PM_ALLOCKIND_REALLOC, STACK - 32, 0x8000, 2, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK - 32, 0x9990, 0, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 100, 0, 0, 0x1000);
   leave(STACK, 0x1000);
   totals(2, 0, 0, 101);
   is_done();
}

static void a_new_handler_gives_another_block_back(void **state)
{
   (void)state;
   allocate(0x8000, 1000);
   allocate(0x9000, 1000);
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 100, 0, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK - 64, 0x8000, 0, 0, 0);
   totals(2, 0, 1, 1000); /* at once */
   call(PM_ALLOCKIND_REALLOC, STACK - 64, 0x9000, 10, 0, 0x9000);
   totals(2, 1, 1, 10);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 100, 0, 0, 0x8000);
   leave(STACK, 0x8000);
   totals(3, 1, 1, 110);
   is_done();
}

static void realloc_obtains_copies_and_frees(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   enter(PM_ALLOCKIND_REALLOC, STACK, 0x1000, 300, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 300, 0, 0, 0x2000);
   call(PM_ALLOCKIND_FREE, STACK - 32, 0x1000, 0, 0, 0);
   leave(STACK, 0x2000);
   has_block(0x2000, 300);
   totals(1, 1, 0, 300);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_MOVED), 1);

   enter(PM_ALLOCKIND_REALLOCARRAY, STACK, 0x2000, 2, 25);
   call(PM_ALLOCKIND_REALLOC, STACK - 32, 0x2000, 50, 0, 0x2000);
   leave(STACK, 0x2000);
   has_block(0x2000, 50);
   totals(1, 2, 0, 50);
   is_done();
}

/* free() that goes on with the next block by a jump to its own entry. */
static void a_loop_is_not_another_call(void **state)
{
   (void)state;
   allocate(0x1000, 1);
   allocate(0x2000, 2);
   enter(PM_ALLOCKIND_FREE, STACK, 0x1000, 0, 0);
   enter_from(functions[PM_ALLOCKIND_FREE].address + 255, CALLER + STACK % 4096,
              PM_ALLOCKIND_FREE, STACK, 0x2000, 0, 0);
   totals(2, 0, 2, 0);
   assert_int_equal(functions[PM_ALLOCKIND_FREE].calls, 1);
   leave(STACK, 0);
   is_done();
}

/* glibc's first malloc goes to a hook, which goes to malloc; both are jumps. */
static void a_jump_back_from_elsewhere_is_not_another_call(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   jumped_from_beside = true;
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   jumped_from_beside = false;
   leave(STACK, 0x1000);
   has_block(0x1000, 100);
   totals(1, 0, 0, 100);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 0);
   assert_int_equal(functions[PM_ALLOCKIND_MALLOC].calls, 1);
   is_done();
}

/* --- frames that are gone ----------------------------------------------------------------------- */

static void a_call_left_by_longjmp_has_failed(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   enter(PM_ALLOCKIND_MALLOC, STACK - 64, 10, 0, 0);
   leave_to(0x9999, STACK - 80, 0); /* in its frame: nothing */
   leave_to(0x9999, STACK - 72, 0);
   assert_true(pm_calls_pending(thread));
   leave_to(0x9999, STACK, 0x7777);
   assert_false(pm_calls_pending(thread));
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);

   enter(PM_ALLOCKIND_REALLOC, STACK - 64, 0x1000, 10, 0);
   enter(PM_ALLOCKIND_FREE, STACK - 32, 0, 0, 0); /* above it */
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 1);
   has_block(0x1000, 100);
   leave(STACK - 32, 0);
   assert_false(pm_calls_pending(thread));
   totals(1, 0, 0, 100);
}

/* __cxa_begin_catch returns to where operator new would have left the stack pointer. */
static void a_call_left_by_an_exception_has_failed(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 10, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 200, 144, 0, 0, 0x5000); /* the exception */
   leave_to(CALLER + 0x999, STACK, 0x5020);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
   has_block(0x5000, 144);
   totals(1, 0, 0, 144);
   call(PM_ALLOCKIND_FREE, STACK - 200, 0x5000, 0, 0, 0);
   totals(1, 0, 1, 0);
   assert_false(pm_calls_pending(thread));
}

static void a_call_is_made_once_more(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 1000, 0, 0);
   call(PM_ALLOCKIND_NEW, STACK, 100, 0, 0, 0x1000); /* the same place, after a jump */
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
   has_block(0x1000, 100);
   totals(1, 0, 0, 100);

   /* The same when it had jumped to another function. */
   enter(PM_ALLOCKIND_NEW, STACK, 1000, 0, 0);
   enter(PM_ALLOCKIND_MALLOC, STACK, 1000, 0, 0);
   enter(PM_ALLOCKIND_NEW, STACK, 50, 0, 0);
   enter(PM_ALLOCKIND_MALLOC, STACK, 64, 0, 0);
   leave(STACK, 0x2000);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 2);
   has_block(0x2000, 50);
   totals(2, 0, 0, 150);
   assert_false(pm_calls_pending(thread));
}

static void another_call_in_the_same_place_ends_it(void **state)
{
   (void)state;
   enter_from(CALLER, 0x4100, PM_ALLOCKIND_NEW, STACK, 1000, 0, 0);
   enter_from(CALLER, 0x4200, PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
   leave_to(0x4200, STACK, 0x1000);
   has_block(0x1000, 100);
   totals(1, 0, 0, 100);
   assert_false(pm_calls_pending(thread));
}

static void another_stack_is_not_above(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   leave_to(0x9999, OTHER_STACK, 0);
   leave_to(CALLER + STACK % 4096, OTHER_STACK, 0x5000); /* the same target */
   assert_true(pm_calls_pending(thread));
   leave(STACK, 0x1000);
   totals(1, 0, 0, 100);
   is_done();
}

/* An allocator that switches stacks in the middle of its calls. */
static void calls_end_in_the_order_they_began(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 7, 0, 0, 0x7000);
   enter(PM_ALLOCKIND_NEW, OTHER_STACK, 50, 0, 0);
   call(PM_ALLOCKIND_MALLOC, OTHER_STACK - 32, 64, 0, 0, 0x2000);
   leave(STACK, 0x1000);
   totals(2, 0, 0, 107); /* 7 before it; what belongs to the other call waits */
   leave(OTHER_STACK, 0x2000);
   totals(3, 0, 0, 157);
   has_block(0x2000, 50);
   is_done();
}

static void an_abandoned_call_of_another_stack_holds_nothing_up(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK - 64, 1, 0, 0);
   enter(PM_ALLOCKIND_MALLOC, OTHER_STACK - 64, 1, 0, 0);
   leave_to(0x9999, STACK, 0); /* the first one's frame is gone */
   assert_int_equal(thread->call_count, 1);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
   leave_to(0x9999, OTHER_STACK, 0);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 2);
   allocate(0x1000, 5);
   totals(1, 0, 0, 5);
}

/* Where a return leaves the stack pointer alone: the caller's own level is not above. */
static void a_platform_that_keeps_the_return_address_in_a_register(void **state)
{
   (void)state;
   guest.return_pops_bytes = 0;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 128, 0, 0, 0x1000);
   leave(STACK, 0x1000);
   has_block(0x1000, 100);
   enter(PM_ALLOCKIND_MALLOC, STACK, 10, 0, 0);
   leave_to(0x9999, STACK, 0);
   assert_true(pm_calls_pending(thread));
   leave_to(0x9999, STACK + 16, 0);
   assert_false(pm_calls_pending(thread));
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
   totals(1, 0, 0, 100);
}

/* --- signal handlers ---------------------------------------------------------------------------- */

static void a_handlers_calls_are_its_own(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 128, 0, 0, 0x1000);
   pm_calls_signal_begin(&calls, thread, STACK - 64);
   assert_false(pm_calls_pending(thread));
   call(PM_ALLOCKIND_MALLOC, STACK - 1000, 7, 0, 0, 0x7000);
   totals(1, 0, 0, 7); /* an event at once */
   pm_calls_signal_end(&calls, thread);
   assert_true(pm_calls_pending(thread));
   leave(STACK, 0x1000);
   totals(2, 0, 0, 107);
   is_done();
}

static void a_handler_left_by_a_jump_is_over(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK - 64, 100, 0, 0);
   pm_calls_signal_begin(&calls, thread, STACK - 128);
   enter(PM_ALLOCKIND_MALLOC, STACK - 1000, 7, 0, 0);
   assert_int_equal(pm_calls_watch(&calls, thread), STACK - 1000);
   leave_to(0x9999, STACK, 0); /* above both */
   assert_int_equal(thread->level_count, 1);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 2);
   assert_int_equal(pm_calls_watch(&calls, thread), UINT64_MAX);
}

/* A handler interrupted the very code that it jumps back to, which then calls: the entry
   lies below the interrupted stack pointer, the return does not. */
static void the_code_that_was_jumped_back_to_calls(void **state)
{
   (void)state;
   pm_calls_signal_begin(&calls, thread, STACK);
   call(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0, 0x1000);
   has_block(0x1000, 100);
   totals(1, 0, 0, 100);
   is_done();
   assert_int_equal(thread->level_count, 1);
}

static void nested_handlers_are_left_together(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK - 64, 100, 0, 0);
   pm_calls_signal_begin(&calls, thread, STACK - 128); /* on the alternate stack */
   pm_calls_signal_begin(&calls, thread, ALTERNATE - 500);
   leave_to(0x9999, ALTERNATE - 600, 0); /* inside */
   assert_int_equal(thread->level_count, 3);
   leave_to(0x9999, STACK, 0);
   assert_int_equal(thread->level_count, 1);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
}

static void a_handler_on_the_alternate_stack_again(void **state)
{
   (void)state;
   pm_calls_signal_begin(&calls, thread, STACK - 1000);
   pm_calls_signal_begin(&calls, thread, ALTERNATE - 5000);
   /* Both were left, to code further down than the first interruption. */
   pm_calls_signal_begin(&calls, thread, STACK - 2000);
   enter(PM_ALLOCKIND_MALLOC, ALTERNATE - 500, 100, 0, 0);
   leave_to(0x9999, ALTERNATE - 600, 0);
   leave(ALTERNATE - 500, 0x1000);
   totals(1, 0, 0, 100);
   pm_calls_signal_end(&calls, thread);
   assert_int_equal(thread->level_count, 2); /* the first, of which nothing is known yet */
   leave_to(0x9999, STACK, 0);
   assert_int_equal(thread->level_count, 1);
   is_done();
}

/* The same, with a call under way when the third handler starts. */
static void a_call_between_handlers_that_were_left(void **state)
{
   (void)state;
   pm_calls_signal_begin(&calls, thread, STACK - 1000);
   pm_calls_signal_begin(&calls, thread, ALTERNATE - 5000);
   enter(PM_ALLOCKIND_MALLOC, STACK - 2000, 100, 0, 0);
   pm_calls_signal_begin(&calls, thread, STACK - 2100);
   call(PM_ALLOCKIND_MALLOC, ALTERNATE - 500, 7, 0, 0, 0x7000);
   pm_calls_signal_end(&calls, thread);
   leave(STACK - 2000, 0x1000);
   totals(2, 0, 0, 107);
   leave_to(0x9999, STACK, 0);
   is_done();
}

/* --- instructions of the allocator ------------------------------------------------------------------ */

static uint64_t allocator_instrs(void)
{
   pm_calls_sync(&calls);
   assert_int_equal(count(PM_COUNT_INSTRUCTIONS), instrs);
   return count(PM_COUNT_INSTRUCTIONS_ALLOCATOR);
}

static void the_allocators_share_is_from_entry_to_return(void **state)
{
   (void)state;
   instrs = 1000;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0); /* one instruction each: entry, return */
   instrs += 20;
   enter(PM_ALLOCKIND_MALLOC, STACK - 32, 100, 0, 0);
   instrs += 300;
   assert_int_equal(allocator_instrs(), 321);
   leave(STACK - 32, 0x1000);
   instrs += 4000;
   leave(STACK, 0x1000);
   instrs += 50000;
   assert_int_equal(allocator_instrs(), 20 + 1 + 300 + 1 + 4000 + 1);
}

static void other_threads_and_handlers_are_not_the_allocator(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   instrs += 5;
   pm_calls_signal_begin(&calls, thread, STACK - 64);
   instrs += 1000;
   pm_calls_signal_end(&calls, thread);
   instrs += 70;
   pm_calls_pause(&calls);
   pm_calls_resume(&calls, &threads[1]);
   instrs += 2000;
   thread = &threads[1];
   enter(PM_ALLOCKIND_FREE, OTHER_STACK, 0, 0, 0);
   instrs += 300;
   pm_calls_pause(&calls);
   pm_calls_resume(&calls, &threads[0]);
   thread = &threads[0];
   instrs += 9;
   leave(STACK, 0x1000);
   instrs += 40000;
   assert_int_equal(allocator_instrs(), 5 + 70 + 300 + 9 + 1);
}

static void an_abandoned_call_ends_where_that_is_found(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_MALLOC, STACK - 64, 100, 0, 0);
   instrs += 5;
   leave_to(0x9999, STACK, 0);
   instrs += 1000;
   assert_int_equal(allocator_instrs(), 5 + 1);
}

/* --- threads, announced blocks, memory ----------------------------------------------------------------- */

static void a_thread_that_ends_drops_its_calls(void **state)
{
   (void)state;
   allocate(0x1000, 100);
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 7, 0, 0, 0x7000);
   pm_calls_signal_begin(&calls, thread, STACK - 64);
   enter(PM_ALLOCKIND_REALLOC, STACK - 1000, 0x1000, 300, 0);
   pm_calls_pause(&calls);
   pm_call_thread_exit(&calls, thread);
   totals(2, 0, 0, 107);
   has_block(0x1000, 100);
   assert_int_equal(count(PM_COUNT_ALLOCATIONS_FAILED), 1);
   assert_int_equal(count(PM_COUNT_REALLOCATIONS_FAILED), 1);
   assert_false(calls.allocator_running);
}

/* In a forked child the other threads are gone while one runs, perhaps in the allocator. */
static void a_thread_that_ends_leaves_the_accounts_of_others(void **state)
{
   (void)state;
   pm_calls_resume(&calls, &threads[1]);
   thread = &threads[1];
   enter(PM_ALLOCKIND_MALLOC, OTHER_STACK, 100, 0, 0);
   pm_calls_pause(&calls);
   pm_calls_resume(&calls, &threads[0]);
   thread = &threads[0];
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   instrs += 5;
   pm_call_thread_exit(&calls, &threads[1]);
   instrs += 70;
   leave(STACK, 0x1000);
   instrs += 1000;
   assert_int_equal(allocator_instrs(), 5 + 70 + 1);
   /* And of those that are not in it. */
   pm_calls_announce(&calls, thread, 0x2000, 1);
   instrs += 1000;
   assert_int_equal(allocator_instrs(), 5 + 70 + 1);
}

static void announced_blocks_are_blocks(void **state)
{
   (void)state;
   pm_calls_announce(&calls, thread, 0x1000, 100);
   has_block(0x1000, 100);
   assert_true(pm_calls_announce_resize(&calls, thread, 0x1000, 300));
   assert_false(pm_calls_announce_resize(&calls, thread, 0x2000, 300));
   has_block(0x1000, 300);
   assert_true(pm_calls_announce_end(&calls, thread, 0x1000));
   assert_false(pm_calls_announce_end(&calls, thread, 0x1000));
   totals(1, 1, 1, 0);

   /* Inside a call, of its raw material: the call's own block counts. */
   enter(PM_ALLOCKIND_MALLOC, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 4096, 0, 0, 0x8000);
   pm_calls_announce(&calls, thread, 0x8010, 112);
   leave(STACK, 0x8010);
   has_block(0x8010, 100);
   totals(2, 1, 1, 100);
   is_done();
}

/* What another thread does to a block inside a call that has not returned. */
static void an_inner_block_in_other_hands(void **state)
{
   (void)state;
   enter(PM_ALLOCKIND_NEW, STACK, 100, 0, 0);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 128, 0, 0, 0x1000);
   call(PM_ALLOCKIND_MALLOC, STACK - 32, 7, 0, 0, 0x7000);
   thread = &threads[1];
   call(PM_ALLOCKIND_FREE, OTHER_STACK, 0x7000, 0, 0, 0); /* no event */
   allocate(0x7000, 9);
   totals(1, 0, 0, 9);
   enter(PM_ALLOCKIND_REALLOC, OTHER_STACK, 0x1000, 300, 0);
   thread = &threads[0];
   leave(STACK, 0x1000); /* the block that is being resized elsewhere */
   totals(3, 0, 0, 9 + 128 + 100);
   thread = &threads[1];
   leave(OTHER_STACK, 0x2000);
   totals(3, 1, 0, 9 + 300 + 100);
   assert_int_equal(count(PM_COUNT_DEALLOCATIONS_UNSEEN), 0);
   assert_false(heap.lost);
}

/* Some of everything, with enough of it that every array grows. */
static void many_things(void)
{
   enum { DEPTH = 40 };
   for (uint64_t d = 0; d < DEPTH; d++) {
      enter(PM_ALLOCKIND_NEW, STACK - 64 * d, 100, 0, 0);
      call(PM_ALLOCKIND_MALLOC, STACK - 64 * d - 32, 3000, 0, 0, 0x1000000 + 0x1000 * d);
      if (d % 3 == 0)
         pm_calls_signal_begin(&calls, thread, STACK - 64 * d - 50);
   }
   thread = &threads[1];
   for (uint64_t b = 0; b < 2000; b++)
      allocate(0x10000 + 16 * b, b);
   for (uint64_t b = 0; b < 100; b++)
      call(PM_ALLOCKIND_REALLOC, STACK, 0x10000 + 16 * b, 5000, 0, 0x2000000 + 0x2000 * b);
   call(PM_ALLOCKIND_REALLOC, STACK, 0x10000 + 16 * 200, 5000, 0, 0);
   call(PM_ALLOCKIND_FREE, STACK, 0x10000 + 16 * 201, 5000, 0, 0);
   thread = &threads[0];
   for (uint64_t d = DEPTH; d-- > 0;) {
      if (d % 3 == 0)
         pm_calls_signal_end(&calls, thread);
      leave(STACK - 64 * d, 0x1000000 + 0x1000 * d);
   }
}

static void without_memory_the_numbers_end(void **state)
{
   unsigned long failures = 0;
   (void)state;
   for (unsigned long n = 1;; n++) {
      hosted_fail_alloc(n);
      bool started = start();
      if (started)
         many_things();
      bool failed = hosted_has_failed();
      if (started)
         assert_int_equal(heap.lost, failed);
      hosted_fail_alloc(0);
      if (started && failed) {
         uint64_t events = heap.state.events;
         many_things(); /* also when there is memory again */
         assert_int_equal(heap.state.events, events);
      }
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
      TEST(an_allocation_takes_effect_at_its_return),
      TEST(a_deallocation_takes_effect_at_its_entry),
      TEST(arguments_are_those_of_the_kind),
      TEST(no_block_is_a_failure),
      TEST(size_zero_is_a_block),
      TEST(posix_memalign_stores_its_block),
      TEST(nothing_given_back_is_no_event),
      TEST(an_unknown_address_is_unmatched),
      TEST(what_an_allocator_tidies_up_is_not_unmatched),
      TEST(an_address_returned_twice_ends_the_first_block),
      TEST(a_resize_takes_its_block_out_meanwhile),
      TEST(a_failed_resize_leaves_its_block),
      TEST(a_failed_resize_takes_its_address_back),
      TEST(a_resize_to_nothing_is_what_it_returns),
      TEST(a_resize_in_place_returns_a_size),
      TEST(operator_new_calls_malloc),
      TEST(operator_new_jumps_to_malloc),
      TEST(an_empty_block_behind_its_header),
      TEST(a_jump_back_from_elsewhere_is_not_another_call),
      TEST(an_aligned_block_lies_in_a_larger_one),
      TEST(borders_of_raw_material),
      TEST(other_inner_blocks_are_events_before),
      TEST(an_inner_block_given_back_is_no_event),
      TEST(inner_failures_do_not_count),
      TEST(a_new_handler_gives_another_block_back),
      TEST(realloc_obtains_copies_and_frees),
      TEST(a_loop_is_not_another_call),
      TEST(a_call_left_by_longjmp_has_failed),
      TEST(a_call_left_by_an_exception_has_failed),
      TEST(a_call_is_made_once_more),
      TEST(another_call_in_the_same_place_ends_it),
      TEST(another_stack_is_not_above),
      TEST(calls_end_in_the_order_they_began),
      TEST(an_abandoned_call_of_another_stack_holds_nothing_up),
      TEST(a_platform_that_keeps_the_return_address_in_a_register),
      TEST(a_handlers_calls_are_its_own),
      TEST(a_handler_left_by_a_jump_is_over),
      TEST(the_code_that_was_jumped_back_to_calls),
      TEST(nested_handlers_are_left_together),
      TEST(a_handler_on_the_alternate_stack_again),
      TEST(a_call_between_handlers_that_were_left),
      TEST(the_allocators_share_is_from_entry_to_return),
      TEST(other_threads_and_handlers_are_not_the_allocator),
      TEST(an_abandoned_call_ends_where_that_is_found),
      TEST(a_thread_that_ends_drops_its_calls),
      TEST(a_thread_that_ends_leaves_the_accounts_of_others),
      TEST(announced_blocks_are_blocks),
      TEST(an_inner_block_in_other_hands),
      cmocka_unit_test(without_memory_the_numbers_end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
