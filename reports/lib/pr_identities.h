/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_identities.h: do the numbers of a report agree with each other?
 *
 * The quantities are defined so that several follow from others (design
 * section 3). The tool measures each by itself, so an identity that does not
 * hold shows a fault of the tool or a report that was edited.
 */
#ifndef PR_IDENTITIES_H
#define PR_IDENTITIES_H

#include <stdbool.h>

#include "pr_diagnostics.h"
#include "pr_report.h"

/* Check every identity on every phase and every listed instance, and that parts add
   up to their phase (pr_totals.h) and to its functions (pr_code_check.h); each that does not hold becomes a diagnostic with
   the line of the metric on its left side. An identity with an unavailable or
   unlisted metric says nothing.
   True: all hold. */
bool pr_identities_check(const struct pr_report *report, struct pr_diagnostics *diagnostics);

#endif
