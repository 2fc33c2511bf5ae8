/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_sites.c: counts and pictures by site; pm_sites.h has the terms. */
#include "pm_sites.h"
#include "pm_room.h"

void pm_sites_init(struct pm_sites *sites, const struct pm_host *host)
{
   *sites = (struct pm_sites){.host = host, .past_used = 1};
}

static void release_phases(struct pm_sites *sites)
{
   const struct pm_host *host = sites->host;
   for (uint32_t p = 0; p < sites->phase_capacity; p++)
      host->release(sites->phases[p].sums,
                    sites->phases[p].slots * sizeof *sites->phases[p].sums);
   host->release(sites->phases, sites->phase_capacity * sizeof *sites->phases);
   sites->phases = NULL;
   sites->phase_capacity = 0;
   sites->pinned_count = 0;
}

void pm_sites_release(struct pm_sites *sites)
{
   const struct pm_host *host = sites->host;
   release_phases(sites);
   for (uint32_t s = 0; s < sites->slot_capacity; s++) {
      struct pm_site_slot *slot = &sites->slots[s];
      host->release(slot->entries, slot->entry_capacity * sizeof *slot->entries);
      host->release(slot->touched, slot->touched_capacity * sizeof *slot->touched);
   }
   host->release(sites->slots, sites->slot_capacity * sizeof *sites->slots);
   host->release(sites->live, sites->live_capacity * sizeof *sites->live);
   host->release(sites->past, sites->past_capacity * sizeof *sites->past);
   host->release(sites->pinned, sites->pinned_capacity * sizeof *sites->pinned);
   pm_sites_init(sites, host);
}

/* pm_reach(), whose failure is the end of the sites. */
static bool reach(struct pm_sites *sites, void **array, uint32_t *capacity, uint32_t at,
                  size_t bytes)
{
   if (pm_reach(sites->host, array, capacity, at, bytes))
      return true;
   sites->lost = true;
   return false;
}

/* --- peaks that may be asked for --------------------------------------------- */

/* How many pinned events lie below `event`. */
static uint32_t pinned_below(const struct pm_sites *sites, uint64_t event)
{
   uint32_t low = 0, high = sites->pinned_count;
   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (sites->pinned[middle] < event)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

static bool is_peak_in(const struct pm_sites *sites, const struct pm_phases *phases,
                       uint64_t from, uint64_t until)
{
   if (from > phases->last_peak_event)
      return false;
   for (uint32_t i = 0; i < phases->open_count; i++)
      if (phases->open[i]->peak_event >= from && phases->open[i]->peak_event < until)
         return true;
   uint32_t at = pinned_below(sites, from);
   return at < sites->pinned_count && sites->pinned[at] < until;
}

static void unpin(struct pm_sites *sites, uint64_t event)
{
   for (uint32_t at = pinned_below(sites, event); at + 1 < sites->pinned_count; at++)
      sites->pinned[at] = sites->pinned[at + 1];
   sites->pinned_count--;
}

static void pin(struct pm_sites *sites, uint64_t event)
{
   if (!pm_reserve_one(sites->host, (void **)&sites->pinned, sites->pinned_count,
                       &sites->pinned_capacity, sizeof *sites->pinned)) {
      sites->lost = true;
      return;
   }
   uint32_t at = sites->pinned_count++;
   for (; at > 0 && sites->pinned[at - 1] > event; at--)
      sites->pinned[at] = sites->pinned[at - 1];
   sites->pinned[at] = event;
}

/* --- values that were -------------------------------------------------------- */

static uint32_t take_past(struct pm_sites *sites)
{
   uint32_t n = sites->past_free;
   if (n) {
      sites->past_free = sites->past[n].older;
      return n;
   }
   if (!pm_reserve_one(sites->host, (void **)&sites->past, sites->past_used,
                       &sites->past_capacity, sizeof *sites->past)) {
      sites->lost = true;
      return 0;
   }
   return sites->past_used++;
}

/* Drop those of the two newest kept values that no peak needs any more. */
static void prune(struct pm_sites *sites, const struct pm_phases *phases,
                  struct pm_site_live *live)
{
   uint32_t *link = &live->past;
   for (int looked_at = 0; looked_at < 2 && *link; looked_at++) {
      struct pm_site_past *past = &sites->past[*link];
      if (is_peak_in(sites, phases, past->from, past->until)) {
         link = &past->older;
      } else {
         uint32_t n = *link;
         *link = past->older;
         past->older = sites->past_free;
         sites->past_free = n;
      }
   }
}

/* A site that is new. False: no memory. */
PM_SELDOM static bool add_site(struct pm_sites *sites, uint32_t site)
{
   if (!reach(sites, (void **)&sites->live, &sites->live_capacity, site, sizeof *sites->live))
      return false;
   sites->live_count = site + 1;
   return true;
}

/* Keep a site's value, which changes at `event`. False: no memory. */
PM_SELDOM static bool keep(struct pm_sites *sites, const struct pm_phases *phases,
                           struct pm_site_live *live, uint64_t event)
{
   prune(sites, phases, live);
   uint32_t n = take_past(sites);
   if (!n)
      return false;
   sites->past[n] = (struct pm_site_past){.from = live->changed,
                                          .until = event,
                                          .bytes = live->bytes,
                                          .blocks = live->blocks,
                                          .older = live->past};
   live->past = n;
   return true;
}

/* The site is about to change at `event`: keep its value if a peak needs it. A value
   of nothing need not be kept: it is what is found where nothing is. */
static struct pm_site_live *change(struct pm_sites *sites, const struct pm_phases *phases,
                                   uint32_t site, uint64_t event)
{
   if (site >= sites->live_count && !add_site(sites, site))
      return NULL;
   struct pm_site_live *live = &sites->live[site];
   if (live->blocks > 0 && is_peak_in(sites, phases, live->changed, event) &&
       !keep(sites, phases, live, event))
      return NULL;
   live->changed = event;
   return live;
}

static void add_live(struct pm_site_live *live, uint64_t bytes, uint64_t blocks)
{
   live->bytes += bytes;
   live->blocks += blocks;
   if (live->bytes > live->largest_bytes)
      live->largest_bytes = live->bytes;
}

void pm_sites_at(const struct pm_sites *sites, uint32_t site, uint64_t event, uint64_t *bytes,
                 uint64_t *blocks)
{
   *bytes = *blocks = 0;
   if (site >= sites->live_count)
      return;
   const struct pm_site_live *live = &sites->live[site];
   if (live->changed <= event) {
      *bytes = live->bytes;
      *blocks = live->blocks;
      return;
   }
   for (uint32_t n = live->past; n; n = sites->past[n].older)
      if (sites->past[n].from <= event && event < sites->past[n].until) {
         *bytes = sites->past[n].bytes;
         *blocks = sites->past[n].blocks;
         return;
      }
}

/* --- counts of open instances --------------------------------------------------- */

/* The counts of an instance at a site where it has none so far. NULL: no memory. */
PM_SELDOM static struct pm_site_count *first_count(struct pm_sites *sites,
                                                   struct pm_site_slot *slot, uint32_t site)
{
   if (!reach(sites, (void **)&slot->entries, &slot->entry_capacity, site,
              sizeof *slot->entries))
      return NULL;
   if (!pm_reserve_one(sites->host, (void **)&slot->touched, slot->touched_count,
                       &slot->touched_capacity, sizeof *slot->touched)) {
      sites->lost = true;
      return NULL;
   }
   slot->touched[slot->touched_count++] = site;
   slot->entries[site] = (struct pm_site_entry){.tag = slot->tag};
   return &slot->entries[site].count;
}

/* The counts of an open instance at a site. NULL: no memory. */
static inline struct pm_site_count *count_of(struct pm_sites *sites,
                                             const struct pm_instance *instance, uint32_t site)
{
   struct pm_site_slot *slot = &sites->slots[instance->slot];
   if (site < slot->entry_capacity && slot->entries[site].tag == slot->tag)
      return &slot->entries[site].count;
   return first_count(sites, slot, site);
}

void pm_sites_begin(struct pm_sites *sites, struct pm_instance *instance)
{
   if (sites->lost || !reach(sites, (void **)&sites->slots, &sites->slot_capacity,
                             instance->slot, sizeof *sites->slots))
      return;
   sites->slots[instance->slot].tag = instance->serial;
   sites->slots[instance->slot].touched_count = 0;
}

/* --- counts of ended phases ------------------------------------------------------- */

static struct pm_site_sum *sum_slot(const struct pm_site_phase *phase, uint32_t site)
{
   uint32_t slot = (uint32_t)(site * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (phase->slots - 1);
   while (phase->sums[slot].site && phase->sums[slot].site != site)
      slot = (slot + 1) & (phase->slots - 1);
   return &phase->sums[slot];
}

/* Room for one more site, the table at most half full. */
static bool grow_sums(struct pm_sites *sites, struct pm_site_phase *phase)
{
   if ((phase->used + 1) * 2 <= phase->slots)
      return true;
   struct pm_site_phase bigger = *phase;
   bigger.slots = phase->slots ? phase->slots * 2 : 16;
   bigger.sums = sites->host->alloc(bigger.slots * sizeof *bigger.sums);
   if (!bigger.sums) {
      sites->lost = true;
      return false;
   }
   memset(bigger.sums, 0, bigger.slots * sizeof *bigger.sums);
   for (uint32_t s = 0; s < phase->slots; s++)
      if (phase->sums[s].site)
         *sum_slot(&bigger, phase->sums[s].site) = phase->sums[s];
   sites->host->release(phase->sums, phase->slots * sizeof *phase->sums);
   *phase = bigger;
   return true;
}

static void add_count(struct pm_site_count *to, const struct pm_site_count *from)
{
   to->traffic_blocks += from->traffic_blocks;
   to->traffic_bytes += from->traffic_bytes;
   to->temporary_blocks += from->temporary_blocks;
   to->retained_bytes += from->retained_bytes;
   to->retained_blocks += from->retained_blocks;
}

/* Sites are kept as site + 1: 0 marks an empty place, and site 0 is one too. */
static bool fold(struct pm_sites *sites, struct pm_site_phase *phase, uint32_t site,
                 const struct pm_site_count *count)
{
   if (!grow_sums(sites, phase))
      return false;
   struct pm_site_sum *sum = sum_slot(phase, site + 1);
   phase->used += !sum->site;
   sum->site = site + 1;
   add_count(&sum->count, count);
   return true;
}

void pm_sites_end(struct pm_sites *sites, const struct pm_instance *instance, bool highest)
{
   uint32_t number = instance->phase->number;
   if (sites->lost || !reach(sites, (void **)&sites->phases, &sites->phase_capacity, number,
                             sizeof *sites->phases))
      return;
   struct pm_site_phase *phase = &sites->phases[number];
   struct pm_site_slot *slot = &sites->slots[instance->slot];
   for (uint32_t t = 0; t < slot->touched_count; t++)
      if (!fold(sites, phase, slot->touched[t], &slot->entries[slot->touched[t]].count))
         return;
   slot->tag = 0;
   if (!highest)
      return;
   if (phase->pinned)
      unpin(sites, phase->peak_event);
   pin(sites, instance->peak_event);
   phase->pinned = true;
   phase->peak_event = instance->peak_event;
}

struct pm_site_count pm_sites_count(const struct pm_sites *sites, const struct pm_phases *phases,
                                    const struct pm_phase *phase, uint32_t site)
{
   struct pm_site_count total = {.traffic_blocks = 0};
   if (phase->number < sites->phase_capacity && sites->phases[phase->number].slots)
      total = sum_slot(&sites->phases[phase->number], site + 1)->count;
   for (uint32_t i = 0; i < phases->open_count; i++) {
      const struct pm_site_slot *slot = &sites->slots[phases->open[i]->slot];
      if (phases->open[i]->phase->number == phase->number && site < slot->entry_capacity &&
          slot->entries[site].tag == slot->tag)
         add_count(&total, &slot->entries[site].count);
   }
   return total;
}

uint64_t pm_sites_peak_event(const struct pm_sites *sites, const struct pm_phases *phases,
                             const struct pm_phase *phase)
{
   for (uint32_t i = 0; i < phases->open_count; i++)
      if (phases->open[i]->phase->number == phase->number &&
          phases->open[i]->order == phase->highest)
         return phases->open[i]->peak_event;
   return phase->number < sites->phase_capacity ? sites->phases[phase->number].peak_event : 0;
}

void pm_sites_after_fork(struct pm_sites *sites)
{
   release_phases(sites);
   for (uint32_t s = 0; s < sites->live_count; s++) {
      sites->live[s].largest_bytes = sites->live[s].bytes;
      sites->live[s].past = 0;
   }
   sites->past_used = 1;
   sites->past_free = 0;
   for (uint32_t s = 0; s < sites->slot_capacity; s++)
      sites->slots[s].tag = 0;
}

/* --- events ------------------------------------------------------------------------ */

void pm_sites_obtained(struct pm_sites *sites, const struct pm_phases *phases, uint64_t event,
                       const struct pm_block *block)
{
   struct pm_site_live *live = sites->lost ? NULL : change(sites, phases, block->site, event);
   if (!live)
      return;
   add_live(live, block->size_bytes, 1);
   for (uint32_t i = 0; i < phases->open_count; i++) {
      struct pm_site_count *count = count_of(sites, phases->open[i], block->site);
      if (!count)
         return;
      count->traffic_blocks++;
      count->traffic_bytes += block->size_bytes;
      count->retained_blocks++;
      count->retained_bytes += block->size_bytes;
   }
}

void pm_sites_resized(struct pm_sites *sites, const struct pm_phases *phases, uint64_t event,
                      const struct pm_block *block, uint64_t new_size_bytes, uint32_t site)
{
   struct pm_site_live *live = sites->lost ? NULL : change(sites, phases, block->site, event);
   if (!live)
      return;
   uint64_t net = new_size_bytes - block->size_bytes;
   add_live(live, net, 0);
   for (uint32_t i = 0; i < phases->open_count; i++) {
      const struct pm_instance *instance = phases->open[i];
      struct pm_site_count *here = count_of(sites, instance, site);
      if (!here)
         return;
      here->traffic_blocks++;
      here->traffic_bytes += new_size_bytes;
      if (block->birth_event <= instance->begin_event)
         continue;
      struct pm_site_count *origin = count_of(sites, instance, block->site);
      if (!origin)
         return;
      origin->retained_bytes += net;
   }
}

void pm_sites_given_back(struct pm_sites *sites, const struct pm_phases *phases, uint64_t event,
                         const struct pm_block *block, bool temporary)
{
   struct pm_site_live *live = sites->lost ? NULL : change(sites, phases, block->site, event);
   if (!live)
      return;
   add_live(live, -block->size_bytes, (uint64_t)-1);
   for (uint32_t i = 0; i < phases->open_count; i++) {
      const struct pm_instance *instance = phases->open[i];
      if (block->birth_event <= instance->begin_event)
         continue;
      struct pm_site_count *count = count_of(sites, instance, block->site);
      if (!count)
         return;
      count->temporary_blocks += temporary;
      count->retained_blocks--;
      count->retained_bytes -= block->size_bytes;
   }
}
