/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_outside.h: why numbers move from run to run: what a phase took in from outside, and
 * which of that was held fixed.
 */
#ifndef PR_OUTSIDE_H
#define PR_OUTSIDE_H

#include "pr_report.h"

/* A kind of thing that comes from outside. */
struct pr_outside {
   enum pr_metric_id metric; /* how often, in a phase */
   const char *one, *many;   /* "clock read", "clock reads" */
   const char *fix;          /* what makes it the same in every run, by the name under which
                                the report says what was fixed; NULL: nothing does */
};

enum { PR_OUTSIDE_KINDS = 7 };

/* Those that most often make a difference first. */
extern const struct pr_outside pr_outside[PR_OUTSIDE_KINDS];

/* Was it held fixed in this run? */
bool pr_outside_is_fixed(const struct pr_report *report, const struct pr_outside *kind);

/* How often it was taken in; 0 also if that is not known. */
uint64_t pr_outside_count(const struct pr_phase *phase, const struct pr_outside *kind);

#endif
