/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_calls_other.c: the other part of known_calls.c, with a static function whose name
 * a static function there has, too: to a report they are one. */
#define _GNU_SOURCE
#include "known_calls.h"

#include <errno.h>
#include <stdio.h>

static unsigned long count_of_twin, count_of_calls_its_own;

static COUNTED int twin(int n)
{
   COUNT(twin);
   return n ^ 0x55;
}

COUNTED int other_calls_its_own(int times)
{
   COUNT(calls_its_own);
   int sum = 0;
   for (int i = 0; i < times; i++)
      sum += twin(i);
   return sum;
}

void other_say(void)
{
   printf("calls %lu %s twin\n", count_of_twin, program_invocation_short_name);
   printf("calls %lu %s other_calls_its_own\n", count_of_calls_its_own,
          program_invocation_short_name);
}
