/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_thread_counts.h: what each thread did in a phase.
 *
 * Counted per open instance in an array by thread, and folded into the phase when
 * the instance ends; the arrays work like those of pm_sites.h: they belong to slots,
 * and tags tell whose entries they are. What is counted is held back, as are a thread's
 * instructions, until another thread is counted for or the set of open instances changes.
 *
 * Cost: O(1) per heap event; O(open instances) when what was held back is handed out.
 */
#ifndef PM_THREAD_COUNTS_H
#define PM_THREAD_COUNTS_H

#include "pm_phases.h"

struct pm_thread_count {
   uint64_t instrs;
   uint64_t traffic_blocks, traffic_bytes; /* obtained and resized by the thread */
   uint64_t released_blocks; /* given back by the thread */
   uint64_t foreign_blocks;  /* of these, those that another thread had obtained */
};

/* By number of the thread. */
struct pm_thread_row {
   uint64_t tag; /* in a slot: the instance that wrote it; in a phase: 1, it counts */
   struct pm_thread_count count;
};

struct pm_thread_rows {
   struct pm_thread_row *rows;
   uint32_t capacity;
   uint32_t greatest; /* number of a thread with a row; 0: none has */
   uint64_t tag;      /* of the instance that has the slot; 0: free */
};

struct pm_thread_counts {
   const struct pm_host *host;
   bool lost;                     /* out of memory: they are not to be had */
   struct pm_thread_rows *slots;  /* by slot of the instance */
   uint32_t slot_capacity;
   struct pm_thread_rows *phases; /* by number of the phase */
   uint32_t phase_capacity;
   uint32_t held_thread;          /* whose the following counts are */
   struct pm_thread_count held;   /* not yet added to the open instances */
};

void pm_thread_counts_init(struct pm_thread_counts *counts, const struct pm_host *host);
void pm_thread_counts_release(struct pm_thread_counts *counts);

/* Hand out what is held back. Needed before the set of open instances changes. */
PM_SELDOM void pm_thread_counts_settle(struct pm_thread_counts *counts,
                                       const struct pm_phases *phases);

void pm_thread_counts_begin(struct pm_thread_counts *counts, struct pm_instance *instance);
void pm_thread_counts_end(struct pm_thread_counts *counts, const struct pm_instance *instance);

/* In a forked child: forget everything, before the instances begin anew. */
void pm_thread_counts_after_fork(struct pm_thread_counts *counts);

/* Add to what a thread did in every open instance. */
void pm_thread_counts_add(struct pm_thread_counts *counts, const struct pm_phases *phases,
                          uint32_t thread, const struct pm_thread_count *done);

/* The same, held back. */
static inline struct pm_thread_count *pm_thread_counts_held(struct pm_thread_counts *counts,
                                                            const struct pm_phases *phases,
                                                            uint32_t thread)
{
   if (thread != counts->held_thread) {
      pm_thread_counts_settle(counts, phases);
      counts->held_thread = thread;
   }
   return &counts->held;
}

/* One block that a thread has obtained or resized. */
static inline void pm_thread_counts_traffic(struct pm_thread_counts *counts,
                                            const struct pm_phases *phases, uint32_t thread,
                                            uint64_t bytes)
{
   struct pm_thread_count *held = pm_thread_counts_held(counts, phases, thread);
   held->traffic_blocks++;
   held->traffic_bytes += bytes;
}

/* One block that a thread has given back. */
static inline void pm_thread_counts_released(struct pm_thread_counts *counts,
                                             const struct pm_phases *phases, uint32_t thread,
                                             bool foreign)
{
   struct pm_thread_count *held = pm_thread_counts_held(counts, phases, thread);
   held->released_blocks++;
   held->foreign_blocks += foreign;
}

/* What a thread did in a phase, in its ended instances and in those that are open. */
struct pm_thread_count pm_thread_counts_of(const struct pm_thread_counts *counts,
                                           const struct pm_phases *phases,
                                           const struct pm_phase *phase, uint32_t thread);

#endif
