/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits.h: what the numbers of a report may be.
 *
 * A limit is a line that people review: a phase, a metric, one bound or more, and what
 * else it says (docs/profmem-limits-format.md has the grammar). It belongs to no report:
 * pr_check.h holds limits against reports, pr_limits_tighten.h writes them anew.
 *
 * All numbers are exact. Values have 64 bits, so a bound of a value, its distance and the
 * products that percentages need fit 128 bits: a percentage has at most 9 decimals and is
 * at most 1000000000, and 2^64 x 10^18 is below 2^127. A percentage of a value need not be
 * whole, but values are, so the largest whole number that does not lie above a bound
 * stands for it exactly; of a lower bound, the smallest that does not lie below.
 */
#ifndef PR_LIMITS_H
#define PR_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "pr_arena.h"
#include "pr_diagnostics.h"
#include "pr_metric.h"

enum pr_bound_relation {
   PR_BOUND_AT_MOST,
   PR_BOUND_AT_LEAST,
   PR_BOUND_EXACTLY,
};

/* What is added to a baseline or taken from it: an amount in the metric's unit, or so many
   parts of the baseline's absolute value. */
struct pr_step {
   bool is_negative;
   bool is_share;
   uint64_t amount; /* of a share: parts, 5 of 1000 for 0.5% */
   uint64_t whole;  /* of a share */
};

struct pr_bound {
   enum pr_bound_relation relation;
   bool of_baseline;
   __int128 number;             /* if it is not of the baseline */
   const struct pr_step *steps; /* of which the largest counts; if it is of the baseline */
   size_t step_count;           /* 0: the baseline itself */
   const char *text;            /* as it is written: "<= 1MiB" */
   size_t number_offset;        /* in the source: where its number is written, if it has one */
   size_t number_bytes;
};

struct pr_limit {
   size_t source; /* index in the list of sources */
   unsigned long line;
   const char *pattern;    /* of phases: see pr_limits_match */
   const char *phase_text; /* as it is written; untrusted, as everything in a file */
   bool has_wildcard;      /* false: the pattern is the phase's name */
   enum pr_metric_id metric;
   struct pr_bound *bounds; /* all must hold */
   size_t bound_count;      /* at least 1 */
   bool accepts_overlapping;
   bool only_warns;
};

/* A file, or a line from elsewhere. */
struct pr_limits_source {
   const char *name; /* in messages */
   const char *text;
   size_t bytes;
   bool is_file;
};

struct pr_limits {
   struct pr_arena arena;
   struct pr_limits_source *sources;
   size_t source_count;
   struct pr_limit *items; /* in the order in which they were read */
   size_t count;
};

void pr_limits_init(struct pr_limits *limits);
void pr_limits_release(struct pr_limits *limits);

/* Add the limits of a file. False: it cannot be read or it breaks the grammar, and the
   diagnostics say where and what was expected there, for each place. */
bool pr_limits_read(struct pr_limits *limits, FILE *in, const char *name,
                    struct pr_diagnostics *diagnostics);

/* Add the limits in a text, whose lines count from `first_line`. */
bool pr_limits_parse(struct pr_limits *limits, const char *text, size_t bytes, const char *name,
                     unsigned long first_line, struct pr_diagnostics *diagnostics);

/* Does the limit speak of this phase? */
bool pr_limits_match(const struct pr_limit *limit, const char *phase);

/* Does one of its bounds need a baseline? */
bool pr_limit_needs_baseline(const struct pr_limit *limit);

/* The first limit that does; NULL: none. */
const struct pr_limit *pr_limits_need_baseline(const struct pr_limits *limits);

/* The number that a value is held against; the baseline does not matter if the bound is
   not of it. */
__int128 pr_bound_allowed(const struct pr_bound *bound, __int128 baseline);

/* Does the value satisfy the bound whose number is `allowed`? */
bool pr_bound_holds(const struct pr_bound *bound, __int128 value, __int128 allowed);

#endif
