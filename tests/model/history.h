/* SPDX-License-Identifier: GPL-2.0-or-later */
/* history.h: what happened, as a plain list, and what the definitions say about it.
 *
 * What must a phase instance report? The core answers as events happen, in a few
 * operations each. Here the events are written down one after the other, and a
 * value is computed afterwards by walking the list and doing what the definition of
 * the metric says (design section 3), with the live blocks in a plain array that is
 * summed up at every step. It is slow and obvious on purpose, and shares nothing
 * with the core but the names of the metrics.
 *
 * An instance is the part of the list from `begin` to `end`: the events with
 * begin <= index < end.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "pm_phases.h"

enum happening {
   OBTAINED,   /* block, size_bytes, by thread */
   RESIZED,    /* block, size_bytes (new), moved, by thread */
   GIVEN_BACK, /* block, by thread */
   COUNTED,    /* metric grows by amount */
   GAUGED,     /* gauge is now amount */
   EXECUTED,   /* amount instructions, by thread; in_allocator: inside a call */
};

struct event {
   enum happening what;
   uint32_t thread;
   uint32_t block; /* by birth, from 0, never used again */
   uint64_t size_bytes;
   uint32_t site;  /* of what was obtained or resized, if somebody cares */
   bool moved;
   bool in_allocator;
   enum pm_metric metric;
   enum pm_gauge gauge;
   uint64_t amount;
};

struct history {
   struct event *events;
   size_t count, capacity;
   uint32_t blocks; /* ever obtained */
};

void history_release(struct history *history);

/* A block's number, for history_obtained; the block is born with that event. */
uint32_t history_obtained(struct history *history, uint32_t thread, uint64_t size_bytes);
void history_resized(struct history *history, uint32_t thread, uint32_t block,
                     uint64_t size_bytes, bool moved);
void history_given_back(struct history *history, uint32_t thread, uint32_t block);

/* The latest event happened there. */
void history_at_site(struct history *history, uint32_t site);

void history_counted(struct history *history, enum pm_metric metric, uint64_t amount);
void history_gauged(struct history *history, enum pm_gauge gauge, uint64_t now);
void history_executed(struct history *history, uint32_t thread, uint64_t instrs,
                      bool in_allocator);

/* What an instance from `begin` to `end`, begun by thread, reports. */
void history_values(const struct history *history, size_t begin, size_t end, uint32_t thread,
                    uint64_t value[PM_METRICS]);

/* Where it lies among the instructions. */
struct pm_span history_span(const struct history *history, size_t begin, size_t end);

/* One ended instance of a phase. */
struct ended {
   uint64_t order; /* by begin, among the instances of the phase, from 0 */
   uint32_t thread;
   bool complete;
   int parent;     /* phase number; NO_PARENT */
   struct pm_span span;
   uint64_t value[PM_METRICS];
};

enum { NO_PARENT = -1 };

/* What a phase reports whose instances ended in this order. */
void history_phase(const struct ended *ended, size_t count, uint64_t value[PM_METRICS],
                   uint64_t least[PM_METRICS], uint64_t greatest[PM_METRICS]);

/* The identities of design section 3. NULL: all hold; else the one that does not. */
const char *history_broken_identity(const uint64_t value[PM_METRICS]);

#endif
