/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_fates.c: pairs of sites in an open-addressing hash; pm_fates.h has the terms. */
#include "pm_fates.h"
#include "pm_room.h"

enum { FIRST_SLOTS = 64 };

void pm_fates_init(struct pm_fates *fates, const struct pm_host *host, bool releases)
{
   *fates = (struct pm_fates){.host = host, .releases = releases};
}

void pm_fates_release(struct pm_fates *fates)
{
   const struct pm_host *host = fates->host;
   host->release(fates->fates, fates->capacity * sizeof *fates->fates);
   host->release(fates->slots, fates->slot_count * sizeof *fates->slots);
   pm_fates_init(fates, host, fates->releases);
}

void pm_fates_after_fork(struct pm_fates *fates)
{
   pm_fates_release(fates);
}

static bool is_same(const struct pm_fate *a, const struct pm_fate *b)
{
   return a->phase == b->phase && a->kind == b->kind && a->origin == b->origin &&
          a->site == b->site;
}

static uint32_t hash_of(const struct pm_fate *fate)
{
   uint64_t hash = ((uint64_t)fate->origin << 32 | fate->site) * UINT64_C(0x9e3779b97f4a7c15);
   hash = (hash ^ hash >> 32 ^ ((uint64_t)fate->phase << 1 | fate->kind)) *
          UINT64_C(0xff51afd7ed558ccd);
   return (uint32_t)(hash >> 32);
}

/* Where the fate is, or would be. */
static uint32_t *slot_of(const struct pm_fates *fates, const struct pm_fate *like)
{
   uint32_t slot = hash_of(like) & (fates->slot_count - 1);
   while (fates->slots[slot] && !is_same(&fates->fates[fates->slots[slot] - 1], like))
      slot = (slot + 1) & (fates->slot_count - 1);
   return &fates->slots[slot];
}

/* Room for one more fate, the hash at most half full. */
static bool grow(struct pm_fates *fates)
{
   if (!pm_reserve_one(fates->host, (void **)&fates->fates, fates->count, &fates->capacity,
                       sizeof *fates->fates))
      return false;
   if ((fates->count + 1) * 2 <= fates->slot_count)
      return true;
   uint32_t slot_count = fates->slot_count ? fates->slot_count * 2 : FIRST_SLOTS;
   uint32_t *slots = fates->host->alloc(slot_count * sizeof *slots);
   if (!slots)
      return false;
   memset(slots, 0, slot_count * sizeof *slots);
   fates->host->release(fates->slots, fates->slot_count * sizeof *slots);
   fates->slots = slots;
   fates->slot_count = slot_count;
   for (uint32_t f = 0; f < fates->count; f++)
      *slot_of(fates, &fates->fates[f]) = f + 1;
   return true;
}

static void add(struct pm_fates *fates, const struct pm_fate *one)
{
   if (!grow(fates)) {
      fates->lost = true;
      return;
   }
   uint32_t *slot = slot_of(fates, one);
   if (!*slot) {
      fates->fates[fates->count++] = (struct pm_fate){
         .phase = one->phase, .kind = one->kind, .origin = one->origin, .site = one->site};
      *slot = fates->count;
   }
   struct pm_fate *fate = &fates->fates[*slot - 1];
   fate->blocks += one->blocks;
   fate->bytes += one->bytes;
   fate->net_bytes += one->net_bytes;
}

void pm_fates_add(struct pm_fates *fates, const struct pm_phases *phases,
                  const struct pm_fate *one)
{
   for (uint32_t i = 0; i < phases->open_count && !fates->lost; i++) {
      struct pm_fate fate = *one;
      fate.phase = phases->open[i]->phase->number;
      add(fates, &fate);
   }
}
