/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build.h: a report put together from elements, one after the other.
 *
 * The half of the loader that knows the format and nothing of XML parsers:
 * events go in (start, text, end, as from any parser), a report comes out.
 * One table row per element says where it may stand and what it means;
 * an element without a row is skipped with all that it contains.
 * pr_build_attributes.c reads attributes, pr_build_phase.c phases, instances and
 * metrics, pr_build_breakdown.c their sites and functions, pr_build_names.c what
 * the ids of these stand for, pr_build_shape.c histograms and the timeline.
 *
 * Every event answers false once the report is refused; the reason is then in
 * the diagnostics and the caller stops.
 */
#ifndef PR_BUILD_H
#define PR_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "pr_attribute.h"
#include "pr_buffer.h"
#include "pr_diagnostics.h"
#include "pr_intern.h"
#include "pr_report.h"

/* Bounds on what a report may hold, so that a hostile one costs no more than
   an honest one of its size. */
enum {
   PR_BUILD_DEPTH_MAX = 64,               /* elements within elements */
   PR_BUILD_TEXT_BYTES_MAX = 1024 * 1024, /* of an attribute or an element's text */
   PR_BUILD_UNKNOWN_METRICS_MAX = 256,    /* of a phase, of an instance */
};

struct pr_element_rule;

/* Metrics of the open phase or instance. */
struct pr_build_metrics {
   struct pr_buffer items; /* struct pr_metric */
   size_t unknown_count;
   bool seen[PR_METRIC_COUNT];
};

/* A breakdown of the open phase. */
struct pr_build_breakdown {
   bool is_listed, has_others;
   struct pr_buffer rows;   /* struct pr_row, without their values */
   struct pr_buffer values; /* uint64_t: of all rows, one after the other */
   uint64_t others_count, others[PR_COLUMNS_MAX];
};

struct pr_builder {
   struct pr_report *report;
   struct pr_diagnostics *diagnostics;
   unsigned long line; /* of the event; set by the caller before each */
   bool refused;

   /* Open elements: those with a rule, then those being skipped. */
   const struct pr_element_rule *open[PR_BUILD_DEPTH_MAX];
   unsigned open_count;
   unsigned skipped_count;

   /* Of the element whose start is being handled. */
   const struct pr_attribute *attributes;
   size_t attribute_count;
   size_t attribute_next; /* behind the one found last: most likely the next asked for */

   /* Text of the innermost element with a rule that has text. */
   char *text;
   size_t text_bytes, text_capacity;

   /* Parts of the open phase; they move to the arena when it closes. */
   struct pr_build_metrics phase_metrics, instance_metrics;
   struct pr_build_metrics *metrics; /* the innermost of both */
   struct pr_buffer instances;       /* struct pr_instance */
   struct pr_build_breakdown breakdowns[PR_BREAKDOWN_KINDS];
   enum pr_breakdown_kind kind; /* of the breakdown that is open */
   struct pr_build_histogram {
      bool is_listed;
      unsigned line;
      struct pr_buffer buckets; /* struct pr_bucket */
   } histograms[PR_HISTOGRAM_KINDS];
   enum pr_histogram_kind histogram; /* that is open */

   /* Parts of the root, and of a site there. */
   struct pr_buffer phases;    /* struct pr_phase */
   struct pr_buffer sites;     /* struct pr_site */
   struct pr_buffer functions; /* struct pr_function */
   struct pr_buffer lines;     /* struct pr_source_line */
   struct pr_buffer instructions;       /* struct pr_instruction */
   const struct pr_code_file *code_file; /* of those that are being built */
   struct pr_buffer points;    /* struct pr_point */
   struct pr_buffer frames;    /* struct pr_frame */
   struct pr_intern intern;

   /* The reason copied last: phases repeat one for many metrics. */
   const char *last_reason;
};

void pr_builder_init(struct pr_builder *builder, struct pr_report *report,
                     struct pr_diagnostics *diagnostics);
void pr_builder_release(struct pr_builder *builder);

bool pr_builder_start(struct pr_builder *builder, const char *name, const char *namespace_uri,
                      const struct pr_attribute *attributes, size_t count);
bool pr_builder_text(struct pr_builder *builder, const char *text, size_t bytes);
bool pr_builder_end(struct pr_builder *builder);

/* After the last event: what can only be checked on the whole. */
bool pr_builder_finish(struct pr_builder *builder);

/* Refuse the report; keeps the first reason. Always false. */
bool pr_builder_refuse(struct pr_builder *builder, const char *format, ...)
   __attribute__((format(printf, 2, 3)));
bool pr_builder_refuse_memory(struct pr_builder *builder);

/* The name of the element being handled, for reasons. */
const char *pr_builder_element(const struct pr_builder *builder);

/* A new element of an array of the report, NULL if no memory is left; a macro
   for the element's type. */
#define PR_APPEND(builder, array, count)                                                           \
   ((typeof(array))pr_arena_append(&(builder)->report->arena, &(array), &(count), sizeof *(array)))

#endif
