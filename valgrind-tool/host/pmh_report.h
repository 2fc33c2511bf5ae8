/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_report.h: the report of the measured process, and its summary on the log. */
#ifndef PMH_REPORT_H
#define PMH_REPORT_H

#include "pmh_process.h"
#include "pm_report.h"

/* The measurement has ended: write the report and say on the log what it says. */
void pmh_report(const struct pmh_end *end);

/* The same without ending the measurement, for an exec. True: written. */
Bool pmh_report_so_far(const struct pmh_end *end);

/* A report so far, of a program that goes on, into a file of its own. */
Bool pmh_snapshot(const HChar *path);

/* Would a metric of a phase, whose instances are at hand, be unavailable now? */
Bool pmh_unavailable(const struct pm_declared *declared, enum pm_metric metric);

#endif
