/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_model_details.c: sites, fates, threads and histograms, in lockstep with the list of what
 * happened.
 *
 * Random blocks at a few sites, by a few threads, under phases that repeat, nest and
 * overlap, looked at while instances are open and after they have ended, and across
 * forks. What details.h computes must be what the core says, for every phase: also
 * the picture of its peak, which the core keeps without walking over sites.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "details.h"
#include "hosted.h"
#include "model_random.h"
#include "pm_heap.h"

enum { THREADS = DETAIL_THREADS - 1, PHASES = 4, OPEN = 6, BLOCKS = 30, STEPS = 400, ENDED = 400 };

struct instance {
   struct pm_instance *core;
   uint32_t phase;
   uint64_t order; /* among the instances of its phase */
   size_t begin, end;
};

struct trace {
   unsigned long number;
   struct model_random random;
   struct history history;
   struct pm_heap heap;
   struct pm_sites sites;
   struct pm_fates fates;
   struct pm_thread_counts counts;
   struct pm_heap_thread threads[THREADS];
   pm_block_id blocks[BLOCKS];
   uint32_t numbers[BLOCKS]; /* in the history */
   uint32_t block_count;
   uint64_t places;
   struct pm_phase phases[PHASES];
   uint64_t begun[PHASES];
   struct instance open[OPEN];
   uint32_t open_count;
   struct instance ended[ENDED]; /* since the last fork */
   uint32_t ended_count;
   size_t forked; /* in the history */
};

/* --- comparing ------------------------------------------------------------------------ */

static void same(struct trace *t, const char *what, uint32_t phase, uint32_t which, uint64_t is,
                 uint64_t should)
{
   if (is != should)
      fail_msg("trace %lu, event %zu, phase %" PRIu32 ": %s of %" PRIu32 " is %" PRIu64
               ", should be %" PRIu64,
               t->number, t->history.count, phase, what, which, is, should);
}

/* All instances of a phase together, and the picture of the first that reached its
   peak. False: there is none. */
static bool expected_details(struct trace *t, uint32_t p, struct details *sum, uint64_t *order)
{
   bool any = false;
   memset(sum, 0, sizeof *sum);
   for (uint32_t i = 0; i < t->ended_count + t->open_count; i++) {
      bool ended = i < t->ended_count;
      const struct instance *instance = ended ? &t->ended[i] : &t->open[i - t->ended_count];
      static struct details details; /* too large for the stack */
      if (instance->phase != p)
         continue;
      details_of(&t->history, instance->begin, ended ? instance->end : t->history.count, &details);
      details_add(sum, &details);
      if (!any || details.peak_bytes > sum->peak_bytes ||
          (details.peak_bytes == sum->peak_bytes && instance->order < *order)) {
         *order = instance->order;
         sum->peak_bytes = details.peak_bytes;
         memcpy(sum->peak_site_bytes, details.peak_site_bytes, sizeof sum->peak_site_bytes);
         memcpy(sum->peak_site_blocks, details.peak_site_blocks, sizeof sum->peak_site_blocks);
      }
      any = true;
   }
   return any;
}

static uint64_t no_instrs(uint32_t thread)
{
   (void)thread;
   return 0;
}

/* Every pair is as it should be, and there is no other. */
static void check_fates(struct trace *t, uint32_t p, struct details *should)
{
   for (uint32_t f = 0; f < t->fates.count; f++) {
      const struct pm_fate *is = &t->fates.fates[f];
      if (is->phase != p)
         continue;
      struct pm_fate *fate = &should->fates[is->kind][is->origin][is->site];
      same(t, "blocks of a fate", p, is->site, is->blocks, fate->blocks);
      same(t, "bytes of a fate", p, is->site, is->bytes, fate->bytes);
      same(t, "net bytes of a fate", p, is->site, is->net_bytes, fate->net_bytes);
      *fate = (struct pm_fate){0};
   }
   static const struct pm_fate none[2][DETAIL_SITES][DETAIL_SITES];
   same(t, "missing fates", p, 0, memcmp(should->fates, none, sizeof none) != 0, 0);
}

static void check_phase(struct trace *t, uint32_t p)
{
   static const struct pm_site_count none;
   static struct details should; /* too large for the stack */
   struct pm_phase looked_at;
   uint64_t order;
   if (!expected_details(t, p, &should, &order))
      return;
   pm_phase_as_if_ended(&t->heap.phases, &t->phases[p], &t->heap.state, no_instrs, true,
                        &looked_at);
   assert_int_equal(looked_at.highest, order);
   same(t, "peak", p, 0, looked_at.value[PM_METRIC_HEAP_PEAK], should.peak_bytes);
   uint64_t peak = pm_sites_peak_event(&t->sites, &t->heap.phases, &looked_at), sum = 0;
   for (uint32_t s = 0; s < DETAIL_SITES; s++) {
      struct pm_site_count is = pm_sites_count(&t->sites, &t->heap.phases, &t->phases[p], s);
      const struct pm_site_count *site = &should.sites[s];
      same(t, "traffic blocks", p, s, is.traffic_blocks, site->traffic_blocks);
      same(t, "traffic bytes", p, s, is.traffic_bytes, site->traffic_bytes);
      same(t, "temporary blocks", p, s, is.temporary_blocks, site->temporary_blocks);
      same(t, "retained blocks", p, s, is.retained_blocks, site->retained_blocks);
      same(t, "retained bytes", p, s, is.retained_bytes, site->retained_bytes);
      uint64_t bytes, blocks;
      pm_sites_at(&t->sites, s, peak, &bytes, &blocks);
      same(t, "bytes at the peak", p, s, bytes, should.peak_site_bytes[s]);
      same(t, "blocks at the peak", p, s, blocks, should.peak_site_blocks[s]);
      sum += bytes;
   }
   check_fates(t, p, &should);
   same(t, "sum of the sites", p, 0, sum, looked_at.value[PM_METRIC_HEAP_PEAK]);
   struct pm_site_count beyond =
      pm_sites_count(&t->sites, &t->heap.phases, &t->phases[p], DETAIL_SITES + 1000);
   assert_memory_equal(&beyond, &none, sizeof none);
   for (uint32_t n = 0; n < DETAIL_THREADS; n++) {
      struct pm_thread_count is =
         pm_thread_counts_of(&t->counts, &t->heap.phases, &t->phases[p], n);
      const struct pm_thread_count *thread = &should.threads[n];
      same(t, "instructions by thread", p, n, is.instrs, thread->instrs);
      same(t, "traffic blocks by thread", p, n, is.traffic_blocks, thread->traffic_blocks);
      same(t, "traffic bytes by thread", p, n, is.traffic_bytes, thread->traffic_bytes);
      same(t, "released by thread", p, n, is.released_blocks, thread->released_blocks);
      same(t, "foreign by thread", p, n, is.foreign_blocks, thread->foreign_blocks);
   }
   for (uint32_t b = 0; b < PM_BUCKETS; b++) {
      same(t, "sizes", p, b, looked_at.sizes.blocks[b], should.sizes.blocks[b]);
      same(t, "lifetimes", p, b, looked_at.lifetimes.blocks[b], should.lifetimes.blocks[b]);
   }
}

static void check_largest(struct trace *t)
{
   uint32_t s = model_below(&t->random, DETAIL_SITES);
   if (s < t->sites.live_count)
      same(t, "largest bytes", 0, s, t->sites.live[s].largest_bytes,
           details_most_bytes(&t->history, t->forked, t->history.count, s));
}

/* --- steps ------------------------------------------------------------------------------ */

static struct pm_heap_thread *any_thread(struct trace *t)
{
   struct pm_heap_thread *thread = &t->threads[model_below(&t->random, THREADS)];
   /* A few sites have most of it. */
   thread->site = model_below(&t->random, model_chance(&t->random, 70) ? 5 : DETAIL_SITES);
   return thread;
}

/* Often few sizes, so that the same peak is reached more than once. */
static uint64_t any_size(struct trace *t)
{
   return model_chance(&t->random, 70) ? 16 * model_below(&t->random, 4)
                                       : model_size(&t->random);
}

static void obtain(struct trace *t)
{
   if (t->block_count == BLOCKS)
      return;
   struct pm_heap_thread *thread = any_thread(t);
   uint64_t size = any_size(t);
   pm_block_id id = pm_heap_file(&t->heap, 0x1000 * ++t->places, size);
   assert_int_not_equal(id, 0);
   pm_heap_obtained(&t->heap, thread, id);
   t->blocks[t->block_count] = id;
   t->numbers[t->block_count++] = history_obtained(&t->history, thread->number, size);
   history_at_site(&t->history, thread->site);
}

static void resize(struct trace *t, uint32_t b)
{
   struct pm_heap_thread *thread = any_thread(t);
   uint64_t size = any_size(t);
   pm_ledger_unfile(&t->heap.ledger, t->blocks[b]);
   pm_heap_resized(&t->heap, thread, t->blocks[b], 0x1000 * ++t->places, size);
   history_resized(&t->history, thread->number, t->numbers[b], size, true);
   history_at_site(&t->history, thread->site);
}

static void give_back(struct trace *t, uint32_t b)
{
   struct pm_heap_thread *thread = any_thread(t);
   pm_heap_given_back(&t->heap, thread, t->blocks[b], true);
   history_given_back(&t->history, thread->number, t->numbers[b]);
   history_at_site(&t->history, thread->site);
   t->block_count--;
   t->blocks[b] = t->blocks[t->block_count];
   t->numbers[b] = t->numbers[t->block_count];
}

static void execute(struct trace *t)
{
   uint32_t thread = any_thread(t)->number;
   const struct pm_thread_count done = {.instrs = model_below(&t->random, 300)};
   t->heap.state.counter[PM_COUNT_INSTRUCTIONS] += done.instrs;
   pm_thread_counts_add(&t->counts, &t->heap.phases, thread, &done);
   history_executed(&t->history, thread, done.instrs, false);
}

static void begin(struct trace *t)
{
   if (t->open_count == OPEN)
      return;
   uint32_t p = model_below(&t->random, PHASES);
   struct instance *open = &t->open[t->open_count++];
   *open = (struct instance){.phase = p, .order = t->begun[p]++, .begin = t->history.count};
   open->core = pm_phases_begin(&t->heap.phases, &t->phases[p], &t->heap.state, 1, 0);
   assert_non_null(open->core);
}

static void end(struct trace *t, uint32_t which)
{
   struct instance open = t->open[which];
   assert_true(pm_phases_end(&t->heap.phases, open.core, &t->heap.state, 0, true));
   for (uint32_t i = which + 1; i < t->open_count; i++)
      t->open[i - 1] = t->open[i];
   t->open_count--;
   open.end = t->history.count;
   assert_true(t->ended_count < ENDED);
   t->ended[t->ended_count++] = open;
   check_phase(t, open.phase);
}

/* As the host does it: what has ended is the parent's. */
static void go_on_in_a_child(struct trace *t)
{
   pm_sites_after_fork(&t->sites);
   pm_fates_after_fork(&t->fates);
   pm_thread_counts_after_fork(&t->counts);
   for (uint32_t p = 0; p < PHASES; p++) {
      t->phases[p] = (struct pm_phase){.name = "phase", .number = p, .complete = true};
      t->begun[p] = 0;
   }
   for (uint32_t i = 0; i < t->open_count; i++) {
      pm_instance_restart(&t->heap.phases, i, &t->heap.state, 0);
      t->open[i].begin = t->history.count;
      t->open[i].order = t->begun[t->open[i].phase]++;
   }
   t->ended_count = 0;
   t->forked = t->history.count;
}

static void step(struct trace *t)
{
   uint32_t choice = model_below(&t->random, 200);
   uint32_t b = model_chance(&t->random, 30) && t->block_count > 0
                   ? t->block_count - 1
                   : model_below(&t->random, BLOCKS);
   if (choice < 60)
      obtain(t);
   else if (choice < 85 && b < t->block_count)
      resize(t, b);
   else if (choice < 130 && b < t->block_count)
      give_back(t, b);
   else if (choice < 150)
      execute(t);
   else if (choice < 170)
      begin(t);
   else if (choice < 190 && t->open_count > 0)
      end(t, model_below(&t->random, t->open_count));
   else if (choice < 191)
      go_on_in_a_child(t);
   else if (choice < 195)
      check_largest(t);
   else
      check_phase(t, model_below(&t->random, PHASES));
}

static void start(struct trace *t)
{
   pm_heap_init(&t->heap, &hosted);
   pm_sites_init(&t->sites, &hosted);
   pm_fates_init(&t->fates, &hosted, true);
   t->heap.fates = &t->fates;
   pm_thread_counts_init(&t->counts, &hosted);
   t->heap.phases.sites = &t->sites;
   t->heap.phases.threads = &t->counts;
   for (uint32_t n = 0; n < THREADS; n++)
      t->threads[n].number = n + 1;
   for (uint32_t p = 0; p < PHASES; p++)
      t->phases[p] = (struct pm_phase){.name = "phase", .number = p, .complete = true};
}

static void stop(struct trace *t)
{
   pm_heap_release(&t->heap);
   pm_sites_release(&t->sites);
   pm_fates_release(&t->fates);
   pm_thread_counts_release(&t->counts);
   history_release(&t->history);
   assert_int_equal(hosted_live_bytes(), 0);
}

static void run(unsigned long number)
{
   struct trace t = {.number = number, .random.state = number};
   start(&t);
   for (int s = 0; s < STEPS; s++)
      step(&t);
   for (uint32_t p = 0; p < PHASES; p++)
      check_phase(&t, p);
   while (t.open_count > 0)
      end(&t, model_below(&t.random, t.open_count));
   for (uint32_t p = 0; p < PHASES; p++)
      check_phase(&t, p);
   assert_false(t.heap.lost || t.sites.lost || t.fates.lost || t.counts.lost);
   stop(&t);
}

static void details_are_those_of_the_list(void **state)
{
   unsigned long first = model_setting("PM_MODEL_FIRST", 1);
   unsigned long traces = model_setting("PM_MODEL_TRACES", 600);
   (void)state;
   for (unsigned long n = 0; n < traces; n++)
      run(first + n);
}

/* Values that only served peaks that have been passed are dropped: a heap that grows and
   grows keeps no picture but the last, however many instances look at it. */
static void superseded_pictures_are_dropped(void **state)
{
   struct trace t = {.number = 0};
   (void)state;
   start(&t);
   for (uint32_t p = 0; p < PHASES; p++)
      assert_non_null(pm_phases_begin(&t.heap.phases, &t.phases[p], &t.heap.state, 1, 0));
   for (uint32_t i = 0; i < 20000; i++) {
      struct pm_heap_thread *thread = &t.threads[0];
      thread->site = i % 10;
      pm_block_id id = pm_heap_file(&t.heap, 0x1000 * ++t.places, 100);
      pm_heap_obtained(&t.heap, thread, id);
      if (i % 2) /* down again, from each new peak */
         pm_heap_given_back(&t.heap, thread, id, true);
   }
   assert_in_range(t.sites.past_used, 1, 10 * (PHASES + 2));
   assert_in_range(t.sites.past_capacity, 1, 200);
   stop(&t);
}

/* Something of everything, at many sites, so that every table grows. False: an instance
   could not begin. */
static bool use_much(struct trace *t)
{
   bool begun = true;
   for (uint32_t round = 0; round < 40; round++) {
      struct pm_phase *phase = &t->phases[round % PHASES];
      struct pm_instance *core = pm_phases_begin(&t->heap.phases, phase, &t->heap.state, 1, 0);
      begun = begun && core;
      for (uint32_t b = 0; b < 60; b++) {
         struct pm_heap_thread *thread = &t->threads[b % THREADS];
         thread->site = 50 * round + b;
         pm_block_id id = pm_heap_file(&t->heap, 0x1000 * ++t->places, 100);
         if (id)
            pm_heap_obtained(&t->heap, thread, id);
         if (id && b % 3 == 0)
            pm_heap_given_back(&t->heap, &t->threads[0], id, true);
      }
      if (core && round % 2)
         pm_phases_end(&t->heap.phases, core, &t->heap.state, 0, true);
   }
   return begun;
}

/* Details that are lost say so, and take nothing with them. */
static void without_memory_the_details_end(void **state)
{
   unsigned long failures = 0;
   (void)state;
   for (unsigned long n = 1;; n++) {
      struct trace t = {.number = n};
      start(&t);
      hosted_fail_alloc(n);
      bool begun = use_much(&t);
      bool failed = hosted_has_failed();
      hosted_fail_alloc(0);
      assert_int_equal(!begun + t.heap.lost + t.sites.lost + t.fates.lost + t.counts.lost,
                       failed);
      assert_int_equal(t.heap.lost, t.heap.state.counter[PM_COUNT_ALLOCATIONS] != 2400);
      use_much(&t); /* also when there is memory again */
      go_on_in_a_child(&t);
      stop(&t);
      if (!failed)
         break;
      failures++;
   }
   assert_in_range(failures, 40, 1000);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(details_are_those_of_the_list),
      cmocka_unit_test(superseded_pictures_are_dropped),
      cmocka_unit_test(without_memory_the_details_end),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
