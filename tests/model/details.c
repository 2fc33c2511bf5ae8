/* SPDX-License-Identifier: GPL-2.0-or-later */
/* details.c: sites, threads and histograms, computed from the list; see details.h. */
#include "details.h"

#include <stdlib.h>
#include <string.h>

struct known {
   bool live, inside;
   uint64_t size_bytes;
   uint32_t site, thread; /* that obtained it */
   uint64_t born;         /* instructions before */
};

static struct known *no_blocks(const struct history *history)
{
   struct known *blocks = calloc(history->blocks + 1, sizeof *blocks);
   if (!blocks)
      abort();
   return blocks;
}

static void apply(struct known *blocks, const struct event *event, uint64_t now, bool inside)
{
   struct known *block = &blocks[event->block];
   if (event->what == OBTAINED)
      *block = (struct known){.live = true, .inside = inside, .size_bytes = event->size_bytes,
                              .site = event->site, .thread = event->thread, .born = now};
   else if (event->what == RESIZED)
      block->size_bytes = event->size_bytes;
   else if (event->what == GIVEN_BACK)
      block->live = false;
}

static uint64_t live_bytes(const struct history *history, const struct known *blocks)
{
   uint64_t sum = 0;
   for (uint32_t b = 0; b < history->blocks; b++)
      sum += blocks[b].live ? blocks[b].size_bytes : 0;
   return sum;
}

static void take_picture(const struct history *history, const struct known *blocks,
                         struct details *details)
{
   memset(details->peak_site_bytes, 0, sizeof details->peak_site_bytes);
   memset(details->peak_site_blocks, 0, sizeof details->peak_site_blocks);
   details->peak_bytes = live_bytes(history, blocks);
   for (uint32_t b = 0; b < history->blocks; b++)
      if (blocks[b].live) {
         details->peak_site_bytes[blocks[b].site] += blocks[b].size_bytes;
         details->peak_site_blocks[blocks[b].site]++;
      }
}

/* 0, then up to 1, 3, 7, ... */
static void count_in(struct pm_histogram *histogram, uint64_t value)
{
   int bucket = 0;
   while (bucket < 64 && value > (UINT64_C(1) << bucket) - 1)
      bucket++;
   histogram->blocks[bucket]++;
}

static bool is_heap_event(const struct event *event)
{
   return event->what == OBTAINED || event->what == RESIZED || event->what == GIVEN_BACK;
}

/* Whether the block obtained at `at` is given back by its thread's next heap event,
   before end. */
static bool is_temporary(const struct history *history, size_t at, size_t end)
{
   const struct event *events = history->events;
   for (size_t i = at + 1; i < end; i++)
      if (is_heap_event(&events[i]) && events[i].thread == events[at].thread)
         return events[i].what == GIVEN_BACK && events[i].block == events[at].block;
   return false;
}

static void count_fate(const struct event *event, const struct known *before,
                       struct details *details)
{
   bool resized = event->what == RESIZED;
   struct pm_fate *fate = &details->fates[resized ? PM_FATE_RESIZED : PM_FATE_RELEASED]
                                         [before->site][event->site];
   fate->blocks++;
   fate->bytes += resized ? event->size_bytes : before->size_bytes;
   fate->net_bytes += resized ? event->size_bytes - before->size_bytes : 0;
}

static void count_event(const struct history *history, size_t at, size_t end, uint64_t now,
                        const struct known *before, struct details *details)
{
   const struct event *event = &history->events[at];
   struct pm_site_count *site = &details->sites[event->site];
   struct pm_thread_count *thread = &details->threads[event->thread];
   if (event->what == OBTAINED || event->what == RESIZED) {
      site->traffic_blocks++;
      site->traffic_bytes += event->size_bytes;
      thread->traffic_blocks++;
      thread->traffic_bytes += event->size_bytes;
      count_in(&details->sizes, event->size_bytes);
   }
   if (event->what == RESIZED || event->what == GIVEN_BACK)
      count_fate(event, before, details);
   if (event->what == OBTAINED)
      site->temporary_blocks += is_temporary(history, at, end);
   if (event->what == GIVEN_BACK) {
      thread->released_blocks++;
      thread->foreign_blocks += before->thread != event->thread;
      if (before->inside)
         count_in(&details->lifetimes, now - before->born);
   }
   if (event->what == EXECUTED)
      thread->instrs += event->amount;
}

void details_of(const struct history *history, size_t begin, size_t end,
                struct details *details)
{
   struct known *blocks = no_blocks(history);
   uint64_t now = 0;
   memset(details, 0, sizeof *details);
   for (size_t i = 0; i < end; i++) {
      const struct event *event = &history->events[i];
      struct known before = blocks[event->block];
      if (i == begin)
         take_picture(history, blocks, details);
      if (i >= begin)
         count_event(history, i, end, now, &before, details);
      apply(blocks, event, now, i >= begin);
      if (i >= begin && live_bytes(history, blocks) > details->peak_bytes)
         take_picture(history, blocks, details);
      if (event->what == EXECUTED)
         now += event->amount;
   }
   if (begin == end)
      take_picture(history, blocks, details);
   for (uint32_t b = 0; b < history->blocks; b++)
      if (blocks[b].live && blocks[b].inside) {
         details->sites[blocks[b].site].retained_blocks++;
         details->sites[blocks[b].site].retained_bytes += blocks[b].size_bytes;
      }
   free(blocks);
}

void details_add(struct details *to, const struct details *from)
{
   for (int s = 0; s < DETAIL_SITES; s++) {
      to->sites[s].traffic_blocks += from->sites[s].traffic_blocks;
      to->sites[s].traffic_bytes += from->sites[s].traffic_bytes;
      to->sites[s].temporary_blocks += from->sites[s].temporary_blocks;
      to->sites[s].retained_bytes += from->sites[s].retained_bytes;
      to->sites[s].retained_blocks += from->sites[s].retained_blocks;
   }
   for (int t = 0; t < DETAIL_THREADS; t++) {
      to->threads[t].instrs += from->threads[t].instrs;
      to->threads[t].traffic_blocks += from->threads[t].traffic_blocks;
      to->threads[t].traffic_bytes += from->threads[t].traffic_bytes;
      to->threads[t].released_blocks += from->threads[t].released_blocks;
      to->threads[t].foreign_blocks += from->threads[t].foreign_blocks;
   }
   for (int f = 0; f < 2 * DETAIL_SITES * DETAIL_SITES; f++) {
      struct pm_fate *sum = &to->fates[0][0][0] + f;
      const struct pm_fate *fate = &from->fates[0][0][0] + f;
      sum->blocks += fate->blocks;
      sum->bytes += fate->bytes;
      sum->net_bytes += fate->net_bytes;
   }
   for (int b = 0; b < PM_BUCKETS; b++) {
      to->sizes.blocks[b] += from->sizes.blocks[b];
      to->lifetimes.blocks[b] += from->lifetimes.blocks[b];
   }
}

uint64_t details_most_bytes(const struct history *history, size_t begin, size_t end,
                            uint32_t site)
{
   struct known *blocks = no_blocks(history);
   uint64_t most = 0;
   for (size_t i = 0; i <= end; i++) {
      uint64_t bytes = 0;
      for (uint32_t b = 0; b < history->blocks; b++)
         bytes += blocks[b].live && blocks[b].site == site ? blocks[b].size_bytes : 0;
      if (i >= begin && bytes > most)
         most = bytes;
      if (i < end)
         apply(blocks, &history->events[i], 0, false);
   }
   free(blocks);
   return most;
}
