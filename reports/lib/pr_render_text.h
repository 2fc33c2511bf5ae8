/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_text.h: a report as text for people.
 *
 * Everything a number needs stands beside it: its unit, the reason where it is
 * unavailable, what was not measured at all, what the tool warned of. Bytes are
 * exact, and from 1 KiB on also in larger units; a share stands beside the number
 * that it is the share of. All text of the report goes through pr_text.h.
 *
 * Every function returns false if no memory is left. (Trouble with `out` is kept by
 * the stream.)
 */
#ifndef PR_RENDER_TEXT_H
#define PR_RENDER_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "pr_report.h"
#include "pr_style.h"

/* By what sites are chosen and sorted. */
enum pr_site_order {
   PR_SITES_BY_PEAK,
   PR_SITES_BY_TRAFFIC,
   PR_SITES_BY_TEMPORARY,
   PR_SITES_BY_RETAINED,
   PR_SITE_ORDERS
};

/* "peak", "traffic": indexed by enum pr_site_order. */
extern const char *const pr_site_order_names[PR_SITE_ORDERS];

struct pr_view {
   struct pr_style style;
   size_t top; /* rows of each list */
   enum pr_site_order sites;
   bool has_lines;      /* source lines behind the functions */
   bool has_histograms; /* of sizes and lifetimes */
   bool has_timeline;   /* of the run */
};

/* The run, its phases as a tree, the lists of `phase` (NULL: the report has none to show),
   what was seen and what was not. */
bool pr_render_report(const struct pr_report *report, const struct pr_phase *phase,
                      const struct pr_view *view, FILE *out);

/* One phase: its instances, its lists. */
bool pr_render_phase(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out);

/* Every metric of the report, or of one phase, and all of the coverage. */
bool pr_render_all_metrics(const struct pr_report *report, const struct pr_style *style,
                           FILE *out);
bool pr_render_phase_metrics(const struct pr_phase *phase, const struct pr_style *style,
                             FILE *out);

#endif
