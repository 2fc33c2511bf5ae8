/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_phase_table.c: phases as programs ask for them, rightly and wrongly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "hosted.h"
#include "pm_phase_table.h"

static struct pm_heap heap;
static struct pm_phase_table table;
static uint64_t instrs[4];

static uint64_t thread_instrs(uint32_t thread)
{
   assert_in_range(thread, 1, 3); /* the monitor is never asked for */
   return instrs[thread];
}

static int setup(void **state)
{
   (void)state;
   memset(instrs, 0, sizeof instrs);
   pm_heap_init(&heap, &hosted);
   assert_true(pm_phase_table_init(&table, &hosted, &heap));
   return 0;
}

static int teardown(void **state)
{
   (void)state;
   pm_phase_table_release(&table);
   pm_heap_release(&heap);
   assert_int_equal(hosted_live_bytes(), 0);
   return 0;
}

static struct pm_declared *declare(const char *name)
{
   return pm_phase_table_declare(&table, name, strlen(name), PM_PHASE_REQUEST);
}

static bool begin(const char *name, uint32_t thread)
{
   const struct pm_phase_caller caller = {thread, thread_instrs};
   return pm_phase_table_begin(&table, declare(name), &caller);
}

static bool end(const char *name, uint32_t thread)
{
   const struct pm_phase_caller caller = {thread, thread_instrs};
   return pm_phase_table_end(&table, declare(name), &caller, true);
}

/* The troubles of a phase, one after the other. */
static void troubles(const char *name, uint64_t twice, uint64_t without_begin,
                     uint64_t ambiguous, uint64_t other_thread, uint64_t open_at_end)
{
   const uint64_t *trouble = declare(name)->trouble;
   assert_int_equal(trouble[PM_PHASE_BEGUN_TWICE], twice);
   assert_int_equal(trouble[PM_PHASE_ENDED_WITHOUT_BEGIN], without_begin);
   assert_int_equal(trouble[PM_PHASE_ENDED_AMBIGUOUSLY], ambiguous);
   assert_int_equal(trouble[PM_PHASE_ENDED_BY_OTHER_THREAD], other_thread);
   assert_int_equal(trouble[PM_PHASE_OPEN_AT_END], open_at_end);
}

static void a_name_is_one_phase(void **state)
{
   (void)state;
   char room[] = "parse, and more";
   struct pm_declared *parse =
      pm_phase_table_declare(&table, room, 5, PM_PHASE_FUNCTION); /* without its end */
   assert_string_equal(parse->phase.name, "parse");
   room[0] = 'x'; /* the name was copied */
   assert_string_equal(parse->phase.name, "parse");
   assert_ptr_equal(declare("parse"), parse);
   assert_int_equal(parse->kind, PM_PHASE_FUNCTION); /* whoever came first */
   assert_ptr_equal(pm_phase_table_find(&table, "parse", 5), parse);
   assert_null(pm_phase_table_find(&table, "pars", 4));
   assert_ptr_not_equal(declare("Parse"), parse);
   assert_int_equal(table.count, 3);
   assert_string_equal(table.declared[0]->phase.name, "program");
   assert_ptr_equal(table.declared[1], parse);
   assert_int_equal(parse->phase.number, 1);
}

static void names_that_cannot_be(void **state)
{
   (void)state;
   char longest[PM_PHASE_NAME_MAX + 1];
   memset(longest, 'n', sizeof longest);
   assert_non_null(pm_phase_table_declare(&table, longest, PM_PHASE_NAME_MAX, PM_PHASE_REQUEST));
   assert_null(pm_phase_table_declare(&table, longest, PM_PHASE_NAME_MAX + 1, PM_PHASE_REQUEST));
   assert_null(pm_phase_table_declare(&table, longest, SIZE_MAX, PM_PHASE_REQUEST));
   assert_int_equal(table.names_too_long, 2);
   assert_null(declare("caf\xe9"));
   assert_null(declare("\xc3"));
   assert_null(pm_phase_table_declare(&table, "a\0b", 3, PM_PHASE_REQUEST));
   assert_int_equal(table.names_not_utf8, 3);
   assert_non_null(declare("caf\xc3\xa9"));
   assert_non_null(declare(""));
}

static void many_names_are_found(void **state)
{
   enum { MANY = 3000 };
   (void)state;
   char name[24];
   for (int n = 0; n < MANY; n++) {
      sprintf(name, "phase %d", n);
      assert_non_null(declare(name));
   }
   for (int n = 0; n < MANY; n++) {
      sprintf(name, "phase %d", n);
      assert_int_equal(pm_phase_table_find(&table, name, strlen(name))->phase.number, n + 1);
   }
   assert_in_range(table.chain_count, MANY / 2, 4 * MANY);
}

static void begin_and_end(void **state)
{
   (void)state;
   instrs[1] = 100;
   assert_true(begin("parse", 1));
   instrs[1] = 150;
   assert_true(end("parse", 1));
   const struct pm_phase *phase = &declare("parse")->phase;
   assert_int_equal(phase->instances, 1);
   assert_int_equal(phase->value[PM_METRIC_INSTRUCTIONS_OWN_THREAD], 50);
   assert_true(phase->complete);
   troubles("parse", 0, 0, 0, 0, 0);
}

static void a_second_begin_is_ignored(void **state)
{
   (void)state;
   assert_true(begin("parse", 1));
   assert_false(begin("parse", 1));
   assert_true(end("parse", 1));
   assert_false(end("parse", 1));
   assert_int_equal(declare("parse")->phase.instances, 1);
   troubles("parse", 1, 1, 0, 0, 0);
}

/* "end closes the caller's own instance, else the only open one, else it is an error" */
static void which_instance_an_end_closes(void **state)
{
   (void)state;
   assert_true(begin("parse", 1));
   assert_true(begin("parse", 2));
   assert_false(end("parse", 3));
   troubles("parse", 0, 0, 1, 0, 0);
   assert_true(end("parse", 1));
   assert_int_equal(heap.phases.open[0]->thread, 2);
   assert_true(end("parse", 3)); /* the only one */
   troubles("parse", 0, 0, 1, 1, 0);
   assert_false(end("parse", 2));
   troubles("parse", 0, 1, 1, 1, 0);
   assert_true(declare("parse")->phase.overlapping);
}

static void program_is_the_process(void **state)
{
   (void)state;
   assert_true(begin("program", 1));
   assert_false(begin("program", 2));
   assert_false(end("program", 1));
   assert_int_equal(heap.phases.open_count, 1);
   troubles("program", 1, 1, 0, 0, 0);
   pm_phase_table_end_all(&table, thread_instrs);
   assert_int_equal(table.declared[0]->phase.instances, 1);
   assert_true(table.declared[0]->phase.complete);
   troubles("program", 1, 1, 0, 0, 0);
}

static void what_is_open_at_the_end(void **state)
{
   (void)state;
   assert_true(begin("program", 1));
   assert_true(begin("parse", 2));
   assert_true(begin("parse", 3));
   pm_phase_table_end_all(&table, thread_instrs);
   assert_int_equal(heap.phases.open_count, 0);
   assert_int_equal(declare("parse")->phase.instances, 2);
   assert_false(declare("parse")->phase.complete);
   troubles("parse", 0, 0, 0, 0, 2);
   /* The last begun ended first: one was inside the other, that one in the program. */
   assert_true(declare("parse")->phase.parents_differ);
}

static void the_monitor_is_no_thread(void **state)
{
   (void)state;
   assert_true(begin("watched", 0));
   assert_true(begin("watched", 1));
   assert_true(end("watched", 0));
   assert_true(end("watched", 1));
   assert_true(declare("watched")->without_own_thread);
   assert_false(declare("parse")->without_own_thread);
}

static void a_child_begins_anew(void **state)
{
   (void)state;
   assert_true(begin("program", 1));
   assert_true(begin("done", 1));
   assert_true(end("done", 1));
   assert_false(end("done", 1));
   instrs[1] = 500;
   heap.state.counter[PM_COUNT_SYSCALLS] = 40;
   assert_true(begin("open", 1));
   assert_true(begin("twice", 1));
   assert_true(begin("twice", 2));
   instrs[1] = 600;
   pm_phase_table_after_fork(&table, thread_instrs);
   assert_int_equal(declare("done")->phase.instances, 0);
   troubles("done", 0, 0, 0, 0, 0);
   assert_int_equal(heap.phases.open_count, 4);
   assert_true(declare("twice")->phase.overlapping); /* from the start */
   assert_false(declare("open")->phase.overlapping);
   instrs[1] = 607;
   heap.state.counter[PM_COUNT_SYSCALLS] += 2;
   assert_true(end("open", 1));
   assert_int_equal(declare("open")->phase.value[PM_METRIC_INSTRUCTIONS_OWN_THREAD], 7);
   assert_int_equal(declare("open")->phase.value[PM_METRIC_SYSCALLS_COUNT], 2);
   assert_string_equal(declare("open")->phase.parent->name, "program");
}

static uint64_t read_syscalls(const char *name, uint32_t thread, bool *has)
{
   const struct pm_phase_caller caller = {thread, thread_instrs};
   uint64_t value[PM_METRICS];
   *has = pm_phase_table_read(&table, declare(name), &caller, value);
   return *has ? value[PM_METRIC_SYSCALLS_COUNT] : 0;
}

/* The caller's own instance, else any that is open, else the one that ended last. */
static void which_instance_is_read(void **state)
{
   bool has;
   (void)state;
   read_syscalls("parse", 1, &has);
   assert_false(has);
   assert_true(begin("parse", 1));
   heap.state.counter[PM_COUNT_SYSCALLS] = 5;
   assert_true(begin("parse", 2));
   heap.state.counter[PM_COUNT_SYSCALLS] = 7;
   assert_int_equal(read_syscalls("parse", 1, &has), 7);
   assert_int_equal(read_syscalls("parse", 2, &has), 2);
   assert_int_equal(read_syscalls("parse", 3, &has), 2);
   assert_true(end("parse", 2));
   assert_int_equal(read_syscalls("parse", 2, &has), 7);
   heap.state.counter[PM_COUNT_SYSCALLS] = 8;
   assert_true(end("parse", 1));
   assert_int_equal(read_syscalls("parse", 2, &has), 8);
   assert_true(has);
}

static void without_memory_nothing_is_half_done(void **state)
{
   unsigned long failures = 0;
   (void)state;
   for (unsigned long n = 1;; n++) {
      pm_heap_init(&heap, &hosted);
      heap.phases.list_first = 2;
      hosted_fail_alloc(n);
      bool ready = pm_phase_table_init(&table, &hosted, &heap);
      unsigned refused = !ready;
      for (int p = 0; p < 200 && ready; p++) {
         char name[16];
         sprintf(name, "%d", p);
         struct pm_declared *declared = declare(name);
         if (!declared) { /* and from then on, every new one */
            assert_int_equal(table.phases_lost, ++refused);
            continue;
         }
         assert_int_equal(refused, 0);
         const struct pm_phase_caller caller = {1, thread_instrs};
         if (pm_phase_table_begin(&table, declared, &caller) && p % 2)
            assert_true(pm_phase_table_end(&table, declared, &caller, true));
         assert_ptr_equal(pm_phase_table_find(&table, name, strlen(name)), declared);
      }
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      unsigned troubles = (refused > 0) + heap.lost;
      for (uint32_t d = 1; ready && d < table.count; d++) {
         assert_int_equal(table.declared[d]->begins_lost > 0,
                          heap.lost && table.declared[d]->phase.begun == 0);
         troubles += table.declared[d]->unlisted;
      }
      /* The one allocation that is done without: more chains. */
      assert_in_range(troubles, 0, failed);
      failures += troubles;
      if (ready)
         pm_phase_table_release(&table);
      pm_heap_release(&heap);
      assert_int_equal(hosted_live_bytes(), 0);
      if (!failed) {
         assert_in_range(n - failures, 1, 5);
         break;
      }
   }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
   const struct CMUnitTest tests[] = {
      TEST(a_name_is_one_phase),
      TEST(names_that_cannot_be),
      TEST(many_names_are_found),
      TEST(begin_and_end),
      TEST(a_second_begin_is_ignored),
      TEST(which_instance_an_end_closes),
      TEST(program_is_the_process),
      TEST(what_is_open_at_the_end),
      TEST(the_monitor_is_no_thread),
      TEST(a_child_begins_anew),
      TEST(which_instance_is_read),
      cmocka_unit_test(without_memory_nothing_is_half_done),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
