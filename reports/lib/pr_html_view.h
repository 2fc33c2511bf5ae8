/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_view.h: what of a report the page shows without scripts.
 *
 * One function for each section of the page, which adds to the section's element; the grammar
 * stands at the top of reports/html/report.xsl. What is missing for lack of memory, the view
 * says (pr_html_node.h).
 *
 * A report may have thousands of phases; so many of them have tables as were asked for.
 */
#ifndef PR_HTML_VIEW_H
#define PR_HTML_VIEW_H

#include "pr_html.h"
#include "pr_html_node.h"
#include "pr_tree.h"

/* A phase of the report and what it was in the baseline. */
struct pr_html_phase {
   const struct pr_phase *phase;
   const struct pr_phase *old_phase; /* NULL: none, or there is no baseline */
   size_t depth;                     /* in the tree */
   bool has_tables;
};

struct pr_html_page {
   struct pr_html_view *view;
   const struct pr_html_request *request;
   struct pr_html_phase *phases; /* all, in the order of the tree */
   size_t tables;                /* how many of them have some */
};

/* All sections, below the root. */
void pr_html_fill(struct pr_html_view *view, xmlNode *root, const struct pr_html_request *request);

/* Elements for the phases that have tables, of which the caller makes the content. *p counts
   phases, from 0. NULL: there are no more, or there is no memory. */
xmlNode *pr_html_next_phase(const struct pr_html_page *page, xmlNode *section, size_t *p);

/* The sections. */
void pr_html_add_head(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_explanation(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_phases(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_timeline(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_memory(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_functions(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_mix(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_histograms(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_threads(const struct pr_html_page *page, xmlNode *section);
void pr_html_add_coverage(const struct pr_html_page *page, xmlNode *section);

#endif
