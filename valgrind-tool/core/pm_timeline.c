/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_timeline.c: the timeline of live bytes; pm_timeline.h has the terms. */
#include "pm_timeline.h"

void pm_timeline_restart(struct pm_timeline *timeline, uint64_t origin_instrs,
                         uint64_t live_bytes)
{
   *timeline = (struct pm_timeline){
      .host = timeline->host, .points = timeline->points, .capacity = timeline->capacity,
      .origin_instrs = origin_instrs, .width_instrs = 1, .end_instrs = origin_instrs + 1};
   if (timeline->capacity == 0)
      return;
   timeline->points[0] = (struct pm_timeline_point){live_bytes, live_bytes};
   timeline->last = timeline->points;
   timeline->used = 1;
}

bool pm_timeline_init(struct pm_timeline *timeline, const struct pm_host *host, uint32_t points,
                      uint64_t origin_instrs, uint64_t live_bytes)
{
   *timeline = (struct pm_timeline){.host = host};
   pm_timeline_restart(timeline, origin_instrs, live_bytes);
   if (points == 0)
      return true;
   /* Neighbours are joined in pairs. */
   uint32_t capacity = points < 2 ? 2 : points & ~UINT32_C(1);
   timeline->points = host->alloc(capacity * sizeof *timeline->points);
   if (!timeline->points)
      return false;
   timeline->capacity = capacity;
   pm_timeline_restart(timeline, origin_instrs, live_bytes);
   return true;
}

void pm_timeline_release(struct pm_timeline *timeline)
{
   timeline->host->release(timeline->points, timeline->capacity * sizeof *timeline->points);
   *timeline = (struct pm_timeline){.host = timeline->host};
}

static void widen(struct pm_timeline *timeline)
{
   struct pm_timeline_point *points = timeline->points;
   uint32_t half = (timeline->used + 1) / 2;
   for (uint32_t p = 0; p < half; p++) {
      struct pm_timeline_point joined = points[2 * p];
      if (2 * p + 1 < timeline->used) {
         const struct pm_timeline_point *later = &points[2 * p + 1];
         if (later->most_bytes > joined.most_bytes)
            joined.most_bytes = later->most_bytes;
         joined.last_bytes = later->last_bytes;
      }
      points[p] = joined;
   }
   timeline->used = half;
   timeline->width_instrs *= 2;
}

void pm_timeline_reach(struct pm_timeline *timeline, uint64_t instrs)
{
   uint64_t at;
   while ((at = (instrs - timeline->origin_instrs) / timeline->width_instrs) >=
          timeline->capacity)
      widen(timeline);
   /* Nothing happened in the intervals between. */
   uint64_t before = timeline->points[timeline->used - 1].last_bytes;
   while (timeline->used <= at)
      timeline->points[timeline->used++] = (struct pm_timeline_point){before, before};
   timeline->last = &timeline->points[timeline->used - 1];
   timeline->end_instrs = timeline->origin_instrs + (at + 1) * timeline->width_instrs;
}
