/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_phases.c: begin, end and aggregation of phase instances. */
#include "pm_phases.h"
#include "pm_sites.h"
#include "pm_thread_counts.h"

void pm_phases_init(struct pm_phases *phases, const struct pm_host *host)
{
   *phases = (struct pm_phases){.host = host};
}

void pm_phases_release(struct pm_phases *phases)
{
   for (uint32_t i = 0; i < phases->open_count; i++)
      phases->host->release(phases->open[i], sizeof *phases->open[i]);
   phases->host->release(phases->open, phases->open_capacity * sizeof *phases->open);
   phases->host->release(phases->free_slots,
                         phases->open_capacity * sizeof *phases->free_slots);
   pm_phases_init(phases, phases->host);
}

static bool grow_open(struct pm_phases *phases)
{
   const struct pm_host *host = phases->host;
   uint32_t capacity = phases->open_capacity ? phases->open_capacity * 2 : 8;
   struct pm_instance **open = host->alloc(capacity * sizeof *open);
   uint32_t *free_slots = host->alloc(capacity * sizeof *free_slots);
   if (!open || !free_slots) {
      host->release(open, capacity * sizeof *open);
      host->release(free_slots, capacity * sizeof *free_slots);
      return false;
   }
   if (phases->open_capacity) {
      memcpy(open, phases->open, phases->open_count * sizeof *open);
      memcpy(free_slots, phases->free_slots, phases->free_slot_count * sizeof *free_slots);
   }
   host->release(phases->open, phases->open_capacity * sizeof *open);
   host->release(phases->free_slots, phases->open_capacity * sizeof *free_slots);
   phases->open = open;
   phases->free_slots = free_slots;
   phases->open_capacity = capacity;
   return true;
}

/* Fill in an instance that begins now. */
static void begin(struct pm_instance *instance, struct pm_phase *phase,
                  const struct pm_state *state, uint32_t thread, uint64_t thread_instrs)
{
   *instance = (struct pm_instance){
      .phase = phase,
      .order = phase->begun++,
      .thread = thread,
      .thread_instrs = thread_instrs,
      .begin_event = state->events,
      .peak_event = state->events,
      .peak_instrs = state->counter[PM_COUNT_INSTRUCTIONS],
      .entry_blocks = state->live_blocks,
      .peak_blocks = state->live_blocks,
      .move_peak_bytes = state->gauge[PM_GAUGE_LIVE_BYTES],
   };
   memcpy(instance->begin_counter, state->counter, sizeof instance->begin_counter);
   memcpy(instance->entry, state->gauge, sizeof instance->entry);
   memcpy(instance->peak, state->gauge, sizeof instance->peak);
}

/* An instance has begun: what is kept by instance makes room for it. */
static void enter(struct pm_phases *phases, struct pm_instance *instance)
{
   instance->serial = ++phases->begun;
   phases->last_peak_event = instance->peak_event;
   if (phases->sites)
      pm_sites_begin(phases->sites, instance);
   if (phases->threads)
      pm_thread_counts_begin(phases->threads, instance);
}

/* The set of open instances is about to change. */
static void settle(struct pm_phases *phases)
{
   if (phases->threads)
      pm_thread_counts_settle(phases->threads, phases);
}

static void tell_changed(struct pm_phases *phases)
{
   if (phases->open_changed)
      phases->open_changed(phases->open_changed_ctx);
}

struct pm_instance *pm_phases_begin(struct pm_phases *phases, struct pm_phase *phase,
                                    const struct pm_state *state, uint32_t thread,
                                    uint64_t thread_instrs)
{
   if (phases->open_count == phases->open_capacity && !grow_open(phases))
      return NULL;
   struct pm_instance *instance = phases->host->alloc(sizeof *instance);
   if (!instance)
      return NULL;
   settle(phases);
   begin(instance, phase, state, thread, thread_instrs);
   phase->overlapping = phase->overlapping || pm_phases_open_of(phases, phase) > 0;
   phases->open[phases->open_count++] = instance;
   instance->slot = phases->free_slot_count > 0
                       ? phases->free_slots[--phases->free_slot_count] : phases->slots++;
   enter(phases, instance);
   tell_changed(phases);
   return instance;
}

void pm_instance_restart(struct pm_phases *phases, uint32_t at, const struct pm_state *state,
                         uint64_t thread_instrs)
{
   struct pm_instance *instance = phases->open[at];
   struct pm_phase *phase = instance->phase;
   uint32_t slot = instance->slot;
   settle(phases);
   begin(instance, phase, state, instance->thread, thread_instrs);
   instance->slot = slot;
   enter(phases, instance);
   for (uint32_t i = 0; i < at; i++)
      phase->overlapping = phase->overlapping || phases->open[i]->phase == phase;
}

/* Where a metric that is just a counter's growth comes from. */
static const struct {
   enum pm_metric metric;
   enum pm_counter counter;
} from_counter[] = {
   {PM_METRIC_ALLOCATIONS_COUNT, PM_COUNT_ALLOCATIONS},
   {PM_METRIC_ALLOCATIONS_BYTES, PM_COUNT_ALLOCATION_BYTES},
   {PM_METRIC_ALLOCATIONS_ZERO_SIZE, PM_COUNT_ALLOCATIONS_ZERO_SIZE},
   {PM_METRIC_ALLOCATIONS_FAILED, PM_COUNT_ALLOCATIONS_FAILED},
   {PM_METRIC_REALLOCATIONS_COUNT, PM_COUNT_REALLOCATIONS},
   {PM_METRIC_REALLOCATIONS_BYTES, PM_COUNT_REALLOCATION_BYTES},
   {PM_METRIC_REALLOCATIONS_NET_BYTES, PM_COUNT_REALLOCATION_NET_BYTES},
   {PM_METRIC_REALLOCATIONS_MOVED, PM_COUNT_REALLOCATIONS_MOVED},
   {PM_METRIC_REALLOCATIONS_FAILED, PM_COUNT_REALLOCATIONS_FAILED},
   {PM_METRIC_DEALLOCATIONS_COUNT, PM_COUNT_DEALLOCATIONS},
   {PM_METRIC_DEALLOCATIONS_BYTES, PM_COUNT_DEALLOCATION_BYTES},
   {PM_METRIC_DEALLOCATIONS_UNMATCHED, PM_COUNT_DEALLOCATIONS_UNMATCHED},
   {PM_METRIC_DEALLOCATIONS_UNSEEN, PM_COUNT_DEALLOCATIONS_UNSEEN},
   {PM_METRIC_POOL_COUNT, PM_COUNT_POOL_BLOCKS},
   {PM_METRIC_INSTRUCTIONS_TOTAL, PM_COUNT_INSTRUCTIONS},
   {PM_METRIC_INSTRUCTIONS_ALLOCATOR, PM_COUNT_INSTRUCTIONS_ALLOCATOR},
   {PM_METRIC_INSTRUCTIONS_REP_ITERATIONS, PM_COUNT_REP_ITERATIONS},
   {PM_METRIC_INSTRUCTIONS_REP_ENDED_BY_CONDITION, PM_COUNT_REP_ENDED_BY_CONDITION},
   {PM_METRIC_INSTRUCTIONS_CLIENT_REQUESTS, PM_COUNT_CLIENT_REQUESTS},
   {PM_METRIC_SYSCALLS_COUNT, PM_COUNT_SYSCALLS},
   {PM_METRIC_OUTSIDE_THREAD_SWITCHES, PM_COUNT_THREAD_SWITCHES},
   {PM_METRIC_OUTSIDE_CLOCK_READS, PM_COUNT_CLOCK_READS},
   {PM_METRIC_OUTSIDE_RANDOM_READS, PM_COUNT_RANDOM_READS},
   {PM_METRIC_OUTSIDE_PID_READS, PM_COUNT_PID_READS},
   {PM_METRIC_OUTSIDE_FILE_READS, PM_COUNT_FILE_READS},
   {PM_METRIC_OUTSIDE_NETWORK_CALLS, PM_COUNT_NETWORK_CALLS},
   {PM_METRIC_OUTSIDE_PROCESSES, PM_COUNT_PROCESSES},
};

/* Where the entry, peak and exit of a gauge go. */
static const struct {
   enum pm_gauge gauge;
   enum pm_metric entry, peak, exit;
} from_gauge[] = {
   {PM_GAUGE_LIVE_BYTES, PM_METRIC_HEAP_ENTRY, PM_METRIC_HEAP_PEAK, PM_METRIC_HEAP_EXIT},
   {PM_GAUGE_MAPPED_BYTES, PM_METRIC_MAPPED_ENTRY, PM_METRIC_MAPPED_PEAK,
    PM_METRIC_MAPPED_EXIT},
   {PM_GAUGE_ALLOCATOR_MAPPED_BYTES, PM_METRIC_ALLOCATOR_MAPPED_ENTRY,
    PM_METRIC_ALLOCATOR_MAPPED_PEAK, PM_METRIC_ALLOCATOR_MAPPED_EXIT},
   {PM_GAUGE_POOL_BYTES, PM_METRIC_POOL_ENTRY, PM_METRIC_POOL_PEAK, PM_METRIC_POOL_EXIT},
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

void pm_instance_values(const struct pm_instance *instance, const struct pm_state *state,
                        uint64_t thread_instrs, uint64_t value[PM_METRICS])
{
   for (size_t i = 0; i < COUNT_OF(from_counter); i++) {
      enum pm_counter c = from_counter[i].counter;
      value[from_counter[i].metric] = state->counter[c] - instance->begin_counter[c];
   }
   for (size_t i = 0; i < COUNT_OF(from_gauge); i++) {
      enum pm_gauge g = from_gauge[i].gauge;
      value[from_gauge[i].entry] = instance->entry[g];
      value[from_gauge[i].peak] = instance->peak[g];
      value[from_gauge[i].exit] = state->gauge[g];
   }
   value[PM_METRIC_HEAP_ENTRY_BLOCKS] = instance->entry_blocks;
   value[PM_METRIC_HEAP_PEAK_BLOCKS] = instance->peak_blocks;
   value[PM_METRIC_HEAP_EXIT_BLOCKS] = state->live_blocks;
   value[PM_METRIC_HEAP_GROWTH] = value[PM_METRIC_HEAP_PEAK] - value[PM_METRIC_HEAP_ENTRY];
   value[PM_METRIC_HEAP_SCRATCH_PEAK] = instance->scratch_peak_bytes;
   value[PM_METRIC_HEAP_RETAINED] = instance->retained_bytes;
   value[PM_METRIC_HEAP_RELEASED] = instance->released_bytes;
   value[PM_METRIC_HEAP_RESIZED] = instance->resized_bytes;
   value[PM_METRIC_HEAP_MOVE_PEAK] = instance->move_peak_bytes;
   value[PM_METRIC_ALLOCATIONS_TEMPORARY] = instance->temporary_blocks;
   value[PM_METRIC_TRAFFIC_BLOCKS] =
      value[PM_METRIC_ALLOCATIONS_COUNT] + value[PM_METRIC_REALLOCATIONS_COUNT];
   value[PM_METRIC_TRAFFIC_BYTES] =
      value[PM_METRIC_ALLOCATIONS_BYTES] + value[PM_METRIC_REALLOCATIONS_BYTES];
   value[PM_METRIC_INSTRUCTIONS_PROGRAM] =
      value[PM_METRIC_INSTRUCTIONS_TOTAL] - value[PM_METRIC_INSTRUCTIONS_ALLOCATOR];
   value[PM_METRIC_INSTRUCTIONS_OWN_THREAD] = thread_instrs - instance->thread_instrs;
   for (int m = 0; m < PM_METRICS; m++)
      if (pm_metric_rows[m].over_instances == PM_OVER_PHASE)
         value[m] = 0; /* not an instance's */
}

/* Where the instance lies if it ends now. */
static struct pm_span span_of(const struct pm_instance *instance, const struct pm_state *state)
{
   return (struct pm_span){instance->begin_counter[PM_COUNT_INSTRUCTIONS], instance->peak_instrs,
                           state->counter[PM_COUNT_INSTRUCTIONS]};
}

/* Add one ended instance's values to its phase. Instances that overlap need not end
   in the order of their begins. */
static void aggregate(struct pm_phase *phase, uint64_t order, const struct pm_span *span,
                      const uint64_t value[PM_METRICS])
{
   bool first = phase->instances++ == 0;
   bool earliest = first || order < phase->earliest;
   uint64_t peak = value[PM_METRIC_HEAP_PEAK], peak_before = phase->greatest[PM_METRIC_HEAP_PEAK];
   bool highest =
      first || peak > peak_before || (peak == peak_before && order < phase->highest);
   if (earliest)
      phase->earliest = order;
   if (highest)
      phase->highest = order;
   for (int m = 0; m < PM_METRICS; m++) {
      enum pm_over_instances over = pm_metric_rows[m].over_instances;
      if (first || pm_metric_less(m, value[m], phase->least[m]))
         phase->least[m] = value[m];
      if (first || pm_metric_less(m, phase->greatest[m], value[m]))
         phase->greatest[m] = value[m];
      if (first || over == PM_OVER_LAST || (over == PM_OVER_FIRST && earliest) ||
          (over == PM_OVER_AT_PEAK && highest))
         phase->value[m] = value[m];
      else if (over == PM_OVER_SUM)
         phase->value[m] += value[m];
      else if (over == PM_OVER_MAX)
         phase->value[m] = phase->greatest[m];
   }
   memcpy(phase->last, value, sizeof phase->last);
   phase->span = *span;
}

static void add_histograms(struct pm_phase *phase, const struct pm_instance *instance)
{
   for (int b = 0; b < PM_BUCKETS; b++) {
      phase->sizes.blocks[b] += instance->sizes.blocks[b];
      phase->lifetimes.blocks[b] += instance->lifetimes.blocks[b];
   }
}

/* The instance that is about to be aggregated has this parent. */
static void note_parent(struct pm_phase *phase, const struct pm_phase *parent)
{
   if (phase->instances > 0 && parent != phase->parent)
      phase->parents_differ = true;
   phase->parent = parent;
}

/* List an ended instance singly, in order of the begins. False: no memory. */
static bool list(struct pm_phases *phases, const struct pm_instance *instance,
                 const struct pm_phase *parent, bool complete, const struct pm_span *span,
                 const uint64_t value[PM_METRICS])
{
   if (instance->order >= phases->list_first)
      return true;
   struct pm_listed *listed = phases->host->alloc(sizeof *listed);
   if (!listed)
      return false;
   /* Behind the last one that was begun before it: mostly the last of all. */
   struct pm_phase *phase = instance->phase;
   struct pm_listed *before = phase->listed_last;
   while (before && before->order > instance->order)
      before = before->before;
   listed->before = before;
   listed->next = before ? before->next : phase->listed;
   *(before ? &before->next : &phase->listed) = listed;
   *(listed->next ? &listed->next->before : &phase->listed_last) = listed;
   listed->order = instance->order;
   listed->thread = instance->thread;
   listed->complete = complete;
   listed->parent = parent;
   listed->span = *span;
   memcpy(listed->value, value, sizeof listed->value);
   return true;
}

void pm_phase_release(const struct pm_host *host, struct pm_phase *phase)
{
   while (phase->listed) {
      struct pm_listed *next = phase->listed->next;
      host->release(phase->listed, sizeof *phase->listed);
      phase->listed = next;
   }
   phase->listed_last = NULL;
}

bool pm_phases_end(struct pm_phases *phases, struct pm_instance *instance,
                   const struct pm_state *state, uint64_t thread_instrs, bool complete)
{
   uint32_t at = phases->open_count;
   while (at > 0 && phases->open[at - 1] != instance)
      at--;
   PM_ASSERT(phases->host, at > 0);
   /* Open at its begin and still open now, begun last: the one before it. */
   settle(phases);
   struct pm_phase *phase = instance->phase;
   const struct pm_phase *parent = at > 1 ? phases->open[at - 2]->phase : NULL;
   note_parent(phase, parent);

   uint64_t value[PM_METRICS];
   pm_instance_values(instance, state, thread_instrs, value);
   struct pm_span span = span_of(instance, state);
   aggregate(phase, instance->order, &span, value);
   phase->complete = phase->complete && complete;
   bool listed = list(phases, instance, parent, complete, &span, value);
   add_histograms(phase, instance);
   if (phases->sites)
      pm_sites_end(phases->sites, instance, phase->highest == instance->order);
   if (phases->threads)
      pm_thread_counts_end(phases->threads, instance);

   for (; at < phases->open_count; at++)
      phases->open[at - 1] = phases->open[at];
   phases->open_count--;
   phases->free_slots[phases->free_slot_count++] = instance->slot;
   phases->host->release(instance, sizeof *instance);
   tell_changed(phases);
   return listed;
}

void pm_phase_as_if_ended(const struct pm_phases *phases, const struct pm_phase *phase,
                          const struct pm_state *state,
                          uint64_t (*thread_instrs)(uint32_t thread), bool complete,
                          struct pm_phase *copy)
{
   *copy = *phase;
   for (uint32_t at = phases->open_count; at > 0; at--) {
      const struct pm_instance *instance = phases->open[at - 1];
      if (instance->phase != phase)
         continue;
      uint64_t value[PM_METRICS];
      pm_instance_values(instance, state,
                         instance->thread ? thread_instrs(instance->thread) : 0, value);
      note_parent(copy, at > 1 ? phases->open[at - 2]->phase : NULL);
      struct pm_span span = span_of(instance, state);
      aggregate(copy, instance->order, &span, value);
      add_histograms(copy, instance);
      copy->complete = copy->complete && complete;
   }
}

struct pm_instance *pm_phases_open_on(const struct pm_phases *phases,
                                      const struct pm_phase *phase, uint32_t thread)
{
   for (uint32_t i = phases->open_count; i-- > 0;)
      if (phases->open[i]->phase == phase && phases->open[i]->thread == thread)
         return phases->open[i];
   return NULL;
}

struct pm_instance *pm_phases_open_last(const struct pm_phases *phases,
                                        const struct pm_phase *phase)
{
   for (uint32_t i = phases->open_count; i-- > 0;)
      if (phases->open[i]->phase == phase)
         return phases->open[i];
   return NULL;
}

uint32_t pm_phases_open_of(const struct pm_phases *phases, const struct pm_phase *phase)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < phases->open_count; i++)
      count += phases->open[i]->phase == phase;
   return count;
}

void pm_phases_gauge(struct pm_phases *phases, const struct pm_state *state, enum pm_gauge gauge)
{
   for (uint32_t i = 0; i < phases->open_count; i++)
      if (phases->open[i]->peak[gauge] < state->gauge[gauge])
         phases->open[i]->peak[gauge] = state->gauge[gauge];
}
