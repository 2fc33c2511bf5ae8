/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_breakdown.h: the first rows of a breakdown, and pieces of text for them.
 *
 * Rows are chosen and sorted by one column; of equal ones those come first that the
 * report lists first. Rows without any of it are not shown. What is not shown is summed
 * up behind the rows that are, so that what stands there adds up to the phase's metric.
 */
#ifndef PR_RENDER_BREAKDOWN_H
#define PR_RENDER_BREAKDOWN_H

#include "pr_render.h"

struct pr_ranking {
   const struct pr_row **rows; /* those to show, sorted */
   size_t count;
   unsigned __int128 whole; /* what the key's column adds up to, shown or not */
   unsigned __int128 rest[PR_COLUMNS_MAX]; /* what is not shown, by column */
   unsigned __int128 rest_count;           /* of rows that are not shown */
};

/* The first `top` rows by the column `key`; the caller frees .rows.
   False: no memory left. */
bool pr_ranking_make(struct pr_ranking *ranking, const struct pr_breakdown *breakdown,
                     enum pr_breakdown_kind kind, size_t key, size_t top);

enum {
   PR_BAR_COLUMNS = 10,
   PR_CUT_NAME_COLUMNS_MIN = 16, /* of a name, however narrow the line */
};

/* "1,234", "1.21 KiB", "####": each returns `text`. A bar has at least one # for what is
   not nothing. */
const char *pr_render_wide(char text[PR_NUMBER_TEXT_BYTES], unsigned __int128 number);
const char *pr_render_scaled(char text[PR_NUMBER_TEXT_BYTES], unsigned __int128 bytes);
const char *pr_render_bar(char text[PR_BAR_COLUMNS + 1], unsigned __int128 part,
                          unsigned __int128 whole);

/* A function's name for so many columns; 0: as many as it needs. What is left out first
   are its parameters, the least of what tells functions apart; the rest is for who cuts
   text. A copy, which the caller frees; NULL: no memory left. */
char *pr_render_short_name(const char *name, size_t columns);

/* " bytes (64.00 KiB)" behind the number. */
void pr_render_unit(const char *unit, unsigned __int128 number, FILE *out);

/* "sites of phase program" on a line of its own, which the caller ends. */
void pr_render_list_title(const char *title, const struct pr_phase *phase,
                          const struct pr_style *style, FILE *out);

/* True: the phase has no such list to show; says so, and why. */
bool pr_render_absence(const struct pr_report *report, const struct pr_phase *phase,
                       enum pr_breakdown_kind kind, const struct pr_style *style, FILE *out);

#endif
