/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_stacks.h: what a metric of a phase is made of, as call stacks.
 *
 * Formats of flame graphs and their like have a number for each call stack. It is that of a
 * site, or of a function as called by its object, since reports have the instructions that a
 * function executed itself. What the report does not list singly is the stack "(others)", so
 * that the numbers add up to the metric.
 */
#ifndef PR_STACKS_H
#define PR_STACKS_H

#include <stdio.h>

#include "pr_export.h"

struct pr_stack {
   const struct pr_frame *frames; /* innermost first, at least one */
   size_t frame_count;
   const uint64_t *values; /* as of the row that it stands for */
};

struct pr_stacks {
   struct pr_stack *items; /* in the order of the report, the others last */
   size_t count;
   struct pr_frame *own;           /* frames that no site of the report has */
   const struct pr_metric *metric; /* that they add up to */
   size_t column;                  /* of the values: the metric's */
};

/* Those that have some of the metric. PR_EXPORTED: it is available and split by sites or
   functions, and the caller releases them; otherwise there is nothing to release. */
enum pr_exported pr_stacks_take(struct pr_stacks *stacks, const struct pr_report *report,
                                const struct pr_phase *phase, enum pr_metric_id id, FILE *notes);

/* All sites of a phase, whatever they have: no metric and no column of theirs. */
enum pr_exported pr_stacks_take_sites(struct pr_stacks *stacks, const struct pr_report *report,
                                      const struct pr_phase *phase, FILE *notes);

void pr_stacks_release(struct pr_stacks *stacks);

/* Stacks that begin alike, at the innermost frame, together, one before those that go on from
   it; and at how many frames two are alike. */
void pr_stacks_sort(struct pr_stacks *stacks);
size_t pr_stack_common(const struct pr_stack *a, const struct pr_stack *b);

static inline uint64_t pr_stack_value(const struct pr_stacks *stacks,
                                      const struct pr_stack *stack)
{
   return stack->values[stacks->column];
}

/* "???" if it has none. */
const char *pr_frame_name(const struct pr_frame *frame);

/* Frames of one function, those of one place in it, and the order of both. */
typedef int pr_frame_order(const struct pr_frame *a, const struct pr_frame *b);
pr_frame_order pr_frame_by_function, pr_frame_by_place;

/* The frames of stacks, each once, numbered from 0. */
struct pr_frame_set {
   const struct pr_frame **items; /* ascending */
   size_t count;
   pr_frame_order *order;
};

/* The caller frees .items. False: no memory. */
bool pr_frame_set_make(struct pr_frame_set *set, const struct pr_stacks *stacks, size_t count,
                       pr_frame_order *order);

/* The number of a frame that is one of them. */
size_t pr_frame_set_find(const struct pr_frame_set *set, const struct pr_frame *frame);

#endif
