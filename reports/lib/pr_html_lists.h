/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_lists.h: tables of the rows of breakdowns: sites, pairs of them, functions, lines,
 * threads; the first ones, and what all others come to.
 */
#ifndef PR_HTML_LISTS_H
#define PR_HTML_LISTS_H

#include "pr_html_table.h"
#include "pr_html_view.h"

enum { PR_HTML_NAMES_MAX = 3, PR_HTML_FURTHER_MAX = 6 };

/* What the rows of a kind are told by. */
struct pr_html_row_names {
   const char *titles[PR_HTML_NAMES_MAX]; /* a column each; NULL behind the last */
   void (*add)(struct pr_html_table *table, const struct pr_row *row); /* a cell each */
   const char *one, *many;
};

extern const struct pr_html_row_names pr_html_sites, pr_html_resizes, pr_html_releases,
   pr_html_functions, pr_html_lines, pr_html_threads;

struct pr_html_list {
   enum pr_breakdown_kind kind;
   const struct pr_html_row_names *names;
   size_t key; /* the column that the rows are chosen and sorted by */
   size_t further_count;
   size_t further[PR_HTML_FURTHER_MAX]; /* columns that stand beside it; not of changes */
   const char *title;                   /* "live at the peak" */
   bool is_optional;                    /* not worth a word where it is missing */
};

/* Of each phase that has tables, these lists; with a baseline, the rows that changed most. */
void pr_html_add_lists(const struct pr_html_page *page, xmlNode *section,
                       const struct pr_html_list *lists, size_t count);

/* The columns and cells that the lists of the report and those of changes have in common. */
void pr_html_add_name_columns(struct pr_html_table *table, const struct pr_html_list *list);
void pr_html_add_words(struct pr_html_table *table, const struct pr_html_list *list,
                       const char *kind, const char *words); /* instead of names */
bool pr_html_is_in_bytes(const struct pr_html_list *list, size_t column);

/* What is said instead of a table. */
void pr_html_add_nothing(struct pr_html_view *view, xmlNode *node, const char *title,
                         const char *words, const char *reason);

/* A phase's rows that changed most; pr_html_changes.c. */
void pr_html_add_changes(const struct pr_html_page *page, xmlNode *node,
                         const struct pr_html_phase *phase, const struct pr_html_list *list);

#endif
