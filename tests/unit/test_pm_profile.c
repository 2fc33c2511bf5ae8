/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_profile.c: executions by phase, against counting each one for each open
 * instance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "hosted.h"
#include "pm_profile.h"

enum { PHASES = 5, OPEN = 20, FUNCTIONS = 8, STRETCHES = 40, INSTRS = 97 };

static struct pm_stretches stretches;
static struct pm_profile profile;
static struct pm_phases phases;
static struct pm_state now;
static struct pm_phase phase[PHASES];
static struct pm_instance *open[OPEN];
static uint32_t open_count;
static struct pm_code_cost should[PHASES][FUNCTIONS];
static struct pm_code_cost should_be[PHASES][INSTRS]; /* by instruction */

static bool start(void)
{
   pm_phases_init(&phases, &hosted);
   for (uint32_t p = 0; p < PHASES; p++)
      phase[p] = (struct pm_phase){.name = "phase", .number = p, .complete = true};
   open_count = 0;
   memset(should, 0, sizeof should);
   memset(should_be, 0, sizeof should_be);
   return pm_stretches_init(&stretches, &hosted, true) &&
          pm_profile_init(&profile, &hosted, &stretches);
}

static void stop(void)
{
   pm_profile_release(&profile);
   pm_stretches_release(&stretches);
   pm_phases_release(&phases);
   assert_int_equal(hosted_live_bytes(), 0);
}

/* The i-th instruction of stretch n, which other stretches have too. */
static struct pm_instr instr_of(uint32_t n, uint32_t i)
{
   uint32_t item = (n * 5 + i) % INSTRS;
   return (struct pm_instr){item, item * 37 % (1 << PM_MIX_CLASSES)};
}

static uint32_t make_stretch(uint32_t n)
{
   static const uint8_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
   const struct pm_stretch like = {.address = 0x1000 + 16 * n,
                                   .place = n % FUNCTIONS,
                                   .weight = (int16_t)(n % 9 == 8 ? -3 : (int)(n % 9)),
                                   .instrs = (uint8_t)(n % 9 == 8 ? 3 : n % 9),
                                   .calls = (int8_t)(n % 5 == 0 ? 1 : n % 7 == 0 ? -1 : 0),
                                   .iteration = n % 7 == 0};
   struct pm_instr told[8];
   for (uint32_t i = 0; i < 8; i++)
      told[i] = instr_of(n, i);
   return pm_stretches_id(&stretches, &like, ones, told);
}

static void expect_instrs(struct pm_code_cost *by_instr, const struct pm_stretch *stretch,
                          uint64_t times)
{
   uint32_t n = (uint32_t)(stretch->address - 0x1000) / 16;
   for (uint32_t i = 0; i < stretch->instrs; i++) {
      struct pm_instr instr = instr_of(n, i);
      struct pm_code_cost *cost = &by_instr[instr.item];
      int64_t each = stretch->weight < 0 ? -1 : 1;
      cost->instrs += times * (uint64_t)each;
      for (int c = 0; c < PM_MIX_CLASSES; c++)
         if (instr.classes & 1u << c)
            cost->mix[c] += times * (uint64_t)each;
      if (i == 0) {
         cost->calls += times * (uint64_t)(int64_t)stretch->calls;
         cost->iterations += stretch->iteration ? times : 0;
      }
   }
}

static void execute(uint64_t *executed, uint32_t id, uint64_t times)
{
   const struct pm_stretch *stretch = &stretches.table[id];
   executed[id] += times;
   for (uint32_t i = 0; i < phases.open_count; i++) {
      struct pm_code_cost *cost =
         &should[phases.open[i]->phase->number][stretch->place];
      cost->instrs += times * (uint64_t)(int64_t)stretch->weight;
      cost->calls += times * (uint64_t)(int64_t)stretch->calls;
      cost->iterations += stretch->iteration ? times : 0;
      expect_instrs(should_be[phases.open[i]->phase->number], stretch, times);
   }
}

static void check(void)
{
   for (uint32_t p = 0; p < PHASES; p++) {
      struct pm_code_cost is[FUNCTIONS];
      struct pm_phase copy = phase[p]; /* a look at a phase is taken at a copy */
      memset(is, 0, sizeof is);
      pm_profile_sum(&profile, &copy, is, FUNCTIONS);
      for (uint32_t f = 0; f < FUNCTIONS; f++) {
         assert_int_equal(is[f].instrs, should[p][f].instrs);
         assert_int_equal(is[f].calls, should[p][f].calls);
         assert_int_equal(is[f].iterations, should[p][f].iterations);
      }
      struct pm_code_cost by_instr[INSTRS];
      memset(by_instr, 0, sizeof by_instr);
      pm_profile_sum_instrs(&profile, &copy, by_instr, INSTRS);
      assert_memory_equal(by_instr, should_be[p], sizeof by_instr);
   }
}

/* The same by way of each combination's sums, and without them again. */
static void check_folded(void)
{
   pm_profile_fold(&profile, FUNCTIONS);
   check();
   pm_profile_unfold(&profile);
   check();
}

/* Begin or end an instance. */
static void change_open(void)
{
   if (open_count < OPEN && (open_count == 0 || rand() % 2)) {
      open[open_count] = pm_phases_begin(&phases, &phase[rand() % PHASES], &now, 1, 0);
      open_count += open[open_count] != NULL;
   } else if (open_count > 0) {
      uint32_t which = (uint32_t)rand() % open_count;
      pm_phases_end(&phases, open[which], &now, 0, true);
      open[which] = open[--open_count];
   }
}

static void every_execution_counts_for_every_open_instance(void **state)
{
   (void)state;
   for (unsigned seed = 0; seed < 20; seed++) {
      srand(seed);
      assert_true(start());
      for (int round = 0; round < 300; round++) {
         uint64_t *executed = pm_profile_now(&profile, &phases)->executed;
         for (int e = 0; e < 10; e++) {
            uint32_t id = make_stretch((uint32_t)rand() % STRETCHES);
            if (!pm_profile_holds(&profile, id))
               executed = pm_profile_now(&profile, &phases)->executed;
            execute(executed, id, (uint64_t)rand() % 100);
         }
         if (round % 50 == 0)
            check_folded();
         if (round == 200) { /* a forked child */
            pm_profile_clear(&profile);
            memset(should, 0, sizeof should);
            memset(should_be, 0, sizeof should_be);
         } else {
            change_open();
         }
      }
      check_folded();
      assert_false(profile.incomplete);
      stop();
   }
}

/* Code that comes later gets room, and what was counted stays. */
static void arrays_grow_with_the_code(void **state)
{
   enum { MANY = 100000 };
   (void)state;
   assert_true(start());
   open[0] = pm_phases_begin(&phases, &phase[0], &now, 1, 0);
   open_count = 1;
   uint64_t *executed = pm_profile_now(&profile, &phases)->executed, moved = 0;
   for (uint32_t n = 0; n < MANY; n++) {
      uint32_t id = make_stretch(n);
      assert_int_not_equal(id, 0);
      if (!pm_profile_holds(&profile, id)) {
         executed = pm_profile_now(&profile, &phases)->executed;
         moved++;
      }
      assert_true(pm_profile_holds(&profile, id));
      execute(executed, id, n % 3);
   }
   check();
   assert_in_range(moved, 1, 10);
   stop();
}

/* Thousands of combinations are found again, each by looking at a few. */
static void many_combinations(void **state)
{
   enum { NAMES = 40 };
   static struct pm_phase many[NAMES];
   struct pm_instance *begun[8];
   (void)state;
   srand(1);
   assert_true(start());
   for (uint32_t p = 0; p < NAMES; p++)
      many[p] = (struct pm_phase){.name = "one of many", .number = p, .complete = true};
   for (int round = 0; round < 3000; round++) {
      for (int i = 0; i < 8; i++) {
         begun[i] = pm_phases_begin(&phases, &many[rand() % NAMES], &now, 1, 0);
         uint64_t *executed = pm_profile_now(&profile, &phases)->executed;
         assert_ptr_equal(pm_profile_now(&profile, &phases)->executed, executed);
      }
      for (int i = 0; i < 8; i++)
         pm_phases_end(&phases, begun[i], &now, 0, true);
   }
   assert_in_range(profile.set_count, 5000, 100000);
   uint32_t longest = 0;
   for (uint32_t c = 0; c < profile.chain_count; c++) {
      uint32_t length = 0;
      for (const struct pm_profile_set *s = profile.chains[c]; s; s = s->next_in_chain)
         length++;
      longest = length > longest ? length : longest;
   }
   assert_in_range(longest, 1, 16);
   for (uint32_t p = 0; p < NAMES; p++)
      pm_phase_release(&hosted, &many[p]);
   stop();
}

/* The same open phases, however they came to be open, have the same array. */
static void combinations_are_told_apart_by_what_is_open(void **state)
{
   (void)state;
   assert_true(start());
   uint64_t *none = pm_profile_now(&profile, &phases)->executed;
   struct pm_instance *a = pm_phases_begin(&phases, &phase[3], &now, 1, 0);
   uint64_t *only_3 = pm_profile_now(&profile, &phases)->executed;
   struct pm_instance *b = pm_phases_begin(&phases, &phase[1], &now, 1, 0);
   uint64_t *both = pm_profile_now(&profile, &phases)->executed;
   struct pm_instance *again = pm_phases_begin(&phases, &phase[3], &now, 2, 0);
   uint64_t *twice = pm_profile_now(&profile, &phases)->executed;
   assert_ptr_not_equal(none, only_3);
   assert_ptr_not_equal(only_3, both);
   assert_ptr_not_equal(both, twice); /* "a phase open in two instances stands in it twice" */
   pm_phases_end(&phases, a, &now, 0, true);
   assert_ptr_equal(pm_profile_now(&profile, &phases)->executed, both);
   pm_phases_end(&phases, b, &now, 0, true);
   assert_ptr_equal(pm_profile_now(&profile, &phases)->executed, only_3);
   pm_phases_end(&phases, again, &now, 0, true);
   assert_ptr_equal(pm_profile_now(&profile, &phases)->executed, none);
   stop();
}

/* Without memory for a combination there is still a place to count, and it is said. */
static void without_memory_it_is_incomplete(void **state)
{
   unsigned long failures = 0;
   (void)state;
   for (unsigned long n = 1;; n++) {
      hosted_fail_alloc(n);
      bool started = start();
      if (started) {
         for (int round = 0; round < 30; round++) {
            uint32_t id = make_stretch((uint32_t)round);
            uint64_t *executed = pm_profile_now(&profile, &phases)->executed;
            assert_non_null(executed);
            assert_true(pm_profile_holds(&profile, id));
            execute(executed, id, 1);
            if (open_count < OPEN) {
               open[open_count] =
                  pm_phases_begin(&phases, &phase[round % PHASES], &now, 1, 0);
               open_count += open[open_count] != NULL;
            }
         }
         if (!profile.incomplete)
            check_folded(); /* whether or not the failure is still to come */
      }
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      stop();
      if (!failed)
         break;
      failures++;
   }
   assert_in_range(failures, 30, 300);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_execution_counts_for_every_open_instance),
      cmocka_unit_test(arrays_grow_with_the_code),
      cmocka_unit_test(many_combinations),
      cmocka_unit_test(combinations_are_told_apart_by_what_is_open),
      cmocka_unit_test(without_memory_it_is_incomplete),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
