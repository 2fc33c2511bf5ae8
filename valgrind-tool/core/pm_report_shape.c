/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report_shape.c: histograms, threads and timeline in the report. */
#include "pm_report_shape.h"

static void write_histogram(struct pm_xml *x, const char *element,
                            const struct pm_histogram *histogram)
{
   pm_xml_open(x, element);
   for (unsigned b = 0; b < PM_BUCKETS; b++) {
      if (histogram->blocks[b] == 0)
         continue;
      pm_xml_open(x, "bucket");
      pm_xml_attr_u64(x, "from", pm_bucket_from(b));
      pm_xml_attr_u64(x, "blocks", histogram->blocks[b]);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

void pm_report_histograms(struct pm_xml *x, const struct pm_phase *phase)
{
   pm_xml_open(x, "histograms");
   write_histogram(x, "sizes", &phase->sizes);
   write_histogram(x, "lifetimes", &phase->lifetimes);
   pm_xml_close(x);
}

static bool is_anything(const struct pm_thread_count *count)
{
   return count->instrs || count->traffic_blocks || count->released_blocks;
}

static void write_count(struct pm_xml *x, const struct pm_thread_count *count)
{
   pm_xml_attr_u64(x, "instructions", count->instrs);
   pm_xml_attr_u64(x, "traffic-blocks", count->traffic_blocks);
   pm_xml_attr_u64(x, "traffic-bytes", count->traffic_bytes);
   pm_xml_attr_u64(x, "released-blocks", count->released_blocks);
   pm_xml_attr_u64(x, "foreign-blocks", count->foreign_blocks);
}

void pm_report_threads(const struct pm_report *report, struct pm_xml *x,
                       const struct pm_phase *phase)
{
   /* Most of a row is of blocks. */
   if (!report->threads || report->threads->lost || pm_report_gap_of(report, "traffic.blocks"))
      return;
   struct pm_thread_count rest = {.instrs = 0};
   uint64_t listed = 0, others = 0;
   pm_xml_open(x, "threads");
   for (uint32_t t = 1; t <= report->thread_count; t++) {
      struct pm_thread_count count =
         pm_thread_counts_of(report->threads, report->open, phase, t);
      if (!is_anything(&count))
         continue;
      if (listed < report->row_limit) {
         listed++;
         pm_xml_open(x, "thread");
         pm_xml_attr_u64(x, "number", t);
         write_count(x, &count);
         pm_xml_close(x);
         continue;
      }
      others++;
      rest.instrs += count.instrs;
      rest.traffic_blocks += count.traffic_blocks;
      rest.traffic_bytes += count.traffic_bytes;
      rest.released_blocks += count.released_blocks;
      rest.foreign_blocks += count.foreign_blocks;
   }
   if (others > 0) {
      pm_xml_open(x, "others");
      pm_xml_attr_u64(x, "threads", others);
      write_count(x, &rest);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}

void pm_report_timeline(const struct pm_report *report, struct pm_xml *x)
{
   const struct pm_timeline *timeline = report->timeline;
   if (!timeline || timeline->capacity == 0 || pm_report_gap_of(report, "heap.peak"))
      return;
   pm_xml_open(x, "timeline");
   pm_xml_attr_u64(x, "interval-instructions", timeline->width_instrs);
   for (uint32_t p = 0; p < timeline->used; p++) {
      pm_xml_open(x, "point");
      pm_xml_attr_u64(x, "most-bytes", timeline->points[p].most_bytes);
      pm_xml_attr_u64(x, "last-bytes", timeline->points[p].last_bytes);
      pm_xml_close(x);
   }
   pm_xml_close(x);
}
