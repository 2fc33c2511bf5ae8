/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_totals.h: do the parts of a phase make up the phase?
 *
 * Its sites and pairs of them, functions, lines, instructions and threads add up to its metrics, and its
 * instances, when all of them are listed, give its values, minima and maxima.
 */
#ifndef PR_TOTALS_H
#define PR_TOTALS_H

#include <stdbool.h>

#include "pr_diagnostics.h"
#include "pr_report.h"

/* Each part that does not fit becomes a diagnostic. What is not listed, and metrics
   that are unavailable, say nothing. True: all fit. */
bool pr_totals_check(const struct pr_report *report, const struct pr_phase *phase,
                     struct pr_diagnostics *diagnostics);

#endif
