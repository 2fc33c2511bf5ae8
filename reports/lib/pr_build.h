/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build.h: a report put together from elements, one after the other.
 *
 * The half of the loader that knows the format and nothing of XML parsers:
 * events go in (start, text, end, as from any parser), a report comes out.
 * One table row per element says where it may stand and what it means;
 * an element without a row is skipped with all that it contains.
 * pr_build_attributes.c reads attributes, pr_build_phase.c phases and metrics.
 *
 * Every event answers false once the report is refused; the reason is then in
 * the diagnostics and the caller stops.
 */
#ifndef PR_BUILD_H
#define PR_BUILD_H

#include <stdbool.h>
#include <stddef.h>

#include "pr_attribute.h"
#include "pr_diagnostics.h"
#include "pr_report.h"

/* Bounds on what a report may hold, so that a hostile one costs no more than
   an honest one of its size. */
enum {
   PR_BUILD_DEPTH_MAX = 64,               /* elements within elements */
   PR_BUILD_TEXT_BYTES_MAX = 1024 * 1024, /* of an attribute or an element's text */
   PR_BUILD_UNKNOWN_METRICS_MAX = 256,    /* of a phase */
};

struct pr_element_rule;

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

   /* Text of the innermost element with a rule that has text. */
   char *text;
   size_t text_bytes, text_capacity;

   /* Metrics of the open phase; they move to the arena when it closes. */
   struct pr_metric *metrics;
   size_t metric_count, metric_capacity, unknown_metric_count;
   bool seen[PR_METRIC_COUNT];

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
