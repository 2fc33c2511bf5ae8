/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_outside.c: the table of what comes from outside. See pr_outside.h. */
#include "pr_outside.h"

#include <string.h>

const struct pr_outside pr_outside[PR_OUTSIDE_KINDS] = {
   {PR_METRIC_OUTSIDE_RANDOM_READS, "read of random numbers", "reads of random numbers", "random"},
   {PR_METRIC_OUTSIDE_CLOCK_READS, "clock read", "clock reads", "clock"},
   {PR_METRIC_OUTSIDE_THREAD_SWITCHES, "thread switch", "thread switches", "scheduling"},
   {PR_METRIC_OUTSIDE_PID_READS, "read of a process number", "reads of process numbers",
    "process-numbers"},
   {PR_METRIC_OUTSIDE_NETWORK_CALLS, "network call", "network calls", NULL},
   {PR_METRIC_OUTSIDE_PROCESSES, "other process started or awaited",
    "other processes started or awaited", NULL},
   {PR_METRIC_OUTSIDE_FILE_READS, "file read", "file reads", NULL},
};

/* Values that say it was not possible. The batch policy is the best there is without a right,
   but not the same in every run. */
static bool is_no(const char *value)
{
   return strncmp(value, "no", 2) == 0 || strncmp(value, "batch", 5) == 0;
}

bool pr_outside_is_fixed(const struct pr_report *report, const struct pr_outside *kind)
{
   for (size_t f = 0; kind->fix && f < report->run.fix_count; f++)
      if (strcmp(report->run.fixes[f].name, kind->fix) == 0)
         return report->run.fixes[f].value && !is_no(report->run.fixes[f].value);
   return false;
}

uint64_t pr_outside_count(const struct pr_phase *phase, const struct pr_outside *kind)
{
   const struct pr_metric *metric = pr_metric_list_available(&phase->metrics, kind->metric);
   return metric ? metric->value.as_unsigned : 0;
}
