/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_random.c: the stream of pm_random.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "pm_random.h"

/* xoshiro256** by its definition, from the state {1, 2, 3, 4}: the first ten numbers, as
   its authors' program prints them. */
static void the_generator_is_the_one_it_says(void **state)
{
   static const uint64_t should[] = {
      UINT64_C(11520), UINT64_C(0), UINT64_C(1509978240), UINT64_C(1215971899390074240),
      UINT64_C(1216172134540287360), UINT64_C(607988272756665600),
      UINT64_C(16172922978634559625), UINT64_C(8476171486693032832),
      UINT64_C(10595114339597558777), UINT64_C(2904607092377533576)};
   struct pm_random random = {.state = {1, 2, 3, 4}};
   (void)state;
   for (size_t n = 0; n < sizeof should / sizeof *should; n++) {
      uint8_t bytes[8];
      uint64_t is = 0;
      pm_random_take(&random, bytes, sizeof bytes);
      for (int b = 7; b >= 0; b--)
         is = is << 8 | bytes[b];
      assert_true(is == should[n]);
   }
}

/* The bytes do not depend on how many are asked for at a time. */
static void pieces_are_the_whole(void **state)
{
   struct pm_random whole, pieces;
   uint8_t all[1000], part[1000];
   size_t taken = 0;
   (void)state;
   pm_random_init(&whole, 42);
   pm_random_init(&pieces, 42);
   pm_random_take(&whole, all, sizeof all);
   for (size_t next = 0; taken + next <= sizeof part; taken += next, next = (next + 5) % 17)
      pm_random_take(&pieces, part + taken, next);
   pm_random_take(&pieces, part + taken, sizeof part - taken);
   assert_memory_equal(all, part, sizeof all);
}

static bool same_stream(struct pm_random a, struct pm_random b)
{
   uint8_t from_a[64], from_b[64];
   pm_random_take(&a, from_a, sizeof from_a);
   pm_random_take(&b, from_b, sizeof from_b);
   return memcmp(from_a, from_b, sizeof from_a) == 0;
}

static void seeds_and_branches_are_streams_of_their_own(void **state)
{
   struct pm_random one, again, other;
   (void)state;
   pm_random_init(&one, 1);
   pm_random_init(&again, 1);
   pm_random_init(&other, 2);
   assert_true(same_stream(one, again));
   assert_false(same_stream(one, other));
   pm_random_branch(&again, 1);
   assert_false(same_stream(one, again));
   other = one;
   pm_random_branch(&other, 2);
   assert_false(same_stream(other, again));
   pm_random_branch(&one, 1);
   assert_true(same_stream(one, again));
}

/* Every bit is set about half of the time. */
static void bits_are_even(void **state)
{
   enum { NUMBERS = 20000 };
   unsigned set[64] = {0};
   struct pm_random random;
   (void)state;
   pm_random_init(&random, 0);
   for (int n = 0; n < NUMBERS; n++) {
      uint64_t word;
      pm_random_take(&random, &word, sizeof word);
      for (int b = 0; b < 64; b++)
         set[b] += word >> b & 1;
   }
   for (int b = 0; b < 64; b++)
      assert_in_range(set[b], NUMBERS / 2 - 500, NUMBERS / 2 + 500);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_generator_is_the_one_it_says),
      cmocka_unit_test(pieces_are_the_whole),
      cmocka_unit_test(seeds_and_branches_are_streams_of_their_own),
      cmocka_unit_test(bits_are_even),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
