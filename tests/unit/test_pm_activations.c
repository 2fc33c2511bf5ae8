/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_activations.c: phases that are functions, on machines that are written down here.
 *
 * A case at a time, as pm_activations.h has the rules; then a program of random calls,
 * returns, jumps at the end of a function and jumps out of several, whose open functions the
 * test knows from its own stack of frames. On amd64 a call pushes the return address, on arm64
 * a register has it. As in the tool, only returns and jumps that are watched for are told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hosted.h"
#include "model_random.h"
#include "pm_activations.h"

enum { STACK = 0x7800000, OTHER_STACK = 0x8800000, THIRD_STACK = 0x9800000, FRAME = 64 };
enum { PHASES = 3 };
enum { AMD64 = 8, ARM64 = 0 }; /* bytes that a return pops */

static struct pm_heap heap;
static struct pm_phase_table table;
static struct pm_guest guest;
static struct pm_activations activations;
static struct pm_activation_thread threads[2], *thread;
static struct pm_declared *phases[PHASES];

static uint64_t no_instrs(uint32_t number)
{
   assert_in_range(number, 1, 2);
   return 0;
}

static bool same_stack(uint64_t a, uint64_t b)
{
   return a >> 24 == b >> 24;
}

static bool start(unsigned return_pops_bytes)
{
   guest = (struct pm_guest){.same_stack = same_stack, .return_pops_bytes = return_pops_bytes};
   activations = (struct pm_activations){&hosted, &guest, &table, no_instrs};
   for (uint32_t t = 0; t < 2; t++)
      threads[t] = (struct pm_activation_thread){.number = t + 1};
   thread = &threads[0];
   pm_heap_init(&heap, &hosted);
   if (!pm_phase_table_init(&table, &hosted, &heap))
      return false;
   for (int p = 0; p < PHASES; p++) {
      const char name = (char)('a' + p);
      phases[p] = pm_phase_table_declare(&table, &name, 1, PM_PHASE_FUNCTION);
      if (!phases[p])
         return false;
   }
   return true;
}

static void stop(void)
{
   for (int t = 0; t < 2; t++)
      pm_activations_thread_exit(&activations, &threads[t]);
   pm_phase_table_release(&table);
   pm_heap_release(&heap);
   assert_int_equal(hosted_live_bytes(), 0);
}

static int on_amd64(void **state)
{
   (void)state;
   assert_true(start(AMD64));
   return 0;
}

static int on_arm64(void **state)
{
   (void)state;
   assert_true(start(ARM64));
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   stop();
   return 0;
}

/* The code behind the call that was made with that stack pointer. */
static uint64_t behind_call(uint64_t sp)
{
   return 0x400000 + sp % 0x10000;
}

/* Entry of phase p's function; of an observed one of no phase with p < 0. */
static void enter_to_return(int p, uint64_t sp, bool called, uint64_t return_address)
{
   const struct pm_observed_entry entry = {.stack_pointer = sp - guest.return_pops_bytes,
                                           .return_address = return_address,
                                           .called = called};
   pm_activations_pass(&activations, thread, &entry);
   if (p >= 0)
      pm_activations_enter(&activations, thread, phases[p], &entry);
}

static void enter(int p, uint64_t sp, bool called)
{
   enter_to_return(p, sp, called, behind_call(sp));
}

static void call(int p, uint64_t sp)
{
   enter(p, sp, true);
}

static void leave(uint64_t sp, uint64_t target, bool by_return)
{
   if (sp >= pm_activations_watch(&activations, thread))
      pm_activations_leave(&activations, thread, sp, target, by_return);
}

/* From the function that was called with that stack pointer. */
static void come_back(uint64_t sp)
{
   leave(sp, behind_call(sp), true);
}

static void jump(uint64_t sp)
{
   leave(sp, 0x500000, false);
}

static bool is_open(int p)
{
   return pm_phases_open_on(&heap.phases, &phases[p]->phase, thread->number) != NULL;
}

/* Instances of phase p that have ended, and of these, those left by a jump. */
static void ended(int p, uint64_t instances, uint64_t by_jump)
{
   assert_int_equal(phases[p]->phase.instances, instances);
   assert_int_equal(phases[p]->trouble[PM_PHASE_LEFT_BY_JUMP], by_jump);
   assert_int_equal(phases[p]->phase.complete, by_jump == 0);
   assert_int_equal(phases[p]->trouble[PM_PHASE_BEGUN_TWICE], 0);
}

/* --- calls and returns ------------------------------------------------------------- */

static void a_call_is_an_instance(void **state)
{
   (void)state;
   for (uint64_t n = 1; n <= 3; n++) {
      call(0, STACK);
      assert_true(is_open(0));
      come_back(STACK - FRAME); /* from what it called */
      assert_true(is_open(0));
      come_back(STACK);
      assert_false(is_open(0));
      ended(0, n, 0);
   }
}

static void nothing_is_watched_for_without_one(void **state)
{
   (void)state;
   assert_int_equal(pm_activations_watch(&activations, thread), UINT64_MAX);
   call(-1, STACK);
   assert_int_equal(pm_activations_watch(&activations, thread), UINT64_MAX);
   call(0, STACK - FRAME);
   assert_int_equal(pm_activations_watch(&activations, thread), STACK - FRAME);
   call(1, STACK - 2 * FRAME);
   assert_int_equal(pm_activations_watch(&activations, thread), STACK - 2 * FRAME);
   come_back(STACK - 2 * FRAME);
   assert_int_equal(pm_activations_watch(&activations, thread), STACK - FRAME);
   come_back(STACK - FRAME);
   assert_int_equal(pm_activations_watch(&activations, thread), UINT64_MAX);
}

static void recursion_belongs_to_the_outermost(void **state)
{
   (void)state;
   for (int depth = 0; depth < 5; depth++)
      call(0, STACK - (uint64_t)depth * FRAME);
   for (int depth = 4; depth >= 0; depth--) {
      assert_true(is_open(0));
      come_back(STACK - (uint64_t)depth * FRAME);
   }
   assert_false(is_open(0));
   ended(0, 1, 0);
   assert_int_equal(phases[0]->phase.begun, 1);
}

static void a_jump_at_the_end_is_still_the_same(void **state)
{
   (void)state;
   call(0, STACK);
   enter(1, STACK, false);
   enter(0, STACK, false);
   assert_true(is_open(0) && is_open(1));
   come_back(STACK);
   assert_false(is_open(0) || is_open(1));
   ended(0, 1, 0);
   ended(1, 1, 0);
}

static void they_end_in_any_order(void **state)
{
   (void)state;
   call(0, OTHER_STACK);
   call(1, THIRD_STACK);
   call(2, STACK);
   come_back(OTHER_STACK);
   assert_true(!is_open(0) && is_open(1) && is_open(2));
   come_back(STACK);
   assert_true(is_open(1) && !is_open(2));
   come_back(THIRD_STACK);
   for (int p = 0; p < PHASES; p++)
      ended(p, 1, 0);
}

static void threads_have_their_own(void **state)
{
   (void)state;
   call(0, STACK);
   thread = &threads[1];
   call(0, OTHER_STACK);
   assert_true(is_open(0));
   thread = &threads[0];
   come_back(STACK);
   assert_false(is_open(0));
   thread = &threads[1];
   assert_true(is_open(0));
   come_back(OTHER_STACK);
   ended(0, 2, 0);
}

static void a_request_may_have_ended_it(void **state)
{
   (void)state;
   const struct pm_phase_caller caller = {1, no_instrs};
   call(0, STACK);
   assert_true(pm_phase_table_end(&table, phases[0], &caller, true));
   come_back(STACK);
   ended(0, 1, 0);
   for (int trouble = 0; trouble < PM_PHASE_TROUBLES; trouble++)
      assert_int_equal(phases[0]->trouble[trouble], 0);
}

/* --- frames that are gone ---------------------------------------------------------- */

static void a_jump_above_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   call(1, STACK - FRAME);
   jump(STACK - 2 * FRAME); /* inside */
   assert_true(is_open(0) && is_open(1));
   jump(STACK - FRAME + 16); /* into the first one's frame */
   assert_true(is_open(0));
   assert_false(is_open(1));
   ended(1, 1, 1);
   jump(STACK + FRAME);
   ended(0, 1, 1);
}

static void a_return_above_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   come_back(STACK + FRAME);
   ended(0, 1, 1);
}

static void an_entry_above_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   call(-1, STACK + FRAME);
   ended(0, 1, 1);
}

static void a_call_from_its_caller_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   call(0, STACK); /* not from inside: that has a frame by now */
   assert_true(is_open(0));
   ended(0, 1, 1);
   come_back(STACK);
   ended(0, 2, 1);
}

/* Where a call has put another return address on the stack. */
static void a_jump_to_return_elsewhere_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   enter_to_return(-1, STACK, false, 0x500000);
   ended(0, 1, 1);
}

/* With the stack pointer of its return, but to elsewhere. */
static void a_return_to_elsewhere_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   leave(STACK, 0x500000, true);
   ended(0, 1, 1);
}

static void a_jump_to_the_callers_frame_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   jump(STACK);
   ended(0, 1, 1);
}

/* On arm64 it may be a jump of its own, before it has moved the stack pointer. */
static void a_jump_in_the_callers_frame_says_nothing(void **state)
{
   (void)state;
   call(0, STACK);
   jump(STACK);
   assert_true(is_open(0));
   leave(STACK, 0x500000, true);
   ended(0, 1, 1);
}

static void other_stacks_leave_it_alone(void **state)
{
   (void)state;
   call(0, STACK);
   call(1, OTHER_STACK);
   jump(OTHER_STACK + FRAME);
   ended(1, 1, 1);
   come_back(OTHER_STACK + 2 * FRAME);
   call(-1, OTHER_STACK);
   assert_true(is_open(0));
   come_back(STACK);
   ended(0, 1, 0);
}

static void a_stack_that_is_given_up(void **state)
{
   (void)state;
   call(0, OTHER_STACK);
   call(1, STACK);
   pm_activations_stack_gone(thread, OTHER_STACK, OTHER_STACK + FRAME); /* above it */
   call(-1, STACK - FRAME);
   assert_true(is_open(0));
   pm_activations_stack_gone(thread, OTHER_STACK - 0x1000, OTHER_STACK);
   assert_true(is_open(0)); /* until something happens */
   come_back(STACK);
   ended(0, 1, 1);
   ended(1, 1, 0);
}

static void the_end_of_its_thread_leaves_it(void **state)
{
   (void)state;
   call(0, STACK);
   call(1, STACK - FRAME);
   pm_activations_thread_exit(&activations, thread);
   for (int p = 0; p < 2; p++) {
      assert_int_equal(phases[p]->phase.instances, 1);
      assert_int_equal(phases[p]->trouble[PM_PHASE_LEFT_BY_EXIT], 1);
      assert_int_equal(phases[p]->trouble[PM_PHASE_LEFT_BY_JUMP], 0);
      assert_false(phases[p]->phase.complete);
   }
   assert_int_equal(thread->number, 1);
   assert_int_equal(pm_activations_watch(&activations, thread), UINT64_MAX);
}

/* --- handlers ----------------------------------------------------------------------- */

static void a_handler_is_no_exit(void **state)
{
   (void)state;
   call(0, STACK);
   pm_activations_signal_begin(&activations, thread, STACK - 2 * FRAME);
   call(1, OTHER_STACK); /* on a stack of its own */
   come_back(OTHER_STACK);
   call(1, STACK - 4 * FRAME); /* or on the same */
   come_back(STACK - 4 * FRAME);
   pm_activations_signal_end(thread);
   come_back(STACK);
   ended(0, 1, 0);
   ended(1, 2, 0);
}

static void a_handler_that_jumps_out_leaves_its_own(void **state)
{
   (void)state;
   call(0, STACK);
   pm_activations_signal_begin(&activations, thread, STACK - 4 * FRAME);
   call(1, OTHER_STACK);
   jump(STACK - 2 * FRAME); /* above where it was interrupted, in the first one */
   assert_true(is_open(0));
   ended(1, 1, 1);
   come_back(STACK);
   ended(0, 1, 0);
}

static void a_handler_that_ends_leaves_its_own(void **state)
{
   (void)state;
   pm_activations_signal_begin(&activations, thread, STACK - 4 * FRAME);
   call(0, OTHER_STACK);
   pm_activations_signal_end(thread);
   call(-1, STACK - 5 * FRAME);
   ended(0, 1, 1);
}

static void handlers_in_handlers(void **state)
{
   (void)state;
   pm_activations_signal_begin(&activations, thread, STACK - FRAME);
   call(0, OTHER_STACK);
   pm_activations_signal_begin(&activations, thread, OTHER_STACK - FRAME);
   call(1, THIRD_STACK);
   jump(OTHER_STACK - FRAME); /* back to where the inner one began */
   ended(1, 1, 1);
   assert_true(is_open(0));
   come_back(STACK + FRAME); /* and behind both */
   ended(0, 1, 1);
   pm_activations_signal_end(thread); /* of one that is gone: no harm */
   pm_activations_signal_end(thread);
   call(2, STACK);
   come_back(STACK);
   ended(2, 1, 0);
}

/* With nothing open, nobody is told of the jump out of the first handler. */
static void a_handler_that_was_left_before(void **state)
{
   (void)state;
   pm_activations_signal_begin(&activations, thread, STACK - 8 * FRAME);
   pm_activations_signal_begin(&activations, thread, STACK - 2 * FRAME);
   call(-1, STACK - 4 * FRAME);
   call(0, OTHER_STACK);
   pm_activations_signal_end(thread);
   call(-1, STACK - 10 * FRAME);
   ended(0, 1, 1);
}

/* Where a thread was interrupted is watched for while something is open. */
static void the_place_of_a_handler_is_watched_for(void **state)
{
   (void)state;
   pm_activations_signal_begin(&activations, thread, STACK - 4 * FRAME);
   assert_int_equal(pm_activations_watch(&activations, thread), UINT64_MAX);
   call(0, OTHER_STACK);
   assert_int_equal(pm_activations_watch(&activations, thread), STACK - 4 * FRAME);
   come_back(OTHER_STACK);
   ended(0, 1, 0);
}

/* --- without memory ------------------------------------------------------------------ */

static void all_kinds(void)
{
   call(0, STACK);
   pm_activations_signal_begin(&activations, thread, STACK - FRAME);
   for (int p = 1; p < PHASES; p++)
      call(p, OTHER_STACK - (uint64_t)p * FRAME);
   for (int p = PHASES - 1; p >= 1; p--)
      come_back(OTHER_STACK - (uint64_t)p * FRAME);
   pm_activations_signal_end(thread);
   come_back(STACK);
}

static void no_memory(void **state)
{
   (void)state;
   for (unsigned long n = 1;; n++) {
      assert_true(start(AMD64));
      hosted_fail_alloc(n);
      all_kinds();
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      for (int p = 0; p < PHASES; p++) {
         assert_false(is_open(p));
         assert_true(heap.lost == failed);
         assert_true(failed || phases[p]->phase.instances == 1);
      }
      stop();
      if (!failed) {
         assert_true(n > 3);
         return;
      }
   }
}

/* --- random programs ------------------------------------------------------------------ */

enum { FRAMES = 40, STEPS = 300000 };

/* What is on the stack, the innermost last. Phase p is open as long as frame[of[p]] is. */
static struct {
   uint64_t sp[FRAMES]; /* before the call */
   uint64_t body[FRAMES]; /* in the function */
   int depth;
   int of[PHASES];      /* -1: not open */
   uint64_t begun[PHASES], left[PHASES];
} program;

static struct model_random dice;

/* Observed functions of a phase, one of none, and ones that nobody observes. */
static void random_entry(bool called)
{
   int p = (int)model_below(&dice, 2 * PHASES) - PHASES, top = program.depth - 1;
   if (p < -1)
      return;
   enter(p, program.sp[top], called);
   if (p >= 0 && program.of[p] < 0) {
      program.of[p] = top;
      program.begun[p]++;
   }
}

static void random_call(void)
{
   int top = program.depth++;
   program.sp[top] = top == 0 ? STACK : program.body[top - 1];
   program.body[top] = program.sp[top] - guest.return_pops_bytes - 16 * (1 + model_below(&dice, 8));
   random_entry(true);
}

static void close_above(int depth, bool by_jump)
{
   program.depth = depth;
   for (int p = 0; p < PHASES; p++)
      if (program.of[p] >= depth) {
         program.of[p] = -1;
         program.left[p] += by_jump;
      }
}

static void random_step(void)
{
   unsigned what = model_below(&dice, 100);
   if (program.depth == 0 || (what < 45 && program.depth < FRAMES)) {
      random_call();
   } else if (what < 55) {
      random_entry(false); /* a jump at the end of the function */
   } else if (what < 98 || guest.return_pops_bytes == 0 || program.depth == 1) {
      come_back(program.sp[program.depth - 1]);
      close_above(program.depth - 1, false);
   } else {
      int to = (int)model_below(&dice, (uint32_t)program.depth - 1);
      jump(program.body[to]);
      close_above(to + 1, true);
   }
}

static void random_program(void **state)
{
   (void)state;
   memset(&program, 0, sizeof program);
   memset(program.of, -1, sizeof program.of);
   dice.state = 1;
   for (int step = 0; step < STEPS; step++) {
      random_step();
      for (int p = 0; p < PHASES; p++)
         if (is_open(p) != (program.of[p] >= 0))
            fail_msg("step %d: phase %d is %s", step, p, is_open(p) ? "open" : "not open");
   }
   for (int p = 0; p < PHASES; p++) {
      assert_true(program.begun[p] > STEPS / 100);
      assert_int_equal(phases[p]->phase.begun, program.begun[p]);
      ended(p, program.begun[p] - (program.of[p] >= 0), program.left[p]);
   }
   if (guest.return_pops_bytes > 0)
      assert_true(program.left[0] > STEPS / 1000);
}

#define ON_AMD64(test) cmocka_unit_test_setup_teardown(test, on_amd64, teardown)
#define ON_ARM64(test) {#test " on arm64", test, on_arm64, teardown, NULL}

int main(void)
{
   const struct CMUnitTest tests[] = {
      ON_AMD64(a_call_is_an_instance),
      ON_ARM64(a_call_is_an_instance),
      ON_AMD64(nothing_is_watched_for_without_one),
      ON_ARM64(nothing_is_watched_for_without_one),
      ON_AMD64(recursion_belongs_to_the_outermost),
      ON_ARM64(recursion_belongs_to_the_outermost),
      ON_AMD64(a_jump_at_the_end_is_still_the_same),
      ON_ARM64(a_jump_at_the_end_is_still_the_same),
      ON_AMD64(they_end_in_any_order),
      ON_AMD64(threads_have_their_own),
      ON_AMD64(a_request_may_have_ended_it),
      ON_AMD64(a_jump_above_leaves_it),
      ON_ARM64(a_jump_above_leaves_it),
      ON_AMD64(a_return_above_leaves_it),
      ON_ARM64(a_return_above_leaves_it),
      ON_AMD64(an_entry_above_leaves_it),
      ON_ARM64(an_entry_above_leaves_it),
      ON_AMD64(a_call_from_its_caller_leaves_it),
      ON_ARM64(a_call_from_its_caller_leaves_it),
      ON_AMD64(a_jump_to_return_elsewhere_leaves_it),
      ON_AMD64(a_return_to_elsewhere_leaves_it),
      ON_ARM64(a_return_to_elsewhere_leaves_it),
      ON_AMD64(a_jump_to_the_callers_frame_leaves_it),
      ON_ARM64(a_jump_in_the_callers_frame_says_nothing),
      ON_AMD64(other_stacks_leave_it_alone),
      ON_AMD64(a_stack_that_is_given_up),
      ON_ARM64(a_stack_that_is_given_up),
      ON_AMD64(the_end_of_its_thread_leaves_it),
      ON_AMD64(a_handler_is_no_exit),
      ON_AMD64(a_handler_that_jumps_out_leaves_its_own),
      ON_AMD64(a_handler_that_ends_leaves_its_own),
      ON_AMD64(handlers_in_handlers),
      ON_AMD64(a_handler_that_was_left_before),
      ON_AMD64(the_place_of_a_handler_is_watched_for),
      cmocka_unit_test(no_memory),
      ON_AMD64(random_program),
      ON_ARM64(random_program),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
