/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_clock.c: the arithmetic of pm_clock.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pm_clock.h"

#define S UINT64_C(1000000000)

static const struct pm_clock_work none, some = {.instrs = 500, .thread_instrs = 200};

static void clocks_are_views_of_one(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 7 * S, 0);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &none) == 7 * S);
   assert_true(pm_clock_now(&clock, PM_CLOCK_TAI, &none) == 44 * S);
   uint64_t up = pm_clock_now(&clock, PM_CLOCK_MONOTONIC, &none);
   assert_true(up > 0);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 7 * S + 500);
   assert_true(pm_clock_now(&clock, PM_CLOCK_MONOTONIC, &some) == up + 500);
   pm_clock_slept(&clock, 3 * S);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 10 * S + 500);
   assert_true(pm_clock_now(&clock, PM_CLOCK_MONOTONIC, &some) == up + 3 * S + 500);
   assert_true(pm_clock_passed(&clock, &some) == 3 * S + 500);
   /* Sleeping is no use of a processor. */
   assert_true(pm_clock_now(&clock, PM_CLOCK_PROCESS, &some) == 500);
   assert_true(pm_clock_now(&clock, PM_CLOCK_THREAD, &some) == 200);
}

static void deadlines_are_reached_once(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 7 * S, 0);
   pm_clock_reached(&clock, PM_CLOCK_REALTIME, 9 * S, &some);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 9 * S);
   pm_clock_reached(&clock, PM_CLOCK_REALTIME, 9 * S, &some);
   pm_clock_reached(&clock, PM_CLOCK_REALTIME, 8 * S, &some); /* it never goes back */
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 9 * S);
   uint64_t up = pm_clock_now(&clock, PM_CLOCK_MONOTONIC, &some);
   pm_clock_reached(&clock, PM_CLOCK_MONOTONIC, up + 5, &some);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 9 * S + 5);
}

static void the_program_may_set_it(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 7 * S, 0);
   pm_clock_slept(&clock, S);
   uint64_t up = pm_clock_now(&clock, PM_CLOCK_MONOTONIC, &some);
   pm_clock_set(&clock, 5 * S, &some);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 5 * S);
   assert_true(pm_clock_now(&clock, PM_CLOCK_MONOTONIC, &some) == up);
   pm_clock_slept(&clock, S);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 6 * S);
   pm_clock_set(&clock, 0, &some); /* before what has passed: as far back as there is */
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 2 * S + 500);
}

static void an_image_goes_on_where_the_last_one_was(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 7 * S, 4 * S);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == 11 * S + 500);
   assert_true(pm_clock_now(&clock, PM_CLOCK_PROCESS, &some) == 500);
}

static void timers_move_the_clock_to_their_expirations(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 0, 0);
   pm_clock_timer_set(&clock, 5, 2 * S, S, &none);
   pm_clock_timer_expired(&clock, 6, 1, &none); /* another one */
   assert_true(pm_clock_passed(&clock, &none) == 0);
   pm_clock_timer_expired(&clock, 5, 1, &none);
   assert_true(pm_clock_passed(&clock, &none) == 2 * S);
   pm_clock_slept(&clock, S / 2);
   pm_clock_timer_expired(&clock, 5, 1, &none);
   assert_true(pm_clock_passed(&clock, &none) == 3 * S);
   pm_clock_timer_expired(&clock, 5, 3, &none); /* two were missed */
   assert_true(pm_clock_passed(&clock, &none) == 6 * S);
   pm_clock_slept(&clock, 10 * S);
   pm_clock_timer_expired(&clock, 5, 2, &none); /* both have passed already */
   assert_true(pm_clock_passed(&clock, &none) == 16 * S);

   pm_clock_timer_set(&clock, 5, S, 0, &none); /* once, set again */
   pm_clock_timer_expired(&clock, 5, 1, &none);
   pm_clock_timer_expired(&clock, 5, 1, &none);
   assert_true(pm_clock_passed(&clock, &none) == 17 * S);
   pm_clock_timer_set(&clock, 5, S, S, &none);
   pm_clock_timer_set(&clock, 5, 0, S, &none); /* stopped */
   pm_clock_timer_expired(&clock, 5, 1, &none);
   pm_clock_timer_set(&clock, 5, S, S, &none);
   pm_clock_timer_gone(&clock, 5);
   pm_clock_timer_expired(&clock, 5, 1, &none);
   assert_true(pm_clock_passed(&clock, &none) == 17 * S);
}

static void timers_are_seen_before_they_are_read(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 0, 0);
   assert_true(pm_clock_timer_next(&clock, 5) == UINT64_MAX);
   pm_clock_timer_set(&clock, 5, 2 * S, S, &some);
   assert_true(pm_clock_timer_next(&clock, 5) == 2 * S + 500);
   pm_clock_timer_seen(&clock, 6, &some); /* another one */
   assert_true(pm_clock_passed(&clock, &some) == 500);
   pm_clock_timer_seen(&clock, 5, &some);
   pm_clock_timer_seen(&clock, 5, &some);
   assert_true(pm_clock_passed(&clock, &some) == 2 * S + 500);
   pm_clock_timer_expired(&clock, 5, 1, &some); /* the same expiration */
   assert_true(pm_clock_passed(&clock, &some) == 2 * S + 500);
   assert_true(pm_clock_timer_next(&clock, 5) == 3 * S + 500);
   pm_clock_timer_set(&clock, 5, 0, S, &some); /* stopped */
   pm_clock_timer_seen(&clock, 5, &some);
   assert_true(pm_clock_passed(&clock, &some) == 2 * S + 500);
   assert_true(pm_clock_timer_next(&clock, 5) == UINT64_MAX);
}

static void there_is_room_for_timers(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, 0, 0);
   for (int d = 0; d <= PM_CLOCK_TIMERS; d++)
      pm_clock_timer_set(&clock, d, S, 0, &none);
   pm_clock_timer_expired(&clock, PM_CLOCK_TIMERS, 1, &none); /* one too many */
   assert_true(pm_clock_passed(&clock, &none) == 0);
   pm_clock_timer_gone(&clock, 3);
   pm_clock_timer_set(&clock, PM_CLOCK_TIMERS, S, 0, &none);
   pm_clock_timer_expired(&clock, PM_CLOCK_TIMERS, 1, &none);
   assert_true(pm_clock_passed(&clock, &none) == S);
}

static void numbers_saturate(void **state)
{
   struct pm_clock clock;
   (void)state;
   pm_clock_init(&clock, UINT64_MAX - 10, 0);
   assert_true(pm_clock_now(&clock, PM_CLOCK_REALTIME, &some) == UINT64_MAX);
   pm_clock_slept(&clock, UINT64_MAX);
   pm_clock_slept(&clock, UINT64_MAX);
   assert_true(pm_clock_passed(&clock, &some) == UINT64_MAX);
   pm_clock_init(&clock, 0, 0);
   pm_clock_timer_set(&clock, 1, S, UINT64_MAX / 2, &none);
   pm_clock_timer_expired(&clock, 1, 100, &none);
   assert_true(pm_clock_passed(&clock, &none) == UINT64_MAX);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(clocks_are_views_of_one),
      cmocka_unit_test(deadlines_are_reached_once),
      cmocka_unit_test(the_program_may_set_it),
      cmocka_unit_test(an_image_goes_on_where_the_last_one_was),
      cmocka_unit_test(timers_move_the_clock_to_their_expirations),
      cmocka_unit_test(timers_are_seen_before_they_are_read),
      cmocka_unit_test(there_is_room_for_timers),
      cmocka_unit_test(numbers_saturate),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
