/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_metrics.c: the table of metrics, made from pm_metrics.def. */
#include "pm_metrics.h"

#define PM_METRIC(symbol, name, unit, sign, over_instances, meaning)                      \
   [PM_METRIC_##symbol] = {name, unit, PM_##sign, PM_OVER_##over_instances},

const struct pm_metric_row pm_metric_rows[PM_METRICS] = {
#include "pm_metrics.def"
};
