/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_metrics.h: the metrics of pm_metrics.def as an enum and a table. */
#ifndef PM_METRICS_H
#define PM_METRICS_H

#include "pm_host.h"

enum pm_metric {
#define PM_METRIC(symbol, name, unit, sign, over_instances, meaning) PM_METRIC_##symbol,
#include "pm_metrics.def"
#undef PM_METRIC
   PM_METRICS
};

enum pm_sign { PM_UNSIGNED, PM_SIGNED };

/* How a phase's value follows from the values of its instances. */
enum pm_over_instances {
   PM_OVER_FIRST,   /* of the instance begun first */
   PM_OVER_LAST,    /* of the one that ended last */
   PM_OVER_SUM,
   PM_OVER_MAX,
   PM_OVER_AT_PEAK, /* of the first one that reached heap.peak */
   PM_OVER_PHASE,   /* counted per phase, not per instance */
};

struct pm_metric_row {
   const char *name;
   const char *unit;
   enum pm_sign sign;
   enum pm_over_instances over_instances;
};

extern const struct pm_metric_row pm_metric_rows[PM_METRICS];

/* Less than, in the order of the metric's sign. */
static inline bool pm_metric_less(enum pm_metric metric, uint64_t a, uint64_t b)
{
   return pm_metric_rows[metric].sign == PM_SIGNED ? (int64_t)a < (int64_t)b : a < b;
}

#endif
