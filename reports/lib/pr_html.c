/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html.c: from a view to a page. See pr_html.h.
 *
 * The only file that includes libxslt. The stylesheet is our own, and still may neither read nor
 * write anything: what it makes of hostile names is then a matter of the page alone.
 */
#include "pr_html.h"

#include <libxml/parser.h>
#include <libxml/xmlwriter.h>
#include <libxslt/security.h>
#include <libxslt/transform.h>
#include <libxslt/xsltutils.h>
#include <sha256.h>
#include <string.h>

#include "pr_html_assets.h"
#include "pr_html_data.h"
#include "pr_html_view.h"

/* Digests ------------------------------------------------------------------ */

/* The SHA-256 of the text in base64, as content-security policies have it. */
static void set_digest(struct pr_html_view *view, xmlNode *node, const char *text)
{
   uint8_t digest[SHA256_DIGEST_LENGTH];
   SHA256_CTX context;
   SHA256_Init(&context);
   SHA256_Update(&context, (const uint8_t *)text, strlen(text));
   SHA256_Final(digest, &context);
   xmlBuffer *buffer = xmlBufferCreate();
   xmlTextWriter *writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
   bool ok = writer && xmlTextWriterWriteBase64(writer, (const char *)digest, 0,
                                                sizeof digest) >= 0;
   if (writer)
      xmlFreeTextWriter(writer); /* which flushes it */
   if (ok)
      pr_html_set(view, node, "sha256", (const char *)xmlBufferContent(buffer));
   else
      view->is_exhausted = true;
   xmlBufferFree(buffer);
}

/* A text of ours that the policy allows by its digest. */
static void add_asset(struct pr_html_view *view, xmlNode *page, const char *name,
                      const char *text)
{
   xmlNode *node = pr_html_add(view, page, name);
   pr_html_set_text(view, node, text, strlen(text));
   set_digest(view, node, text);
}

static void add_data(struct pr_html_view *view, xmlNode *page,
                     const struct pr_html_request *request)
{
   const struct pr_pairing *pairing = request->diff ? &request->diff->pairing : NULL;
   struct pr_piece piece;
   const char *text = pr_html_data(&piece, request->report,
                                   pairing ? pairing->reports[PR_OLD] : NULL, pairing);
   if (text)
      pr_html_set_text(view, pr_html_add(view, page, "data"), text, piece.bytes);
   else
      view->is_exhausted = true;
   pr_piece_release(&piece);
}

/* Template ----------------------------------------------------------------- */

/* Messages of libxslt, which would go to standard error. */
static void drop_message(void *context, const char *format, ...)
{
   (void)context, (void)format;
}

static xsltStylesheet *load_template(void)
{
   xmlDoc *document = xmlReadMemory(pr_html_template, (int)strlen(pr_html_template), "report.xsl",
                                    NULL, XML_PARSE_NONET);
   if (!document)
      return NULL;
   xsltStylesheet *stylesheet = xsltParseStylesheetDoc(document);
   if (!stylesheet)
      xmlFreeDoc(document);
   return stylesheet;
}

/* NULL: no memory left. */
static xsltSecurityPrefs *forbid_everything(void)
{
   static const xsltSecurityOption options[] = {
      XSLT_SECPREF_READ_FILE, XSLT_SECPREF_WRITE_FILE, XSLT_SECPREF_CREATE_DIRECTORY,
      XSLT_SECPREF_READ_NETWORK, XSLT_SECPREF_WRITE_NETWORK};
   xsltSecurityPrefs *security = xsltNewSecurityPrefs();
   for (size_t i = 0; security && i < sizeof options / sizeof options[0]; i++)
      xsltSetSecurityPrefs(security, options[i], xsltSecurityForbid);
   return security;
}

/* The page as a tree. NULL: no memory left. */
static xmlDoc *transform(xsltStylesheet *stylesheet, xmlDoc *view)
{
   xmlDoc *page = NULL;
   xsltTransformContext *context = xsltNewTransformContext(stylesheet, view);
   xsltSecurityPrefs *security = forbid_everything();
   if (context && security && xsltSetCtxtSecurityPrefs(security, context) == 0)
      page = xsltApplyStylesheetUser(stylesheet, view, NULL, NULL, NULL, context);
   if (page && context->state != XSLT_STATE_OK) {
      xmlFreeDoc(page);
      page = NULL;
   }
   if (context)
      xsltFreeTransformContext(context);
   if (security)
      xsltFreeSecurityPrefs(security);
   return page;
}

/* `out` keeps what goes wrong with it. */
static bool print_page(xsltStylesheet *stylesheet, xmlDoc *page, FILE *out)
{
   xmlOutputBuffer *buffer = xmlOutputBufferCreateFile(out, NULL);
   if (!buffer)
      return false;
   bool ok = xsltSaveResultTo(buffer, page, stylesheet) >= 0;
   return xmlOutputBufferClose(buffer) >= 0 && ok;
}

/* Put together ------------------------------------------------------------- */

bool pr_html_write(const struct pr_html_request *request, FILE *out)
{
   struct pr_html_view view;
   xmlNode *page = pr_html_start(&view, "page");
   add_asset(&view, page, "styles", pr_html_styles);
   add_asset(&view, page, "script", pr_html_script);
   pr_html_fill(&view, page, request);
   add_data(&view, page, request);
   xsltSetGenericErrorFunc(NULL, drop_message);
   xsltStylesheet *stylesheet = view.is_exhausted ? NULL : load_template();
   xmlDoc *document = stylesheet ? transform(stylesheet, view.document) : NULL;
   pr_html_release(&view); /* what is printed is a copy */
   bool ok = document && print_page(stylesheet, document, out);
   xmlFreeDoc(document);
   if (stylesheet)
      xsltFreeStylesheet(stylesheet);
   return ok;
}
