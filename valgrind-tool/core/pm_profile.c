/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_profile.c: one counter array per combination of open phases. */
#include "pm_profile.h"
#include "pm_room.h"
#include "pm_text.h"

enum { CHAINS = 256 };

static const size_t array_bytes = PM_STRETCHES_MAX * sizeof(uint64_t);

bool pm_profile_init(struct pm_profile *profile, const struct pm_host *host)
{
   *profile = (struct pm_profile){.host = host, .chain_count = CHAINS};
   profile->chains = host->alloc(CHAINS * sizeof *profile->chains);
   if (!profile->chains)
      return false;
   memset(profile->chains, 0, CHAINS * sizeof *profile->chains);
   return true;
}

static size_t set_bytes(uint32_t phase_count)
{
   return sizeof(struct pm_profile_set) + phase_count * sizeof(struct pm_phase *);
}

void pm_profile_clear(struct pm_profile *profile)
{
   for (uint32_t s = 0; s < profile->set_count; s++) {
      profile->host->unreserve(profile->sets[s]->executed, array_bytes);
      profile->host->release(profile->sets[s], set_bytes(profile->sets[s]->phase_count));
   }
   profile->set_count = 0;
   profile->incomplete = false;
   memset(profile->chains, 0, profile->chain_count * sizeof *profile->chains);
}

void pm_profile_release(struct pm_profile *profile)
{
   const struct pm_host *host = profile->host;
   pm_profile_clear(profile);
   host->release(profile->sets, profile->set_capacity * sizeof *profile->sets);
   host->release(profile->chains, profile->chain_count * sizeof *profile->chains);
   *profile = (struct pm_profile){.host = host};
}

/* The phases of the open instances, sorted by number, into sorted[]. */
static void sort_open(const struct pm_phases *phases, const struct pm_phase **sorted)
{
   for (uint32_t i = 0; i < phases->open_count; i++) {
      const struct pm_phase *phase = phases->open[i]->phase;
      uint32_t at = i;
      for (; at > 0 && sorted[at - 1]->number > phase->number; at--)
         sorted[at] = sorted[at - 1];
      sorted[at] = phase;
   }
}

static bool is_of(const struct pm_profile_set *set, const struct pm_phase **sorted,
                  uint32_t count)
{
   return set->phase_count == count &&
          pm_memcmp(set->phases, sorted, count * sizeof *sorted) == 0;
}

static struct pm_profile_set *add_set(struct pm_profile *profile, uint32_t chain,
                                      const struct pm_phase **sorted, uint32_t count)
{
   const struct pm_host *host = profile->host;
   struct pm_profile_set *set = host->alloc(set_bytes(count));
   uint64_t *executed = host->reserve(array_bytes);
   if (!set || !executed ||
       !pm_reserve_one(host, (void **)&profile->sets, profile->set_count,
                       &profile->set_capacity, sizeof *profile->sets)) {
      host->release(set, set_bytes(count));
      host->unreserve(executed, array_bytes);
      return NULL;
   }
   *set = (struct pm_profile_set){
      .next_in_chain = profile->chains[chain], .executed = executed, .phase_count = count};
   if (count)
      memcpy(set->phases, sorted, count * sizeof *sorted);
   profile->chains[chain] = set;
   profile->sets[profile->set_count++] = set;
   return set;
}

/* The set of these phases, made if it is new; NULL: no memory. */
static struct pm_profile_set *set_of(struct pm_profile *profile, const struct pm_phase **sorted,
                                     uint32_t count)
{
   uint64_t hash = PM_FNV1A64_START;
   for (uint32_t i = 0; i < count; i++)
      hash = pm_fnv1a64(hash, &sorted[i]->number, sizeof sorted[i]->number);
   uint32_t chain = (uint32_t)hash & (profile->chain_count - 1);
   struct pm_profile_set *set = profile->chains[chain];
   while (set && !is_of(set, sorted, count))
      set = set->next_in_chain;
   return set ? set : add_set(profile, chain, sorted, count);
}

uint64_t *pm_profile_now(struct pm_profile *profile, const struct pm_phases *phases)
{
   const struct pm_phase *few[16], **sorted = few;
   uint32_t count = phases->open_count;
   if (count > sizeof few / sizeof *few)
      sorted = profile->host->alloc(count * sizeof *sorted);
   struct pm_profile_set *set = NULL;
   if (sorted) {
      sort_open(phases, sorted);
      set = set_of(profile, sorted, count);
   }
   if (sorted != few)
      profile->host->release(sorted, count * sizeof *sorted);
   if (!set) {
      profile->incomplete = true;
      set = set_of(profile, few, 0);
   }
   return set ? set->executed : NULL;
}

/* How often a phase, or a copy of it, stands in a set. */
static uint32_t times_in(const struct pm_profile_set *set, const struct pm_phase *phase)
{
   uint32_t times = 0;
   for (uint32_t i = 0; i < set->phase_count; i++)
      times += set->phases[i]->number == phase->number;
   return times;
}

void pm_profile_sum(const struct pm_profile *profile, const struct pm_stretches *stretches,
                    const struct pm_phase *phase, struct pm_function_cost *cost,
                    uint32_t function_count)
{
   for (uint32_t s = 0; s < profile->set_count; s++) {
      const struct pm_profile_set *set = profile->sets[s];
      uint64_t times = times_in(set, phase);
      if (times == 0)
         continue;
      for (uint32_t id = 0; id < stretches->count; id++) {
         uint64_t executed = set->executed[id] * times;
         if (executed == 0)
            continue;
         const struct pm_stretch *stretch = &stretches->table[id];
         PM_ASSERT(profile->host, stretch->function < function_count);
         struct pm_function_cost *sum = &cost[stretch->function];
         sum->instrs += executed * (uint64_t)(int64_t)stretch->weight;
         sum->calls += stretch->is_entry ? executed : 0;
         sum->iterations += stretch->iteration ? executed : 0;
      }
   }
}
