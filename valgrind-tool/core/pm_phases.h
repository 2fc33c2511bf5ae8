/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_phases.h: phases, their instances, and what an instance measures.
 *
 * A phase instance is the closed interval of events between its begin and its
 * end (design section 3). What it reports comes from three kinds of numbers:
 *
 *   counters  only grow, whatever is open (allocations, instructions, ...).
 *             An instance copies them at its begin and subtracts at its end,
 *             so that counting costs nothing per open instance.
 *   gauges    go up and down (live bytes, mapped bytes, ...). An instance has
 *             entry and peak of each; a change visits every open instance.
 *   relative  need to know whether a block is older than the instance
 *             (scratch, retained, released, resized, temporary).
 *
 * Sequence numbers: a heap event has number 1, 2, ...; an instance's
 * begin_event is the number of the last event before its begin, so an event or
 * a block belongs to it when its number is greater.
 *
 * Cost: begin, end and every event are O(open instances); counters O(1).
 */
#ifndef PM_PHASES_H
#define PM_PHASES_H

#include "pm_histogram.h"
#include "pm_metrics.h"

enum pm_counter {
   PM_COUNT_ALLOCATIONS,
   PM_COUNT_ALLOCATION_BYTES,
   PM_COUNT_ALLOCATIONS_ZERO_SIZE,
   PM_COUNT_ALLOCATIONS_FAILED,
   PM_COUNT_REALLOCATIONS,
   PM_COUNT_REALLOCATION_BYTES,
   PM_COUNT_REALLOCATION_NET_BYTES, /* two's complement */
   PM_COUNT_REALLOCATIONS_MOVED,
   PM_COUNT_REALLOCATIONS_FAILED,
   PM_COUNT_DEALLOCATIONS,
   PM_COUNT_DEALLOCATION_BYTES,
   PM_COUNT_DEALLOCATIONS_UNMATCHED,
   PM_COUNT_DEALLOCATIONS_UNSEEN,
   PM_COUNT_POOL_BLOCKS,
   PM_COUNT_INSTRUCTIONS,
   PM_COUNT_INSTRUCTIONS_ALLOCATOR,
   PM_COUNT_REP_ITERATIONS,
   PM_COUNT_REP_ENDED_BY_CONDITION,
   PM_COUNT_CLIENT_REQUESTS,
   PM_COUNT_SYSCALLS,
   PM_COUNT_THREAD_SWITCHES,
   PM_COUNT_CLOCK_READS,
   PM_COUNT_RANDOM_READS,
   PM_COUNT_PID_READS,
   PM_COUNT_FILE_READS,
   PM_COUNT_NETWORK_CALLS,
   PM_COUNT_PROCESSES,
   PM_COUNTERS
};

enum pm_gauge {
   PM_GAUGE_LIVE_BYTES,
   PM_GAUGE_MAPPED_BYTES,
   PM_GAUGE_ALLOCATOR_MAPPED_BYTES,
   PM_GAUGE_POOL_BYTES,
   PM_GAUGES
};

/* The state of the process that instances look at. */
struct pm_state {
   uint64_t counter[PM_COUNTERS];
   uint64_t gauge[PM_GAUGES];
   uint64_t live_blocks;
   uint64_t events; /* heap events so far = number of the last one */
};

/* Where an instance lies among the instructions of the process: of its begin, of the first
   moment of its live-bytes peak, and of its end. */
struct pm_span {
   uint64_t begin_instrs, peak_instrs, end_instrs;
};

struct pm_instance {
   struct pm_phase *phase;
   uint64_t order;             /* instances of the phase that were begun before it */
   uint32_t thread;            /* number of the thread that began it */
   uint64_t thread_instrs;     /* that thread's instructions at the begin */
   uint64_t begin_event;
   uint64_t peak_event;        /* number of the event that reached the live-bytes peak
                                  first; begin_event: it was reached at the begin */
   uint64_t peak_instrs;       /* instructions of the process at that moment */
   uint32_t slot;              /* a small number that no other open one has */
   uint64_t serial;            /* of all instances, by begin, from 1 */
   struct pm_histogram sizes;     /* of blocks obtained and resized inside */
   struct pm_histogram lifetimes; /* in instructions, of those obtained and given back */
   uint64_t begin_counter[PM_COUNTERS];
   uint64_t entry[PM_GAUGES];
   uint64_t peak[PM_GAUGES];
   uint64_t entry_blocks;
   uint64_t peak_blocks;       /* at the first moment of the live-bytes peak */
   uint64_t move_peak_bytes;
   uint64_t scratch_bytes;     /* now; see heap.scratch-peak */
   uint64_t scratch_peak_bytes;
   uint64_t retained_bytes;    /* live now in blocks obtained inside */
   uint64_t released_bytes;
   uint64_t resized_bytes;     /* two's complement */
   uint64_t temporary_blocks;
};

/* One ended instance, as it is listed by itself. */
struct pm_listed {
   struct pm_listed *next, *before; /* in order of begins; NULL at the ends */
   uint64_t order;             /* among the phase's instances, by begin, from 0 */
   uint32_t thread;
   bool complete;
   const struct pm_phase *parent; /* NULL: it had none */
   struct pm_span span;
   uint64_t value[PM_METRICS];
};

struct pm_phase {
   const char *name;           /* owned by whoever declared the phase */
   uint32_t number;            /* by declaration; orders phases */
   uint64_t begun;             /* instances, ended or not */
   uint64_t instances;         /* ended ones */
   uint64_t earliest;          /* order of the one of them that was begun first */
   uint64_t highest;           /* order of the first of them that reached heap.peak */
   bool complete;              /* no instance was cut short */
   bool overlapping;           /* two of its instances were open at once */
   bool parents_differ;        /* the ended instances have not all the same one */
   const struct pm_phase *parent; /* of the ended instances; NULL: none */
   uint64_t value[PM_METRICS]; /* over the ended instances; valid if instances > 0 */
   uint64_t least[PM_METRICS];
   uint64_t greatest[PM_METRICS];
   uint64_t last[PM_METRICS];  /* of the instance that ended last */
   struct pm_span span;        /* of the same */
   struct pm_histogram sizes, lifetimes; /* over the ended instances */
   struct pm_listed *listed;   /* those that are listed singly, by their begin */
   struct pm_listed *listed_last;
};

struct pm_sites;
struct pm_thread_counts;

struct pm_phases {
   const struct pm_host *host;
   struct pm_sites *sites;     /* told of begins and ends; NULL: nobody is */
   struct pm_thread_counts *threads; /* likewise */
   uint64_t begun;             /* instances */
   uint64_t last_peak_event;   /* the greatest peak_event that an instance has had */
   uint32_t *free_slots;       /* given back; room for open_capacity of them */
   uint32_t free_slot_count;
   uint32_t slots;             /* that there have been */
   struct pm_instance **open;  /* in order of begin */
   uint32_t open_count;
   uint32_t open_capacity;
   uint64_t list_first;        /* how many instances of a phase are listed singly */
   /* Called, if set, after an instance has begun or ended. */
   void (*open_changed)(void *ctx);
   void *open_changed_ctx;
};

void pm_phases_init(struct pm_phases *phases, const struct pm_host *host);
void pm_phases_release(struct pm_phases *phases);

/* Give back what a phase has listed. */
void pm_phase_release(const struct pm_host *host, struct pm_phase *phase);

/* Begin an instance of phase on a thread that has executed thread_instrs
   instructions; state's counters are current. NULL: no memory. */
struct pm_instance *pm_phases_begin(struct pm_phases *phases, struct pm_phase *phase,
                                    const struct pm_state *state, uint32_t thread,
                                    uint64_t thread_instrs);

/* Begin the open instance at place `at` of phases->open anew, as of now: in a
   forked child, where all that was measured is the parent's. */
void pm_instance_restart(struct pm_phases *phases, uint32_t at, const struct pm_state *state,
                         uint64_t thread_instrs);

/* The value of every metric as if the instance ended now, in value[]. */
void pm_instance_values(const struct pm_instance *instance, const struct pm_state *state,
                        uint64_t thread_instrs, uint64_t value[PM_METRICS]);

/* The instance of phase that thread has begun, the one begun last if there are
   several; NULL: none. */
struct pm_instance *pm_phases_open_on(const struct pm_phases *phases,
                                      const struct pm_phase *phase, uint32_t thread);

/* The open instance of phase that was begun last, on whatever thread; NULL: none. */
struct pm_instance *pm_phases_open_last(const struct pm_phases *phases,
                                        const struct pm_phase *phase);

/* How many instances of phase are open. */
uint32_t pm_phases_open_of(const struct pm_phases *phases, const struct pm_phase *phase);

/* End an open instance and add it to its phase. thread_instrs: instructions
   now of the thread that began it. The instance is gone afterwards. False: no
   memory to list it singly; it counts all the same. */
bool pm_phases_end(struct pm_phases *phases, struct pm_instance *instance,
                   const struct pm_state *state, uint64_t thread_instrs, bool complete);

/* Into copy: phase as it would be if its open instances ended now, the last begun
   first, complete or not. They are not listed singly; the copy borrows the list. */
void pm_phase_as_if_ended(const struct pm_phases *phases, const struct pm_phase *phase,
                          const struct pm_state *state,
                          uint64_t (*thread_instrs)(uint32_t thread), bool complete,
                          struct pm_phase *copy);

/* A gauge has changed to state's value: visit the peaks of it. */
void pm_phases_gauge(struct pm_phases *phases, const struct pm_state *state, enum pm_gauge gauge);

#endif
