/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_out_of_memory.c: the core as a whole, with each of its allocations failing.
 *
 * A story with something of everything is told once with all the memory it wants, and
 * then over and over with the n-th allocation refused, alone or with all that follow
 * until the story ends. Whatever happens, the report says nothing that the first one did
 * not say: each line of a phase is one of that phase's then, or says unavailable. Their
 * order is the same.
 */
#define _GNU_SOURCE /* memmem */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosted.h"
#include "pm_activations.h"
#include "pm_pools.h"
#include "pm_report.h"

/* --- a process ------------------------------------------------------------------------ */

enum { STACK = 0x7800000, CODE_AT = 0x4000, SITES = 40, PLACES = 20 };

static struct pm_heap heap;
static struct pm_calls calls;
static struct pm_pools pools;
static struct pm_phase_table table;
static struct pm_activations activations;
static struct pm_profile profile;
static struct pm_stretches stretches;
static struct pm_sites sites;
static struct pm_fates fates;
static struct pm_thread_counts thread_counts;
static struct pm_function functions[PM_ALLOCKINDS];
static struct pm_call_thread thread;
static struct pm_activation_thread active;
static uint64_t instrs, *executed;
static uint32_t site;
static bool stretches_lost;

static bool same_stack(uint64_t a, uint64_t b)
{
   return a >> 24 == b >> 24;
}

static uint32_t site_now(void)
{
   return site;
}

static uint32_t site_at_entry(const struct pm_entry *entry)
{
   (void)entry;
   return site;
}

static uint64_t thread_instrs(uint32_t number)
{
   (void)number;
   return instrs;
}

static const struct pm_guest guest = {.same_stack = same_stack, .site = site_now,
                                      .site_at_entry = site_at_entry, .return_pops_bytes = 8};
static const struct pm_phase_caller caller = {.thread = 1, .thread_instrs = thread_instrs};

/* What the host does before anything is looked at, and when phases have changed. */
static void sync(void)
{
   const struct pm_thread_count done = {.instrs = instrs - heap.state.counter[PM_COUNT_INSTRUCTIONS]};
   pm_calls_sync(&calls);
   if (done.instrs > 0)
      pm_thread_counts_add(&thread_counts, &heap.phases, 1, &done);
}

static void choose_profile(void *unused)
{
   (void)unused;
   executed = pm_profile_now(&profile, &heap.phases)->executed;
}

/* A stretch of `weight` instructions; the first one that is new may find no memory. */
static void execute(uint32_t place, int16_t weight)
{
   static const uint8_t ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
   const struct pm_stretch like = {.address = 0x1000 * place, .place = place, .weight = weight,
                                   .instrs = (uint8_t)weight, .calls = 1};
   uint32_t id = pm_stretches_id(&stretches, &like, ones, NULL);
   stretches_lost = stretches_lost || id == 0;
   if (!pm_profile_holds(&profile, id))
      choose_profile(NULL);
   instrs += (uint64_t)weight;
   executed[id]++;
}

static void enter(enum pm_allockind_id kind, uint64_t sp, uint64_t a, uint64_t b)
{
   instrs++;
   pm_calls_enter(&calls, &thread,
                  &(struct pm_entry){.function = &functions[kind], .stack_pointer = sp - 8,
                                     .return_address = CODE_AT, .args = {a, b}});
}

static void leave(uint64_t sp, uint64_t result)
{
   instrs++;
   pm_calls_return(&calls, &thread, sp, CODE_AT, result);
}

static void call(enum pm_allockind_id kind, uint64_t a, uint64_t b, uint64_t result)
{
   enter(kind, STACK, a, b);
   leave(STACK, result);
}

static void begin(const char *name, enum pm_phase_kind kind)
{
   struct pm_declared *declared = pm_phase_table_declare(&table, name, strlen(name), kind);
   sync();
   if (declared)
      pm_phase_table_begin(&table, declared, &caller);
}

static void end(const char *name)
{
   struct pm_declared *declared = pm_phase_table_find(&table, name, strlen(name));
   sync();
   if (declared)
      pm_phase_table_end(&table, declared, &caller, true);
}

/* --- the story ----------------------------------------------------------------------------- */

static uint64_t address_of(uint64_t block)
{
   return 0x100000 + block * 0x10000;
}

/* Without memory for the start the tool ends. */
static void start(void)
{
   instrs = 0;
   executed = NULL;
   stretches_lost = false;
   for (int k = 0; k < PM_ALLOCKINDS; k++)
      functions[k] = (struct pm_function){.name = "f", .object = "o", .kind = k,
                                          .address = 0x900000 + 0x1000 * (uint64_t)k};
   pm_heap_init(&heap, &hosted);
   pm_sites_init(&sites, &hosted);
   pm_fates_init(&fates, &hosted, true);
   pm_thread_counts_init(&thread_counts, &hosted);
   pm_calls_init(&calls, &hosted, &guest, &heap, &instrs);
   pm_pools_init(&pools, &hosted, &calls);
   heap.phases.sites = &sites;
   heap.phases.threads = &thread_counts;
   heap.phases.list_first = 3;
   heap.phases.open_changed = choose_profile;
   heap.fates = &fates;
   activations = (struct pm_activations){
      .host = &hosted, .guest = &guest, .table = &table, .thread_instrs = thread_instrs};
   active = (struct pm_activation_thread){.number = 1};
   assert_true(pm_stretches_init(&stretches, &hosted, false));
   assert_true(pm_profile_init(&profile, &hosted, &stretches));
   assert_true(pm_timeline_init(&heap.timeline, &hosted, 50, 0, 0));
   assert_true(pm_phase_table_init(&table, &hosted, &heap));
   assert_true(pm_call_thread_init(&calls, &thread, 1));
   assert_true(pm_phase_table_begin(&table, table.declared[0], &caller));
   assert_non_null(executed);
}

/* Blocks of every size, nested phases that repeat, a function that is one, signals, inner
   calls, resizes of blocks that a phase found, announced blocks inside others. */
static void story(void)
{
   for (uint64_t round = 0; round < 6; round++) {
      char name[32];
      snprintf(name, sizeof name, "round %d", (int)round);
      begin("outer", PM_PHASE_REQUEST);
      begin(name, PM_PHASE_REQUEST);
      for (uint64_t b = 0; b < 60; b++) {
         site = 1 + (uint32_t)(b * 7 + round) % (SITES - 1);
         execute((uint32_t)(b + round * 3) % PLACES + 1, (int16_t)(1 + b % 16));
         if (b % 5 == 0) { /* operator new calling malloc, and a table of its own */
            enter(PM_ALLOCKIND_NEW, STACK, 100 + b, 0);
            enter(PM_ALLOCKIND_MALLOC, STACK - 64, 5000, 0);
            leave(STACK - 64, address_of(b + 1000 + 100 * round));
            enter(PM_ALLOCKIND_MALLOC, STACK - 64, 100 + b, 0);
            leave(STACK - 64, address_of(b + 100 * round));
            leave(STACK, address_of(b + 100 * round));
         } else {
            call(PM_ALLOCKIND_MALLOC, b % 7 == 0 ? 30000 : b, 0, address_of(b + 100 * round));
         }
         if (b == 20)
            begin("inner", PM_PHASE_REQUEST);
         if (b > 20 && b % 3 == 0 && round > 0)
            call(PM_ALLOCKIND_REALLOC, address_of(b + 100 * (round - 1)), 40000 + b,
                 address_of(b + 100 * (round - 1)));
         if (b > 30 && b % 4 == 1)
            call(PM_ALLOCKIND_FREE, address_of(b + 100 * round), 0, 0);
         if (b == 50)
            end("inner");
      }
      struct pm_declared *function = pm_phase_table_declare(&table, "function", 8, PM_PHASE_FUNCTION);
      sync();
      if (function)
         pm_activations_enter(&activations, &active, function,
                              &(struct pm_observed_entry){.stack_pointer = STACK - 200,
                                                          .return_address = CODE_AT});
      pm_calls_signal_begin(&calls, &thread, STACK - 300);
      call(PM_ALLOCKIND_MALLOC, 77, 0, address_of(5000 + round));
      pm_calls_signal_end(&calls, &thread);
      execute(3, 9);
      sync();
      pm_activations_leave(&activations, &active, STACK - 192, CODE_AT, true);
      for (uint64_t b = 0; b < 20; b++)
         pm_pools_alloc(&pools, &thread, 1, address_of(7 + 100 * round) + 100 * b, 50);
      for (uint64_t b = 0; b < 20; b += 3)
         pm_pools_free(&pools, &thread, address_of(7 + 100 * round) + 100 * b);
      end(name);
      end("outer");
   }
   begin("left open", PM_PHASE_REQUEST);
   sync();
   pm_activations_thread_exit(&activations, &active);
   pm_phase_table_end_all(&table, thread_instrs);
   if (heap.lost)
      pm_heap_give_up(&heap);
}

static void release(void)
{
   pm_call_thread_exit(&calls, &thread);
   pm_phase_table_release(&table);
   pm_profile_release(&profile);
   pm_stretches_release(&stretches);
   pm_heap_release(&heap);
   pm_sites_release(&sites);
   pm_fates_release(&fates);
   pm_thread_counts_release(&thread_counts);
   pm_pools_release(&pools);
   assert_int_equal(hosted_live_bytes(), 0);
}

/* --- the report --------------------------------------------------------------------------- */

struct text {
   char *bytes;
   size_t count;
};

static bool take(void *ctx, const void *bytes, size_t count)
{
   struct text *text = ctx;
   text->bytes = realloc(text->bytes, text->count + count + 1);
   memcpy(text->bytes + text->count, bytes, count);
   text->count += count;
   text->bytes[text->count] = '\0';
   return true;
}

/* As the host says it. The caller frees it; NULL: the report had no memory. */
static char *report(void)
{
   static struct pm_report_function code[PLACES + 1];
   static struct pm_report_frame frames[SITES];
   static struct pm_report_site names[SITES];
   static char texts[PLACES + 1][16];
   static struct pm_xml xml;
   for (int i = 0; i <= PLACES; i++) {
      snprintf(texts[i], sizeof texts[i], "f%d", i);
      code[i] = (struct pm_report_function){texts[i], "app"};
   }
   for (int s = 1; s < SITES; s++) {
      frames[s] = (struct pm_report_frame){.function = texts[s % PLACES], .object = "app",
                                           .file = "app.c", .line = (uint32_t)s};
      names[s] = (struct pm_report_site){&frames[s], 1};
   }
   static const char *const args[] = {"app"};
   static const struct pm_report_gap lost[] = {
      {"heap.", "lost"}, {"allocations.", "lost"}, {"reallocations.", "lost"},
      {"deallocations.", "lost"}, {"traffic.", "lost"}, {"pool.", "lost"},
      {"allocator-mapped.", "lost"}, {"instructions.allocator", "lost"},
      {"instructions.program", "lost"}};
   struct pm_report_phase *shown = calloc(table.count, sizeof *shown);
   for (uint32_t p = 0; p < table.count; p++)
      shown[p] = (struct pm_report_phase){.phase = &table.declared[p]->phase,
                                          .declared = table.declared[p]};
   struct pm_report r = {
      .profmem_version = "1", .valgrind_version = "1", .platform = "p", .args = args,
      .arg_count = 1, .executable_path = "/app", .profile = &profile, .code = code,
      .code_count = PLACES + 1, .sites = &sites, .fates = &fates, .open = &heap.phases,
      .site_names = names, .site_count = SITES, .threads = &thread_counts, .thread_count = 1,
      .timeline = &heap.timeline, .row_limit = 1000, .phases = shown,
      .phase_count = table.count, .gaps = lost,
      .gap_count = heap.lost ? sizeof lost / sizeof *lost : 0};
   struct text text = {0};
   const struct pm_xml_sink sink = {.write = take, .ctx = &text};
   bool written = pm_report_write(&r, &xml, &hosted, &sink);
   free(shown);
   if (!written) {
      free(text.bytes);
      return NULL;
   }
   return text.bytes;
}

/* The part of the phase in the text, from its tag to its end; NULL: it is not there. */
static const char *phase_in(const char *text, const char *tag, size_t tag_bytes, size_t *bytes)
{
   for (const char *at = text; (at = strstr(at, "<phase name=")); at++)
      if (strncmp(at, tag, tag_bytes) == 0) {
         *bytes = (size_t)(strstr(at, "</phase>") - at);
         return at;
      }
   return NULL;
}

/* A line without its parent: where that had no memory, the phase above it is named. */
static size_t without_parent(const char *line, size_t bytes)
{
   static const char parent[] = " parent=";
   const char *at = memmem(line, bytes, parent, sizeof parent - 1);
   return at ? (size_t)(at - line) : bytes;
}

/* Is the line there from *at on, which moves behind it? */
static bool has_line(const char **at, const char *end, const char *line, size_t bytes)
{
   bytes = without_parent(line, bytes);
   while (*at < end) {
      const char *here = *at;
      size_t here_bytes = strcspn(here, "\n");
      *at += here_bytes + 1;
      if (without_parent(here, here_bytes) == bytes && strncmp(here, line, bytes) == 0)
         return true;
   }
   return false;
}

static bool says_unavailable(const char *line, size_t bytes)
{
   static const char word[] = "unavailable=";
   return memmem(line, bytes, word, sizeof word - 1) != NULL;
}

/* Lists are named in one line and closed in another, and are empty if there is nothing. */
static bool is_heading(const char *line, size_t bytes)
{
   return !memchr(line, '=', bytes);
}

static void nothing_new(const char *text, const char *full, unsigned long n)
{
   for (const char *at = text; (at = strstr(at, "<phase name=")); at++) {
      size_t tag = strcspn(at + 13, "\"") + 14, part_bytes = 0, all = 0;
      const char *part = phase_in(full, at, tag, &part_bytes);
      assert_non_null(part);
      const char *line = phase_in(text, at, tag, &all), *last = line + all;
      size_t first = without_parent(line, strcspn(line, "\n"));
      /* The number of instances, and everything before it. */
      size_t upto = (size_t)(strstr(line, " complete=") - line);
      assert_true(upto < first + 100);
      if (strncmp(line, part, upto) != 0)
         fail_msg("with allocation %lu: %.*s", n, (int)first, line);
      const char *in_full = part;
      for (line += strcspn(line, "\n") + 1; line < last; line += strcspn(line, "\n") + 1) {
         size_t bytes = strcspn(line, "\n");
         if (!says_unavailable(line, bytes) && !is_heading(line, bytes) &&
             !has_line(&in_full, part + part_bytes, line, bytes))
            fail_msg("with allocation %lu, in %.*s: %.*s", n, (int)tag, at, (int)bytes, line);
      }
   }
}

/* --- tests ------------------------------------------------------------------------------------ */

static char *full_report(void)
{
   start();
   story();
   char *full = report();
   assert_non_null(full);
   assert_null(strstr(full, "unavailable=\"lost"));
   assert_non_null(strstr(full, "<instance number=\"3\""));
   assert_non_null(strstr(full, "<site id="));
   release();
   return full;
}

/* Every allocation of the story, from the first after the start. */
static void refuse_each(bool all_that_follow)
{
   char *full = full_report();
   unsigned long failures = 0, unavailable = 0;
   for (unsigned long n = 1;; n++) {
      start();
      if (all_that_follow)
         hosted_fail_all_from(n);
      else
         hosted_fail_alloc(n);
      story();
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      if (!stretches_lost) { /* the host says of those that the profile disagrees */
         char *text = report();
         assert_non_null(text);
         nothing_new(text, full, n);
         if (!failed)
            assert_string_equal(text, full);
         unavailable += strstr(text, "unavailable=\"") != NULL;
         free(text);
      }
      release();
      if (!failed)
         break;
      failures++;
   }
   free(full);
   assert_in_range(failures, 100, 100000);
   assert_in_range(unavailable, failures / 2, failures + 1);
}

static void one_allocation_fails(void **state)
{
   (void)state;
   refuse_each(false);
}

static void all_fail_from_one_on(void **state)
{
   (void)state;
   refuse_each(true);
}

/* The report itself: all of it or nothing. */
static void the_report_fails(void **state)
{
   (void)state;
   start();
   story();
   char *full = report();
   for (unsigned long n = 1;; n++) {
      hosted_fail_alloc(n);
      char *text = report();
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      if (text)
         assert_string_equal(text, full);
      free(text);
      if (!failed)
         break;
   }
   free(full);
   release();
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_allocation_fails),
      cmocka_unit_test(all_fail_from_one_on),
      cmocka_unit_test(the_report_fails),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
