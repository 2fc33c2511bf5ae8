/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_fates.h: the report's lists of resizes and releases: whose blocks were
 * resized and given back by whom.
 *
 * A phase lists the pairs of sites with the most bytes, at most row_limit of a kind,
 * the rest in one row, so that the columns add up to the phase's metrics. The sites
 * are named by pm_report_sites.h, which asks here for those it would not list by
 * itself.
 */
#ifndef PM_REPORT_FATES_H
#define PM_REPORT_FATES_H

#include "pm_report.h"

struct pm_report_fates {
   const struct pm_report *report;
   const struct pm_host *host;
   const struct pm_fate **sorted; /* by phase, kind, and what the report lists first;
                                     NULL: there are none */
   uint32_t count;
};

/* False: no memory, and there are none. */
bool pm_report_fates_init(struct pm_report_fates *fates, const struct pm_report *report,
                          const struct pm_host *host);
void pm_report_fates_release(struct pm_report_fates *fates);

/* Set ids[site] to 1 for both sites of every pair that is listed. */
void pm_report_fates_mark(const struct pm_report_fates *fates, uint32_t *ids);

/* The elements of a phase; ids[site] is a site's id in the report. */
void pm_report_fates_phase(const struct pm_report_fates *fates, struct pm_xml *x,
                           const struct pm_phase *phase, const uint32_t *ids);

#endif
