/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_control.h: which metrics are the same when nothing was changed? The A/A control.
 *
 * The program runs several times in the same way, and each metric of each phase is
 * compared with itself. One that differs says nothing about a change of the program by a
 * difference of that size.
 */
#ifndef RUN_CONTROL_H
#define RUN_CONTROL_H

#include <stdint.h>

#include "pr_arena.h"
#include "run_error.h"

enum run_stability {
   RUN_STABILITY_NONE, /* unavailable in every run */
   RUN_STABLE,
   RUN_UNSTABLE,
};

struct run_verdict {
   enum run_stability stability;
   uint64_t difference; /* between the least and the largest value, if RUN_UNSTABLE */
};

/* Of the metrics of a report's phases, in the order of the report; those of instances,
   which a report lists in part, get none. */
struct run_verdicts {
   struct run_verdict *items;
   size_t count;
   size_t judged, unstable; /* how many are not RUN_STABILITY_NONE, are RUN_UNSTABLE */
};

/* Compare the report that is kept with the same one of every other run. */
bool run_control_compare(const char *kept, const char *const *others, size_t other_count,
                         struct pr_arena *arena, struct run_verdicts *verdicts,
                         struct run_error *error);

#endif
