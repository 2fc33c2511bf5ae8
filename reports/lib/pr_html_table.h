/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_table.h: tables of a view, cell by cell.
 *
 * The first cell of a row says what the row is of. A number stands exact; where it helps, also
 * in larger units, as a share, and as a bar, which says nothing that the share does not.
 */
#ifndef PR_HTML_TABLE_H
#define PR_HTML_TABLE_H

#include "pr_html_node.h"
#include "pr_notes.h"
#include "pr_report.h"

struct pr_html_table {
   struct pr_html_view *view;
   xmlNode *node;         /* the table */
   xmlNode *row;          /* the one that cells are added to */
   struct pr_notes notes; /* that its cells have marks of */
};

/* Begin a table, which needs a caption for those who do not see where it stands. */
void pr_html_table_start(struct pr_html_table *table, struct pr_html_view *view, xmlNode *parent,
                         const char *caption);

/* Its notes. */
void pr_html_table_finish(struct pr_html_table *table);

/* `kind`: "text", "number", "change". */
void pr_html_add_column(struct pr_html_table *table, const char *kind, const char *title);

/* `kind`: NULL, or "rest" for a row that sums up what has none of its own. */
void pr_html_add_row(struct pr_html_table *table, const char *kind);

/* Cells, which are returned. A name is untrusted; text is ours. */
xmlNode *pr_html_add_cell(struct pr_html_table *table);
xmlNode *pr_html_add_text_cell(struct pr_html_table *table, const char *text);
xmlNode *pr_html_add_name_cell(struct pr_html_table *table, const char *name);
xmlNode *pr_html_add_number_cell(struct pr_html_table *table, __int128 number, bool is_bytes);

/* A metric's number, or the mark of the note that says why there is none. NULL: the report
   does not list it. */
xmlNode *pr_html_add_metric_cell(struct pr_html_table *table, const struct pr_metric *metric);

/* How much more or less a number is than it was. */
xmlNode *pr_html_add_change_cell(struct pr_html_table *table, __int128 old_number,
                                 __int128 number, bool is_bytes);

/* What the number is of another one. */
void pr_html_set_share(struct pr_html_view *view, xmlNode *cell, __int128 part, __int128 whole);

/* The same as a bar, or what it is of the largest one. */
void pr_html_set_bar(struct pr_html_view *view, xmlNode *cell, __int128 part, __int128 whole);

/* How much more or less something is; the same of numbers, also in larger units and as a
   share of the old one. */
void pr_html_set_change(struct pr_html_view *view, xmlNode *node, __int128 change);
void pr_html_set_difference(struct pr_html_view *view, xmlNode *node, __int128 old_number,
                            __int128 number, bool is_bytes);

/* What a metric was, and how much more or less it is, as far as both reports have numbers. */
void pr_html_set_metric_change(struct pr_html_table *table, xmlNode *cell,
                               const struct pr_metric *old_metric, const struct pr_metric *metric);

bool pr_html_metric_is_in_bytes(const struct pr_metric *metric);

#endif
