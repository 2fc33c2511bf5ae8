/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_breakdown.c: who the numbers of a phase come from. See pr_breakdown.h. */
#include "pr_breakdown.h"

static const struct pr_column site_columns[PR_SITE_COLUMNS] = {
   [PR_SITE_PEAK_BYTES] = {"peak-bytes", PR_METRIC_HEAP_PEAK, false},
   [PR_SITE_PEAK_BLOCKS] = {"peak-blocks", PR_METRIC_HEAP_PEAK_BLOCKS, false},
   [PR_SITE_TRAFFIC_BYTES] = {"traffic-bytes", PR_METRIC_TRAFFIC_BYTES, false},
   [PR_SITE_TRAFFIC_BLOCKS] = {"traffic-blocks", PR_METRIC_TRAFFIC_BLOCKS, false},
   [PR_SITE_TEMPORARY_BLOCKS] = {"temporary-blocks", PR_METRIC_ALLOCATIONS_TEMPORARY, false},
   [PR_SITE_RETAINED_BYTES] = {"retained-bytes", PR_METRIC_HEAP_RETAINED, false},
   [PR_SITE_RETAINED_BLOCKS] = {"retained-blocks", PR_METRIC_UNKNOWN, false},
};

static const struct pr_column function_columns[PR_FUNCTION_COLUMNS] = {
   [PR_FUNCTION_INSTRUCTIONS] = {"instructions", PR_METRIC_INSTRUCTIONS_TOTAL, false},
   [PR_FUNCTION_CALLS] = {"calls", PR_METRIC_UNKNOWN, false},
   [PR_FUNCTION_REP_ITERATIONS] = {"rep-iterations", PR_METRIC_INSTRUCTIONS_REP_ITERATIONS, true},
   [PR_FUNCTION_VECTOR] = {"vector", PR_METRIC_INSTRUCTIONS_VECTOR, true},
   [PR_FUNCTION_SCALAR_FLOAT] = {"scalar-float", PR_METRIC_INSTRUCTIONS_SCALAR_FLOAT, true},
   [PR_FUNCTION_LOAD] = {"load", PR_METRIC_INSTRUCTIONS_LOAD, true},
   [PR_FUNCTION_STORE] = {"store", PR_METRIC_INSTRUCTIONS_STORE, true},
   [PR_FUNCTION_BRANCH] = {"branch", PR_METRIC_INSTRUCTIONS_BRANCH, true},
   [PR_FUNCTION_CALL] = {"call", PR_METRIC_INSTRUCTIONS_CALL, true},
};

static const struct pr_column thread_columns[PR_THREAD_COLUMNS] = {
   [PR_THREAD_INSTRUCTIONS] = {"instructions", PR_METRIC_INSTRUCTIONS_TOTAL, false},
   [PR_THREAD_TRAFFIC_BLOCKS] = {"traffic-blocks", PR_METRIC_TRAFFIC_BLOCKS, false},
   [PR_THREAD_TRAFFIC_BYTES] = {"traffic-bytes", PR_METRIC_TRAFFIC_BYTES, false},
   [PR_THREAD_RELEASED_BLOCKS] = {"released-blocks", PR_METRIC_DEALLOCATIONS_COUNT, false},
   [PR_THREAD_FOREIGN_BLOCKS] = {"foreign-blocks", PR_METRIC_UNKNOWN, false},
};

const struct pr_breakdown_info pr_breakdowns[PR_BREAKDOWN_KINDS] = {
   [PR_BY_SITE] = {"sites", "site", "id", site_columns, PR_SITE_COLUMNS},
   [PR_BY_FUNCTION] = {"functions", "function", "id", function_columns, PR_FUNCTION_COLUMNS},
   [PR_BY_THREAD] = {"threads", "thread", "number", thread_columns, PR_THREAD_COLUMNS},
};

const struct pr_breakdown pr_breakdown_absent = {.is_listed = false};

unsigned __int128 pr_breakdown_sum(const struct pr_breakdown *breakdown, size_t column)
{
   unsigned __int128 sum = breakdown->others ? breakdown->others[column] : 0;
   for (size_t i = 0; i < breakdown->row_count; i++)
      sum += breakdown->rows[i].values[column];
   return sum;
}
