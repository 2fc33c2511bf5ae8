/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_check.h: hold reports against limits.
 *
 * A number that is not there never passes: a limit whose phase, metric, value or baseline
 * value is missing, unavailable or not stable fails and has the reason, and so does one on
 * a total of a phase that overlaps with itself, unless the limit accepts it. A wildcard
 * must find a phase. Where a bound is of the baseline, a phase that only the baseline has
 * is missing. Errors that the report tells of (a phase begun twice, never entered, ...)
 * fail by themselves; those of the baseline do not, or a run that corrects one could
 * never pass.
 */
#ifndef PR_CHECK_H
#define PR_CHECK_H

#include <stdbool.h>

#include "pr_report.h"
#include "pr_verdict.h"

/* Hold a report against the verdict's limits and add what comes of it. `baseline` may be
   NULL. A baseline of an unlike run is trouble; if it is allowed, the differences stand
   with the outcomes. Errors that the report tells of are outcomes too, and an end of the
   program that leaves its numbers in doubt. The reports may go afterwards. False: no memory
   left. */
bool pr_check_report(struct pr_verdict *verdict, const struct pr_report *report,
                     const struct pr_report *baseline, bool allows_unlike);

#endif
