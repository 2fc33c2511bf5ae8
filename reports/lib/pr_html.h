/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html.h: a report as a page: one file, which fetches nothing.
 *
 * The page is made in two steps. A view is built of the report (pr_html_view.h): words and
 * numbers, ready to be shown, formatted as everywhere else. Then a template, the XSLT
 * stylesheet reports/html/report.xsl, makes HTML of it; it reads nothing but the view. Styles
 * and script stand in the page as they are in reports/html; its content-security policy allows
 * them by their digests and nothing else, so that whatever the names in a report are, no
 * other script or style can come of them.
 *
 * All that is shown without scripts is bounded: so many rows of each list, lists of so many
 * phases. What the script reads is all that the report has.
 */
#ifndef PR_HTML_H
#define PR_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "pr_diff.h"
#include "pr_unlike.h"

struct pr_html_request {
   const struct pr_report *report;
   const struct pr_diff *diff;     /* with a baseline: from that to the report; NULL: without */
   const struct pr_unlike *unlike; /* valid with a baseline */
   size_t top;                     /* rows of each list */
   size_t phases;                  /* that have lists */
};

/* The same bytes for the same reports. False: no memory left, and nothing is written. */
bool pr_html_write(const struct pr_html_request *request, FILE *out);

#endif
