/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_breakdown.c: who the numbers of a phase come from. See pr_breakdown.h. */
#include "pr_breakdown.h"

static const struct pr_column site_columns[PR_SITE_COLUMNS] = {
   [PR_SITE_PEAK_BYTES] = {"peak-bytes", PR_METRIC_HEAP_PEAK, 0},
   [PR_SITE_PEAK_BLOCKS] = {"peak-blocks", PR_METRIC_HEAP_PEAK_BLOCKS, 0},
   [PR_SITE_TRAFFIC_BYTES] = {"traffic-bytes", PR_METRIC_TRAFFIC_BYTES, 0},
   [PR_SITE_TRAFFIC_BLOCKS] = {"traffic-blocks", PR_METRIC_TRAFFIC_BLOCKS, 0},
   [PR_SITE_TEMPORARY_BLOCKS] = {"temporary-blocks", PR_METRIC_ALLOCATIONS_TEMPORARY, 0},
   [PR_SITE_RETAINED_BYTES] = {"retained-bytes", PR_METRIC_HEAP_RETAINED, 0},
   [PR_SITE_RETAINED_BLOCKS] = {"retained-blocks", PR_METRIC_UNKNOWN, 0},
};

static const struct pr_column resize_columns[PR_RESIZE_COLUMNS] = {
   [PR_RESIZE_BLOCKS] = {"blocks", PR_METRIC_REALLOCATIONS_COUNT, 0},
   [PR_RESIZE_BYTES] = {"bytes", PR_METRIC_REALLOCATIONS_BYTES, 0},
   [PR_RESIZE_NET_BYTES] = {"net-bytes", PR_METRIC_REALLOCATIONS_NET_BYTES, PR_COLUMN_SIGNED},
};

static const struct pr_column release_columns[PR_RELEASE_COLUMNS] = {
   [PR_RELEASE_BLOCKS] = {"blocks", PR_METRIC_DEALLOCATIONS_COUNT, 0},
   [PR_RELEASE_BYTES] = {"bytes", PR_METRIC_DEALLOCATIONS_BYTES, 0},
};

/* Most instructions are no first ones of a function, so that theirs may be absent. */
#define FUNCTION_COLUMNS(calls_flags)                                                              \
   {                                                                                               \
      [PR_FUNCTION_INSTRUCTIONS] = {"instructions", PR_METRIC_INSTRUCTIONS_TOTAL, 0},              \
      [PR_FUNCTION_CALLS] = {"calls", PR_METRIC_UNKNOWN, calls_flags},                             \
      [PR_FUNCTION_REP_ITERATIONS] = {"rep-iterations", PR_METRIC_INSTRUCTIONS_REP_ITERATIONS,     \
                                      PR_COLUMN_OPTIONAL},                                         \
      [PR_FUNCTION_VECTOR] = {"vector", PR_METRIC_INSTRUCTIONS_VECTOR, PR_COLUMN_OPTIONAL},        \
      [PR_FUNCTION_SCALAR_FLOAT] = {"scalar-float", PR_METRIC_INSTRUCTIONS_SCALAR_FLOAT,           \
                                    PR_COLUMN_OPTIONAL},                                           \
      [PR_FUNCTION_LOAD] = {"load", PR_METRIC_INSTRUCTIONS_LOAD, PR_COLUMN_OPTIONAL},              \
      [PR_FUNCTION_STORE] = {"store", PR_METRIC_INSTRUCTIONS_STORE, PR_COLUMN_OPTIONAL},           \
      [PR_FUNCTION_BRANCH] = {"branch", PR_METRIC_INSTRUCTIONS_BRANCH, PR_COLUMN_OPTIONAL},        \
      [PR_FUNCTION_CALL] = {"call", PR_METRIC_INSTRUCTIONS_CALL, PR_COLUMN_OPTIONAL},              \
   }

static const struct pr_column function_columns[PR_FUNCTION_COLUMNS] = FUNCTION_COLUMNS(0);
static const struct pr_column instruction_columns[PR_FUNCTION_COLUMNS] =
   FUNCTION_COLUMNS(PR_COLUMN_OPTIONAL);

static const struct pr_column thread_columns[PR_THREAD_COLUMNS] = {
   [PR_THREAD_INSTRUCTIONS] = {"instructions", PR_METRIC_INSTRUCTIONS_TOTAL, 0},
   [PR_THREAD_TRAFFIC_BLOCKS] = {"traffic-blocks", PR_METRIC_TRAFFIC_BLOCKS, 0},
   [PR_THREAD_TRAFFIC_BYTES] = {"traffic-bytes", PR_METRIC_TRAFFIC_BYTES, 0},
   [PR_THREAD_RELEASED_BLOCKS] = {"released-blocks", PR_METRIC_DEALLOCATIONS_COUNT, 0},
   [PR_THREAD_FOREIGN_BLOCKS] = {"foreign-blocks", PR_METRIC_UNKNOWN, 0},
};

const struct pr_name_info pr_names[PR_NAME_KINDS] = {
   [PR_NAME_SITE] = {"sites", "site"},
   [PR_NAME_FUNCTION] = {"functions", "function"},
   [PR_NAME_LINE] = {"lines", "line"},
   [PR_NAME_INSTRUCTION] = {"instructions", "instruction"},
};

const struct pr_breakdown_info pr_breakdowns[PR_BREAKDOWN_KINDS] = {
   [PR_BY_SITE] = {"sites", "site", "sites", PR_NAME_SITE, "id", NULL, site_columns,
                   PR_SITE_COLUMNS},
   [PR_BY_RESIZE] = {"resizes", "resize", "pairs", PR_NAME_SITE, "site", "origin",
                     resize_columns, PR_RESIZE_COLUMNS},
   [PR_BY_RELEASE] = {"releases", "release", "pairs", PR_NAME_SITE, "site", "origin",
                      release_columns, PR_RELEASE_COLUMNS},
   [PR_BY_FUNCTION] = {"functions", "function", "functions", PR_NAME_FUNCTION, "id", NULL,
                       function_columns, PR_FUNCTION_COLUMNS},
   [PR_BY_LINE] = {"lines", "line", "lines", PR_NAME_LINE, "id", NULL, function_columns,
                   PR_FUNCTION_COLUMNS},
   [PR_BY_INSTRUCTION] = {"instructions", "instruction", "rows", PR_NAME_INSTRUCTION, "id",
                          NULL, instruction_columns, PR_FUNCTION_COLUMNS},
   [PR_BY_THREAD] = {"threads", "thread", "threads", PR_NAME_NONE, "number", NULL,
                     thread_columns, PR_THREAD_COLUMNS},
};

static const struct pr_breakdown absent = {.is_listed = false};
const struct pr_breakdown *const pr_breakdowns_absent[PR_BREAKDOWN_KINDS] = {
   [0 ... PR_BREAKDOWN_KINDS - 1] = &absent,
};

__int128 pr_breakdown_sum(const struct pr_breakdown *breakdown, enum pr_breakdown_kind kind,
                          size_t column)
{
   const struct pr_column *summed = &pr_breakdowns[kind].columns[column];
   __int128 sum = breakdown->others ? pr_column_value(summed, breakdown->others[column]) : 0;
   for (size_t i = 0; i < breakdown->row_count; i++)
      sum += pr_column_value(summed, breakdown->rows[i].values[column]);
   return sum;
}
