/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_data.h: all that the page's script knows, as JSON. Its shape is described at the top
 * of reports/html/report.xsl.
 */
#ifndef PR_HTML_DATA_H
#define PR_HTML_DATA_H

#include "pr_piece.h"
#include "pr_pairing.h"

/* The text of a `script` element, which nothing in it can end. `old_report` and `pairing` may
   be NULL. The caller releases the piece. NULL: no memory left. */
const char *pr_html_data(struct pr_piece *piece, const struct pr_report *new_report,
                         const struct pr_report *old_report, const struct pr_pairing *pairing);

#endif
