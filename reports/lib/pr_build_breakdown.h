/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_breakdown.h: the sites, functions, lines and threads of a phase, in numbers.
 *
 * Phases come before the names in a report, so a row keeps the id until
 * pr_build_names.h finds what it stands for.
 */
#ifndef PR_BUILD_BREAKDOWN_H
#define PR_BUILD_BREAKDOWN_H

#include "pr_build.h"

/* Handlers of the elements' starts; false: the report is refused. */
bool pr_build_breakdown_start(struct pr_builder *builder);
bool pr_build_row_start(struct pr_builder *builder);
bool pr_build_others_start(struct pr_builder *builder);

/* When a phase begins, and when it ends: its breakdowns move there. */
void pr_build_breakdowns_clear(struct pr_builder *builder);
bool pr_build_breakdowns_end(struct pr_builder *builder, struct pr_phase *phase);

#endif
