/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_table.h: rows of text in aligned columns.
 *
 * Cells are untrusted text; widths are those of their written-out form (see
 * pr_text.h). A column is as wide as its widest cell, an empty column takes no
 * room, no line ends in blanks. Where lines have a width, columns that do not fit
 * follow below, behind the one that labels the rows.
 */
#ifndef PR_TABLE_H
#define PR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pr_style.h"

enum { PR_TABLE_COLUMNS_MAX = 12 };

struct pr_table_cell {
   size_t offset;  /* of its text in the table's */
   size_t columns; /* that its written-out form takes, and may take */
   enum pr_emphasis emphasis;
};

struct pr_table {
   const char *alignment; /* a letter per column: l, r */
   size_t label;          /* column that stands first again where columns follow below; the
                             caller sets it, if it is not the first */
   char *text;            /* of all cells, a NUL behind each */
   size_t text_bytes, text_capacity;
   struct pr_table_cell *cells; /* row by row */
   size_t count, capacity;
   enum pr_emphasis emphasis; /* of the cells to come; the caller sets it */
   bool exhausted;            /* memory ran out: the table is not complete */
};

/* `alignment` must outlive the table. */
void pr_table_init(struct pr_table *table, const char *alignment);
void pr_table_release(struct pr_table *table);

/* Remove all rows; keeps the memory for the next ones. */
void pr_table_clear(struct pr_table *table);

/* Add the next cell of the row, or the first of a new one. NULL: empty. */
void pr_table_add(struct pr_table *table, const char *text);
void pr_table_addf(struct pr_table *table, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* The same in no more columns than these (see pr_text_puts_cut); 0: as many as it needs. */
void pr_table_add_cut(struct pr_table *table, const char *text, size_t columns);

/* Columns' widths, of which the caller uses a few; [0] is the first column. */
void pr_table_measure(const struct pr_table *table, size_t widths[PR_TABLE_COLUMNS_MAX]);

/* What a line leaves for a column beside those that stand before it and, up to `last`, behind
   it. Not for lines that are as long as they need to be. */
size_t pr_table_left(const struct pr_table *table, size_t column, size_t last, size_t indent,
                     const struct pr_style *style);

/* Print all rows, each behind `indent` blanks. */
void pr_table_print(const struct pr_table *table, size_t indent, const struct pr_style *style,
                    FILE *out);

/* Print one row, counted from 0, with widths as measured; nothing of it is moved below. */
void pr_table_print_row(const struct pr_table *table, size_t row,
                        const size_t widths[PR_TABLE_COLUMNS_MAX], size_t indent,
                        const struct pr_style *style, FILE *out);

#endif
