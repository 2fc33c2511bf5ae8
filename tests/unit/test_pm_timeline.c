/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_timeline.c: the points of a timeline against all that was added to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "hosted.h"
#include "pm_timeline.h"

enum { EVENTS = 400 };

static struct {
   uint64_t instrs, live_bytes;
} events[EVENTS];

/* The most that was live from instruction `from` to `until`, what was live before
   included, and what was live at the end of it. */
static void look(int count, uint64_t from, uint64_t until, uint64_t *most, uint64_t *last)
{
   *most = *last = 0;
   for (int e = 0; e < count && events[e].instrs < until; e++) {
      bool before = events[e].instrs < from;
      if (before || events[e].live_bytes > *most)
         *most = events[e].live_bytes;
      *last = events[e].live_bytes;
   }
}

static void check(const struct pm_timeline *timeline, int count, uint32_t points)
{
   uint64_t width = timeline->width_instrs, origin = events[0].instrs;
   assert_int_equal(width & (width - 1), 0);
   assert_in_range(timeline->used, 1, points);
   /* No wider than it must be: half of the points are in use. */
   if (width > 1)
      assert_in_range(timeline->used, points / 2, points);
   uint64_t end = origin + width * timeline->used;
   assert_in_range(events[count - 1].instrs, end - width, end - 1);
   for (uint32_t p = 0; p < timeline->used; p++) {
      uint64_t most, last;
      look(count, origin + width * p, origin + width * (p + 1), &most, &last);
      assert_int_equal(timeline->points[p].most_bytes, most);
      assert_int_equal(timeline->points[p].last_bytes, last);
   }
}

static void run(uint64_t seed, uint32_t points)
{
   struct pm_timeline timeline;
   srand((unsigned)seed);
   uint64_t reach = UINT64_C(1) << rand() % 40;
   events[0].instrs = (uint64_t)rand() % 1000;
   events[0].live_bytes = (uint64_t)rand() % 100;
   assert_true(
      pm_timeline_init(&timeline, &hosted, points, events[0].instrs, events[0].live_bytes));
   for (int e = 1; e < EVENTS; e++) {
      uint64_t step = rand() % 3 ? (uint64_t)rand() % 4 : (uint64_t)rand() % reach;
      events[e].instrs = events[e - 1].instrs + step;
      events[e].live_bytes = (uint64_t)rand() % 1000;
      pm_timeline_add(&timeline, events[e].instrs, events[e].live_bytes);
      if (e % 20 == 0)
         check(&timeline, e + 1, points);
   }
   check(&timeline, EVENTS, points);
   pm_timeline_restart(&timeline, events[0].instrs, events[0].live_bytes);
   for (int e = 1; e < EVENTS; e++)
      pm_timeline_add(&timeline, events[e].instrs, events[e].live_bytes);
   check(&timeline, EVENTS, points);
   pm_timeline_release(&timeline);
   assert_int_equal(hosted_live_bytes(), 0);
}

static void points_are_what_was_added(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 300; seed++)
      run(seed, 2 + 2 * (uint32_t)(seed % 40));
}

static void the_last_instruction_there_is(void **state)
{
   struct pm_timeline timeline;
   (void)state;
   assert_true(pm_timeline_init(&timeline, &hosted, 4, 0, 1));
   pm_timeline_add(&timeline, UINT64_MAX, 9);
   assert_int_equal(timeline.width_instrs, UINT64_C(1) << 62);
   assert_int_equal(timeline.used, 4);
   assert_int_equal(timeline.points[0].most_bytes, 1);
   assert_int_equal(timeline.points[3].most_bytes, 9);
   pm_timeline_release(&timeline);
}

static void no_points_are_no_timeline(void **state)
{
   struct pm_timeline timeline;
   (void)state;
   assert_true(pm_timeline_init(&timeline, &hosted, 0, 5, 5));
   pm_timeline_add(&timeline, 100, 5);
   assert_int_equal(hosted_live_bytes(), 0);
   pm_timeline_release(&timeline);
   /* Fewer than two, or an odd number: pairs are what there is. */
   assert_true(pm_timeline_init(&timeline, &hosted, 1, 5, 5));
   assert_int_equal(timeline.capacity, 2);
   pm_timeline_release(&timeline);
   assert_true(pm_timeline_init(&timeline, &hosted, 7, 5, 5));
   assert_int_equal(timeline.capacity, 6);
   pm_timeline_release(&timeline);
   hosted_fail_alloc(1);
   assert_false(pm_timeline_init(&timeline, &hosted, 7, 5, 5));
   pm_timeline_add(&timeline, 100, 5); /* nothing */
   pm_timeline_release(&timeline);
   assert_int_equal(hosted_live_bytes(), 0);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_are_what_was_added),
      cmocka_unit_test(the_last_instruction_there_is),
      cmocka_unit_test(no_points_are_no_timeline),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
