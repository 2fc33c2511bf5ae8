/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_assets.h: the files of reports/html, built into the program.
 *
 * pr_html_assets.c is made from them by the build.
 */
#ifndef PR_HTML_ASSETS_H
#define PR_HTML_ASSETS_H

extern const char pr_html_template[]; /* report.xsl */
extern const char pr_html_styles[];   /* every .css, one behind the other */
extern const char pr_html_script[];   /* every .js, likewise */

#endif
