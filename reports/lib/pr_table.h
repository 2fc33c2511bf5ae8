/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_table.h: rows of text in aligned columns.
 *
 * Cells are untrusted text; widths are those of their written-out form (see
 * pr_text.h). A column is as wide as its widest cell, an empty column takes no
 * room, no line ends in blanks.
 */
#ifndef PR_TABLE_H
#define PR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PR_TABLE_COLUMNS_MAX = 8 };

struct pr_table_cell {
   size_t offset;  /* of its text in the table's */
   size_t columns; /* that its written-out form takes */
};

struct pr_table {
   const char *alignment; /* a letter per column: l, r */
   char *text;            /* of all cells, a NUL behind each */
   size_t text_bytes, text_capacity;
   struct pr_table_cell *cells; /* row by row */
   size_t count, capacity;
   bool exhausted; /* memory ran out: the table is not complete */
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

/* Print all rows, each behind `indent` blanks. */
void pr_table_print(const struct pr_table *table, size_t indent, FILE *out);

#endif
