/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_unlike.h: what differs in the runs of two reports, apart from their numbers.
 *
 * Numbers of two runs say something about the program only if the runs were alike: the
 * same program name and arguments, inputs, options of the tool, version of Valgrind,
 * platform, libc and class of processor (design section 6). Any other of these makes the
 * runs unlike, and whoever compares them refuses to, unless asked. What else differs is
 * only told: that the executable is another one is what most comparisons are made for.
 * Errors and warnings that the reports tell of are among it.
 *
 * The name of the program is the last part of its path, so that two builds in two folders
 * are alike. What neither report records does not differ; what one of them records, does.
 */
#ifndef PR_UNLIKE_H
#define PR_UNLIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pr_arena.h"
#include "pr_report.h"
#include "pr_style.h"

struct pr_difference {
   const char *subject;   /* "option", "libc": words of ours */
   const char *name;      /* which of them, untrusted; NULL: there is only one */
   const char *old_value; /* untrusted, as all texts of a report; NULL: that run has none */
   const char *new_value;
   bool is_unlike; /* false: it is only told */
};

/* Differences that make the runs unlike come first. */
struct pr_unlike {
   struct pr_arena arena;
   struct pr_difference *items;
   size_t count;
   size_t unlike_count; /* of these, the first ones; 0: the runs are alike */
};

/* The texts are of the reports or in the list's arena: release it before them. False: no
   memory left; release it all the same. */
bool pr_unlike_compare(const struct pr_report *old_report, const struct pr_report *new_report,
                       struct pr_unlike *unlike);
void pr_unlike_release(struct pr_unlike *unlike);

/* Print the first `count` of them, a line each behind `indent` blanks: what, old value, new
   value. False: no memory left. */
bool pr_unlike_print(const struct pr_unlike *unlike, size_t count, size_t indent,
                     const struct pr_style *style, FILE *out);

/* How a program ended: "exit status 3", "signal 11 (SIGSEGV)"; untrusted. NULL: no memory
   left. */
const char *pr_end_text(struct pr_arena *arena, const struct pr_end *end);

#endif
