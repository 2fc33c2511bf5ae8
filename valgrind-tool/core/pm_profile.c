/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_profile.c: one counter array per combination of open phases. */
#include "pm_profile.h"
#include "pm_room.h"
#include "pm_text.h"

enum { FIRST_CHAINS = 256, FIRST_ROOM = 1 << 14 };

/* With executions of stretches below room. */
static size_t counters_bytes(uint32_t room)
{
   return sizeof(struct pm_counters) + room * sizeof(uint64_t);
}

static void give_back(const struct pm_host *host, struct pm_counters *counters, uint32_t room)
{
   if (counters)
      host->unreserve(counters, counters_bytes(room));
}

bool pm_profile_init(struct pm_profile *profile, const struct pm_host *host,
                     const struct pm_stretches *stretches)
{
   *profile = (struct pm_profile){
      .host = host,
      .stretches = stretches,
      .chain_count = FIRST_CHAINS,
      .chains = host->alloc(FIRST_CHAINS * sizeof *profile->chains),
      .shared = host->reserve(counters_bytes(PM_STRETCHES_MAX)),
   };
   if (!profile->chains || !profile->shared) {
      pm_profile_release(profile);
      return false;
   }
   memset(profile->chains, 0, FIRST_CHAINS * sizeof *profile->chains);
   return true;
}

static void unfold_set(const struct pm_profile *profile, struct pm_profile_set *set);

static size_t set_bytes(uint32_t phase_count)
{
   return sizeof(struct pm_profile_set) + phase_count * sizeof(struct pm_phase *);
}

static void release_sets(struct pm_profile *profile)
{
   const struct pm_host *host = profile->host;
   for (uint32_t s = 0; s < profile->set_count; s++) {
      struct pm_profile_set *set = profile->sets[s];
      unfold_set(profile, set);
      give_back(host, set->counters, set->room);
      host->release(set, set_bytes(set->phase_count));
   }
   profile->set_count = 0;
}

void pm_profile_clear(struct pm_profile *profile)
{
   release_sets(profile);
   memset(profile->chains, 0, profile->chain_count * sizeof *profile->chains);
   profile->room_now = 0;
   profile->incomplete = false;
}

void pm_profile_release(struct pm_profile *profile)
{
   const struct pm_host *host = profile->host;
   release_sets(profile);
   host->release(profile->sets, profile->set_capacity * sizeof *profile->sets);
   host->release(profile->chains, profile->chain_count * sizeof *profile->chains);
   give_back(host, profile->shared, PM_STRETCHES_MAX);
   *profile = (struct pm_profile){.host = host};
}

/* --- combinations -------------------------------------------------------------- */

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

static struct pm_profile_set **chain_of(const struct pm_profile *profile, uint64_t hash)
{
   return &profile->chains[hash & (profile->chain_count - 1)];
}

static void put_in_chain(struct pm_profile *profile, struct pm_profile_set *set)
{
   struct pm_profile_set **chain = chain_of(profile, set->hash);
   set->next_in_chain = *chain;
   *chain = set;
}

/* Twice the chains when there are more sets than chains. Without memory for them the
   old ones go on. */
static void make_chains(struct pm_profile *profile)
{
   const struct pm_host *host = profile->host;
   uint32_t count = profile->chain_count * 2;
   struct pm_profile_set **chains =
      profile->set_count < profile->chain_count ? NULL : host->alloc(count * sizeof *chains);
   if (!chains)
      return;
   memset(chains, 0, count * sizeof *chains);
   host->release(profile->chains, profile->chain_count * sizeof *chains);
   profile->chains = chains;
   profile->chain_count = count;
   for (uint32_t s = 0; s < profile->set_count; s++)
      put_in_chain(profile, profile->sets[s]);
}

static bool is_of(const struct pm_profile_set *set, const struct pm_phase **sorted,
                  uint32_t count)
{
   return set->phase_count == count &&
          pm_memcmp(set->phases, sorted, count * sizeof *sorted) == 0;
}

static struct pm_profile_set *add_set(struct pm_profile *profile, uint64_t hash,
                                      const struct pm_phase **sorted, uint32_t count)
{
   const struct pm_host *host = profile->host;
   struct pm_profile_set *set = host->alloc(set_bytes(count));
   if (!set || !pm_reserve_one(host, (void **)&profile->sets, profile->set_count,
                               &profile->set_capacity, sizeof *profile->sets)) {
      host->release(set, set_bytes(count));
      return NULL;
   }
   *set = (struct pm_profile_set){.hash = hash, .phase_count = count};
   if (count)
      memcpy(set->phases, sorted, count * sizeof *sorted);
   make_chains(profile);
   put_in_chain(profile, set);
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
   struct pm_profile_set *set = *chain_of(profile, hash);
   while (set && !is_of(set, sorted, count))
      set = set->next_in_chain;
   return set ? set : add_set(profile, hash, sorted, count);
}

/* --- arrays --------------------------------------------------------------------- */

/* Give the set's array a counter for every stretch there is. What was never written
   is only read here, and stays without memory. */
static bool make_room(const struct pm_profile *profile, struct pm_profile_set *set)
{
   if (set->room > 0 && set->room >= profile->stretches->count)
      return true;
   const struct pm_host *host = profile->host;
   uint32_t room = FIRST_ROOM;
   while (room < 2 * profile->stretches->count && room < PM_STRETCHES_MAX)
      room *= 2;
   struct pm_counters *counters = host->reserve(counters_bytes(room));
   if (!counters)
      return false;
   for (uint32_t id = 0; id < set->room; id++)
      if (set->counters->executed[id])
         counters->executed[id] = set->counters->executed[id];
   give_back(host, set->counters, set->room);
   set->counters = counters;
   set->room = room;
   return true;
}

struct pm_counters *pm_profile_now(struct pm_profile *profile, const struct pm_phases *phases)
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
   if (set && make_room(profile, set)) {
      profile->room_now = set->room;
      return set->counters;
   }
   profile->incomplete = true;
   profile->room_now = PM_STRETCHES_MAX;
   return profile->shared;
}

/* --- sums ------------------------------------------------------------------------ */

/* What the code of a place cost in a set. */
struct pm_profile_row {
   uint32_t place;
   struct pm_code_cost cost;
};

static void add_stretch(struct pm_code_cost *sum, const struct pm_stretch *stretch,
                        uint64_t executed)
{
   sum->instrs += executed * (uint64_t)(int64_t)stretch->weight;
   sum->calls += executed * (uint64_t)(int64_t)stretch->calls;
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      sum->mix[c] += executed * (uint64_t)(int64_t)stretch->mix[c];
   sum->iterations += stretch->iteration ? executed : 0;
}

static void add_cost(struct pm_code_cost *sum, const struct pm_code_cost *cost,
                     uint64_t times)
{
   sum->instrs += cost->instrs * times;
   sum->calls += cost->calls * times;
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      sum->mix[c] += cost->mix[c] * times;
   sum->iterations += cost->iterations * times;
}

/* Ids of stretches that there is a counter for. */
static uint32_t id_count(const struct pm_profile *profile, const struct pm_profile_set *set)
{
   uint32_t count = profile->stretches->count;
   return count < set->room ? count : set->room;
}

/* Add to by_place[] what the set's code cost. */
static void add_set_cost(const struct pm_profile *profile, const struct pm_profile_set *set,
                         uint64_t times, struct pm_code_cost *by_place,
                         uint32_t place_count)
{
   const struct pm_stretches *stretches = profile->stretches;
   for (uint32_t id = 0, ids = id_count(profile, set); id < ids; id++) {
      if (set->counters->executed[id] == 0)
         continue;
      const struct pm_stretch *stretch = &stretches->table[id];
      PM_ASSERT(profile->host, stretch->place < place_count);
      add_stretch(&by_place[stretch->place], stretch, set->counters->executed[id] * times);
   }
}

static bool is_zero(const struct pm_code_cost *cost)
{
   uint64_t any = cost->instrs | cost->calls | cost->iterations;
   for (int c = 0; c < PM_MIX_CLASSES; c++)
      any |= cost->mix[c];
   return any == 0;
}

/* Make the set's rows, with room for the sums of all places, all zero, and leave it
   all zero. Without memory there are none. */
static void fold_set(const struct pm_profile *profile, struct pm_profile_set *set,
                     struct pm_code_cost *by_place, uint32_t place_count)
{
   uint32_t count = 0;
   add_set_cost(profile, set, 1, by_place, place_count);
   for (uint32_t p = 0; p < place_count; p++)
      count += !is_zero(&by_place[p]);
   if (count > 0)
      set->rows = profile->host->alloc(count * sizeof *set->rows);
   for (uint32_t p = 0; p < place_count; p++) {
      if (set->rows && !is_zero(&by_place[p]))
         set->rows[set->row_count++] = (struct pm_profile_row){p, by_place[p]};
      by_place[p] = (struct pm_code_cost){0};
   }
}

/* Note which stretches were executed. Without memory nothing is noted. */
static void note_ran(const struct pm_profile *profile, struct pm_profile_set *set)
{
   uint32_t count = 0, ids = id_count(profile, set);
   for (uint32_t id = 0; id < ids; id++)
      count += set->counters->executed[id] != 0;
   if (count > 0)
      set->ran = profile->host->alloc(count * sizeof *set->ran);
   for (uint32_t id = 0; set->ran && id < ids; id++)
      if (set->counters->executed[id])
         set->ran[set->ran_count++] = id;
}

void pm_profile_fold(struct pm_profile *profile, uint32_t place_count)
{
   const struct pm_host *host = profile->host;
   size_t bytes = place_count * sizeof(struct pm_code_cost);
   struct pm_code_cost *by_place = place_count > 0 ? host->alloc(bytes) : NULL;
   if (!by_place)
      return;
   memset(by_place, 0, bytes);
   for (uint32_t s = 0; s < profile->set_count; s++)
      fold_set(profile, profile->sets[s], by_place, place_count);
   host->release(by_place, bytes);
   for (uint32_t s = 0; s < profile->set_count && profile->stretches->told; s++)
      note_ran(profile, profile->sets[s]);
}

static void unfold_set(const struct pm_profile *profile, struct pm_profile_set *set)
{
   profile->host->release(set->rows, set->row_count * sizeof *set->rows);
   profile->host->release(set->ran, set->ran_count * sizeof *set->ran);
   set->rows = NULL;
   set->row_count = 0;
   set->ran = NULL;
   set->ran_count = 0;
}

void pm_profile_unfold(struct pm_profile *profile)
{
   for (uint32_t s = 0; s < profile->set_count; s++)
      unfold_set(profile, profile->sets[s]);
}

/* How often a phase, or a copy of it, stands in a set. */
static uint32_t times_in(const struct pm_profile_set *set, const struct pm_phase *phase)
{
   uint32_t low = 0, high = set->phase_count;
   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (set->phases[middle]->number < phase->number)
         low = middle + 1;
      else
         high = middle;
   }
   uint32_t times = 0;
   while (low + times < set->phase_count && set->phases[low + times]->number == phase->number)
      times++;
   return times;
}

void pm_profile_sum(const struct pm_profile *profile, const struct pm_phase *phase,
                    struct pm_code_cost *cost, uint32_t place_count)
{
   for (uint32_t s = 0; s < profile->set_count; s++) {
      const struct pm_profile_set *set = profile->sets[s];
      uint64_t times = times_in(set, phase);
      if (times > 0 && !set->rows)
         add_set_cost(profile, set, times, cost, place_count);
      for (uint32_t r = 0; times > 0 && r < set->row_count; r++)
         add_cost(&cost[set->rows[r].place], &set->rows[r].cost, times);
   }
}

/* Add what executions of a stretch cost each of its instructions. */
static void add_instrs(const struct pm_profile *profile, uint32_t id, uint64_t executed,
                       struct pm_code_cost *cost, uint32_t item_count)
{
   const struct pm_stretch *stretch = &profile->stretches->table[id];
   const struct pm_instr *told = &profile->stretches->told[stretch->lengths];
   uint64_t each = stretch->weight < 0 ? -executed : stretch->weight > 0 ? executed : 0;
   for (uint32_t i = 0; i < stretch->instrs; i++) {
      PM_ASSERT(profile->host, told[i].item < item_count);
      struct pm_code_cost *sum = &cost[told[i].item];
      sum->instrs += each;
      for (int c = 0; c < PM_MIX_CLASSES; c++)
         sum->mix[c] += told[i].classes >> c & 1 ? each : 0;
   }
   if (stretch->instrs > 0) {
      cost[told[0].item].calls += executed * (uint64_t)(int64_t)stretch->calls;
      cost[told[0].item].iterations += stretch->iteration ? executed : 0;
   }
}

void pm_profile_sum_instrs(const struct pm_profile *profile, const struct pm_phase *phase,
                           struct pm_code_cost *cost, uint32_t item_count)
{
   for (uint32_t s = 0; s < profile->set_count; s++) {
      const struct pm_profile_set *set = profile->sets[s];
      uint64_t times = times_in(set, phase);
      uint32_t count = set->ran ? set->ran_count : id_count(profile, set);
      for (uint32_t r = 0; times > 0 && r < count; r++) {
         uint32_t id = set->ran ? set->ran[r] : r;
         if (set->counters->executed[id])
            add_instrs(profile, id, set->counters->executed[id] * times, cost, item_count);
      }
   }
}
