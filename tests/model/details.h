/* SPDX-License-Identifier: GPL-2.0-or-later */
/* details.h: what stands behind a metric, by site, by thread and by size.
 *
 * As history.h for the totals: computed by walking the list of what happened, with
 * all blocks in a plain array.
 */
#ifndef DETAILS_H
#define DETAILS_H

#include "history.h"
#include "pm_fates.h"
#include "pm_sites.h"
#include "pm_thread_counts.h"

enum { DETAIL_SITES = 24, DETAIL_THREADS = 5 /* numbers below this */ };

struct details {
   struct pm_site_count sites[DETAIL_SITES];
   struct pm_thread_count threads[DETAIL_THREADS];
   struct pm_histogram sizes, lifetimes;
   struct pm_fate fates[2][DETAIL_SITES][DETAIL_SITES]; /* by kind, origin, site */
   uint64_t peak_bytes; /* in all */
   uint64_t peak_site_bytes[DETAIL_SITES], peak_site_blocks[DETAIL_SITES];
};

/* Of an instance from `begin` to `end`; the picture is that of the first moment of its
   peak. */
void details_of(const struct history *history, size_t begin, size_t end,
                struct details *details);

/* Add everything but the picture. */
void details_add(struct details *to, const struct details *from);

/* The most bytes that a site had live at once from `begin` to `end`. */
uint64_t details_most_bytes(const struct history *history, size_t begin, size_t end,
                            uint32_t site);

#endif
