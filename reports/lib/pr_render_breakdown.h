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
   enum pr_breakdown_kind kind;
   size_t key;                 /* the column they are sorted by */
   const struct pr_row **rows; /* those to show, sorted */
   size_t count;
   __int128 whole;                /* what the key's column adds up to, shown or not */
   __int128 rest[PR_COLUMNS_MAX]; /* what is not shown, by column */
   __int128 rest_count;           /* of rows that are not shown */
};

/* The first `top` rows by the column `key`, which is not a signed one; the caller frees
   .rows. False: no memory left. */
bool pr_ranking_make(struct pr_ranking *ranking, const struct pr_phase *phase,
                     enum pr_breakdown_kind kind, size_t key, size_t top);

/* The columns of a row that is shown. */
void pr_ranking_values(const struct pr_ranking *ranking, size_t row,
                       __int128 values[PR_COLUMNS_MAX]);

/* Print a table that has a row of titles, then a row for each that is shown and, if there
   are others, one for them: `print_item` prints what goes below a row, and below the last
   stands how many others there are, which are such `items`. False: no memory left. */
bool pr_ranking_print(const struct pr_ranking *ranking, struct pr_table *table, const char *items,
                      bool (*print_item)(const struct pr_row *, const struct pr_view *, FILE *),
                      const struct pr_view *view, FILE *out);

enum {
   PR_BAR_COLUMNS = 10,
   PR_BAR_COLUMNS_MAX = 50,
   PR_CUT_NAME_COLUMNS_MIN = 16, /* of a name, however narrow the line */
   PR_ITEM_INDENT = 8,           /* of what stands below a row */
};

/* "1,234", "1.21 KiB": each returns `text`. */
const char *pr_render_wide(char text[PR_NUMBER_TEXT_BYTES], __int128 number);
const char *pr_render_scaled(char text[PR_NUMBER_TEXT_BYTES], __int128 bytes);

/* "####": a part as so many columns are to the whole, which is not less; at least one # for
   what is not nothing. Returns `text`, which has room for the columns and a NUL. */
const char *pr_render_bar(char *text, size_t columns, __int128 part, __int128 whole);

/* A function's name for so many columns; 0: as many as it needs. What is left out first
   are its parameters, the least of what tells functions apart; the rest is for who cuts
   text. A copy, which the caller frees; NULL: no memory left. */
char *pr_render_short_name(const char *name, size_t columns);

/* " bytes (64.00 KiB)" behind the number. */
void pr_render_unit(const char *unit, __int128 number, FILE *out);

/* What a kind of histogram is about. */
extern const struct pr_histogram_words {
   const char *title;
   bool is_bytes; /* its values are */
} pr_histogram_words[PR_HISTOGRAM_KINDS];

/* "sites of phase program" on a line of its own, which the caller ends. */
void pr_render_list_title(const char *title, const struct pr_phase *phase,
                          const struct pr_style *style, FILE *out);

/* True: the phase has no such list to show; says so, and why. For kinds whose rows the root
   names. */
bool pr_render_absence(const struct pr_report *report, const struct pr_phase *phase,
                       enum pr_breakdown_kind kind, const struct pr_style *style, FILE *out);

#endif
