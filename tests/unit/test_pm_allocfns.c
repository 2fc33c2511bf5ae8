/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_allocfns.c: which symbols are allocation functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "hosted.h"
#include "pm_allocfns.h"

static const struct {
   const char *name;
   enum pm_allockind_id kind;
} rows[] = {
#define PM_ALLOCFN(name, kind) {name, PM_ALLOCKIND_##kind},
#define PM_ALLOCFN_PREFIXED(prefix, name, kind) {prefix name, PM_ALLOCKIND_##kind},
#include "pm_allocfns.def"
#undef PM_ALLOCFN
#undef PM_ALLOCFN_PREFIXED
};

enum { ROWS = sizeof rows / sizeof *rows };

static struct pm_allocfns fns;

static int setup(void **state)
{
   (void)state;
   assert_true(pm_allocfns_init(&fns, &hosted));
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_allocfns_release(&fns);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

static void is(const char *symbol, enum pm_allockind_id kind)
{
   const struct pm_allocfn *found = pm_allocfns_match(&fns, symbol);
   if (!found)
      fail_msg("%s is not found", symbol);
   if (found->kind != kind)
      fail_msg("%s is %s, should be %s", symbol, pm_allockinds[found->kind].name,
               pm_allockinds[kind].name);
}

static void is_none(const char *symbol)
{
   const struct pm_allocfn *found = pm_allocfns_match(&fns, symbol);
   if (found)
      fail_msg("%s is taken for %s", symbol, found->name);
}

static void every_row_is_found(void **state)
{
   char symbol[200];
   (void)state;
   assert_in_range(ROWS, 100, 1000); /* the table was really read */
   for (int r = 0; r < ROWS; r++) {
      if (rows[r].name[0] != '*') {
         is(rows[r].name, rows[r].kind);
         continue;
      }
      is(rows[r].name + 1, rows[r].kind);
      snprintf(symbol, sizeof symbol, "_RNvCs%dabc%s", r, rows[r].name + 1);
      is(symbol, rows[r].kind);
      strcat(symbol, "x");
      is_none(symbol);
   }
}

static void no_name_is_there_twice(void **state)
{
   (void)state;
   for (int r = 0; r < ROWS; r++)
      for (int other = 0; other < r; other++)
         if (strcmp(rows[r].name, rows[other].name) == 0)
            fail_msg("%s", rows[r].name);
}

static void neighbours_of_names_are_not_found(void **state)
{
   static const char *const symbols[] = {
      "", "m", "mallo", "mallocs", "xmalloc", "Malloc", "malloc@GLIBC_2.2.5", "__libc_malloc_x",
      "free_", "_free", "freelocale", "_Znw", "_Znwmm", "operator new(unsigned long)", "*",
   };
   (void)state;
   for (size_t s = 0; s < sizeof symbols / sizeof *symbols; s++)
      is_none(symbols[s]);
}

static void rows_of_the_user_win(void **state)
{
   (void)state;
   assert_true(pm_allocfns_add(&fns, "my_alloc", PM_ALLOCKIND_CALLOC));
   is("my_alloc", PM_ALLOCKIND_CALLOC);
   assert_true(pm_allocfns_add(&fns, "my_alloc", PM_ALLOCKIND_FREE));
   is("my_alloc", PM_ALLOCKIND_FREE);
   assert_true(pm_allocfns_add(&fns, "malloc", PM_ALLOCKIND_ALIGNED));
   is("malloc", PM_ALLOCKIND_ALIGNED);

   is_none("crate_pool_get");
   assert_true(pm_allocfns_add(&fns, "*_pool_get", PM_ALLOCKIND_MALLOC));
   is("crate_pool_get", PM_ALLOCKIND_MALLOC);
   is("_pool_get", PM_ALLOCKIND_MALLOC);
   assert_true(pm_allocfns_add(&fns, "*_pool_get", PM_ALLOCKIND_NEW));
   is("crate_pool_get", PM_ALLOCKIND_NEW);
}

static void a_users_ending_wins_over_a_built_in_one(void **state)
{
   (void)state;
   for (int r = 0; r < ROWS; r++)
      if (rows[r].name[0] == '*') {
         assert_true(pm_allocfns_add(&fns, rows[r].name, PM_ALLOCKIND_HEAP_CALLOC));
         is(rows[r].name + 1, PM_ALLOCKIND_HEAP_CALLOC);
      }
}

static void many_rows_of_the_user_are_found(void **state)
{
   enum { MANY = 5000 };
   static char names[MANY][24];
   (void)state;
   for (int n = 0; n < MANY; n++) {
      sprintf(names[n], n % 10 ? "user_%d" : "*_user_%d", n);
      assert_true(pm_allocfns_add(&fns, names[n], (enum pm_allockind_id)(n % PM_ALLOCKINDS)));
   }
   for (int n = 0; n < MANY; n++) {
      is(names[n] + (n % 10 ? 0 : 1), (enum pm_allockind_id)(n % PM_ALLOCKINDS));
      assert_ptr_equal(pm_allocfns_match(&fns, names[n] + (n % 10 ? 0 : 1))->name, names[n]);
   }
   is("malloc", PM_ALLOCKIND_MALLOC);
   is("_ZdlPv", PM_ALLOCKIND_DELETE);
}

static void kinds_are_found_by_name(void **state)
{
   (void)state;
   for (int k = 0; k < PM_ALLOCKINDS; k++) {
      const char *name = pm_allockinds[k].name;
      assert_int_equal(pm_allockind_by_name(name, strlen(name)), k);
      assert_int_not_equal(pm_allockind_by_name(name, strlen(name) - 1), k);
   }
   assert_int_equal(pm_allockind_by_name("realloc:x", 7), PM_ALLOCKIND_REALLOC);
   assert_int_equal(pm_allockind_by_name("realloc:x", 8), PM_ALLOCKINDS);
   assert_int_equal(pm_allockind_by_name("", 0), PM_ALLOCKINDS);
}

/* What a kind does and which arguments it names fit together. */
static void kinds_make_sense(void **state)
{
   (void)state;
   for (int k = 0; k < PM_ALLOCKINDS; k++) {
      const struct pm_allockind *kind = &pm_allockinds[k];
      const signed char args[] = {kind->old, kind->count, kind->size, kind->out};
      for (int a = 0; a < 4; a++) {
         assert_in_range(args[a] + 1, 0, PM_ARGS);
         for (int b = 0; b < a; b++)
            assert_true(args[a] == PM_ARG_NONE || args[a] != args[b]);
      }
      assert_int_equal(kind->old == PM_ARG_NONE, kind->does == PM_DOES_OBTAIN);
      assert_int_equal(kind->size == PM_ARG_NONE, kind->does == PM_DOES_RELEASE);
   }
}

static void no_memory_is_said_and_leaves_nothing(void **state)
{
   struct pm_allocfns other;
   (void)state;
   for (unsigned long n = 1;; n++) {
      hosted_fail_alloc(n);
      bool ready = pm_allocfns_init(&other, &hosted);
      if (!hosted_has_failed()) {
         assert_true(ready);
         break;
      }
      assert_false(ready);
      assert_int_equal(hosted_live_bytes(), 0);
   }

   /* A table that cannot grow keeps what it has. */
   char names[2000][12];
   int added = 0;
   for (unsigned long n = 1; n <= 3; n++) {
      hosted_fail_alloc(n);
      do
         sprintf(names[added], "n%d", added);
      while (pm_allocfns_add(&other, names[added], PM_ALLOCKIND_FREE) && ++added < 2000);
      assert_true(hosted_has_failed());
      assert_null(pm_allocfns_match(&other, names[added]));
      for (int a = 0; a < added; a++)
         assert_ptr_equal(pm_allocfns_match(&other, names[a])->name, names[a]);
   }
   hosted_fail_alloc(0);
   assert_non_null(pm_allocfns_match(&other, "malloc"));
   pm_allocfns_release(&other);
   assert_int_equal(hosted_live_bytes(), 0);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_row_is_found, setup, teardown),
      cmocka_unit_test(no_name_is_there_twice),
      cmocka_unit_test_setup_teardown(neighbours_of_names_are_not_found, setup, teardown),
      cmocka_unit_test_setup_teardown(rows_of_the_user_win, setup, teardown),
      cmocka_unit_test_setup_teardown(a_users_ending_wins_over_a_built_in_one, setup, teardown),
      cmocka_unit_test_setup_teardown(many_rows_of_the_user_are_found, setup, teardown),
      cmocka_unit_test(kinds_are_found_by_name),
      cmocka_unit_test(kinds_make_sense),
      cmocka_unit_test(no_memory_is_said_and_leaves_nothing),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
