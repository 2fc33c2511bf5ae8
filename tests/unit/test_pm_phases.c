/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_phases.c: instances and what a phase makes of them, worked out by hand.
 *
 * tests/model has every metric on random traces.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hosted.h"
#include "pm_phases.h"

static struct pm_phases phases;
static struct pm_state now;
static struct pm_phase parse, build;

static int setup(void **state)
{
   (void)state;
   pm_phases_init(&phases, &hosted);
   now = (struct pm_state){.events = 0};
   parse = (struct pm_phase){.name = "parse", .complete = true};
   build = (struct pm_phase){.name = "build", .complete = true};
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_phases_release(&phases);
   pm_phase_release(&hosted, &parse);
   pm_phase_release(&hosted, &build);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

static struct pm_instance *begin(struct pm_phase *phase, uint32_t thread)
{
   struct pm_instance *instance = pm_phases_begin(&phases, phase, &now, thread, 0);
   assert_non_null(instance);
   return instance;
}

static void end(struct pm_instance *instance)
{
   assert_true(pm_phases_end(&phases, instance, &now, 0, true));
}

static void mapped(uint64_t bytes)
{
   now.gauge[PM_GAUGE_MAPPED_BYTES] = bytes;
   pm_phases_gauge(&phases, &now, PM_GAUGE_MAPPED_BYTES);
}

static void is(enum pm_metric metric, uint64_t value, uint64_t least, uint64_t greatest)
{
   assert_int_equal(parse.value[metric], value);
   assert_int_equal(parse.least[metric], least);
   assert_int_equal(parse.greatest[metric], greatest);
}

static void repeated_instances(void **state)
{
   static const struct {
      uint64_t entry, peak, exit, syscalls;
      int64_t net_bytes;
   } runs[] = {{10, 50, 20, 3, -5}, {20, 90, 80, 4, 7}, {5, 60, 5, 0, -9}};
   (void)state;
   for (int r = 0; r < 3; r++) {
      mapped(runs[r].entry);
      struct pm_instance *instance = begin(&parse, 1);
      mapped(runs[r].peak);
      mapped(runs[r].exit);
      now.counter[PM_COUNT_SYSCALLS] += runs[r].syscalls;
      now.counter[PM_COUNT_REALLOCATION_NET_BYTES] += (uint64_t)runs[r].net_bytes;
      end(instance);
   }
   is(PM_METRIC_MAPPED_ENTRY, 10, 5, 20);
   is(PM_METRIC_MAPPED_PEAK, 90, 50, 90);
   is(PM_METRIC_MAPPED_EXIT, 5, 5, 80);
   is(PM_METRIC_SYSCALLS_COUNT, 7, 0, 4);
   /* Signed: -9 is the least. */
   is(PM_METRIC_REALLOCATIONS_NET_BYTES, (uint64_t)-7, (uint64_t)-9, 7);
   assert_int_equal(parse.instances, 3);
   assert_false(parse.overlapping);
}

/* Of instances that overlap, the first one is the one begun first. */
static void the_first_begun_need_not_end_first(void **state)
{
   (void)state;
   mapped(1);
   struct pm_instance *one = begin(&parse, 1);
   mapped(2);
   struct pm_instance *two = begin(&parse, 2);
   mapped(3);
   end(two);
   is(PM_METRIC_MAPPED_ENTRY, 2, 2, 2); /* of those that have ended */
   mapped(4);
   end(one);
   is(PM_METRIC_MAPPED_ENTRY, 1, 1, 2);
   is(PM_METRIC_MAPPED_EXIT, 4, 3, 4);
   assert_true(parse.overlapping);
}

static void parents(void **state)
{
   (void)state;
   struct pm_instance *outer = begin(&build, 1), *inner = begin(&parse, 1);
   end(inner);
   assert_ptr_equal(parse.parent, &build);
   inner = begin(&parse, 1);
   end(outer); /* before it: no parent of it */
   end(inner);
   assert_true(parse.parents_differ);
   assert_null(build.parent);
}

static void the_first_instances_are_listed(void **state)
{
   (void)state;
   phases.list_first = 2;
   struct pm_instance *one = begin(&parse, 7), *two = begin(&parse, 8), *three = begin(&parse, 9);
   end(three);
   assert_null(parse.listed);
   end(two);
   assert_true(pm_phases_end(&phases, one, &now, 0, false));
   assert_int_equal(parse.listed->order, 0);
   assert_int_equal(parse.listed->thread, 7);
   assert_false(parse.listed->complete);
   assert_int_equal(parse.listed->next->order, 1);
   assert_true(parse.listed->next->complete);
   assert_null(parse.listed->next->next);
   assert_false(parse.complete);
}

/* A million instances take no memory once they have ended. */
static void ended_instances_are_gone(void **state)
{
   (void)state;
   phases.list_first = 100;
   for (int i = 0; i < 100; i++)
      end(begin(&parse, 1));
   size_t bytes = hosted_live_bytes();
   for (int i = 0; i < 100000; i++)
      end(begin(&parse, 1));
   assert_int_equal(hosted_live_bytes(), bytes);
   assert_int_equal(parse.instances, 100100);
}

static void without_memory_nothing_begins(void **state)
{
   (void)state;
   unsigned long refused = 0;
   struct pm_instance *open[40];
   for (unsigned long n = 1; n <= 20; n++) {
      uint32_t count = 0;
      hosted_fail_alloc(n);
      for (int i = 0; i < 40; i++) {
         struct pm_instance *instance = pm_phases_begin(&phases, &parse, &now, 1, 0);
         if (instance)
            open[count++] = instance;
         else
            refused++;
      }
      assert_int_equal(phases.open_count, count);
      while (count > 0)
         end(open[--count]);
   }
   assert_int_equal(refused, 20);

   /* One that cannot be listed counts all the same. */
   phases.list_first = 1000000;
   uint64_t before = parse.instances;
   struct pm_instance *instance = begin(&parse, 1);
   hosted_fail_alloc(1);
   assert_false(pm_phases_end(&phases, instance, &now, 0, true));
   hosted_fail_alloc(0);
   assert_int_equal(parse.instances, before + 1);
   assert_int_equal(phases.open_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(repeated_instances),
      TEST(the_first_begun_need_not_end_first),
      TEST(parents),
      TEST(the_first_instances_are_listed),
      TEST(ended_instances_are_gone),
      TEST(without_memory_nothing_begins),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
