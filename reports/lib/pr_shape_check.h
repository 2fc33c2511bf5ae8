/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_shape_check.h: do histograms and the timeline agree with the metrics?
 *
 * A histogram counts the same blocks as metrics do, and bounds their bytes; the timeline
 * has the peak and the exit of the phase program.
 */
#ifndef PR_SHAPE_CHECK_H
#define PR_SHAPE_CHECK_H

#include <stdbool.h>

#include "pr_diagnostics.h"
#include "pr_report.h"

/* What does not fit becomes a diagnostic. What is not listed, and metrics that are
   unavailable, say nothing. True: all fits. */
bool pr_histograms_check(const struct pr_report *report, const struct pr_phase *phase,
                         struct pr_diagnostics *diagnostics);
bool pr_timeline_check(const struct pr_report *report, struct pr_diagnostics *diagnostics);

#endif
