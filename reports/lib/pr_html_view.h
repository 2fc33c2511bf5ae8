/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_view.h: what of a report the page shows without scripts.
 *
 * One function for each section of the page, which adds to the section's element; the grammar
 * stands at the top of reports/html/report.xsl. What is missing for lack of memory, the view
 * says (pr_html_node.h).
 */
#ifndef PR_HTML_VIEW_H
#define PR_HTML_VIEW_H

#include "pr_html.h"
#include "pr_html_node.h"

/* All of them, below the root. */
void pr_html_fill(struct pr_html_view *view, xmlNode *page, const struct pr_html_request *request);

/* The run, and its baseline's. */
void pr_html_add_head(struct pr_html_view *view, xmlNode *section,
                      const struct pr_html_request *request);

/* The phases as a tree, and all metrics of each that has lists. */
void pr_html_add_phases(struct pr_html_view *view, xmlNode *section,
                        const struct pr_html_request *request);

#endif
