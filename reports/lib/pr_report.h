/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_report.h: a report in memory.
 *
 * What docs/profmem-report-format.md describes, field by field. Filled by
 * pr_load.c, read by everyone else, changed by nobody.
 *
 * Strings are UTF-8 and untrusted (see pr_text.h). A string that the report
 * does not have is NULL; one that it has empty is "". The arrays of phases,
 * sites, functions, lines, instructions and points are the report's own; all else is in its
 * arena.
 */
#ifndef PR_REPORT_H
#define PR_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pr_arena.h"
#include "pr_breakdown.h"
#include "pr_metric.h"
#include "pr_number.h"
#include "pr_shape.h"

/* A measured number or the reason why there is none. Never both, and a
   missing number is never 0. */
struct pr_value {
   enum pr_value_kind {
      PR_VALUE_UNAVAILABLE,
      PR_VALUE_UNSIGNED,
      PR_VALUE_SIGNED,
   } kind;
   union {
      uint64_t as_unsigned;
      int64_t as_signed;
      const char *reason;
   };
};

/* What only some metrics carry. */
struct pr_metric_extra {
   bool has_range; /* over instances, when there are several */
   struct pr_value min, max;
   enum pr_stability {
      PR_STABILITY_UNKNOWN, /* no A/A control was made */
      PR_STABLE,
      PR_UNSTABLE,
   } stability;
   uint64_t stable_difference; /* between the two runs; valid if PR_UNSTABLE */
};

struct pr_metric {
   const char *name;
   const char *unit;
   struct pr_value value;
   enum pr_metric_id id;                /* PR_METRIC_UNKNOWN: of a newer report */
   unsigned line;                       /* in the file */
   const struct pr_metric_extra *extra; /* NULL: nothing of it */
};

struct pr_metric_list {
   struct pr_metric *items; /* in file order, names unique */
   size_t count;
};

/* Where an instance lies among the instructions of the process. */
struct pr_span {
   bool is_known, has_peak;
   uint64_t begin, peak, end; /* instructions executed before; valid if known, peak if it has one */
};

/* One of several instances of a phase. */
struct pr_instance {
   uint64_t number;    /* in order of the begins, from 1 */
   uint64_t thread;    /* that began it; 0: none */
   const char *parent; /* NULL: none */
   struct pr_span span;
   bool is_complete;
   unsigned line;
   struct pr_metric_list metrics;
};

struct pr_phase {
   const char *name;   /* unique in the report */
   const char *kind;   /* process, request, function, monitor, or newer */
   const char *parent; /* NULL: none */
   const struct pr_phase *within; /* the phase of that name; NULL: none */
   uint64_t instances;
   bool is_complete;
   bool is_overlapping;
   struct pr_span span; /* of its only instance */
   unsigned line;
   struct pr_metric_list metrics;
   const struct pr_breakdown *const *breakdowns; /* PR_BREAKDOWN_KINDS of them, none NULL */
   const struct pr_histogram *histograms;        /* PR_HISTOGRAM_KINDS of them; NULL: none */
   struct pr_instance *listed; /* the instances that are listed singly */
   size_t listed_count;
};

struct pr_pair { /* an option, a fixed thing, an object, an input */
   const char *name;
   const char *value;  /* of an object: its build-id; of an input: its sha256 */
   const char *digest; /* of an object: its sha256 */
   uint64_t bytes;     /* of an input: its size */
};

struct pr_run {
   const char **arguments; /* the command line, program first */
   size_t argument_count;
   const char *executable_path;
   const char *executable_build_id;
   const char *executable_sha256;
   uint64_t executable_bytes;
   const char *loader_cache_sha256; /* of how the loader finds libraries */
   struct pr_pair *inputs;          /* that `profmem run` was told of */
   size_t input_count;
   struct pr_pair *objects;
   size_t object_count;
   struct pr_pair *options; /* the tool's, without the report's own path */
   size_t option_count;
   struct pr_pair *fixes; /* what was held fixed for reproducibility */
   size_t fix_count;
   uint64_t environment_variables;
   const char *environment_digest;
};

/* How the process ended. */
struct pr_end {
   enum pr_end_kind {
      PR_END_ABSENT,
      PR_END_EXIT,
      PR_END_SIGNAL,
      PR_END_EXEC,
      PR_END_UNKNOWN,
   } kind;
   uint64_t status;         /* PR_END_EXIT */
   uint64_t signal;         /* PR_END_SIGNAL */
   const char *signal_name; /* PR_END_SIGNAL */
   const char *path;        /* PR_END_EXEC */
   const char *reason;      /* PR_END_UNKNOWN */
};

struct pr_allocation_function {
   const char *object;
   const char *name;
   const char *kind;
   uint64_t calls;
};

struct pr_not_measured {
   const char *name;
   const char *reason;
   const char *instead;
};

/* What the tool had to say about the run: not to be confused with struct
   pr_diagnostic, what this library has to say about a file. */
struct pr_run_diagnostic {
   const char *severity; /* note, warning, error */
   const char *code;
   const char *phase; /* that it concerns; NULL: the whole run */
   const char *text;
   uint64_t count;
};

struct pr_report {
   struct pr_arena arena;
   const char *file; /* as the caller named it */

   const char *producer_name;
   const char *producer_version;
   const char *producer_valgrind;
   const char *producer_platform;

   struct pr_run run;
   struct pr_end end;

   /* An empty list says that none was found; none says nothing. */
   bool allocation_functions_listed;
   struct pr_allocation_function *allocation_functions;
   size_t allocation_function_count;
   struct pr_not_measured *not_measured;
   size_t not_measured_count;

   struct pr_phase *phases; /* in file order */
   size_t phase_count;

   /* What rows of breakdowns stand for, in file order, ids unique. */
   struct pr_site *sites;
   size_t site_count;
   struct pr_function *functions;
   size_t function_count;
   struct pr_source_line *lines;
   size_t line_count;
   struct pr_instruction *instructions;
   size_t instruction_count;
   const char *unavailable[PR_NAME_KINDS]; /* why there are none; NULL: no reason */

   struct pr_timeline timeline;

   struct pr_run_diagnostic *diagnostics;
   size_t diagnostic_count;
};

/* NULL is fine. */
void pr_report_free(struct pr_report *report);

/* NULL: the report has no phase of that name. */
const struct pr_phase *pr_report_phase(const struct pr_report *report, const char *name);

/* NULL: the phase does not list it (not even as unavailable), or the id is unknown. */
const struct pr_metric *pr_phase_metric(const struct pr_phase *phase, const char *name);
const struct pr_metric *pr_phase_metric_by_id(const struct pr_phase *phase, enum pr_metric_id id);
const struct pr_metric *pr_metric_list_get(const struct pr_metric_list *list,
                                           enum pr_metric_id id);

/* The same, and NULL if it is unavailable. */
const struct pr_metric *pr_metric_list_available(const struct pr_metric_list *list,
                                                 enum pr_metric_id id);

/* `value` must not be PR_VALUE_UNAVAILABLE. */
struct pr_number pr_value_number(const struct pr_value *value);
__int128 pr_value_wide(const struct pr_value *value);

#endif
