/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_metric.h: the metrics this version knows, from the tool's own table.
 *
 * One table, valgrind-tool/core/pm_metrics.def, serves the tool that measures
 * and the program that reads: names, units and signs cannot drift apart.
 */
#ifndef PR_METRIC_H
#define PR_METRIC_H

#include <stdbool.h>
#include <stddef.h>

enum pr_metric_id {
   PR_METRIC_UNKNOWN = -1, /* of a newer report: known by its name only */
#define PM_METRIC(symbol, name, unit, sign, over_instances, meaning) PR_METRIC_##symbol,
#include "pm_metrics.def"
#undef PM_METRIC
   PR_METRIC_COUNT
};

enum pr_metric_sign {
   PR_SIGN_UNSIGNED, /* 0 .. 2^64-1 */
   PR_SIGN_SIGNED,   /* -2^63 .. 2^63-1 */
};

/* How the value of a phase follows from its instances. */
enum pr_metric_over_instances {
   PR_OVER_INSTANCES_FIRST,
   PR_OVER_INSTANCES_LAST,
   PR_OVER_INSTANCES_SUM,
   PR_OVER_INSTANCES_MAX,
   PR_OVER_INSTANCES_AT_PEAK, /* of the first instance that reached heap.peak */
   PR_OVER_INSTANCES_PHASE,   /* counted per phase, not per instance */
};

struct pr_metric_info {
   const char *name;    /* "heap.peak" */
   const char *unit;    /* "bytes" */
   enum pr_metric_sign sign;
   enum pr_metric_over_instances over_instances;
   const char *meaning; /* one line for help */
};

/* Indexed by enum pr_metric_id, in report order. */
extern const struct pr_metric_info pr_metrics[PR_METRIC_COUNT];

/* PR_METRIC_UNKNOWN if the table has no such name. */
enum pr_metric_id pr_metric_find(const char *name, size_t bytes);

#endif
