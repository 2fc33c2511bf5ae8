/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_phases.c: begin, end and aggregation of phase instances. */
#include "pm_phases.h"

void pm_phases_init(struct pm_phases *phases, const struct pm_host *host)
{
   *phases = (struct pm_phases){.host = host};
}

void pm_phases_release(struct pm_phases *phases)
{
   for (uint32_t i = 0; i < phases->open_count; i++)
      phases->host->release(phases->open[i], sizeof *phases->open[i]);
   phases->host->release(phases->open, phases->open_capacity * sizeof *phases->open);
   pm_phases_init(phases, phases->host);
}

static bool grow_open(struct pm_phases *phases)
{
   uint32_t capacity = phases->open_capacity ? phases->open_capacity * 2 : 8;
   struct pm_instance **open = phases->host->alloc(capacity * sizeof *open);
   if (!open)
      return false;
   if (phases->open)
      memcpy(open, phases->open, phases->open_count * sizeof *open);
   phases->host->release(phases->open, phases->open_capacity * sizeof *open);
   phases->open = open;
   phases->open_capacity = capacity;
   return true;
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
   *instance = (struct pm_instance){
      .phase = phase,
      .order = phase->begun++,
      .thread = thread,
      .thread_instrs = thread_instrs,
      .begin_event = state->events,
      .entry_blocks = state->live_blocks,
      .peak_blocks = state->live_blocks,
      .move_peak_bytes = state->gauge[PM_GAUGE_LIVE_BYTES],
   };
   memcpy(instance->begin_counter, state->counter, sizeof instance->begin_counter);
   memcpy(instance->entry, state->gauge, sizeof instance->entry);
   memcpy(instance->peak, state->gauge, sizeof instance->peak);
   phases->open[phases->open_count++] = instance;
   return instance;
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
}

/* Add one ended instance's values to its phase. Instances that overlap need not end
   in the order of their begins. */
static void aggregate(struct pm_phase *phase, uint64_t order, const uint64_t value[PM_METRICS])
{
   bool first = phase->instances++ == 0;
   bool earliest = first || order < phase->earliest;
   if (earliest)
      phase->earliest = order;
   for (int m = 0; m < PM_METRICS; m++) {
      enum pm_over_instances over = pm_metric_rows[m].over_instances;
      if (first || pm_metric_less(m, value[m], phase->least[m]))
         phase->least[m] = value[m];
      if (first || pm_metric_less(m, phase->greatest[m], value[m]))
         phase->greatest[m] = value[m];
      if (first || over == PM_OVER_LAST || (over == PM_OVER_FIRST && earliest))
         phase->value[m] = value[m];
      else if (over == PM_OVER_SUM)
         phase->value[m] += value[m];
      else if (over == PM_OVER_MAX)
         phase->value[m] = phase->greatest[m];
   }
}

void pm_phases_end(struct pm_phases *phases, struct pm_instance *instance,
                   const struct pm_state *state, uint64_t thread_instrs, bool complete)
{
   uint64_t value[PM_METRICS];
   pm_instance_values(instance, state, thread_instrs, value);
   aggregate(instance->phase, instance->order, value);
   instance->phase->complete = instance->phase->complete && complete;

   uint32_t at = phases->open_count;
   while (at > 0 && phases->open[at - 1] != instance)
      at--;
   PM_ASSERT(phases->host, at > 0);
   for (; at < phases->open_count; at++)
      phases->open[at - 1] = phases->open[at];
   phases->open_count--;
   phases->host->release(instance, sizeof *instance);
}

void pm_phases_gauge(struct pm_phases *phases, const struct pm_state *state, enum pm_gauge gauge)
{
   for (uint32_t i = 0; i < phases->open_count; i++)
      if (phases->open[i]->peak[gauge] < state->gauge[gauge])
         phases->open[i]->peak[gauge] = state->gauge[gauge];
}
