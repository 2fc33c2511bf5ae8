/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_heap.c: the rules of the heap metrics; pm_heap.h has the terms. */
#include "pm_heap.h"

void pm_heap_init(struct pm_heap *heap, const struct pm_host *host)
{
   *heap = (struct pm_heap){.host = host, .past_used = 1};
   pm_ledger_init(&heap->ledger, host);
   pm_phases_init(&heap->phases, host);
   pm_timeline_init(&heap->timeline, host, 0, 0, 0);
}

void pm_heap_release(struct pm_heap *heap)
{
   pm_ledger_release(&heap->ledger);
   pm_phases_release(&heap->phases);
   pm_timeline_release(&heap->timeline);
   heap->host->release(heap->past, heap->past_capacity * sizeof *heap->past);
   pm_heap_init(heap, heap->host);
}

/* --- past sizes ---------------------------------------------------------- */

static uint32_t take_past(struct pm_heap *heap)
{
   uint32_t n = heap->past_free;
   if (n) {
      heap->past_free = heap->past[n].older;
      return n;
   }
   if (heap->past_used >= heap->past_capacity) {
      uint32_t capacity = heap->past_capacity ? heap->past_capacity * 2 : 64;
      struct pm_past_size *past =
         capacity > heap->past_capacity ? heap->host->alloc(capacity * sizeof *past) : NULL;
      if (!past)
         return 0;
      if (heap->past)
         memcpy(past, heap->past, heap->past_used * sizeof *past);
      heap->host->release(heap->past, heap->past_capacity * sizeof *past);
      heap->past = past;
      heap->past_capacity = capacity;
   }
   return heap->past_used++;
}

static void drop_past(struct pm_heap *heap, uint32_t n)
{
   heap->past[n].older = heap->past_free;
   heap->past_free = n;
}

PM_SELDOM static void drop_all_past(struct pm_heap *heap, struct pm_block *block)
{
   while (block->sizes) {
      uint32_t n = block->sizes;
      block->sizes = heap->past[n].older;
      drop_past(heap, n);
   }
}

/* Drop the nodes that no open instance asks for: those with no instance's
   begin between the next older node (or the birth) and themselves. Both lists
   are walked once, newest first. */
static void prune_past(struct pm_heap *heap, struct pm_block *block)
{
   uint32_t i = heap->phases.open_count;
   uint32_t *link = &block->sizes;
   while (*link) {
      struct pm_past_size *node = &heap->past[*link];
      uint64_t after = node->older ? heap->past[node->older].event : block->birth_event;
      while (i > 0 && heap->phases.open[i - 1]->begin_event >= node->event)
         i--;
      if (i > 0 && heap->phases.open[i - 1]->begin_event >= after) {
         link = &node->older;
      } else {
         uint32_t n = *link;
         *link = node->older;
         drop_past(heap, n);
      }
   }
}

/* Before event `event` changes the block's size: keep the present size if an
   open instance began after the last change that is remembered. */
PM_SELDOM static void remember_size(struct pm_heap *heap, struct pm_block *block, uint64_t event)
{
   uint64_t last = block->sizes ? heap->past[block->sizes].event : block->birth_event;
   uint32_t open = heap->phases.open_count;
   if (open == 0 || heap->phases.open[open - 1]->begin_event < last)
      return;
   prune_past(heap, block);
   uint32_t n = take_past(heap);
   if (!n) {
      heap->lost = true;
      return;
   }
   heap->past[n] = (struct pm_past_size){
      .size_bytes = block->size_bytes, .event = event, .older = block->sizes};
   block->sizes = n;
}

/* A walk over the open instances, newest first, that knows the block's size at
   the begin of each. */
struct size_walk {
   uint32_t node;
   uint64_t size_bytes;
};

static uint64_t size_at_begin(const struct pm_heap *heap, struct size_walk *walk,
                              const struct pm_instance *instance)
{
   while (walk->node && heap->past[walk->node].event > instance->begin_event) {
      walk->size_bytes = heap->past[walk->node].size_bytes;
      walk->node = heap->past[walk->node].older;
   }
   return walk->size_bytes;
}

/* --- events -------------------------------------------------------------- */

static uint64_t above(uint64_t size, uint64_t base)
{
   return size > base ? size - base : 0;
}

static void set_live(struct pm_heap *heap, uint64_t live_bytes)
{
   struct pm_state *state = &heap->state;
   state->gauge[PM_GAUGE_LIVE_BYTES] = live_bytes;
   pm_timeline_add(&heap->timeline, state->counter[PM_COUNT_INSTRUCTIONS], live_bytes);
}

/* After what makes neither live memory nor scratch memory less. */
static void note_peaks(struct pm_heap *heap)
{
   const struct pm_state *state = &heap->state;
   uint64_t live_bytes = state->gauge[PM_GAUGE_LIVE_BYTES];
   for (uint32_t i = 0; i < heap->phases.open_count; i++) {
      struct pm_instance *instance = heap->phases.open[i];
      if (live_bytes > instance->peak[PM_GAUGE_LIVE_BYTES]) {
         instance->peak[PM_GAUGE_LIVE_BYTES] = live_bytes;
         instance->peak_blocks = state->live_blocks;
         instance->peak_event = heap->phases.last_peak_event = state->events;
         instance->peak_instrs = state->counter[PM_COUNT_INSTRUCTIONS];
      }
      if (live_bytes > instance->move_peak_bytes)
         instance->move_peak_bytes = live_bytes;
      if (instance->scratch_bytes > instance->scratch_peak_bytes)
         instance->scratch_peak_bytes = instance->scratch_bytes;
   }
}

static void tell_gone(struct pm_heap *heap, uint64_t start, uint64_t end)
{
   if (start < end && end - start >= heap->ledger.ordered_from_bytes && heap->range_gone)
      heap->range_gone(heap->range_gone_ctx, start, end);
}

void pm_heap_give_up(struct pm_heap *heap)
{
   PM_ASSERT(heap->host, heap->lost);
   pm_ledger_release(&heap->ledger);
   heap->host->release(heap->past, heap->past_capacity * sizeof *heap->past);
   heap->past = NULL;
   heap->past_capacity = 0;
}

pm_block_id pm_heap_file(struct pm_heap *heap, uint64_t address, uint64_t size_bytes)
{
   if (heap->lost) {
      pm_heap_give_up(heap);
      return 0;
   }
   if (pm_heap_ignores(heap, size_bytes))
      return 0;
   pm_block_id id = pm_ledger_new(&heap->ledger, address, size_bytes, PM_BLOCK_INNER);
   if (id && pm_ledger_file(&heap->ledger, id))
      return id;
   heap->lost = true;
   return 0;
}

void pm_heap_unfile_inner(struct pm_heap *heap, pm_block_id id)
{
   if (heap->lost)
      return;
   pm_ledger_unfile(&heap->ledger, id);
   pm_ledger_drop(&heap->ledger, id);
}

void pm_heap_refile(struct pm_heap *heap, pm_block_id id)
{
   if (!heap->lost && !pm_ledger_file(&heap->ledger, id))
      heap->lost = true;
}

void pm_heap_obtained(struct pm_heap *heap, struct pm_heap_thread *thread, pm_block_id id)
{
   if (heap->lost)
      return;
   struct pm_state *state = &heap->state;
   struct pm_block *block = pm_ledger_block(&heap->ledger, id);
   PM_ASSERT(heap->host, pm_block_state(block) == PM_BLOCK_INNER);
   pm_block_set(block, PM_BLOCK_LIVE, thread->number);
   block->birth_event = ++state->events;
   block->birth_instrs = state->counter[PM_COUNT_INSTRUCTIONS];
   block->site = thread->site;
   thread->fresh_event = block->birth_event;

   uint64_t size = block->size_bytes;
   state->counter[PM_COUNT_ALLOCATIONS]++;
   state->counter[PM_COUNT_ALLOCATION_BYTES] += size;
   state->counter[PM_COUNT_ALLOCATIONS_ZERO_SIZE] += size == 0;
   state->live_blocks++;
   if (heap->phases.sites)
      pm_sites_obtained(heap->phases.sites, &heap->phases, state->events, block);
   if (heap->phases.threads)
      pm_thread_counts_traffic(heap->phases.threads, &heap->phases, thread->number, size);
   for (uint32_t i = 0; i < heap->phases.open_count; i++) {
      pm_histogram_add(&heap->phases.open[i]->sizes, size);
      heap->phases.open[i]->scratch_bytes += size;
      heap->phases.open[i]->retained_bytes += size;
   }
   set_live(heap, state->gauge[PM_GAUGE_LIVE_BYTES] + size);
   note_peaks(heap);
}

void pm_heap_resized(struct pm_heap *heap, struct pm_heap_thread *thread, pm_block_id id,
                     uint64_t new_address, uint64_t new_size_bytes)
{
   if (heap->lost)
      return;
   struct pm_state *state = &heap->state;
   struct pm_block *block = pm_ledger_block(&heap->ledger, id);
   uint64_t old = block->size_bytes, new = new_size_bytes;
   uint64_t live = state->gauge[PM_GAUGE_LIVE_BYTES];
   bool moved = new_address != block->address;
   uint64_t event = ++state->events;
   remember_size(heap, block, event);
   thread->fresh_event = 0;

   state->counter[PM_COUNT_REALLOCATIONS]++;
   state->counter[PM_COUNT_REALLOCATION_BYTES] += new;
   state->counter[PM_COUNT_REALLOCATION_NET_BYTES] += new - old;
   state->counter[PM_COUNT_REALLOCATIONS_MOVED] += moved;
   if (heap->phases.sites)
      pm_sites_resized(heap->phases.sites, &heap->phases, event, block, new, thread->site);
   if (heap->fates)
      pm_fates_add(heap->fates, &heap->phases,
                   &(struct pm_fate){.kind = PM_FATE_RESIZED,
                                     .origin = block->site,
                                     .site = thread->site,
                                     .blocks = 1,
                                     .bytes = new,
                                     .net_bytes = new - old});
   if (heap->phases.threads)
      pm_thread_counts_traffic(heap->phases.threads, &heap->phases, thread->number, new);

   struct size_walk walk = {.node = block->sizes, .size_bytes = old};
   for (uint32_t i = heap->phases.open_count; i-- > 0;) {
      struct pm_instance *instance = heap->phases.open[i];
      pm_histogram_add(&instance->sizes, new);
      if (block->birth_event > instance->begin_event) {
         instance->scratch_bytes += new - old;
         instance->retained_bytes += new - old;
      } else {
         uint64_t begin = size_at_begin(heap, &walk, instance);
         instance->scratch_bytes += above(new, begin) - above(old, begin);
         instance->resized_bytes += new - old;
      }
      if (moved && live + new > instance->move_peak_bytes)
         instance->move_peak_bytes = live + new;
   }
   uint64_t kept = moved ? 0 : new;
   tell_gone(heap, block->address + kept, block->address + old);
   block->address = new_address;
   block->size_bytes = new;
   if (!pm_ledger_file(&heap->ledger, id))
      heap->lost = true;
   set_live(heap, live + (new - old));
   note_peaks(heap);
}

void pm_heap_given_back(struct pm_heap *heap, struct pm_heap_thread *thread, pm_block_id id,
                        bool filed)
{
   if (heap->lost)
      return;
   struct pm_state *state = &heap->state;
   struct pm_block *block = pm_ledger_block(&heap->ledger, id);
   PM_ASSERT(heap->host, pm_block_state(block) == PM_BLOCK_LIVE);
   uint64_t size = block->size_bytes;
   bool temporary = block->birth_event == thread->fresh_event;
   state->events++;
   thread->fresh_event = 0;

   state->counter[PM_COUNT_DEALLOCATIONS]++;
   state->counter[PM_COUNT_DEALLOCATION_BYTES] += size;
   state->live_blocks--;
   if (heap->phases.sites)
      pm_sites_given_back(heap->phases.sites, &heap->phases, state->events, block, temporary);
   if (heap->fates && heap->fates->releases)
      pm_fates_add(heap->fates, &heap->phases,
                   &(struct pm_fate){.kind = PM_FATE_RELEASED,
                                     .origin = block->site,
                                     .site = thread->site,
                                     .blocks = 1,
                                     .bytes = size});
   if (heap->phases.threads)
      pm_thread_counts_released(heap->phases.threads, &heap->phases, thread->number,
                                pm_block_thread(block) != thread->number);
   uint64_t lifetime = state->counter[PM_COUNT_INSTRUCTIONS] - block->birth_instrs;

   struct size_walk walk = {.node = block->sizes, .size_bytes = size};
   for (uint32_t i = heap->phases.open_count; i-- > 0;) {
      struct pm_instance *instance = heap->phases.open[i];
      if (block->birth_event > instance->begin_event) {
         instance->scratch_bytes -= size;
         instance->retained_bytes -= size;
         instance->temporary_blocks += temporary;
         pm_histogram_add(&instance->lifetimes, lifetime);
      } else {
         instance->scratch_bytes -= above(size, size_at_begin(heap, &walk, instance));
         instance->released_bytes += size;
      }
   }
   tell_gone(heap, block->address, block->address + size);
   if (block->sizes)
      drop_all_past(heap, block);
   if (filed)
      pm_ledger_unfile(&heap->ledger, id);
   pm_ledger_drop(&heap->ledger, id);
   set_live(heap, state->gauge[PM_GAUGE_LIVE_BYTES] - size);
}
