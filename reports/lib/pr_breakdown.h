/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_breakdown.h: who the numbers of a phase come from.
 *
 * A breakdown splits metrics of a phase by site, function, source line, instruction, thread,
 * or by a pair of sites, of which one obtained a block and the other did something with it: a row
 * for each of them, a column for each quantity. Rows that the report does not list are
 * summed up as its others, so that a column adds up to the metric that it splits.
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

/* A source line inside one function: one that is inlined into several is a row in each. */
struct pr_source_line {
   uint64_t id;
   const char *function; /* as of struct pr_function */
   const char *object;
   const char *file; /* NULL: not known, nor the number */
   uint64_t number;  /* in that file */
   unsigned line;    /* in the file of the report */
};

/* A file that instructions are in. */
struct pr_code_file {
   const char *object;   /* base name, as of struct pr_function; ???: code outside every object */
   const char *path;     /* NULL: not known */
   const char *build_id; /* NULL: it has none */
};

struct pr_instruction {
   uint64_t id;
   const struct pr_code_file *file;
   const char *address; /* in the file, 0x and hexadecimal; NULL: it has none, and stands for
                           all such ones of its line */
   const char *function; /* as of struct pr_function */
   const char *source;   /* the source file; NULL: not known, nor the number */
   uint64_t number;      /* of the source line */
   unsigned line;        /* in the file of the report */
};

/* What the root names by an id. */
enum pr_name_kind {
   PR_NAME_SITE,
   PR_NAME_FUNCTION,
   PR_NAME_LINE,
   PR_NAME_INSTRUCTION,
   PR_NAME_KINDS,
   PR_NAME_NONE = PR_NAME_KINDS /* a number says it all */
};

struct pr_name_info {
   const char *list; /* the root's element: "sites" */
   const char *item; /* the element: "site" */
};

/* Indexed by enum pr_name_kind. */
extern const struct pr_name_info pr_names[PR_NAME_KINDS];

enum pr_breakdown_kind {
   PR_BY_SITE,
   PR_BY_RESIZE,
   PR_BY_RELEASE,
   PR_BY_FUNCTION,
   PR_BY_LINE,
   PR_BY_INSTRUCTION,
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

enum pr_resize_column {
   PR_RESIZE_BLOCKS, /* how often */
   PR_RESIZE_BYTES,  /* new sizes */
   PR_RESIZE_NET_BYTES,
   PR_RESIZE_COLUMNS
};

enum pr_release_column {
   PR_RELEASE_BLOCKS,
   PR_RELEASE_BYTES,
   PR_RELEASE_COLUMNS
};

enum pr_function_column { /* and of a source line, of an instruction */
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
   enum pr_column_flags {
      PR_COLUMN_OPTIONAL = 1, /* absent is 0 */
      PR_COLUMN_SIGNED = 2,
   } flags;
};

struct pr_breakdown_info {
   const char *list;        /* the element: "sites" */
   const char *row;         /* the element: "site" */
   const char *others;      /* the attribute of others that has their number: "sites" */
   enum pr_name_kind names; /* what a row stands for */
   const char *id;          /* the attribute that says which: "id" */
   const char *origin;      /* the one that says by which site the block was obtained; NULL:
                               a row is no pair */
   const struct pr_column *columns;
   size_t column_count;
};

/* Indexed by enum pr_breakdown_kind. */
extern const struct pr_breakdown_info pr_breakdowns[PR_BREAKDOWN_KINDS];

struct pr_row {
   union { /* what it stands for */
      uint64_t id; /* while the report is loaded; of a thread it stays, its number */
      const struct pr_site *site;
      const struct pr_function *function;
      const struct pr_source_line *source_line;
      const struct pr_instruction *instruction;
   };
   union { /* the same, of the site that obtained the block; of a pair only */
      uint64_t origin_id;
      const struct pr_site *origin;
   };
   const uint64_t *values; /* a number for each column, a signed one as its two's complement */
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
extern const struct pr_breakdown *const pr_breakdowns_absent[PR_BREAKDOWN_KINDS];

/* A value of such a column. */
static inline __int128 pr_column_value(const struct pr_column *column, uint64_t value)
{
   return column->flags & PR_COLUMN_SIGNED ? (int64_t)value : (__int128)value;
}

/* What a column adds up to, others included. */
__int128 pr_breakdown_sum(const struct pr_breakdown *breakdown, enum pr_breakdown_kind kind,
                          size_t column);

#endif
