/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_shape.c: the histograms of a phase, the timeline of the run. See the header. */
#include "pr_build_shape.h"

#include <string.h>

#include "pr_build_attributes.h"

/* Histograms ------------------------------------------------------------- */

static struct pr_build_histogram *open_histogram(struct pr_builder *builder)
{
   return &builder->histograms[builder->histogram];
}

/* Its element says of which kind it is. */
bool pr_build_histogram_start(struct pr_builder *builder)
{
   const char *element = pr_builder_element(builder);
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      if (strcmp(pr_histogram_names[kind], element) == 0)
         builder->histogram = kind;
   open_histogram(builder)->is_listed = true;
   open_histogram(builder)->line = (unsigned)builder->line;
   return true;
}

bool pr_build_bucket_start(struct pr_builder *builder)
{
   struct pr_bucket *bucket = pr_buffer_append(&open_histogram(builder)->buckets, sizeof *bucket);
   if (!bucket)
      return pr_builder_refuse_memory(builder);
   *bucket = (struct pr_bucket){.line = (unsigned)builder->line};
   return pr_attribute_require_number(builder, "from", &bucket->from)
          && pr_attribute_require_number(builder, "blocks", &bucket->blocks);
}

void pr_build_histograms_clear(struct pr_builder *builder)
{
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++) {
      builder->histograms[kind].is_listed = false;
      pr_buffer_clear(&builder->histograms[kind].buckets);
   }
}

bool pr_build_histograms_end(struct pr_builder *builder, struct pr_phase *phase)
{
   struct pr_arena *arena = &builder->report->arena;
   if (!builder->histograms[PR_SIZES].is_listed && !builder->histograms[PR_LIFETIMES].is_listed)
      return true;
   struct pr_histogram *histograms =
      pr_arena_alloc(arena, PR_HISTOGRAM_KINDS * sizeof *histograms);
   if (!histograms)
      return pr_builder_refuse_memory(builder);
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++) {
      const struct pr_build_histogram *from = &builder->histograms[kind];
      struct pr_histogram *to = &histograms[kind];
      to->is_listed = from->is_listed;
      to->line = from->line;
      to->count = from->buckets.count;
      if (!pr_buffer_copy(&from->buckets, sizeof *to->buckets, arena, &to->buckets))
         return pr_builder_refuse_memory(builder);
   }
   phase->histograms = histograms;
   return true;
}

/* Timeline --------------------------------------------------------------- */

bool pr_build_timeline_start(struct pr_builder *builder)
{
   struct pr_timeline *timeline = &builder->report->timeline;
   if (timeline->is_listed)
      return pr_builder_refuse(builder, "<timeline> appears twice");
   timeline->is_listed = true;
   timeline->line = (unsigned)builder->line;
   return pr_attribute_require_number(builder, "interval-instructions",
                                      &timeline->interval_instructions);
}

bool pr_build_point_start(struct pr_builder *builder)
{
   struct pr_point *point = pr_buffer_append(&builder->points, sizeof *point);
   if (!point)
      return pr_builder_refuse_memory(builder);
   point->line = (unsigned)builder->line;
   return pr_attribute_require_number(builder, "most-bytes", &point->most_bytes)
          && pr_attribute_require_number(builder, "last-bytes", &point->last_bytes);
}

void pr_build_timeline_finish(struct pr_builder *builder)
{
   struct pr_timeline *timeline = &builder->report->timeline;
   timeline->count = builder->points.count;
   timeline->points = pr_buffer_take(&builder->points);
}
