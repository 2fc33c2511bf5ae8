/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_model_heap.c: heap events and phases, in lockstep with the list of what happened.
 *
 * Random traces of everything that pm_heap.h and pm_phases.h can be told: blocks
 * obtained, resized and given back by several threads, between them gauges, counters
 * and instructions, under up to eight open instances of six phases that begin and
 * end wherever they like. Every value of every instance and of every phase must be
 * what history.h computes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "history.h"
#include "hosted.h"
#include "model_random.h"
#include "pm_heap.h"

enum {
   THREADS = 4,
   PHASES = 6,
   OPEN = 8,
   LISTED = 3, /* instances of a phase that are listed singly */
   BLOCKS = 48,
   STEPS = 500,
   PLACES = 512,
};

struct known_block {
   pm_block_id id;
   uint32_t number;    /* in the history */
   bool is_obtained;   /* else filed only */
   bool is_filed;
};

/* In order of begin. */
struct open_instance {
   struct pm_instance *instance;
   uint32_t phase;
   uint32_t thread;
   size_t begin;   /* in the history */
   uint64_t order; /* among the instances of its phase */
};

struct trace {
   unsigned long number;
   struct model_random random;
   struct history history;
   struct pm_heap heap;
   struct pm_heap_thread threads[THREADS];
   uint64_t executed[THREADS];
   struct known_block blocks[BLOCKS];
   uint32_t block_count;
   struct pm_phase phases[PHASES];
   uint64_t begun[PHASES];
   bool overlapping[PHASES];
   struct ended *ended[PHASES];
   size_t ended_count[PHASES];
   struct open_instance open[OPEN];
   uint32_t open_count;
   uint64_t gone_start, gone_end; /* what range_gone was told last */
   uint32_t gone_calls;
};

static unsigned long verbose;

#define SAY(trace, ...)                                                                   \
   do {                                                                                   \
      if (verbose) {                                                                      \
         fprintf(stderr, "# trace %lu, event %zu: ", (trace)->number,                     \
                 (trace)->history.count);                                                 \
         fprintf(stderr, __VA_ARGS__);                                                    \
         fputc('\n', stderr);                                                             \
      }                                                                                   \
   } while (0)

/* --- comparing ------------------------------------------------------------------- */

static void check_values(struct trace *t, const char *what, const uint64_t is[PM_METRICS],
                         const uint64_t should[PM_METRICS])
{
   for (int m = 0; m < PM_METRICS; m++)
      if (is[m] != should[m])
         fail_msg("trace %lu, event %zu: %s: %s is %" PRId64 ", should be %" PRId64,
                  t->number, t->history.count, what, pm_metric_rows[m].name, (int64_t)is[m],
                  (int64_t)should[m]);
}

static void check_span(const struct pm_span *is, const struct pm_span *should)
{
   assert_int_equal(is->begin_instrs, should->begin_instrs);
   assert_int_equal(is->peak_instrs, should->peak_instrs);
   assert_int_equal(is->end_instrs, should->end_instrs);
}

static void check_identities(struct trace *t, const uint64_t value[PM_METRICS])
{
   const char *broken = history_broken_identity(value);
   if (broken)
      fail_msg("trace %lu, event %zu: not true: %s", t->number, t->history.count, broken);
}

static void check_instance(struct trace *t, const struct open_instance *open,
                           uint64_t should[PM_METRICS])
{
   uint64_t is[PM_METRICS];
   memset(is, 0xa5, sizeof is); /* a value that is not written is seen */
   pm_instance_values(open->instance, &t->heap.state, t->executed[open->thread], is);
   history_values(&t->history, open->begin, t->history.count, open->thread + 1, should);
   check_values(t, "instance", is, should);
   check_identities(t, is);
}

static int phase_number(const struct trace *t, const struct pm_phase *phase)
{
   return phase ? (int)(phase - t->phases) : NO_PARENT;
}

/* Whether a phase is what it must be if these of its instances have ended. */
static void check_ended(struct trace *t, const struct pm_phase *phase, const struct ended *ended,
                        size_t count)
{
   uint64_t value[PM_METRICS], least[PM_METRICS], greatest[PM_METRICS];
   bool complete = true, same_parents = true;
   assert_int_equal(phase->instances, count);
   if (count == 0)
      return;
   history_phase(ended, count, value, least, greatest);
   check_values(t, "phase", phase->value, value);
   check_values(t, "phase's least", phase->least, least);
   check_values(t, "phase's greatest", phase->greatest, greatest);
   check_values(t, "phase's last", phase->last, ended[count - 1].value);
   check_span(&phase->span, &ended[count - 1].span);
   if (count == 1)
      check_identities(t, phase->value);
   for (size_t i = 0; i < count; i++) {
      complete = complete && ended[i].complete;
      same_parents = same_parents && ended[i].parent == ended[0].parent;
   }
   assert_int_equal(phase->complete, complete);
   assert_int_equal(phase->parents_differ, !same_parents);
   if (same_parents)
      assert_int_equal(phase_number(t, phase->parent), ended[0].parent);
}

/* The first instances, those of them that have ended, by their begins. */
static void check_listed(struct trace *t, uint32_t p)
{
   const struct pm_listed *listed = t->phases[p].listed;
   for (uint64_t order = 0; order < LISTED; order++)
      for (size_t i = 0; i < t->ended_count[p]; i++) {
         const struct ended *ended = &t->ended[p][i];
         if (ended->order != order)
            continue;
         assert_non_null(listed);
         assert_int_equal(listed->order, order);
         assert_int_equal(listed->thread, ended->thread);
         assert_int_equal(listed->complete, ended->complete);
         assert_int_equal(phase_number(t, listed->parent), ended->parent);
         check_values(t, "listed instance", listed->value, ended->value);
         check_span(&listed->span, &ended->span);
         listed = listed->next;
      }
   assert_null(listed);
}

static void check_phase(struct trace *t, uint32_t p)
{
   check_ended(t, &t->phases[p], t->ended[p], t->ended_count[p]);
   check_listed(t, p);
   assert_int_equal(t->phases[p].begun, t->begun[p]);
   assert_int_equal(t->phases[p].overlapping, t->overlapping[p]);
}

/* "the one begun last" of those that are open and were begun before. */
static int parent_of(const struct trace *t, uint32_t which)
{
   return which > 0 ? (int)t->open[which - 1].phase : NO_PARENT;
}

static const uint64_t *executed_now;

static uint64_t executed_by(uint32_t thread)
{
   return executed_now[thread - 1];
}

/* A look at a phase whose instances are still open. */
static void check_as_if_ended(struct trace *t, uint32_t p)
{
   struct pm_phase copy;
   size_t count = t->ended_count[p];
   struct ended *ended = malloc((count + OPEN) * sizeof *ended);
   assert_non_null(ended);
   if (count > 0)
      memcpy(ended, t->ended[p], count * sizeof *ended);
   for (uint32_t i = t->open_count; i-- > 0;) {
      const struct open_instance *open = &t->open[i];
      if (open->phase != p)
         continue;
      ended[count] = (struct ended){
         .order = open->order, .complete = false, .parent = parent_of(t, i)};
      history_values(&t->history, open->begin, t->history.count, open->thread + 1,
                     ended[count].value);
      ended[count].span = history_span(&t->history, open->begin, t->history.count);
      count++;
   }
   executed_now = t->executed;
   pm_phase_as_if_ended(&t->heap.phases, &t->phases[p], &t->heap.state, executed_by, false,
                        &copy);
   check_ended(t, &copy, ended, count);
   free(ended);
}

/* The instance of phase p that a thread, or any, has begun last. */
static void check_open(struct trace *t, uint32_t p)
{
   const struct pm_phase *phase = &t->phases[p];
   uint32_t thread = model_below(&t->random, THREADS), count = 0;
   const struct pm_instance *last = NULL, *last_on = NULL;
   for (uint32_t i = 0; i < t->open_count; i++)
      if (t->open[i].phase == p) {
         count++;
         last = t->open[i].instance;
         if (t->open[i].thread == thread)
            last_on = last;
      }
   assert_int_equal(pm_phases_open_of(&t->heap.phases, phase), count);
   assert_ptr_equal(pm_phases_open_last(&t->heap.phases, phase), last);
   assert_ptr_equal(pm_phases_open_on(&t->heap.phases, phase, thread + 1), last_on);
}

static void note_gone(void *ctx, uint64_t start, uint64_t end)
{
   struct trace *t = ctx;
   t->gone_start = start;
   t->gone_end = end;
   t->gone_calls++;
}

static void check_gone(struct trace *t, uint32_t calls_before, uint64_t start, uint64_t end)
{
   assert_int_equal(t->gone_calls - calls_before, start < end);
   if (start < end) {
      assert_int_equal(t->gone_start, start);
      assert_int_equal(t->gone_end, end);
   }
}

/* --- steps ------------------------------------------------------------------------ */

static struct pm_block *block_of(struct trace *t, const struct known_block *block)
{
   return pm_ledger_block(&t->heap.ledger, block->id);
}

/* An address that no filed block has. */
static uint64_t free_address(struct trace *t)
{
   uint64_t address;
   do
      address = 0x10000 + (uint64_t)model_below(&t->random, PLACES) * 16;
   while (pm_ledger_find(&t->heap.ledger, address));
   return address;
}

static void file(struct trace *t)
{
   if (t->block_count == BLOCKS)
      return;
   uint64_t address = free_address(t), size = model_size(&t->random);
   pm_block_id id = pm_heap_file(&t->heap, address, size);
   assert_int_not_equal(id, 0);
   SAY(t, "file id %" PRIu32 ", %" PRIu64 " bytes", id, size);
   t->blocks[t->block_count++] = (struct known_block){.id = id, .is_filed = true};
}

static void obtain(struct trace *t, struct known_block *block, uint32_t thread)
{
   SAY(t, "thread %u obtains id %" PRIu32, thread + 1, block->id);
   uint64_t events = t->heap.state.events;
   pm_heap_obtained(&t->heap, &t->threads[thread], block->id);
   block->is_obtained = true;
   block->number =
      history_obtained(&t->history, thread + 1, block_of(t, block)->size_bytes);
   assert_int_equal(t->heap.state.events, events + 1);
   assert_int_equal(block_of(t, block)->birth_event, events + 1);
   assert_int_equal(pm_block_thread(block_of(t, block)), thread + 1);
   assert_int_equal(block_of(t, block)->birth_instrs,
                    t->heap.state.counter[PM_COUNT_INSTRUCTIONS]);
}

static void forget(struct trace *t, struct known_block *block)
{
   *block = t->blocks[--t->block_count];
}

static void give_back(struct trace *t, struct known_block *block, uint32_t thread)
{
   SAY(t, "thread %u gives back id %" PRIu32, thread + 1, block->id);
   if (!block->is_obtained) {
      if (block->is_filed)
         pm_heap_unfile_inner(&t->heap, block->id);
      else
         pm_ledger_drop(&t->heap.ledger, block->id);
      forget(t, block);
      return;
   }
   uint64_t start = block_of(t, block)->address, end = start + block_of(t, block)->size_bytes;
   uint32_t calls = t->gone_calls;
   pm_heap_given_back(&t->heap, &t->threads[thread], block->id, block->is_filed);
   history_given_back(&t->history, thread + 1, block->number);
   check_gone(t, calls, start, end);
   forget(t, block);
}

/* Out of the index, where it stays for a while: a resize that has begun. */
static void unfile(struct trace *t, struct known_block *block)
{
   if (!block->is_filed)
      return;
   pm_ledger_unfile(&t->heap.ledger, block->id);
   block->is_filed = false;
}

static void resize(struct trace *t, struct known_block *block, uint32_t thread)
{
   unfile(t, block);
   uint64_t old_address = block_of(t, block)->address, old = block_of(t, block)->size_bytes;
   bool may_stay = !pm_ledger_find(&t->heap.ledger, old_address);
   uint64_t address = may_stay && model_chance(&t->random, 50) ? old_address : free_address(t);
   uint64_t size = model_size(&t->random);
   bool moved = address != old_address;
   SAY(t, "thread %u resizes id %" PRIu32 " from %" PRIu64 " to %" PRIu64 "%s", thread + 1,
       block->id, old, size, moved ? ", moving" : "");
   uint32_t calls = t->gone_calls;
   pm_heap_resized(&t->heap, &t->threads[thread], block->id, address, size);
   block->is_filed = true;
   history_resized(&t->history, thread + 1, block->number, size, moved);
   check_gone(t, calls, old_address + (moved ? 0 : size), old_address + old);
   assert_int_equal(pm_ledger_find(&t->heap.ledger, address), block->id);
}

/* A resize that fails: the block is found again where it was. */
static void refile(struct trace *t, struct known_block *block)
{
   if (block->is_filed || pm_ledger_find(&t->heap.ledger, block_of(t, block)->address))
      return;
   pm_heap_refile(&t->heap, block->id);
   block->is_filed = true;
}

static void step_block(struct trace *t)
{
   uint32_t thread = model_below(&t->random, THREADS);
   if (t->block_count == 0 || (t->block_count < BLOCKS && model_chance(&t->random, 45))) {
      file(t);
      if (model_chance(&t->random, 90))
         obtain(t, &t->blocks[t->block_count - 1], thread);
      return;
   }
   /* Often the youngest, so that there are temporary blocks. */
   uint32_t which =
      model_chance(&t->random, 25) ? t->block_count - 1 : model_below(&t->random, t->block_count);
   struct known_block *block = &t->blocks[which];
   uint32_t choice = model_below(&t->random, 10);
   if (choice == 0)
      unfile(t, block);
   else if (choice == 1)
      refile(t, block);
   else if (!block->is_obtained && block->is_filed && choice < 8)
      obtain(t, block, thread);
   else if (block->is_obtained && choice < 6)
      resize(t, block, thread);
   else
      give_back(t, block, thread);
}

static void step_gauge(struct trace *t)
{
   static const enum pm_gauge gauges[] = {PM_GAUGE_MAPPED_BYTES,
                                          PM_GAUGE_ALLOCATOR_MAPPED_BYTES, PM_GAUGE_POOL_BYTES};
   enum pm_gauge gauge = gauges[model_below(&t->random, 3)];
   uint64_t now = model_size(&t->random);
   t->heap.state.gauge[gauge] = now;
   pm_phases_gauge(&t->heap.phases, &t->heap.state, gauge);
   history_gauged(&t->history, gauge, now);
}

static void step_counter(struct trace *t)
{
   static const struct {
      enum pm_counter counter;
      enum pm_metric metric;
   } counters[] = {
      {PM_COUNT_ALLOCATIONS_FAILED, PM_METRIC_ALLOCATIONS_FAILED},
      {PM_COUNT_REALLOCATIONS_FAILED, PM_METRIC_REALLOCATIONS_FAILED},
      {PM_COUNT_DEALLOCATIONS_UNMATCHED, PM_METRIC_DEALLOCATIONS_UNMATCHED},
      {PM_COUNT_DEALLOCATIONS_UNSEEN, PM_METRIC_DEALLOCATIONS_UNSEEN},
      {PM_COUNT_POOL_BLOCKS, PM_METRIC_POOL_COUNT},
      {PM_COUNT_REP_ITERATIONS, PM_METRIC_INSTRUCTIONS_REP_ITERATIONS},
      {PM_COUNT_REP_ENDED_BY_CONDITION, PM_METRIC_INSTRUCTIONS_REP_ENDED_BY_CONDITION},
      {PM_COUNT_CLIENT_REQUESTS, PM_METRIC_INSTRUCTIONS_CLIENT_REQUESTS},
      {PM_COUNT_SYSCALLS, PM_METRIC_SYSCALLS_COUNT},
      {PM_COUNT_THREAD_SWITCHES, PM_METRIC_OUTSIDE_THREAD_SWITCHES},
      {PM_COUNT_CLOCK_READS, PM_METRIC_OUTSIDE_CLOCK_READS},
      {PM_COUNT_RANDOM_READS, PM_METRIC_OUTSIDE_RANDOM_READS},
      {PM_COUNT_PID_READS, PM_METRIC_OUTSIDE_PID_READS},
      {PM_COUNT_FILE_READS, PM_METRIC_OUTSIDE_FILE_READS},
      {PM_COUNT_NETWORK_CALLS, PM_METRIC_OUTSIDE_NETWORK_CALLS},
      {PM_COUNT_PROCESSES, PM_METRIC_OUTSIDE_PROCESSES},
   };
   uint32_t which = model_below(&t->random, sizeof counters / sizeof *counters);
   uint64_t amount = 1 + model_below(&t->random, 3);
   t->heap.state.counter[counters[which].counter] += amount;
   history_counted(&t->history, counters[which].metric, amount);
}

static void step_instructions(struct trace *t)
{
   uint32_t thread = model_below(&t->random, THREADS);
   uint64_t instrs = model_below(&t->random, 1000);
   bool in_allocator = model_chance(&t->random, 30);
   t->executed[thread] += instrs;
   t->heap.state.counter[PM_COUNT_INSTRUCTIONS] += instrs;
   if (in_allocator)
      t->heap.state.counter[PM_COUNT_INSTRUCTIONS_ALLOCATOR] += instrs;
   history_executed(&t->history, thread + 1, instrs, in_allocator);
}

static bool is_open(const struct trace *t, uint32_t p, uint32_t before)
{
   for (uint32_t i = 0; i < before; i++)
      if (t->open[i].phase == p)
         return true;
   return false;
}

static void begin(struct trace *t)
{
   if (t->open_count == OPEN)
      return;
   uint32_t p = model_below(&t->random, PHASES), thread = model_below(&t->random, THREADS);
   t->overlapping[p] = t->overlapping[p] || is_open(t, p, t->open_count);
   struct open_instance *open = &t->open[t->open_count++];
   *open = (struct open_instance){
      .phase = p, .thread = thread, .begin = t->history.count, .order = t->begun[p]++};
   open->instance = pm_phases_begin(&t->heap.phases, &t->phases[p], &t->heap.state, thread + 1,
                                    t->executed[thread]);
   assert_non_null(open->instance);
   assert_ptr_equal(open->instance->phase, &t->phases[p]);
   assert_int_equal(open->instance->thread, thread + 1);
   SAY(t, "begin phase %u", p);
}

static void end(struct trace *t, uint32_t which)
{
   struct open_instance open = t->open[which];
   uint32_t p = open.phase;
   bool complete = model_chance(&t->random, 90);
   SAY(t, "end phase %u", p);
   t->ended[p] = realloc(t->ended[p], (t->ended_count[p] + 1) * sizeof *t->ended[p]);
   assert_non_null(t->ended[p]);
   struct ended *ended = &t->ended[p][t->ended_count[p]++];
   *ended = (struct ended){.order = open.order, .thread = open.thread + 1,
                           .complete = complete, .parent = parent_of(t, which)};
   check_instance(t, &open, ended->value);
   ended->span = history_span(&t->history, open.begin, t->history.count);
   assert_true(pm_phases_end(&t->heap.phases, open.instance, &t->heap.state,
                             t->executed[open.thread], complete));
   for (uint32_t i = which + 1; i < t->open_count; i++)
      t->open[i - 1] = t->open[i];
   t->open_count--;
   check_phase(t, p);
}

/* A forked child: what is open begins there. */
static void restart_all(struct trace *t)
{
   SAY(t, "restart");
   for (uint32_t i = 0; i < t->open_count; i++) {
      struct open_instance *open = &t->open[i];
      pm_instance_restart(&t->heap.phases, i, &t->heap.state, t->executed[open->thread]);
      open->begin = t->history.count;
      open->order = t->begun[open->phase]++;
      t->overlapping[open->phase] =
         t->overlapping[open->phase] || is_open(t, open->phase, i);
   }
}

/* "a node that no open instance can ask for is dropped": no block remembers more
   sizes than instances are open, at the moment it is resized. */
static void check_past_sizes(struct trace *t)
{
   uint32_t remembered = 0;
   for (uint32_t b = 0; b < t->block_count; b++) {
      uint32_t length = 0;
      for (uint32_t n = block_of(t, &t->blocks[b])->sizes; n; n = t->heap.past[n].older)
         length++;
      assert_in_range(length, 0, OPEN);
      remembered += length;
   }
   for (uint32_t n = t->heap.past_free; n; n = t->heap.past[n].older)
      remembered++;
   assert_int_equal(remembered + 1, t->heap.past_used); /* none is lost */
}

static void look(struct trace *t)
{
   uint64_t should[PM_METRICS];
   uint32_t p = model_below(&t->random, PHASES);
   if (t->open_count > 0)
      check_instance(t, &t->open[model_below(&t->random, t->open_count)], should);
   check_as_if_ended(t, p);
   check_open(t, p);
}

static void step(struct trace *t)
{
   uint32_t choice = model_below(&t->random, 200);
   if (choice < 120)
      step_block(t);
   else if (choice < 140)
      step_gauge(t);
   else if (choice < 150)
      step_counter(t);
   else if (choice < 170)
      step_instructions(t);
   else if (choice < 185)
      begin(t);
   else if (choice < 195 && t->open_count > 0)
      end(t, model_below(&t->random, t->open_count));
   else if (choice < 196)
      restart_all(t);
   else
      look(t);
}

/* Threads share the instructions out among themselves. */
static void check_threads(struct trace *t)
{
   uint64_t value[PM_METRICS], sum = 0;
   for (uint32_t thread = 0; thread < THREADS; thread++) {
      history_values(&t->history, 0, t->history.count, thread + 1, value);
      assert_int_equal(value[PM_METRIC_INSTRUCTIONS_OWN_THREAD], t->executed[thread]);
      sum += t->executed[thread];
   }
   assert_int_equal(sum, value[PM_METRIC_INSTRUCTIONS_TOTAL]);
}

static void run(unsigned long number)
{
   struct trace t = {.number = number, .random.state = number};
   pm_heap_init(&t.heap, &hosted);
   assert_true(pm_ledger_order_all(&t.heap.ledger)); /* every range is told */
   t.heap.range_gone = note_gone;
   t.heap.range_gone_ctx = &t;
   for (uint32_t thread = 0; thread < THREADS; thread++)
      t.threads[thread].number = thread + 1;
   t.heap.phases.list_first = LISTED;
   for (uint32_t p = 0; p < PHASES; p++)
      t.phases[p] = (struct pm_phase){.name = "phase", .complete = true};

   for (int s = 0; s < STEPS; s++)
      step(&t);
   check_past_sizes(&t);
   check_threads(&t);
   while (t.open_count > 0)
      end(&t, model_below(&t.random, t.open_count));
   assert_int_equal(t.heap.phases.open_count, 0);
   assert_false(t.heap.lost);
   assert_in_range(t.heap.ledger.records_used, 1, BLOCKS + 1); /* used again and again */

   pm_heap_release(&t.heap);
   for (uint32_t p = 0; p < PHASES; p++)
      pm_phase_release(&hosted, &t.phases[p]);
   assert_int_equal(hosted_live_bytes(), 0);
   for (uint32_t p = 0; p < PHASES; p++)
      free(t.ended[p]);
   history_release(&t.history);
}

static void every_value_is_that_of_its_definition(void **state)
{
   unsigned long first = model_setting("PM_MODEL_FIRST", 1);
   unsigned long traces = model_setting("PM_MODEL_TRACES", 1000);
   (void)state;
   verbose = model_setting("PM_MODEL_VERBOSE", 0);
   for (unsigned long n = 0; n < traces; n++)
      run(first + n);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_value_is_that_of_its_definition),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
