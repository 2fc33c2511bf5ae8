/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_breakdown.h: who the numbers of a phase come from.
 *
 * A breakdown splits metrics of a phase by site, function or thread: a row for each of
 * them, a column for each quantity. Rows that the report does not list are summed
 * up as its others, so that a column adds up to the metric that it splits.
 */
#ifndef PR_BREAKDOWN_H
#define PR_BREAKDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pr_metric.h"

struct pr_frame {
   const char *function;
   const char *file; /* NULL: not known, nor the line */
   const char *object;
   uint64_t line;
   bool is_inlined; /* into the next frame */
};

/* A call chain that allocated. */
struct pr_site {
   uint64_t id;
   uint64_t largest_bytes;        /* the most that was live of it at once */
   const struct pr_frame *frames; /* innermost first */
   size_t frame_count;
   unsigned line; /* in the file */
};

struct pr_function {
   uint64_t id;
   const char *name; /* ???: code without a symbol */
   const char *object;
   unsigned line; /* in the file */
};

enum pr_breakdown_kind {
   PR_BY_SITE,
   PR_BY_FUNCTION,
   PR_BY_THREAD,
   PR_BREAKDOWN_KINDS
};

/* Columns, as indices of pr_row.values. */
enum pr_site_column {
   PR_SITE_PEAK_BYTES,
   PR_SITE_PEAK_BLOCKS,
   PR_SITE_TRAFFIC_BYTES,
   PR_SITE_TRAFFIC_BLOCKS,
   PR_SITE_TEMPORARY_BLOCKS,
   PR_SITE_RETAINED_BYTES,
   PR_SITE_RETAINED_BLOCKS,
   PR_SITE_COLUMNS
};

enum pr_function_column {
   PR_FUNCTION_INSTRUCTIONS,
   PR_FUNCTION_CALLS,
   PR_FUNCTION_REP_ITERATIONS,
   PR_FUNCTION_VECTOR, /* the mix: classes overlap */
   PR_FUNCTION_SCALAR_FLOAT,
   PR_FUNCTION_LOAD,
   PR_FUNCTION_STORE,
   PR_FUNCTION_BRANCH,
   PR_FUNCTION_CALL,
   PR_FUNCTION_COLUMNS
};

enum pr_thread_column {
   PR_THREAD_INSTRUCTIONS,
   PR_THREAD_TRAFFIC_BLOCKS,
   PR_THREAD_TRAFFIC_BYTES,
   PR_THREAD_RELEASED_BLOCKS,
   PR_THREAD_FOREIGN_BLOCKS, /* of the released ones, obtained by another thread */
   PR_THREAD_COLUMNS
};

enum { PR_COLUMNS_MAX = PR_FUNCTION_COLUMNS };

struct pr_column {
   const char *name;         /* of the attribute */
   enum pr_metric_id metric; /* that it adds up to; PR_METRIC_UNKNOWN: to none */
   bool is_optional;         /* absent is 0 */
};

struct pr_breakdown_info {
   const char *list; /* the element: "sites"; others have their number under it, too */
   const char *row;  /* the element: "site" */
   const char *id;   /* the attribute that says of what the row is: "id" */
   const struct pr_column *columns;
   size_t column_count;
};

/* Indexed by enum pr_breakdown_kind. */
extern const struct pr_breakdown_info pr_breakdowns[PR_BREAKDOWN_KINDS];

struct pr_row {
   uint64_t id; /* of what it stands for; a thread is its number */
   union {
      const struct pr_site *site;
      const struct pr_function *function;
   };
   const uint64_t *values; /* a number for each column */
   unsigned line;          /* in the file */
};

struct pr_breakdown {
   bool is_listed; /* an empty list is one, too */
   struct pr_row *rows;
   size_t row_count;
   const uint64_t *others; /* as values of a row; NULL: all rows are listed */
   uint64_t others_count;  /* of the rows that are not */
};

/* Of a phase that lists none. */
extern const struct pr_breakdown pr_breakdown_absent;

/* What a column adds up to, others included. */
unsigned __int128 pr_breakdown_sum(const struct pr_breakdown *breakdown, size_t column);

#endif
