/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_node.c: the view of a report, node by node. See pr_html_node.h. */
#include "pr_html_node.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "pr_piece.h"
#include "pr_render_breakdown.h"
#include "pr_text.h"

static const xmlChar *chars(const char *text)
{
   return (const xmlChar *)text;
}

/* What there is, or its failure is remembered. */
static bool is_there(struct pr_html_view *view, const void *made)
{
   view->is_exhausted = view->is_exhausted || !made;
   return made;
}

xmlNode *pr_html_start(struct pr_html_view *view, const char *root)
{
   *view = (struct pr_html_view){.document = xmlNewDoc(chars("1.0"))};
   if (!is_there(view, view->document))
      return NULL;
   xmlNode *node = xmlNewDocNode(view->document, NULL, chars(root), NULL);
   if (is_there(view, node))
      xmlDocSetRootElement(view->document, node);
   return node;
}

void pr_html_release(struct pr_html_view *view)
{
   xmlFreeDoc(view->document);
   view->document = NULL;
}

xmlNode *pr_html_add(struct pr_html_view *view, xmlNode *parent, const char *name)
{
   if (!parent)
      return NULL;
   xmlNode *node = xmlNewChild(parent, NULL, chars(name), NULL);
   is_there(view, node);
   return node;
}

void pr_html_set(struct pr_html_view *view, xmlNode *node, const char *name, const char *text)
{
   if (node && text && text[0])
      is_there(view, xmlNewProp(node, chars(name), chars(text)));
}

void pr_html_setf(struct pr_html_view *view, xmlNode *node, const char *name, const char *format,
                  ...)
{
   char *text = NULL;
   va_list arguments;
   va_start(arguments, format);
   int bytes = vasprintf(&text, format, arguments);
   va_end(arguments);
   if (bytes < 0)
      text = NULL;
   if (is_there(view, text))
      pr_html_set(view, node, name, text);
   free(text);
}

void pr_html_set_name(struct pr_html_view *view, xmlNode *node, const char *name,
                      const char *text)
{
   struct pr_piece piece;
   if (!node || !text)
      return;
   FILE *out = pr_piece_open(&piece);
   if (out)
      pr_text_puts(out, text);
   const char *written = pr_piece_text(&piece);
   /* An empty name is one, too. */
   if (is_there(view, written))
      is_there(view, xmlNewProp(node, chars(name), chars(written)));
   pr_piece_release(&piece);
}

void pr_html_set_number(struct pr_html_view *view, xmlNode *node, const char *name,
                        __int128 number)
{
   char text[PR_NUMBER_TEXT_BYTES];
   pr_html_set(view, node, name, pr_render_wide(text, number));
}

void pr_html_set_text(struct pr_html_view *view, xmlNode *node, const char *text, size_t bytes)
{
   if (!node)
      return;
   xmlNode *child = bytes <= INT_MAX ? xmlNewDocTextLen(view->document, chars(text), (int)bytes)
                                     : NULL;
   if (is_there(view, child))
      xmlAddChild(node, child);
}
