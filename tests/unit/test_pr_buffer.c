/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_buffer.c: arrays that grow, and strings that are copied once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_buffer.h"
#include "pr_intern.h"

static void a_copy_has_all_elements_and_its_own_memory(void **state)
{
   struct pr_buffer buffer = {NULL, 0, 0};
   struct pr_arena arena;
   uint64_t *copies[20];
   (void)state;
   pr_arena_init(&arena);
   for (size_t length = 0; length < 20; length++) {
      pr_buffer_clear(&buffer);
      for (size_t i = 0; i < length * length; i++) {
         uint64_t *number = pr_buffer_append(&buffer, sizeof *number);
         assert_non_null(number);
         *number = length << 32 | i;
      }
      assert_int_equal(buffer.count, length * length);
      assert_true(pr_buffer_copy(&buffer, sizeof *copies[0], &arena, &copies[length]));
   }
   pr_buffer_release(&buffer);
   assert_null(copies[0]);
   for (size_t length = 1; length < 20; length++)
      for (size_t i = 0; i < length * length; i++)
         assert_true(copies[length][i] == (length << 32 | i));
   pr_arena_release(&arena);
}

static void what_is_taken_is_the_callers(void **state)
{
   struct pr_buffer buffer = {NULL, 0, 0};
   (void)state;
   assert_null(pr_buffer_take(&buffer));
   int *number = pr_buffer_append(&buffer, sizeof *number);
   assert_non_null(number);
   *number = 42;
   int *taken = pr_buffer_take(&buffer);
   assert_int_equal(buffer.count, 0);
   number = pr_buffer_append(&buffer, sizeof *number);
   assert_non_null(number);
   *number = 43;
   assert_int_equal(*taken, 42);
   free(taken);
   pr_buffer_release(&buffer);
}

static void elements_that_fill_the_address_space_are_refused(void **state)
{
   struct pr_buffer buffer = {NULL, 0, 0};
   (void)state;
   assert_null(pr_buffer_append(&buffer, SIZE_MAX / 2));
   assert_int_equal(buffer.count, 0);
   pr_buffer_release(&buffer);
}

static void a_string_that_was_seen_lately_is_not_copied_again(void **state)
{
   static struct pr_intern intern;
   struct pr_arena arena;
   (void)state;
   pr_arena_init(&arena);
   const char *main_name = pr_intern_string(&intern, &arena, "main.c", 4);
   assert_string_equal(main_name, "main");
   assert_ptr_equal(pr_intern_string(&intern, &arena, "maine", 4), main_name);
   const char *empty = pr_intern_string(&intern, &arena, "x", 0);
   assert_string_equal(empty, "");
   assert_ptr_equal(pr_intern_string(&intern, &arena, "y", 0), empty);
   pr_arena_release(&arena);
}

/* Far more strings than places: none is taken for another one, prefixes included. */
static void no_string_is_taken_for_another(void **state)
{
   static struct pr_intern intern;
   struct pr_arena arena;
   (void)state;
   pr_arena_init(&arena);
   for (int round = 0; round < 2; round++) {
      for (int i = 0; i < PR_INTERN_PLACES * 5; i++) {
         char text[32];
         int bytes = snprintf(text, sizeof text, "%d", i);
         assert_string_equal(pr_intern_string(&intern, &arena, text, (size_t)bytes), text);
         text[bytes - 1] = '\0';
         assert_string_equal(pr_intern_string(&intern, &arena, text, (size_t)bytes - 1), text);
      }
   }
   pr_arena_release(&arena);
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_copy_has_all_elements_and_its_own_memory),
      cmocka_unit_test(what_is_taken_is_the_callers),
      cmocka_unit_test(elements_that_fill_the_address_space_are_refused),
      cmocka_unit_test(a_string_that_was_seen_lately_is_not_copied_again),
      cmocka_unit_test(no_string_is_taken_for_another),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
