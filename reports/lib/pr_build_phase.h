/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_phase.h: phases, their instances, the metrics of both.
 *
 * The part of a report that is looked up by name and whose numbers are compared:
 * names are unique, numbers are in range, a value is there or its reason is.
 */
#ifndef PR_BUILD_PHASE_H
#define PR_BUILD_PHASE_H

#include "pr_build.h"

/* Handlers of the elements' starts and ends; false: the report is refused. */
bool pr_build_phase_start(struct pr_builder *builder);
bool pr_build_phase_end(struct pr_builder *builder);
bool pr_build_metric_start(struct pr_builder *builder); /* of a phase or an instance */
bool pr_build_instance_start(struct pr_builder *builder);
bool pr_build_instance_end(struct pr_builder *builder);

/* After the last phase: no name twice; which one lies within which. */
bool pr_build_phases_finish(struct pr_builder *builder);

#endif
