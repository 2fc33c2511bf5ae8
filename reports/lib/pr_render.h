/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render.h: the parts of a report as text, for those who put them together. */
#ifndef PR_RENDER_H
#define PR_RENDER_H

#include "pr_render_text.h"
#include "pr_table.h"

enum { PR_INDENT = 2 };

/* "1,234". Returns `text`. */
const char *pr_render_number(char text[PR_NUMBER_TEXT_BYTES], uint64_t number);

/* "s" where English wants it. */
const char *pr_render_plural(uint64_t count);

enum { PR_SHARE_TEXT_BYTES = 16 };

/* "12.3%", "<0.1%"; "" of nothing, which is no share. Returns `text`. */
const char *pr_render_share(char text[PR_SHARE_TEXT_BYTES], __int128 part, __int128 whole);

/* What the run was, in a line each, without its end: "ls -l", "--a=1 --b=2". The executable is
   one whose path is known. */
void pr_render_command(const struct pr_run *run, FILE *out);
void pr_render_executable(const struct pr_run *run, FILE *out);
void pr_render_producer(const struct pr_report *report, FILE *out);
void pr_render_pairs(const struct pr_pair *pairs, size_t count, FILE *out);
void pr_render_end(const struct pr_end *end, FILE *out);

/* The main metrics of a phase. Titles are the two halves of a metric's name. */
struct pr_phase_column {
   const char *title, *subtitle;
   enum pr_metric_id metric;
   enum pr_metric_id whole; /* of which it is shown as a share, too; PR_METRIC_UNKNOWN: none */
};

enum { PR_PHASE_COLUMNS = 8 };

extern const struct pr_phase_column pr_phase_columns[PR_PHASE_COLUMNS];

/* A table with a row of titles and then, for each phase, its main metrics; see
   pr_render_phases.c. `pr_render_phase_row` is for one phase and its instances. */
bool pr_render_phase_tree(const struct pr_report *report, const struct pr_style *style,
                          FILE *out);
bool pr_render_phase_row(const struct pr_phase *phase, const struct pr_view *view, FILE *out);

/* The first sites, pairs of sites, functions, lines and threads of a phase. Nothing of a
   single thread, and nothing of pairs if the phase lists none. */
bool pr_render_sites(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out);
bool pr_render_resizes(const struct pr_phase *phase, const struct pr_view *view, FILE *out);
bool pr_render_releases(const struct pr_phase *phase, const struct pr_view *view, FILE *out);
bool pr_render_functions(const struct pr_report *report, const struct pr_phase *phase,
                         const struct pr_view *view, FILE *out);
bool pr_render_lines(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out);
bool pr_render_threads(const struct pr_phase *phase, const struct pr_view *view, FILE *out);

/* What every phase, or that one, took in from outside, and what was not the same in
   another run; nothing of phases without. */
void pr_render_outside(const struct pr_report *report, const struct pr_phase *phase,
                       const struct pr_style *style, FILE *out);

/* The same of a phase in a few words: "2 clock reads (fixed), 1 file read", or nothing. True
   if there was any. */
bool pr_render_outside_kinds(const struct pr_report *report, const struct pr_phase *phase,
                             bool fixed_too, FILE *out);

/* A timeline in few enough rows to be read: each an interval of several points, of which the
   highest counts. */
struct pr_timeline_rows {
   const struct pr_timeline *timeline;
   size_t points;          /* of a row */
   __int128 instructions;  /* of a row */
   uint64_t highest_bytes; /* of all */
   size_t at;              /* the first point of the next row */
   __int128 begin;         /* of the row, in instructions */
   uint64_t most_bytes, last_bytes; /* in it, at its end */
};

/* Before the first row; to the next one. False: there is none. */
void pr_timeline_start(struct pr_timeline_rows *rows, const struct pr_timeline *timeline);
bool pr_timeline_next(struct pr_timeline_rows *rows);

/* The histograms of a phase, the timeline of the run. */
bool pr_render_histograms(const struct pr_phase *phase, const struct pr_view *view, FILE *out);
bool pr_render_timeline(const struct pr_report *report, const struct pr_view *view, FILE *out);

#endif
