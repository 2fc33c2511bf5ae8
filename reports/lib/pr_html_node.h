/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_node.h: the view of a report, which the template of the page reads, node by node.
 *
 * A view holds words and numbers that are ready to be shown, in elements and attributes that
 * say what they are; what they look like is the template's business. Its grammar stands at the
 * top of reports/html/report.xsl.
 *
 * A failed allocation is remembered: whoever builds adds on, and looks once, at the end. Every
 * function takes a NULL node for one that there was no memory for.
 */
#ifndef PR_HTML_NODE_H
#define PR_HTML_NODE_H

#include <libxml/tree.h>
#include <stdbool.h>
#include <stdint.h>

struct pr_html_view {
   xmlDoc *document;
   bool is_exhausted; /* memory ran out: the document is not complete */
};

/* A document with a root of that name, which is returned. */
xmlNode *pr_html_start(struct pr_html_view *view, const char *root);
void pr_html_release(struct pr_html_view *view);

/* A new last child. */
xmlNode *pr_html_add(struct pr_html_view *view, xmlNode *parent, const char *name);

/* An attribute of words or numbers of ours. NULL, or nothing: none. */
void pr_html_set(struct pr_html_view *view, xmlNode *node, const char *name, const char *text);
void pr_html_setf(struct pr_html_view *view, xmlNode *node, const char *name, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));

/* An attribute of untrusted text, in its written-out form (pr_text.h). NULL: none. */
void pr_html_set_name(struct pr_html_view *view, xmlNode *node, const char *name,
                      const char *text);

/* "1,234". */
void pr_html_set_number(struct pr_html_view *view, xmlNode *node, const char *name,
                        __int128 number);

/* The text of a node, as it is; it has to be UTF-8. */
void pr_html_set_text(struct pr_html_view *view, xmlNode *node, const char *text, size_t bytes);

#endif
