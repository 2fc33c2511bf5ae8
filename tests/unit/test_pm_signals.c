/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_signals.c: names of signals, against libc and against what they say. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm_signals.h"

/* In memory of just that size, so that AddressSanitizer sees a byte too many. */
static const char *name_of(int signal, char **room)
{
   *room = malloc(PM_SIGNAL_NAME);
   assert_non_null(*room);
   return pm_signal_name(*room, signal);
}

static void ordinary_names_are_libcs(void **state)
{
   char *room, should[32];
   (void)state;
   for (int signal = 1; signal < 32; signal++) {
      /* The same number as SIGPOLL, by the name that kill(1) prints. */
      const char *abbreviation = signal == SIGIO ? "IO" : sigabbrev_np(signal);
      assert_non_null(abbreviation);
      snprintf(should, sizeof should, "SIG%s", abbreviation);
      assert_string_equal(name_of(signal, &room), should);
      free(room);
   }
}

static void real_time_names_count_from_libcs_first(void **state)
{
   char *room;
   (void)state;
   for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
      const char *name = name_of(signal, &room);
      assert_memory_equal(name, "SIGRTMIN", 8);
      if (signal == SIGRTMIN)
         assert_string_equal(name + 8, "");
      else
         assert_int_equal(name[8], '+');
      assert_int_equal(SIGRTMIN + atoi(name + 8), signal);
      free(room);
   }
}

static void other_numbers_say_the_number(void **state)
{
   char *room;
   (void)state;
   assert_string_equal(name_of(0, &room), "SIG0");
   free(room);
   assert_string_equal(name_of(32, &room), "SIG32"); /* libc's own, as the next */
   free(room);
   assert_string_equal(name_of(33, &room), "SIG33");
   free(room);
   assert_string_equal(name_of(SIGRTMAX + 1, &room), "SIG65");
   free(room);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(ordinary_names_are_libcs),
      cmocka_unit_test(real_time_names_count_from_libcs_first),
      cmocka_unit_test(other_numbers_say_the_number),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
