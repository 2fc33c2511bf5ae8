/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_timeline.h: live bytes over instructions, in a bounded number of points.
 *
 * The axis is cut into intervals of equal width, a power of two; each remembers the
 * most that was live in it and what was live at its end. When the axis grows beyond
 * the last interval, neighbours are joined and the width doubles, so that at least
 * half of the points are in use and no maximum is ever lost.
 *
 * Cost: O(1) per heap event, amortised; 16 bytes per point.
 */
#ifndef PM_TIMELINE_H
#define PM_TIMELINE_H

#include "pm_host.h"

struct pm_timeline_point {
   uint64_t most_bytes; /* live at once in the interval, its beginning included */
   uint64_t last_bytes; /* live at its end */
};

struct pm_timeline {
   const struct pm_host *host;
   struct pm_timeline_point *points;
   uint32_t capacity;       /* 0: there is no timeline */
   uint32_t used;           /* intervals that have begun */
   uint64_t origin_instrs;  /* where the axis begins */
   uint64_t width_instrs;   /* of an interval */
   uint64_t end_instrs;     /* where the last interval that has begun ends */
   struct pm_timeline_point *last; /* that interval's; NULL: there is no timeline */
};

/* At most `points` of them; 0: none is kept. The axis begins at origin_instrs with
   live_bytes. False: no memory. */
bool pm_timeline_init(struct pm_timeline *timeline, const struct pm_host *host, uint32_t points,
                      uint64_t origin_instrs, uint64_t live_bytes);
void pm_timeline_release(struct pm_timeline *timeline);

/* The axis begins anew, in a forked child, with the memory that there is. */
void pm_timeline_restart(struct pm_timeline *timeline, uint64_t origin_instrs,
                         uint64_t live_bytes);

/* Begin the interval that instrs is in, which is not the last one that has begun. */
PM_SELDOM void pm_timeline_reach(struct pm_timeline *timeline, uint64_t instrs);

/* From instrs on, which never decrease, live_bytes are live. */
static inline void pm_timeline_add(struct pm_timeline *timeline, uint64_t instrs,
                                   uint64_t live_bytes)
{
   if (!timeline->last)
      return;
   if (instrs >= timeline->end_instrs)
      pm_timeline_reach(timeline, instrs);
   struct pm_timeline_point *point = timeline->last;
   if (live_bytes > point->most_bytes)
      point->most_bytes = live_bytes;
   point->last_bytes = live_bytes;
}

#endif
