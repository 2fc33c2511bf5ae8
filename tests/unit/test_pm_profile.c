/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_profile.c: executions per combination of open phases against sums that are
 * kept for each phase as they happen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "hosted.h"
#include "model_random.h"
#include "pm_profile.h"

enum { PHASES = 40, FUNCTIONS = 5 };

/* The profile as the tool uses it, and what must come of it. */
struct run {
   struct model_random random;
   struct pm_stretches stretches;
   struct pm_profile profile;
   struct pm_phases phases;
   struct pm_state state;
   struct pm_phase phase[PHASES];
   uint64_t *executed;
   struct pm_function_cost expected[PHASES][FUNCTIONS];
};

static uint64_t no_thread(uint32_t thread)
{
   (void)thread;
   return 0;
}

static void choose(void *ctx)
{
   struct run *run = ctx;
   run->executed = pm_profile_now(&run->profile, &run->phases);
}

static void start(struct run *run, uint64_t seed)
{
   *run = (struct run){.random = {seed}};
   assert_true(pm_stretches_init(&run->stretches, &hosted));
   assert_true(pm_profile_init(&run->profile, &hosted, &run->stretches));
   pm_phases_init(&run->phases, &hosted);
   run->phases.open_changed = choose;
   run->phases.open_changed_ctx = run;
   for (uint32_t p = 0; p < PHASES; p++)
      run->phase[p] = (struct pm_phase){.name = "p", .number = p, .complete = true};
   choose(run);
}

static void finish(struct run *run)
{
   for (uint32_t p = 0; p < PHASES; p++)
      pm_phase_release(&hosted, &run->phase[p]);
   pm_phases_release(&run->phases);
   pm_profile_release(&run->profile);
   pm_stretches_release(&run->stretches);
   assert_int_equal(hosted_live_bytes(), 0);
}

/* A stretch is executed: a new one or one there is. */
static void execute(struct run *run, uint32_t number)
{
   const struct pm_stretch stretch = {
      .address = 0x1000 + 16 * (uint64_t)number,
      .function = number % FUNCTIONS,
      .weight = (int16_t)(number % 9 == 0 ? -1 : (int)(number % 30)),
      .is_entry = number % 7 == 0,
      .iteration = number % 11 == 0,
   };
   uint32_t id = pm_stretches_id(&run->stretches, &stretch, NULL);
   assert_int_not_equal(id, 0);
   if (!pm_profile_holds(&run->profile, id))
      choose(run);
   assert_true(pm_profile_holds(&run->profile, id));
   run->executed[id]++;
   for (uint32_t i = 0; i < run->phases.open_count; i++) {
      struct pm_function_cost *cost =
         &run->expected[run->phases.open[i]->phase->number][stretch.function];
      cost->instrs += (uint64_t)(int64_t)stretch.weight;
      cost->calls += stretch.is_entry;
      cost->iterations += stretch.iteration;
   }
}

static void begin_or_end(struct run *run, uint32_t most_open)
{
   uint32_t open = run->phases.open_count;
   if (open < most_open && model_chance(&run->random, 55)) {
      struct pm_phase *phase = &run->phase[model_below(&run->random, PHASES)];
      (void)pm_phases_begin(&run->phases, phase, &run->state, 1, no_thread(1));
   } else if (open > 0) {
      uint32_t at = model_below(&run->random, open);
      (void)pm_phases_end(&run->phases, run->phases.open[at], &run->state, no_thread(1), true);
   }
}

static void check(const struct run *run)
{
   for (uint32_t p = 0; p < PHASES; p++) {
      struct pm_function_cost cost[FUNCTIONS] = {{0}};
      pm_profile_sum(&run->profile, &run->phase[p], cost, FUNCTIONS);
      for (uint32_t f = 0; f < FUNCTIONS; f++) {
         assert_int_equal(cost[f].instrs, run->expected[p][f].instrs);
         assert_int_equal(cost[f].calls, run->expected[p][f].calls);
         assert_int_equal(cost[f].iterations, run->expected[p][f].iterations);
      }
   }
}

static void steps(struct run *run, unsigned count, uint32_t most_open)
{
   uint32_t known = 1;
   for (unsigned i = 0; i < count; i++) {
      if (model_chance(&run->random, 20))
         begin_or_end(run, most_open);
      /* Code is found bit by bit, and then executed for long. */
      if (model_chance(&run->random, 80))
         known += 1 + model_below(&run->random, 3);
      execute(run, model_chance(&run->random, 50) ? known : model_below(&run->random, known));
   }
}

static void sums_are_those_of_each_phase(void **state)
{
   (void)state;
   static struct run run;
   for (uint64_t seed = 1; seed <= 4; seed++) {
      start(&run, seed);
      steps(&run, 60000, 2);
      assert_true(run.stretches.count > 32768); /* more than the first arrays have room for */
      steps(&run, 200, 25);
      assert_false(run.profile.incomplete);
      check(&run);
      finish(&run);
   }
}

/* Thousands of combinations, one stretch in each. */
static void many_combinations(void **state)
{
   (void)state;
   static struct run run;
   start(&run, 1);
   for (unsigned i = 0; i < 30000; i++) {
      begin_or_end(&run, 8);
      execute(&run, i % 1000);
   }
   assert_true(run.profile.set_count > 5000);
   check(&run);

   /* They are found again, each by looking at a few. */
   uint32_t longest = 0;
   for (uint32_t c = 0; c < run.profile.chain_count; c++) {
      uint32_t length = 0;
      for (const struct pm_profile_set *s = run.profile.chains[c]; s; s = s->next_in_chain)
         length++;
      longest = length > longest ? length : longest;
   }
   assert_in_range(longest, 1, 16);
   finish(&run);
}

/* A child after a fork starts from nothing. */
static void cleared(void **state)
{
   (void)state;
   static struct run run;
   start(&run, 3);
   steps(&run, 2000, 4);
   pm_profile_clear(&run.profile);
   assert_false(pm_profile_holds(&run.profile, 0));
   memset(run.expected, 0, sizeof run.expected);
   choose(&run);
   check(&run);
   steps(&run, 2000, 4);
   check(&run);
   finish(&run);
}

/* Whichever allocation fails: counting goes on somewhere, and it is said. */
static void without_memory(void **state)
{
   (void)state;
   static struct run run;
   for (unsigned long n = 1;; n++) {
      start(&run, 5);
      hosted_fail_alloc(n);
      begin_or_end(&run, 30);
      for (unsigned i = 0; i < 300; i++) {
         begin_or_end(&run, 30);
         /* The table of stretches has its own tests: it is not to fail here. */
         execute(&run, i % 50);
      }
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      assert_non_null(run.executed);
      if (!run.profile.incomplete)
         check(&run);
      finish(&run);
      if (!failed)
         break;
      assert_true(n < 100000);
   }
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_each_phase),
      cmocka_unit_test(many_combinations),
      cmocka_unit_test(cleared),
      cmocka_unit_test(without_memory),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
