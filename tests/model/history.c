/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.c: the definitions of the metrics, computed from the list; see history.h. */
#include "history.h"

#include <stdlib.h>

/* --- the list --------------------------------------------------------------- */

void history_release(struct history *history)
{
   free(history->events);
   *history = (struct history){0};
}

static void add(struct history *history, struct event event)
{
   if (history->count == history->capacity) {
      history->capacity = history->capacity * 2 + 64;
      history->events =
         realloc(history->events, history->capacity * sizeof *history->events);
      if (!history->events)
         abort();
   }
   history->events[history->count++] = event;
}

uint32_t history_obtained(struct history *history, uint32_t thread, uint64_t size_bytes)
{
   add(history, (struct event){.what = OBTAINED, .thread = thread, .block = history->blocks,
                               .size_bytes = size_bytes});
   return history->blocks++;
}

void history_resized(struct history *history, uint32_t thread, uint32_t block,
                     uint64_t size_bytes, bool moved)
{
   add(history, (struct event){.what = RESIZED, .thread = thread, .block = block,
                               .size_bytes = size_bytes, .moved = moved});
}

void history_given_back(struct history *history, uint32_t thread, uint32_t block)
{
   add(history, (struct event){.what = GIVEN_BACK, .thread = thread, .block = block});
}

void history_at_site(struct history *history, uint32_t site)
{
   history->events[history->count - 1].site = site;
}

void history_counted(struct history *history, enum pm_metric metric, uint64_t amount)
{
   add(history, (struct event){.what = COUNTED, .metric = metric, .amount = amount});
}

void history_gauged(struct history *history, enum pm_gauge gauge, uint64_t now)
{
   add(history, (struct event){.what = GAUGED, .gauge = gauge, .amount = now});
}

void history_executed(struct history *history, uint32_t thread, uint64_t instrs,
                      bool in_allocator)
{
   add(history, (struct event){.what = EXECUTED, .thread = thread, .amount = instrs,
                               .in_allocator = in_allocator});
}

/* --- the picture at one moment ------------------------------------------------ */

struct pictured {
   bool live;
   uint64_t size_bytes;
   bool obtained_inside;
   bool resized_inside;
   uint64_t size_at_begin; /* of a block obtained before */
};

struct picture {
   struct pictured *blocks; /* by number */
   uint32_t count;
   uint64_t gauge[PM_GAUGES];
};

static void apply(struct picture *picture, const struct event *event, bool inside)
{
   struct pictured *block = &picture->blocks[event->block];
   switch (event->what) {
   case OBTAINED:
      *block = (struct pictured){
         .live = true, .size_bytes = event->size_bytes, .obtained_inside = inside};
      break;
   case RESIZED:
      block->size_bytes = event->size_bytes;
      block->resized_inside = inside;
      break;
   case GIVEN_BACK:
      block->live = false;
      break;
   case GAUGED:
      picture->gauge[event->gauge] = event->amount;
      break;
   case COUNTED:
   case EXECUTED:
      break;
   }
}

static uint64_t live_bytes(const struct picture *picture)
{
   uint64_t sum = 0;
   for (uint32_t b = 0; b < picture->count; b++)
      if (picture->blocks[b].live)
         sum += picture->blocks[b].size_bytes;
   return sum;
}

static uint64_t live_blocks(const struct picture *picture)
{
   uint64_t sum = 0;
   for (uint32_t b = 0; b < picture->count; b++)
      sum += picture->blocks[b].live;
   return sum;
}

/* "bytes in live blocks obtained inside, plus for each older block resized inside
   max(0, size now - size at begin)" */
static uint64_t scratch_bytes(const struct picture *picture)
{
   uint64_t sum = 0;
   for (uint32_t b = 0; b < picture->count; b++) {
      const struct pictured *block = &picture->blocks[b];
      if (!block->live)
         continue;
      if (block->obtained_inside)
         sum += block->size_bytes;
      else if (block->resized_inside && block->size_bytes > block->size_at_begin)
         sum += block->size_bytes - block->size_at_begin;
   }
   return sum;
}

/* "bytes live at end in blocks obtained inside" */
static uint64_t retained_bytes(const struct picture *picture)
{
   uint64_t sum = 0;
   for (uint32_t b = 0; b < picture->count; b++)
      if (picture->blocks[b].live && picture->blocks[b].obtained_inside)
         sum += picture->blocks[b].size_bytes;
   return sum;
}

/* --- an instance -------------------------------------------------------------- */

static void raise_to(uint64_t *value, uint64_t candidate)
{
   if (*value < candidate)
      *value = candidate;
}

static bool is_heap_event(const struct event *event)
{
   return event->what == OBTAINED || event->what == RESIZED || event->what == GIVEN_BACK;
}

/* "its deallocation, inside the same instance, is the next heap event of the
   thread that obtained it, by that thread" */
static bool is_temporary(const struct history *history, size_t at, size_t end)
{
   const struct event *obtained = &history->events[at];
   for (size_t i = at + 1; i < end; i++) {
      const struct event *next = &history->events[i];
      if (is_heap_event(next) && next->thread == obtained->thread)
         return next->what == GIVEN_BACK && next->block == obtained->block;
   }
   return false;
}

/* What an event inside counts by itself; before: the block as it was before. */
static void count_event(const struct history *history, size_t at, size_t end, uint32_t thread,
                        const struct pictured *before, uint64_t value[PM_METRICS])
{
   const struct event *event = &history->events[at];
   switch (event->what) {
   case OBTAINED:
      value[PM_METRIC_ALLOCATIONS_COUNT]++;
      value[PM_METRIC_ALLOCATIONS_BYTES] += event->size_bytes;
      value[PM_METRIC_ALLOCATIONS_ZERO_SIZE] += event->size_bytes == 0;
      value[PM_METRIC_ALLOCATIONS_TEMPORARY] += is_temporary(history, at, end);
      value[PM_METRIC_TRAFFIC_BLOCKS]++;
      value[PM_METRIC_TRAFFIC_BYTES] += event->size_bytes;
      break;
   case RESIZED:
      value[PM_METRIC_REALLOCATIONS_COUNT]++;
      value[PM_METRIC_REALLOCATIONS_BYTES] += event->size_bytes;
      value[PM_METRIC_REALLOCATIONS_NET_BYTES] += event->size_bytes - before->size_bytes;
      value[PM_METRIC_REALLOCATIONS_MOVED] += event->moved;
      value[PM_METRIC_TRAFFIC_BLOCKS]++;
      value[PM_METRIC_TRAFFIC_BYTES] += event->size_bytes;
      if (!before->obtained_inside)
         value[PM_METRIC_HEAP_RESIZED] += event->size_bytes - before->size_bytes;
      break;
   case GIVEN_BACK:
      value[PM_METRIC_DEALLOCATIONS_COUNT]++;
      value[PM_METRIC_DEALLOCATIONS_BYTES] += before->size_bytes;
      if (!before->obtained_inside)
         value[PM_METRIC_HEAP_RELEASED] += before->size_bytes;
      break;
   case COUNTED:
      value[event->metric] += event->amount;
      break;
   case GAUGED:
      break;
   case EXECUTED:
      value[PM_METRIC_INSTRUCTIONS_TOTAL] += event->amount;
      if (event->in_allocator)
         value[PM_METRIC_INSTRUCTIONS_ALLOCATOR] += event->amount;
      else
         value[PM_METRIC_INSTRUCTIONS_PROGRAM] += event->amount;
      if (event->thread == thread)
         value[PM_METRIC_INSTRUCTIONS_OWN_THREAD] += event->amount;
      break;
   }
}

static void look_at_begin(struct picture *picture, uint64_t value[PM_METRICS])
{
   for (uint32_t b = 0; b < picture->count; b++)
      picture->blocks[b].size_at_begin = picture->blocks[b].size_bytes;
   value[PM_METRIC_HEAP_ENTRY] = live_bytes(picture);
   value[PM_METRIC_HEAP_ENTRY_BLOCKS] = live_blocks(picture);
   value[PM_METRIC_HEAP_PEAK] = live_bytes(picture);
   value[PM_METRIC_HEAP_PEAK_BLOCKS] = live_blocks(picture);
   value[PM_METRIC_HEAP_MOVE_PEAK] = live_bytes(picture);
   value[PM_METRIC_MAPPED_ENTRY] = picture->gauge[PM_GAUGE_MAPPED_BYTES];
   value[PM_METRIC_ALLOCATOR_MAPPED_ENTRY] = picture->gauge[PM_GAUGE_ALLOCATOR_MAPPED_BYTES];
   value[PM_METRIC_POOL_ENTRY] = picture->gauge[PM_GAUGE_POOL_BYTES];
   value[PM_METRIC_MAPPED_PEAK] = value[PM_METRIC_MAPPED_ENTRY];
   value[PM_METRIC_ALLOCATOR_MAPPED_PEAK] = value[PM_METRIC_ALLOCATOR_MAPPED_ENTRY];
   value[PM_METRIC_POOL_PEAK] = value[PM_METRIC_POOL_ENTRY];
}

static void look_inside(const struct picture *picture, uint64_t value[PM_METRICS])
{
   uint64_t live = live_bytes(picture);
   if (live > value[PM_METRIC_HEAP_PEAK]) {
      value[PM_METRIC_HEAP_PEAK] = live;
      value[PM_METRIC_HEAP_PEAK_BLOCKS] = live_blocks(picture);
   }
   raise_to(&value[PM_METRIC_HEAP_MOVE_PEAK], live);
   raise_to(&value[PM_METRIC_HEAP_SCRATCH_PEAK], scratch_bytes(picture));
   raise_to(&value[PM_METRIC_MAPPED_PEAK], picture->gauge[PM_GAUGE_MAPPED_BYTES]);
   raise_to(&value[PM_METRIC_ALLOCATOR_MAPPED_PEAK],
            picture->gauge[PM_GAUGE_ALLOCATOR_MAPPED_BYTES]);
   raise_to(&value[PM_METRIC_POOL_PEAK], picture->gauge[PM_GAUGE_POOL_BYTES]);
}

static void look_at_end(const struct picture *picture, uint64_t value[PM_METRICS])
{
   value[PM_METRIC_HEAP_EXIT] = live_bytes(picture);
   value[PM_METRIC_HEAP_EXIT_BLOCKS] = live_blocks(picture);
   value[PM_METRIC_HEAP_GROWTH] = value[PM_METRIC_HEAP_PEAK] - value[PM_METRIC_HEAP_ENTRY];
   value[PM_METRIC_HEAP_RETAINED] = retained_bytes(picture);
   value[PM_METRIC_MAPPED_EXIT] = picture->gauge[PM_GAUGE_MAPPED_BYTES];
   value[PM_METRIC_ALLOCATOR_MAPPED_EXIT] = picture->gauge[PM_GAUGE_ALLOCATOR_MAPPED_BYTES];
   value[PM_METRIC_POOL_EXIT] = picture->gauge[PM_GAUGE_POOL_BYTES];
}

void history_values(const struct history *history, size_t begin, size_t end, uint32_t thread,
                    uint64_t value[PM_METRICS])
{
   struct picture picture = {.blocks = calloc(history->blocks + 1, sizeof *picture.blocks),
                             .count = history->blocks};
   if (!picture.blocks)
      abort();
   for (int m = 0; m < PM_METRICS; m++)
      value[m] = 0;
   for (size_t i = 0; i < begin; i++)
      apply(&picture, &history->events[i], false);
   look_at_begin(&picture, value);
   for (size_t i = begin; i < end; i++) {
      const struct event *event = &history->events[i];
      struct pictured before = picture.blocks[event->block];
      /* "at each moving resize, live just before its event + new size" */
      if (event->what == RESIZED && event->moved)
         raise_to(&value[PM_METRIC_HEAP_MOVE_PEAK], live_bytes(&picture) + event->size_bytes);
      apply(&picture, event, true);
      look_inside(&picture, value);
      count_event(history, i, end, thread, &before, value);
   }
   look_at_end(&picture, value);
   free(picture.blocks);
}

struct pm_span history_span(const struct history *history, size_t begin, size_t end)
{
   struct picture picture = {.blocks = calloc(history->blocks + 1, sizeof *picture.blocks),
                             .count = history->blocks};
   if (!picture.blocks)
      abort();
   struct pm_span span = {0};
   uint64_t instrs = 0, peak = 0;
   for (size_t i = 0; i <= end; i++) {
      uint64_t live = live_bytes(&picture);
      if (i == begin)
         span.begin_instrs = instrs;
      /* "at the first moment it was reached" */
      if (i == begin || (i > begin && live > peak)) {
         peak = live;
         span.peak_instrs = instrs;
      }
      if (i == end)
         break;
      const struct event *event = &history->events[i];
      instrs += event->what == EXECUTED ? event->amount : 0;
      apply(&picture, event, i >= begin);
   }
   span.end_instrs = instrs;
   free(picture.blocks);
   return span;
}

/* --- a phase -------------------------------------------------------------------- */

enum repeated { SUM_OF_ALL, OF_THE_FIRST, OF_THE_LAST_ENDED, MAXIMUM, AT_THE_PEAK };

/* "Counters, retained, released, resized: sums. entry: the first instance's; exit:
   the last ended one's. peaks, growth, scratch-peak, move-peak: the maximum"; the
   blocks at the peak belong to its picture: "the first instance that reached
   heap.peak" */
static enum repeated repeated(enum pm_metric metric)
{
   switch (metric) {
   case PM_METRIC_HEAP_ENTRY:
   case PM_METRIC_HEAP_ENTRY_BLOCKS:
   case PM_METRIC_MAPPED_ENTRY:
   case PM_METRIC_ALLOCATOR_MAPPED_ENTRY:
   case PM_METRIC_POOL_ENTRY:
      return OF_THE_FIRST;
   case PM_METRIC_HEAP_EXIT:
   case PM_METRIC_HEAP_EXIT_BLOCKS:
   case PM_METRIC_MAPPED_EXIT:
   case PM_METRIC_ALLOCATOR_MAPPED_EXIT:
   case PM_METRIC_POOL_EXIT:
      return OF_THE_LAST_ENDED;
   case PM_METRIC_HEAP_PEAK_BLOCKS:
      return AT_THE_PEAK;
   case PM_METRIC_HEAP_PEAK:
   case PM_METRIC_HEAP_GROWTH:
   case PM_METRIC_HEAP_SCRATCH_PEAK:
   case PM_METRIC_HEAP_MOVE_PEAK:
   case PM_METRIC_MAPPED_PEAK:
   case PM_METRIC_ALLOCATOR_MAPPED_PEAK:
   case PM_METRIC_POOL_PEAK:
      return MAXIMUM;
   default:
      return SUM_OF_ALL;
   }
}

/* The two metrics that can be negative. */
static bool is_less(enum pm_metric metric, uint64_t a, uint64_t b)
{
   if (metric == PM_METRIC_HEAP_RESIZED || metric == PM_METRIC_REALLOCATIONS_NET_BYTES)
      return (int64_t)a < (int64_t)b;
   return a < b;
}

static uint64_t of_the_first(const struct ended *ended, size_t count, enum pm_metric metric)
{
   const struct ended *first = &ended[0];
   for (size_t i = 1; i < count; i++)
      if (ended[i].order < first->order)
         first = &ended[i];
   return first->value[metric];
}

static uint64_t at_the_peak(const struct ended *ended, size_t count, uint64_t peak,
                            enum pm_metric metric)
{
   const struct ended *first = NULL;
   for (size_t i = 0; i < count; i++)
      if (ended[i].value[PM_METRIC_HEAP_PEAK] == peak &&
          (!first || ended[i].order < first->order))
         first = &ended[i];
   return first->value[metric];
}

void history_phase(const struct ended *ended, size_t count, uint64_t value[PM_METRICS],
                   uint64_t least[PM_METRICS], uint64_t greatest[PM_METRICS])
{
   for (int m = 0; m < PM_METRICS; m++) {
      uint64_t sum = 0;
      least[m] = greatest[m] = ended[0].value[m];
      for (size_t i = 0; i < count; i++) {
         sum += ended[i].value[m];
         if (is_less(m, ended[i].value[m], least[m]))
            least[m] = ended[i].value[m];
         if (is_less(m, greatest[m], ended[i].value[m]))
            greatest[m] = ended[i].value[m];
      }
      switch (repeated(m)) {
      case SUM_OF_ALL: value[m] = sum; break;
      case OF_THE_FIRST: value[m] = of_the_first(ended, count, m); break;
      case OF_THE_LAST_ENDED: value[m] = ended[count - 1].value[m]; break;
      case MAXIMUM: value[m] = greatest[m]; break;
      case AT_THE_PEAK:
         value[m] = at_the_peak(ended, count, greatest[PM_METRIC_HEAP_PEAK], m);
         break;
      }
   }
}

/* --- identities ------------------------------------------------------------------ */

const char *history_broken_identity(const uint64_t v[PM_METRICS])
{
   if (v[PM_METRIC_HEAP_EXIT] != v[PM_METRIC_HEAP_ENTRY] + v[PM_METRIC_ALLOCATIONS_BYTES] +
                                    v[PM_METRIC_REALLOCATIONS_NET_BYTES] -
                                    v[PM_METRIC_DEALLOCATIONS_BYTES])
      return "exit = entry + allocations.bytes + reallocations.net-bytes - deallocations.bytes";
   if (v[PM_METRIC_HEAP_EXIT] != v[PM_METRIC_HEAP_ENTRY] + v[PM_METRIC_HEAP_RETAINED] +
                                    v[PM_METRIC_HEAP_RESIZED] - v[PM_METRIC_HEAP_RELEASED])
      return "exit = entry + retained + resized - released";
   if (v[PM_METRIC_HEAP_EXIT_BLOCKS] != v[PM_METRIC_HEAP_ENTRY_BLOCKS] +
                                           v[PM_METRIC_ALLOCATIONS_COUNT] -
                                           v[PM_METRIC_DEALLOCATIONS_COUNT])
      return "exit-blocks = entry-blocks + allocations.count - deallocations.count";
   if (v[PM_METRIC_HEAP_PEAK] < v[PM_METRIC_HEAP_ENTRY] ||
       v[PM_METRIC_HEAP_PEAK] < v[PM_METRIC_HEAP_EXIT])
      return "peak >= entry, exit";
   if (v[PM_METRIC_HEAP_MOVE_PEAK] < v[PM_METRIC_HEAP_PEAK])
      return "move-peak >= peak";
   if (v[PM_METRIC_INSTRUCTIONS_PROGRAM] !=
       v[PM_METRIC_INSTRUCTIONS_TOTAL] - v[PM_METRIC_INSTRUCTIONS_ALLOCATOR])
      return "program = total - allocator";
   return NULL;
}
