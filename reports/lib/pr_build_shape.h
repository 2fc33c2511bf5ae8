/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_shape.h: the histograms of a phase, the timeline of the run. */
#ifndef PR_BUILD_SHAPE_H
#define PR_BUILD_SHAPE_H

#include "pr_build.h"

/* Handlers of the elements' starts; false: the report is refused. */
bool pr_build_histogram_start(struct pr_builder *builder);
bool pr_build_bucket_start(struct pr_builder *builder);
bool pr_build_timeline_start(struct pr_builder *builder);
bool pr_build_point_start(struct pr_builder *builder);

/* When a phase begins, and when it ends: its histograms move there. */
void pr_build_histograms_clear(struct pr_builder *builder);
bool pr_build_histograms_end(struct pr_builder *builder, struct pr_phase *phase);

/* After the last element: the timeline moves to the report. */
void pr_build_timeline_finish(struct pr_builder *builder);

#endif
