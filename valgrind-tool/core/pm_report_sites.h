/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_sites.h: the report's lists of sites: who allocated what.
 *
 * A phase lists the sites with the most live bytes at its peak, then those with the
 * most traffic, at most row_limit of them; the rest is one row, so that every column
 * adds up to the phase's metric. The sites that are listed anywhere stand once at the
 * end of the report, with their frames, and have their numbers from the order of those.
 */
#ifndef PM_REPORT_SITES_H
#define PM_REPORT_SITES_H

#include "pm_report_fates.h"

/* A site in one phase. */
struct pm_site_row {
   uint32_t site;
   uint64_t peak_bytes, peak_blocks;
   struct pm_site_count count;
};

struct pm_report_sites {
   const struct pm_report *report;
   const struct pm_host *host;
   struct pm_report_fates fates;
   const char *unavailable;    /* why there are none; NULL: there are */
   uint32_t *ids;              /* by site: its id, 0 not listed */
   const struct pm_report_site **by_name; /* those with an id, in its order */
   uint32_t id_count;
   struct pm_site_row *rows;   /* of one phase at a time */
   struct pm_site_row **sorted;
};

/* Find out which sites are listed. False: no memory, and none is. */
bool pm_report_sites_init(struct pm_report_sites *sites, const struct pm_report *report,
                          const struct pm_host *host);
void pm_report_sites_release(struct pm_report_sites *sites);

/* The order of sites in reports, by what their frames say. */
int pm_report_compare_sites(const struct pm_report_site *a, const struct pm_report_site *b);

/* The elements of a phase, and the one at the end. */
void pm_report_sites_phase(struct pm_report_sites *sites, struct pm_xml *x,
                           const struct pm_phase *phase);
void pm_report_sites_list(const struct pm_report_sites *sites, struct pm_xml *x);

#endif
