/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_ranges.c: the set of mapped ranges against a map that has an owner for
 * each byte of a small address space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hosted.h"
#include "pm_ranges.h"

/* ---- The model. */

enum { SPACE = 256, NOBODY = 0xff };

struct model {
   uint8_t owner[SPACE];
};

static void model_set(struct model *model, unsigned start, unsigned end, uint8_t owner)
{
   memset(model->owner + start, owner, end - start);
}

static void model_move(struct model *model, unsigned from_start, unsigned from_end,
                       unsigned to_start, unsigned to_end)
{
   struct model before = *model;
   unsigned from_bytes = from_end - from_start;
   uint8_t growth = from_bytes > 0 ? before.owner[from_end - 1] : NOBODY;

   model_set(model, from_start, from_end, NOBODY);
   for (unsigned i = 0; i < to_end - to_start; i++)
      model->owner[to_start + i] = i < from_bytes ? before.owner[from_start + i] : growth;
}

/* The set says the same as the model, in as few intervals as possible. */
static void check(const struct pm_ranges *ranges, const struct model *model)
{
   uint64_t bytes[PM_RANGE_OWNERS] = {0};
   size_t i = 0;

   for (unsigned at = 0; at < SPACE;) {
      unsigned start = at;
      uint8_t owner = model->owner[at];

      while (at < SPACE && model->owner[at] == owner)
         at++;
      if (owner == NOBODY)
         continue;
      assert_true(i < ranges->count);
      assert_int_equal(ranges->sorted[i].start, start);
      assert_int_equal(ranges->sorted[i].end, at);
      assert_int_equal(ranges->sorted[i].owner, owner);
      bytes[owner] += at - start;
      i++;
   }
   assert_int_equal(ranges->count, i);
   for (int owner = 0; owner < PM_RANGE_OWNERS; owner++)
      assert_int_equal(pm_ranges_bytes(ranges, (enum pm_range_owner)owner), bytes[owner]);
}

/* ---- Random traces. */

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
   random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (unsigned)(random_state >> 33) % limit;
}

struct span {
   unsigned start, end;
};

/* Mostly short, sometimes long, sometimes empty. */
static struct span random_span(void)
{
   unsigned bytes = random_below(random_below(8) == 0 ? SPACE : 24);
   struct span span = {.start = random_below(SPACE - bytes + 1)};

   span.end = span.start + bytes;
   return span;
}

/* One call on both; false: an allocation failed, and the model is left alone. */
static bool random_step(struct pm_ranges *ranges, struct model *model)
{
   struct span a = random_span(), b = random_span();
   enum pm_range_owner owner = random_below(2) ? PM_RANGE_ALLOCATOR : PM_RANGE_PROGRAM;

   switch (random_below(4)) {
   case 0:
      if (!pm_ranges_remove(ranges, a.start, a.end))
         return false;
      model_set(model, a.start, a.end, NOBODY);
      return true;
   case 1:
      if (random_below(3) == 0) /* resized in place */
         b.start = a.start, b.end = a.start + random_below(SPACE - a.start + 1);
      if (!pm_ranges_move(ranges, a.start, a.end, b.start, b.end))
         return false;
      model_move(model, a.start, a.end, b.start, b.end);
      return true;
   default:
      if (!pm_ranges_add(ranges, a.start, a.end, owner))
         return false;
      model_set(model, a.start, a.end, (uint8_t)owner);
      return true;
   }
}

static void random_traces_agree_with_the_model(void **state)
{
   (void)state;
   for (unsigned seed = 0; seed < 40; seed++) {
      struct pm_ranges ranges;
      struct model model;
      size_t most = 0;

      random_state = seed;
      memset(model.owner, NOBODY, SPACE);
      pm_ranges_init(&ranges, &hosted);
      for (int step = 0; step < 5000; step++) {
         assert_true(random_step(&ranges, &model));
         check(&ranges, &model);
         if (ranges.count > most)
            most = ranges.count;
      }
      assert_true(most >= 8); /* or the traces test nothing */
      pm_ranges_release(&ranges);
   }
   assert_int_equal(hosted_live_bytes(), 0);
}

/* Whichever allocation fails: the call says so, and the set is what it was. */
static void a_failed_allocation_changes_nothing(void **state)
{
   unsigned failed = 0;

   (void)state;
   for (unsigned n = 1; n <= 300; n++) {
      struct pm_ranges ranges;
      struct model model;

      random_state = 1000 + n;
      memset(model.owner, NOBODY, SPACE);
      pm_ranges_init(&ranges, &hosted);
      hosted_fail_alloc(n);
      for (int step = 0; step < 300; step++) {
         if (!random_step(&ranges, &model)) {
            assert_true(hosted_has_failed());
            failed++;
         }
         check(&ranges, &model);
      }
      pm_ranges_release(&ranges);
   }
   hosted_fail_alloc(0);
   assert_true(failed >= 20);
   assert_int_equal(hosted_live_bytes(), 0);
}

/* ---- Cases that have a meaning. */

static void a_map_replaces_what_was_there(void **state)
{
   struct pm_ranges ranges;

   (void)state;
   pm_ranges_init(&ranges, &hosted);
   assert_true(pm_ranges_add(&ranges, 0x10000, 0x20000, PM_RANGE_PROGRAM));
   assert_true(pm_ranges_add(&ranges, 0x14000, 0x18000, PM_RANGE_ALLOCATOR));
   assert_int_equal(ranges.count, 3);
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_PROGRAM), 0xc000);
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_ALLOCATOR), 0x4000);
   assert_true(pm_ranges_add(&ranges, 0x14000, 0x18000, PM_RANGE_PROGRAM));
   assert_int_equal(ranges.count, 1);
   pm_ranges_release(&ranges);
}

static void growth_belongs_to_the_last_byte(void **state)
{
   struct pm_ranges ranges;

   (void)state;
   pm_ranges_init(&ranges, &hosted);
   assert_true(pm_ranges_add(&ranges, 0x1000, 0x2000, PM_RANGE_PROGRAM));
   assert_true(pm_ranges_add(&ranges, 0x2000, 0x3000, PM_RANGE_ALLOCATOR));
   assert_true(pm_ranges_move(&ranges, 0x1000, 0x3000, 0x8000, 0xc000));
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_PROGRAM), 0x1000);
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_ALLOCATOR), 0x3000);
   assert_int_equal(ranges.count, 2);
   assert_int_equal(ranges.sorted[0].start, 0x8000);
   pm_ranges_release(&ranges);
}

static void addresses_up_to_the_last_work(void **state)
{
   struct pm_ranges ranges;

   (void)state;
   pm_ranges_init(&ranges, &hosted);
   assert_true(pm_ranges_add(&ranges, 0, UINT64_MAX, PM_RANGE_PROGRAM));
   assert_true(pm_ranges_remove(&ranges, 1, UINT64_MAX - 1));
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_PROGRAM), 2);
   assert_true(pm_ranges_move(&ranges, UINT64_MAX - 1, UINT64_MAX, 1, 2));
   assert_int_equal(ranges.count, 1);
   assert_int_equal(ranges.sorted[0].end, 2);
   pm_ranges_release(&ranges);
}

/* Each call that makes more intervals out of one, at every number of intervals around
   those at which the array is full; AddressSanitizer sees one too many. */
static void the_array_grows_in_time(void **state)
{
   (void)state;
   for (unsigned count = 1; count <= 140; count++)
      for (int call = 0; call < 3; call++) {
         static const unsigned more[] = {2, 1, 3};
         uint64_t last = 10 * count;
         struct pm_ranges ranges;

         pm_ranges_init(&ranges, &hosted);
         assert_true(pm_ranges_add(&ranges, 0, 9, PM_RANGE_ALLOCATOR));
         for (unsigned i = 1; i <= count; i++)
            assert_true(pm_ranges_add(&ranges, 10 * i, 10 * i + 9, PM_RANGE_PROGRAM));
         if (call == 0)
            assert_true(pm_ranges_add(&ranges, last + 3, last + 6, PM_RANGE_ALLOCATOR));
         else if (call == 1)
            assert_true(pm_ranges_remove(&ranges, 3, 6));
         else /* out of the middle of one into the middle of another */
            assert_true(pm_ranges_move(&ranges, 3, 6, last + 3, last + 6));
         assert_int_equal(ranges.count, count + 1 + more[call]);
         pm_ranges_release(&ranges);
      }
}

/* As many intervals as Linux allows a process; the last ones in the worst order. */
static void many_intervals_fit(void **state)
{
   enum { MANY = 65530 };
   struct pm_ranges ranges;

   (void)state;
   pm_ranges_init(&ranges, &hosted);
   for (uint64_t i = 0; i < MANY; i++) {
      uint64_t at = (i < MANY - 500 ? i + 500 : MANY - 1 - i) * 0x2000;

      assert_true(pm_ranges_add(&ranges, at, at + 0x1000, PM_RANGE_PROGRAM));
   }
   assert_int_equal(ranges.count, MANY);
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_PROGRAM), (uint64_t)MANY * 0x1000);
   assert_true(pm_ranges_move(&ranges, 0, MANY * UINT64_C(0x2000), UINT64_C(1) << 40,
                              (UINT64_C(1) << 40) + MANY * UINT64_C(0x2000)));
   assert_int_equal(ranges.count, MANY);
   assert_true(pm_ranges_remove(&ranges, 0, UINT64_MAX));
   assert_int_equal(ranges.count, 0);
   assert_int_equal(pm_ranges_bytes(&ranges, PM_RANGE_PROGRAM), 0);
   pm_ranges_release(&ranges);
}

static void mock_broken(const char *file, int line, const char *invariant)
{
   mock_assert(false, invariant, file, line);
}

static void an_inverted_interval_is_a_broken_invariant(void **state)
{
   struct pm_ranges ranges;

   (void)state;
   pm_ranges_init(&ranges, &hosted);
   hosted_broken = mock_broken;
   expect_assert_failure(pm_ranges_add(&ranges, 2, 1, PM_RANGE_PROGRAM));
   expect_assert_failure(pm_ranges_remove(&ranges, 2, 1));
   expect_assert_failure(pm_ranges_move(&ranges, 2, 1, 2, 3));
   expect_assert_failure(pm_ranges_move(&ranges, 2, 3, 2, 1));
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_traces_agree_with_the_model),
      cmocka_unit_test(a_failed_allocation_changes_nothing),
      cmocka_unit_test(a_map_replaces_what_was_there),
      cmocka_unit_test(growth_belongs_to_the_last_byte),
      cmocka_unit_test(addresses_up_to_the_last_work),
      cmocka_unit_test(the_array_grows_in_time),
      cmocka_unit_test(many_intervals_fit),
      cmocka_unit_test(an_inverted_interval_is_a_broken_invariant),
   };

   return cmocka_run_group_tests_name("pm_ranges", tests, NULL, NULL);
}
