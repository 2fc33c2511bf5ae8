/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_metric.c: the metrics this version knows. See pr_metric.h. */
#include "pr_metric.h"

#include <string.h>

const struct pr_metric_info pr_metrics[PR_METRIC_COUNT] = {
#define PM_METRIC(symbol, name, unit, sign, over_instances, meaning)                               \
   {name, unit, PR_SIGN_##sign, PR_OVER_INSTANCES_##over_instances, meaning},
#include "pm_metrics.def"
#undef PM_METRIC
};

enum pr_metric_id pr_metric_find(const char *name, size_t bytes)
{
   for (int i = 0; i < PR_METRIC_COUNT; i++)
      if (strlen(pr_metrics[i].name) == bytes && memcmp(pr_metrics[i].name, name, bytes) == 0)
         return (enum pr_metric_id)i;
   return PR_METRIC_UNKNOWN;
}
