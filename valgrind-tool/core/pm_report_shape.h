/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_shape.h: the report's histograms, threads and timeline. */
#ifndef PM_REPORT_SHAPE_H
#define PM_REPORT_SHAPE_H

#include "pm_report.h"

/* Elements of a phase: sizes and lifetimes of its blocks; what each thread did. */
void pm_report_histograms(struct pm_xml *x, const struct pm_phase *phase);
void pm_report_threads(const struct pm_report *report, struct pm_xml *x,
                       const struct pm_phase *phase);

/* Element of the report. */
void pm_report_timeline(const struct pm_report *report, struct pm_xml *x);

#endif
