/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_stretches.c: ids of stretches, and what a fault takes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "hosted.h"
#include "pm_stretches.h"

static struct pm_stretches stretches;

static int setup(void **state)
{
   (void)state;
   assert_true(pm_stretches_init(&stretches, &hosted, false));
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_stretches_release(&stretches);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

static const uint8_t lengths[PM_STRETCH_INSTRS_MAX + 1] = {1, 2, 3, 4, 5, 6, 7, 15, 2};

static const struct pm_stretch sample = {
   .address = 0x1000, .weight = 5, .instrs = 5, .place = 7};

static uint32_t id_of(const struct pm_stretch *like)
{
   return pm_stretches_id(&stretches, like, lengths, NULL);
}

static void the_same_again_has_the_same_id(void **state)
{
   (void)state;
   uint32_t id = id_of(&sample);
   assert_int_not_equal(id, 0);
   assert_int_equal(id_of(&sample), id);
   uint8_t copy[8];
   memcpy(copy, lengths, sizeof copy);
   assert_int_equal(pm_stretches_id(&stretches, &sample, copy, NULL), id);
   assert_int_equal(stretches.count, 2);

   /* What it says is kept. */
   const struct pm_stretch *kept = &stretches.table[id];
   assert_int_equal(kept->address, 0x1000);
   assert_int_equal(kept->weight, 5);
   assert_int_equal(kept->instrs, 5);
   assert_int_equal(kept->place, 7);
   assert_false(kept->ends_in_fault_exit);
}

/* Whatever counts differently is another stretch: also code that was changed in place. */
static void any_difference_is_another_id(void **state)
{
   (void)state;
   struct pm_stretch others[8];
   uint32_t ids[10];
   for (int o = 0; o < 8; o++)
      others[o] = sample;
   others[1].address++;
   others[2].weight = -1;
   others[3].instrs = 4;
   others[4].ends_in_fault_exit = true;
   others[5].iteration = true;
   others[6].calls = 1;
   others[7].place = 8;
   for (int o = 0; o < 8; o++)
      ids[o] = id_of(&others[o]);
   uint8_t changed[5] = {1, 2, 3, 4, 6};
   ids[8] = pm_stretches_id(&stretches, &sample, changed, NULL);
   changed[0] = 2;
   changed[4] = 5;
   ids[9] = pm_stretches_id(&stretches, &sample, changed, NULL);
   for (int a = 0; a < 10; a++) {
      assert_int_not_equal(ids[a], 0);
      for (int b = 0; b < a; b++)
         assert_int_not_equal(ids[a], ids[b]);
   }
   for (int o = 0; o < 8; o++)
      assert_int_equal(id_of(&others[o]), ids[o]);
}

/* Where instructions are told apart, also a stretch of others is another one: code of
   another object at the same addresses. */
static void other_instructions_are_another_id(void **state)
{
   (void)state;
   struct pm_stretches other;
   struct pm_instr told[5] = {{1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 64}}, changed[5];
   assert_true(pm_stretches_init(&other, &hosted, true));
   uint32_t id = pm_stretches_id(&other, &sample, lengths, told), again;
   memcpy(changed, told, sizeof changed);
   assert_int_equal(pm_stretches_id(&other, &sample, lengths, changed), id);
   changed[4].item = 6;
   again = pm_stretches_id(&other, &sample, lengths, changed);
   assert_int_not_equal(again, id);
   changed[4].item = 5;
   changed[4].classes = 65;
   assert_int_not_equal(pm_stretches_id(&other, &sample, lengths, changed), id);
   /* They stay when the tables grow. */
   for (uint32_t n = 0; n < 20000; n++) {
      struct pm_stretch like = sample;
      like.address += 16 * (n + 1);
      pm_stretches_id(&other, &like, lengths, told);
   }
   assert_memory_equal(other.told + other.table[id].lengths, told, sizeof told);
   assert_int_equal(other.told[other.table[again].lengths + 4].item, 6);
   pm_stretches_release(&other);
}

static void special_stretches_have_no_instructions(void **state)
{
   (void)state;
   const struct pm_stretch retry = {.address = 0x1000, .weight = -1};
   uint32_t id = pm_stretches_id(&stretches, &retry, NULL, NULL);
   assert_int_not_equal(id, 0);
   assert_int_equal(pm_stretches_id(&stretches, &retry, NULL, NULL), id);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x1000), 0);
   assert_int_equal(stretches.table[id].weight, -1);
}

static void a_fault_leaves_the_instructions_from_its_own_on(void **state)
{
   (void)state;
   uint32_t id = id_of(&sample); /* at 0x1000, 0x1001, 0x1003, 0x1006, 0x100a; end 0x100f */
   assert_int_equal(pm_stretches_left(&stretches, id, 0x1000), 5);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x1001), 4);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x1003), 3);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x1006), 2);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x100a), 1);
   assert_int_equal(pm_stretches_last(&stretches, id), 0x100a);
   /* No instruction starts there. */
   assert_int_equal(pm_stretches_left(&stretches, id, 0xfff), 0);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x1002), 0);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x100f), 0);
   assert_int_equal(pm_stretches_left(&stretches, 0, 0x1000), 0);
}

static void the_longest_stretch(void **state)
{
   (void)state;
   uint8_t fours[PM_STRETCH_INSTRS_MAX];
   memset(fours, 4, sizeof fours);
   const struct pm_stretch longest = {
      .address = 0x4000, .weight = PM_STRETCH_INSTRS_MAX, .instrs = PM_STRETCH_INSTRS_MAX};
   uint32_t id = pm_stretches_id(&stretches, &longest, fours, NULL);
   assert_int_equal(pm_stretches_left(&stretches, id, 0x4000), PM_STRETCH_INSTRS_MAX);
   assert_int_equal(pm_stretches_last(&stretches, id), 0x4000 + 4 * (PM_STRETCH_INSTRS_MAX - 1));
}

enum { MANY = 30000 };

/* Stretch n: 1 to 20 instructions at an address of its own. */
static struct pm_stretch nth(uint32_t n)
{
   return (struct pm_stretch){.address = 0x400000 + 64 * (uint64_t)n,
                              .weight = (int16_t)(n % 20 + 1),
                              .instrs = (uint8_t)(n % 20 + 1),
                              .place = n};
}

static void ids_stay_when_the_table_grows(void **state)
{
   (void)state;
   uint8_t threes[20];
   memset(threes, 3, sizeof threes);
   for (uint32_t n = 0; n < MANY; n++) {
      const struct pm_stretch like = nth(n);
      assert_int_equal(pm_stretches_id(&stretches, &like, threes, NULL), n + 1);
   }
   for (uint32_t n = 0; n < MANY; n++) {
      const struct pm_stretch like = nth(n);
      assert_int_equal(pm_stretches_id(&stretches, &like, threes, NULL), n + 1);
      assert_int_equal(pm_stretches_left(&stretches, n + 1, like.address), like.instrs);
      assert_int_equal(stretches.table[n + 1].place, n);
   }
   assert_int_equal(stretches.count, MANY + 1);
}

/* A chain of the hash stays short: cost does not grow with the code. */
static void chains_are_short(void **state)
{
   (void)state;
   for (uint32_t n = 0; n < MANY; n++) {
      const struct pm_stretch like = nth(n);
      pm_stretches_id(&stretches, &like, lengths, NULL);
   }
   uint32_t longest = 0;
   for (uint32_t h = 0; h < stretches.head_count; h++) {
      uint32_t length = 0;
      for (uint32_t id = stretches.heads[h]; id; id = stretches.table[id].next)
         length++;
      longest = length > longest ? length : longest;
   }
   assert_in_range(longest, 1, 12);
}

static void a_full_table_says_0(void **state)
{
   (void)state;
   uint32_t id = id_of(&sample);
   uint32_t count = stretches.count;
   stretches.count = PM_STRETCHES_MAX; /* as if */
   struct pm_stretch another = sample;
   another.address = 0x9000;
   assert_int_equal(id_of(&another), 0);
   assert_int_equal(id_of(&sample), id); /* what is there is still found */
   stretches.count = count;
   assert_int_not_equal(id_of(&another), 0);
}

static void no_memory_is_said_and_leaves_nothing(void **state)
{
   struct pm_stretches other;
   (void)state;
   for (unsigned long n = 1;; n++) {
      hosted_fail_alloc(n);
      bool ready = pm_stretches_init(&other, &hosted, false);
      if (!hosted_has_failed()) {
         assert_true(ready);
         break;
      }
      assert_false(ready);
      assert_int_equal(hosted_live_bytes(), 0);
   }

   /* A table that cannot grow says 0 for that stretch, and can later. */
   uint8_t threes[20];
   memset(threes, 3, sizeof threes);
   unsigned failures = 0;
   for (unsigned long n = 1; n <= 6; n++) {
      hosted_fail_alloc(n);
      for (uint32_t s = 0; s < MANY; s++) {
         const struct pm_stretch like = nth(s);
         if (pm_stretches_id(&other, &like, threes, NULL) == 0)
            failures++;
      }
      for (uint32_t s = 0; s < MANY; s++) {
         const struct pm_stretch like = nth(s);
         uint32_t id = pm_stretches_id(&other, &like, threes, NULL);
         assert_int_not_equal(id, 0);
         assert_int_equal(other.table[id].address, like.address);
         assert_int_equal(pm_stretches_left(&other, id, like.address), like.instrs);
      }
      pm_stretches_release(&other);
      hosted_fail_alloc(0);
      assert_int_equal(hosted_live_bytes(), 0);
      assert_true(pm_stretches_init(&other, &hosted, false));
   }
   assert_int_equal(failures, 6);
   pm_stretches_release(&other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(the_same_again_has_the_same_id),
      TEST(any_difference_is_another_id),
      TEST(other_instructions_are_another_id),
      TEST(special_stretches_have_no_instructions),
      TEST(a_fault_leaves_the_instructions_from_its_own_on),
      TEST(the_longest_stretch),
      TEST(ids_stay_when_the_table_grows),
      TEST(chains_are_short),
      TEST(a_full_table_says_0),
      cmocka_unit_test(no_memory_is_said_and_leaves_nothing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
