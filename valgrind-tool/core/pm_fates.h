/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_fates.h: who resized blocks, and who gave them back, by who had obtained them.
 *
 * A block keeps the site that obtained it, its origin. What another site does to it
 * later is a fate: a pair of the two sites, with how often and how many bytes. They
 * are counted per phase, an event once for each open instance, and add up to the
 * phase's reallocations and deallocations.
 *
 * Resizes are always counted; blocks given back only on demand, since that means to
 * find out the call chain of every deallocation.
 *
 * Cost per event: a search in a hash for each open instance. Memory: 56 bytes for a
 * pair in a phase, with the hash at most 72.
 */
#ifndef PM_FATES_H
#define PM_FATES_H

#include "pm_phases.h"

enum pm_fate_kind { PM_FATE_RESIZED, PM_FATE_RELEASED };

struct pm_fate {
   uint32_t phase;     /* its number */
   uint32_t kind;      /* enum pm_fate_kind */
   uint32_t origin;    /* site that obtained the blocks */
   uint32_t site;      /* that resized them or gave them back */
   uint64_t blocks;    /* how often */
   uint64_t bytes;     /* sum of the new sizes; of the sizes when given back */
   uint64_t net_bytes; /* of resizes: sum of new minus old sizes, signed */
};

struct pm_fates {
   const struct pm_host *host;
   bool releases;          /* are counted, too */
   bool lost;              /* out of memory: fates are not to be had */
   struct pm_fate *fates;  /* in order of their first occurrence */
   uint32_t count, capacity;
   uint32_t *slots;        /* hash -> place in fates + 1; 0 empty */
   uint32_t slot_count;
};

void pm_fates_init(struct pm_fates *fates, const struct pm_host *host, bool releases);
void pm_fates_release(struct pm_fates *fates);

/* In a forked child: forget them. */
void pm_fates_after_fork(struct pm_fates *fates);

/* Count `one`, whose phase is not looked at, for every open instance. */
void pm_fates_add(struct pm_fates *fates, const struct pm_phases *phases,
                  const struct pm_fate *one);

#endif
