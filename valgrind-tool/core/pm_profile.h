/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_profile.h: executions of stretches, told apart by the phases that were open.
 *
 * For every combination of open phases that occurs (a phase open in two instances
 * stands in it twice) there is an array of counters, one per stretch, behind the
 * words of struct pm_counters. Translated code adds through a base pointer; when an
 * instance begins or ends, the pointer changes to the array of the new combination,
 * which costs nothing that grows with the program. When the report is written the
 * arrays are summed: an execution counts for each open instance of a phase.
 *
 * An array is reserved address space that becomes memory only where code of its
 * combination runs. It has room for twice the stretches there are, and is replaced
 * when it is too small for a stretch that its combination may run: address space
 * has to do for some ten thousand combinations. When no more can be reserved,
 * further combinations share one array that belongs to no phase, and `incomplete`
 * says so.
 */
#ifndef PM_PROFILE_H
#define PM_PROFILE_H

#include "pm_counters.h"
#include "pm_phases.h"
#include "pm_stretches.h"

struct pm_profile_set {
   struct pm_profile_set *next_in_chain;
   uint64_t hash;           /* of the phases' numbers */
   struct pm_counters *counters;
   uint32_t room;           /* ids below this have a counter */
   struct pm_profile_row *rows; /* made by pm_profile_fold(); NULL: none */
   uint32_t row_count;
   uint32_t *ran;           /* the stretches that were executed; the same */
   uint32_t ran_count;
   uint32_t phase_count;    /* open instances */
   const struct pm_phase *phases[]; /* of them, sorted by their number */
};

struct pm_profile {
   const struct pm_host *host;
   const struct pm_stretches *stretches; /* what is counted */
   struct pm_profile_set **chains;
   uint32_t chain_count;
   struct pm_profile_set **sets; /* in order of their first occurrence */
   uint32_t set_count, set_capacity;
   struct pm_counters *shared;   /* with room for every stretch there can be */
   uint32_t room_now;       /* of the array that pm_profile_now() returned last */
   bool incomplete;         /* the shared array was used */
};

/* Self cost of a place, a function or a source line in one, or of an instruction, in a
   phase. */
struct pm_code_cost {
   uint64_t instrs;
   uint64_t calls;      /* executions of a function's first instruction */
   uint64_t iterations; /* of its rep instructions */
   uint64_t mix[PM_MIX_CLASSES]; /* of instrs, how many are in each class */
};

/* False: no memory. */
bool pm_profile_init(struct pm_profile *profile, const struct pm_host *host,
                     const struct pm_stretches *stretches);
void pm_profile_release(struct pm_profile *profile);

/* The counters of the phases that are open now; but for their executions they are what
   they were when they were in use last. Those that it returned before may be gone. */
struct pm_counters *pm_profile_now(struct pm_profile *profile, const struct pm_phases *phases);

/* Has the array that pm_profile_now() returned last a counter for the stretch? If
   not, it must be asked again before the stretch is counted. */
static inline bool pm_profile_holds(const struct pm_profile *profile, uint32_t id)
{
   return id < profile->room_now;
}

/* Forget all executions: in a forked child. The arrays are gone, and
   pm_profile_now() must be asked again. */
void pm_profile_clear(struct pm_profile *profile);

/* Make the sums of each combination once, for places below place_count:
   pm_profile_sum() costs less until pm_profile_unfold(), which has to come before
   anything is executed. */
void pm_profile_fold(struct pm_profile *profile, uint32_t place_count);
void pm_profile_unfold(struct pm_profile *profile);

/* Add to cost[place] what the stretches of each place (numbers below place_count)
   cost in a phase. */
void pm_profile_sum(const struct pm_profile *profile, const struct pm_phase *phase,
                    struct pm_code_cost *cost, uint32_t place_count);

/* The same by instruction, where the stretches tell them apart: add to cost[item], for
   items below item_count. */
void pm_profile_sum_instrs(const struct pm_profile *profile, const struct pm_phase *phase,
                           struct pm_code_cost *cost, uint32_t item_count);

#endif
