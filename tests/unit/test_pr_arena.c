/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_arena.c: the arena keeps what it was given, aligned and apart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_arena.h"

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
   enum { PIECES = 3000 };
   static struct {
      unsigned char *at;
      size_t bytes;
   } pieces[PIECES];
   struct pr_arena arena;
   (void)state;
   pr_arena_init(&arena);
   srand(1);
   for (int i = 0; i < PIECES; i++) {
      size_t bytes = (size_t)(rand() % (i % 100 == 0 ? 100000 : 200));
      unsigned char *at = pr_arena_alloc(&arena, bytes);
      assert_non_null(at);
      assert_int_equal((uintptr_t)at % alignof(max_align_t), 0);
      for (size_t b = 0; b < bytes; b++)
         assert_int_equal(at[b], 0);
      memset(at, i & 0xFF, bytes);
      pieces[i].at = at;
      pieces[i].bytes = bytes;
   }
   for (int i = 0; i < PIECES; i++)
      for (size_t b = 0; b < pieces[i].bytes; b++)
         assert_int_equal(pieces[i].at[b], i & 0xFF);
   pr_arena_release(&arena);
}

static void arrays_grow_and_keep_their_elements(void **state)
{
   struct pr_arena arena;
   uint32_t *numbers = NULL;
   size_t count = 0;
   (void)state;
   pr_arena_init(&arena);
   for (uint32_t i = 0; i < 100000; i++) {
      uint32_t *number = pr_arena_append(&arena, &numbers, &count, sizeof *numbers);
      assert_non_null(number);
      assert_ptr_equal(number, &numbers[i]);
      assert_int_equal(*number, 0);
      *number = i;
      if ((i & (i - 1)) == 0)
         for (uint32_t j = 0; j <= i; j++)
            assert_int_equal(numbers[j], j);
   }
   assert_int_equal(count, 100000);
   pr_arena_release(&arena);
}

static void strings_end(void **state)
{
   struct pr_arena arena;
   (void)state;
   pr_arena_init(&arena);
   assert_string_equal(pr_arena_string(&arena, "abcdef", 3), "abc");
   assert_string_equal(pr_arena_string(&arena, NULL, 0), "");
   pr_arena_release(&arena);
}

static void exhaustion_stays(void **state)
{
   struct pr_arena arena;
   (void)state;
   pr_arena_init(&arena);
   assert_non_null(pr_arena_alloc(&arena, 8));
   assert_null(pr_arena_alloc(&arena, SIZE_MAX));
   assert_true(arena.exhausted);
   assert_null(pr_arena_alloc(&arena, 8));
   assert_null(pr_arena_string(&arena, "a", 1));
   pr_arena_release(&arena);
   assert_non_null(pr_arena_alloc(&arena, 8));
   assert_null(pr_arena_string(&arena, "a", SIZE_MAX));
   pr_arena_release(&arena);
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
      cmocka_unit_test(arrays_grow_and_keep_their_elements),
      cmocka_unit_test(strings_end),
      cmocka_unit_test(exhaustion_stays),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
