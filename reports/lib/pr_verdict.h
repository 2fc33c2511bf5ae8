/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_verdict.h: what came of holding reports against limits.
 *
 * A report has an outcome for each limit and each phase that the limit speaks of, and one
 * for each error that the report itself tells of. Outcomes stand in the order of the
 * limits; a report that could not be checked has none, and the reasons instead.
 *
 * A verdict has copies of what it needs of the reports, and points to the limits: these
 * must outlive it. pr_check.h fills it; the renderers below print it, each for another
 * reader. Texts of reports and limits in it are untrusted.
 */
#ifndef PR_VERDICT_H
#define PR_VERDICT_H

#include <stdbool.h>
#include <stdio.h>

#include "pr_limits.h"
#include "pr_number.h"
#include "pr_style.h"
#include "pr_unlike.h"

enum pr_result {
   PR_HOLDS,
   PR_WARNS, /* it does not hold, which is a warning only */
   PR_FAILS,
};

struct pr_bound_result {
   __int128 allowed; /* the number that the value is held against */
   bool holds;
};

struct pr_outcome {
   enum pr_result result;
   const struct pr_limit *limit; /* NULL: what the report itself tells of */
   const char *phase;            /* NULL: without a limit, it concerns the whole run */
   const char *reason;           /* why the bounds say nothing; NULL: they do */
   bool has_value, has_baseline; /* without a reason there is a value */
   __int128 value;
   __int128 baseline;            /* the value there; also if no bound is of it */
   const struct pr_bound_result *bounds; /* one for each of the limit's; NULL with a reason */
};

struct pr_checked_report {
   const char *name;
   const char *baseline;         /* its name; NULL: there is none */
   struct pr_unlike differences; /* that make the two runs unlike, if that was asked for */
   const char **troubles;        /* why it could not be checked: "FILE:LINE: REASON" */
   size_t trouble_count;         /* 0: it was */
   struct pr_outcome *outcomes;
   size_t outcome_count;
   size_t failing, warning; /* of these */
};

struct pr_verdict {
   const struct pr_limits *limits;
   struct pr_arena arena;
   struct pr_checked_report *reports; /* in the order in which they were added */
   size_t report_count;
   size_t outcome_count, failing, warning, troubled; /* of all; the last are reports */
};

void pr_verdict_init(struct pr_verdict *verdict, const struct pr_limits *limits);
void pr_verdict_release(struct pr_verdict *verdict);

/* A report without outcomes. NULL: no memory left. Earlier pointers become invalid. */
struct pr_checked_report *pr_verdict_add_report(struct pr_verdict *verdict, const char *name,
                                                const char *baseline);

/* Say why the report that was added last could not be checked. False: no memory left. */
bool pr_verdict_add_trouble(struct pr_verdict *verdict, const char *reason);

/* Texts for renderers ---------------------------------------------------- */

/* What the outcomes are like in a word: "ok", "warn", "FAIL". */
const char *pr_result_word(enum pr_result result);

/* "6 checks: 2 fail, 1 warns". */
void pr_verdict_print_counts(size_t checks, size_t failing, size_t warning, FILE *out);

/* What the limit is about, as one name: "parse heap.peak". Safe for a terminal. */
void pr_outcome_print_subject(const struct pr_outcome *outcome, FILE *out);

/* The name of the outcome, the same from run to run as long as the limit's line is: phase,
   metric and bounds, "parse heap.peak <= 1MiB +5%". */
void pr_outcome_print_name(const struct pr_outcome *outcome, FILE *out);

/* A sentence without full stop that says what was measured, what was allowed and by how
   much it is off, or why nothing can be said. Safe for a terminal. */
void pr_outcome_print_message(const struct pr_outcome *outcome, FILE *out);

/* "limits.txt:3"; nothing for an error of the report. */
void pr_outcome_print_place(const struct pr_verdict *verdict, const struct pr_outcome *outcome,
                            FILE *out);

/* "option --stacks: yes in the baseline, no here". Safe for a terminal. */
void pr_difference_print(const struct pr_difference *difference, FILE *out);

/* "at most ", "at least ", "exactly ". */
const char *pr_bound_words(const struct pr_bound *bound);

/* "<= ", ">= ", "= ". */
const char *pr_bound_sign(const struct pr_bound *bound);

enum { PR_PERCENT_TEXT_BYTES = PR_NUMBER_TEXT_BYTES + 8 };

/* How much larger or smaller a number is than another: "+2.50%", "-<0.01%", rounded to two
   decimals, half up, and never to nothing; "" if they are equal or the other is 0.
   Returns `text`. */
const char *pr_percent_format(char text[PR_PERCENT_TEXT_BYTES], __int128 number,
                              __int128 other);

/* "+1,234", "-5", "0". Returns `text`. */
const char *pr_change_format(char text[PR_NUMBER_TEXT_BYTES + 1], __int128 change);

/* Renderers -------------------------------------------------------------- */

/* Each prints all of the verdict. False: no memory left. (Trouble with `out` is kept by the
   stream.) */
typedef bool pr_verdict_renderer(const struct pr_verdict *verdict,
                                 const struct pr_style *style, FILE *out);

/* For people: tables of all outcomes, then a line for each that does not hold, which
   begins with the place of its limit. */
pr_verdict_renderer pr_verdict_text;

/* GitHub flavoured Markdown, for the summary of a pull request. */
pr_verdict_renderer pr_verdict_markdown;

/* JUnit's XML, as systems of continuous integration read it. */
pr_verdict_renderer pr_verdict_junit;

/* Workflow commands of GitHub Actions, which become annotations. */
pr_verdict_renderer pr_verdict_annotations;

#endif
