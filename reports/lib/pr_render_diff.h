/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_diff.h: the differences of two reports as text for people.
 *
 * What differs in the runs comes first, then the phases, the largest change first: a line for
 * each metric that differs and, below it, what accounts for it, in sections that each add up
 * to the change: by site, function or pair, by object, source line, thread, by phases inside.
 * An object that is another build and accounts for most of the change comes before the
 * functions in it. A metric without a list is taken apart into the metrics that it is made of;
 * where it is not made of others, sites of a related one are shown, marked with the name of
 * that one. Below the metrics of a phase stand the buckets of its histograms that differ.
 */
#ifndef PR_RENDER_DIFF_H
#define PR_RENDER_DIFF_H

#include "pr_diff.h"
#include "pr_render.h"
#include "pr_unlike.h"

struct pr_diff_view {
   struct pr_style style;
   size_t top;    /* rows of each section; what is not shown is summed up */
   bool is_brief; /* no explanations */
   bool is_full;  /* whole call chains, objects everywhere */
};

/* Nothing if nothing differs. False: no memory left. */
bool pr_render_diff(const struct pr_diff *diff, const struct pr_unlike *unlike,
                    const struct pr_diff_view *view, FILE *out);

/* The buckets of the phase's histograms that differ; nothing if none does. False: no memory
   left. */
bool pr_render_histogram_changes(const struct pr_phase_change *phase,
                                 const struct pr_diff_view *view, FILE *out);

/* "+1,234"; "0". Returns `text`. */
const char *pr_render_change(char text[PR_NUMBER_TEXT_BYTES], __int128 change);

enum { PR_RELATIVE_TEXT_BYTES = 64 };

/* "+12.3%": three digits, and no less than a thousandth of a percent; "new" of what was 0, ""
   of no change. Returns `text`. */
const char *pr_render_relative(char text[PR_RELATIVE_TEXT_BYTES], __int128 change,
                               __int128 old_value);

/* The rows of both lists of a phase, gathered when they are first needed. */
struct pr_phase_rows {
   const struct pr_diff *diff;
   const struct pr_phase_change *phase;
   bool is_gathered[PR_BREAKDOWN_KINDS];
   struct pr_rows *rows; /* PR_BREAKDOWN_KINDS of them */
};

/* What is said of a phase that both reports have besides its numbers, where that differs:
   ", instances 3 -> 4"; or nothing. */
void pr_render_phase_description(const struct pr_phase_change *phase, FILE *out);

/* One thing that accounts for a change. */
struct pr_explanation_line {
   __int128 change;
   const char *kind;       /* of thing: "site" */
   bool is_guessed;
   const char *what, *rest; /* which one; old and new value, what else there is to say; "":
                               nothing. Untrusted */
};

typedef void pr_explanation_line_taker(void *taker, const struct pr_explanation_line *line);

/* Hand over what accounts for a metric's change, in the order in which it is shown. False: no
   memory left. */
bool pr_explain_change(struct pr_phase_rows *rows, const struct pr_metric_change *metric,
                       const struct pr_diff_view *view, pr_explanation_line_taker *take,
                       void *taker);

/* The same as text, below the metric's line. False: no memory left. */
bool pr_render_explanation(struct pr_phase_rows *rows, const struct pr_metric_change *metric,
                           const struct pr_diff_view *view, FILE *out);

#endif
