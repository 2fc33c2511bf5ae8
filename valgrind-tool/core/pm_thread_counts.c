/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_thread_counts.c: counts by thread; pm_thread_counts.h has the terms. */
#include "pm_thread_counts.h"
#include "pm_room.h"

void pm_thread_counts_init(struct pm_thread_counts *counts, const struct pm_host *host)
{
   *counts = (struct pm_thread_counts){.host = host};
}

static void release_rows(const struct pm_host *host, struct pm_thread_rows *lists,
                         uint32_t capacity)
{
   for (uint32_t l = 0; l < capacity; l++)
      host->release(lists[l].rows, lists[l].capacity * sizeof *lists[l].rows);
   host->release(lists, capacity * sizeof *lists);
}

void pm_thread_counts_release(struct pm_thread_counts *counts)
{
   release_rows(counts->host, counts->slots, counts->slot_capacity);
   release_rows(counts->host, counts->phases, counts->phase_capacity);
   pm_thread_counts_init(counts, counts->host);
}

/* The row of a thread, with that tag from now on. NULL: no memory. */
static struct pm_thread_count *new_row(struct pm_thread_counts *counts,
                                      struct pm_thread_rows *list, uint32_t thread, uint64_t tag)
{
   if (!pm_reach(counts->host, (void **)&list->rows, &list->capacity, thread,
                 sizeof *list->rows)) {
      counts->lost = true;
      return NULL;
   }
   struct pm_thread_row *row = &list->rows[thread];
   if (row->tag != tag)
      *row = (struct pm_thread_row){.tag = tag};
   if (thread > list->greatest)
      list->greatest = thread;
   return &row->count;
}

/* The same; nearly always there is one. */
static inline struct pm_thread_count *row_of(struct pm_thread_counts *counts,
                                             struct pm_thread_rows *list, uint32_t thread,
                                             uint64_t tag)
{
   if (thread < list->capacity && list->rows[thread].tag == tag)
      return &list->rows[thread].count;
   return new_row(counts, list, thread, tag);
}

static void add_count(struct pm_thread_count *to, const struct pm_thread_count *from)
{
   to->instrs += from->instrs;
   to->traffic_blocks += from->traffic_blocks;
   to->traffic_bytes += from->traffic_bytes;
   to->released_blocks += from->released_blocks;
   to->foreign_blocks += from->foreign_blocks;
}

void pm_thread_counts_begin(struct pm_thread_counts *counts, struct pm_instance *instance)
{
   if (counts->lost)
      return;
   if (!pm_reach(counts->host, (void **)&counts->slots, &counts->slot_capacity, instance->slot,
                 sizeof *counts->slots)) {
      counts->lost = true;
      return;
   }
   counts->slots[instance->slot].tag = instance->serial;
   counts->slots[instance->slot].greatest = 0;
}

void pm_thread_counts_end(struct pm_thread_counts *counts, const struct pm_instance *instance)
{
   uint32_t number = instance->phase->number;
   if (counts->lost)
      return;
   if (!pm_reach(counts->host, (void **)&counts->phases, &counts->phase_capacity, number,
                 sizeof *counts->phases)) {
      counts->lost = true;
      return;
   }
   struct pm_thread_rows *slot = &counts->slots[instance->slot];
   for (uint32_t t = 0; t <= slot->greatest && t < slot->capacity; t++) {
      if (slot->rows[t].tag != slot->tag)
         continue;
      struct pm_thread_count *sum = row_of(counts, &counts->phases[number], t, 1);
      if (!sum)
         return;
      add_count(sum, &slot->rows[t].count);
   }
   slot->tag = 0;
}

void pm_thread_counts_after_fork(struct pm_thread_counts *counts)
{
   release_rows(counts->host, counts->phases, counts->phase_capacity);
   counts->phases = NULL;
   counts->phase_capacity = 0;
   for (uint32_t s = 0; s < counts->slot_capacity; s++)
      counts->slots[s].tag = 0;
   counts->held = (struct pm_thread_count){.instrs = 0};
}

void pm_thread_counts_add(struct pm_thread_counts *counts, const struct pm_phases *phases,
                          uint32_t thread, const struct pm_thread_count *done)
{
   for (uint32_t i = 0; i < phases->open_count && !counts->lost; i++) {
      struct pm_thread_rows *slot = &counts->slots[phases->open[i]->slot];
      struct pm_thread_count *count = row_of(counts, slot, thread, slot->tag);
      if (count)
         add_count(count, done);
   }
}

void pm_thread_counts_settle(struct pm_thread_counts *counts, const struct pm_phases *phases)
{
   const struct pm_thread_count held = counts->held;
   if (held.traffic_blocks == 0 && held.released_blocks == 0)
      return;
   counts->held = (struct pm_thread_count){.instrs = 0};
   pm_thread_counts_add(counts, phases, counts->held_thread, &held);
}

struct pm_thread_count pm_thread_counts_of(const struct pm_thread_counts *counts,
                                           const struct pm_phases *phases,
                                           const struct pm_phase *phase, uint32_t thread)
{
   struct pm_thread_count total = {.instrs = 0};
   if (phase->number < counts->phase_capacity &&
       thread < counts->phases[phase->number].capacity)
      add_count(&total, &counts->phases[phase->number].rows[thread].count);
   for (uint32_t i = 0; i < phases->open_count; i++) {
      const struct pm_thread_rows *slot = &counts->slots[phases->open[i]->slot];
      if (phases->open[i]->phase->number != phase->number)
         continue;
      if (thread < slot->capacity && slot->rows[thread].tag == slot->tag)
         add_count(&total, &slot->rows[thread].count);
      if (thread == counts->held_thread)
         add_count(&total, &counts->held);
   }
   return total;
}
