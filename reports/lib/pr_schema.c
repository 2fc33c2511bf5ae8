/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_schema.c: does a report keep to the schema? See pr_schema.h.
 *
 * libxml2 validates RELAX NG "progressively": it is told of each element at
 * its start, with its attributes, of text, and of its end. It takes elements as
 * nodes of a tree, so a tree is made that holds only the open elements. For an
 * element whose content it cannot follow piece by piece it answers that it must
 * see the whole; then the node is kept until its end.
 */
#include "pr_schema.h"

#include <libxml/relaxng.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>

#include "pr_schema_text.h"

struct pr_schema {
   xmlRelaxNGPtr compiled;
};

struct pr_schema_check {
   const char *file;
   struct pr_diagnostics *diagnostics;
   xmlRelaxNGValidCtxtPtr validator;
   xmlDocPtr document;
   xmlNodePtr innermost; /* open element; NULL: none */
   xmlNodePtr whole;     /* the open element that is kept until its end; NULL: none */
   bool failed;          /* a violation was found; the rest is ignored */
   char messages[1024];  /* of libxml2 about the piece being fed */
};

/* libxml2's signature for this differs between its versions in `const`. */
#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

/* libxml2 says one thing in up to four messages, from the inside out; they
   are joined. */
static void on_violation(void *user, error_pointer error)
{
   struct pr_schema_check *check = user;
   const char *message = error->message ? error->message : "unknown violation";
   size_t bytes = strcspn(message, "\n");
   size_t used = strlen(check->messages);
   if (used + bytes + 3 > sizeof check->messages)
      return;
   if (used)
      used = (size_t)(stpcpy(check->messages + used, "; ") - check->messages);
   memcpy(check->messages + used, message, bytes);
   check->messages[used + bytes] = '\0';
}

static void on_schema_error(void *user, error_pointer error)
{
   struct pr_diagnostics *diagnostics = user;
   const char *message = error->message ? error->message : "unknown error";
   pr_diagnostics_add(diagnostics, "profmem-report.rng", (unsigned long)error->line, "%.*s",
                      (int)strcspn(message, "\n"), message);
}

struct pr_schema *pr_schema_new(struct pr_diagnostics *diagnostics)
{
   struct pr_schema *schema = calloc(1, sizeof *schema);
   xmlRelaxNGParserCtxtPtr parser =
      schema ? xmlRelaxNGNewMemParserCtxt(pr_schema_text, (int)pr_schema_text_bytes) : NULL;
   if (parser) {
      xmlRelaxNGSetParserStructuredErrors(parser, on_schema_error, diagnostics);
      schema->compiled = xmlRelaxNGParse(parser);
      xmlRelaxNGFreeParserCtxt(parser);
   }
   if (!schema || !schema->compiled) {
      pr_diagnostics_add(diagnostics, "profmem-report.rng", 0, "cannot be compiled");
      free(schema);
      return NULL;
   }
   return schema;
}

void pr_schema_free(struct pr_schema *schema)
{
   if (!schema)
      return;
   xmlRelaxNGFree(schema->compiled);
   free(schema);
}

struct pr_schema_check *pr_schema_check_new(struct pr_schema *schema, const char *file,
                                            struct pr_diagnostics *diagnostics)
{
   struct pr_schema_check *check = calloc(1, sizeof *check);
   if (!check)
      return NULL;
   check->file = file;
   check->diagnostics = diagnostics;
   check->document = xmlNewDoc(BAD_CAST "1.0");
   check->validator = xmlRelaxNGNewValidCtxt(schema->compiled);
   if (!check->document || !check->validator) {
      pr_schema_check_free(check);
      return NULL;
   }
   xmlRelaxNGSetValidStructuredErrors(check->validator, on_violation, check);
   return check;
}

void pr_schema_check_free(struct pr_schema_check *check)
{
   if (!check)
      return;
   xmlRelaxNGFreeValidCtxt(check->validator);
   xmlFreeDoc(check->document);
   free(check);
}

/* Which element, for people: libxml2's messages name its kind at most, and a
   report has thousands of a kind. */
static void fail(struct pr_schema_check *check, unsigned long line, const char *reason)
{
   check->failed = true;
   xmlChar *name =
      check->innermost ? xmlGetNoNsProp(check->innermost, BAD_CAST "name") : NULL;
   const char *element = check->innermost ? (const char *)check->innermost->name : "";
   if (name)
      pr_diagnostics_add(check->diagnostics, check->file, line,
                         "breaks the schema at <%.80s name=\"%.80s\">: %s", element,
                         (const char *)name, reason);
   else
      pr_diagnostics_add(check->diagnostics, check->file, line,
                         "breaks the schema at <%.80s>: %s", element, reason);
   xmlFree(name);
}

/* What libxml2 said of the piece just fed, or else `otherwise`. */
static const char *violation(const struct pr_schema_check *check, const char *otherwise)
{
   return check->messages[0] ? check->messages : otherwise;
}

static xmlNsPtr declare_namespace(xmlNodePtr node, const char *uri)
{
   return uri ? xmlNewNs(node, BAD_CAST uri, NULL) : NULL;
}

/* A namespaced attribute needs a prefix to be one. */
static bool add_attribute(xmlNodePtr node, const struct pr_attribute *attribute)
{
   xmlNsPtr ns = NULL;
   if (attribute->namespace_uri) {
      ns = xmlSearchNsByHref(node->doc, node, BAD_CAST attribute->namespace_uri);
      if (!ns || !ns->prefix)
         ns = xmlNewNs(node, BAD_CAST attribute->namespace_uri, BAD_CAST attribute->name);
      if (!ns)
         return false;
   }
   xmlChar *value = xmlStrndup(BAD_CAST attribute->value, (int)attribute->value_bytes);
   bool ok = value && xmlNewNsProp(node, ns, BAD_CAST attribute->name, value);
   xmlFree(value);
   return ok;
}

/* Make the element's node and hang it below the innermost open one. */
static bool open_node(struct pr_schema_check *check, const char *name, const char *namespace_uri,
                      const struct pr_attribute *attributes, size_t count)
{
   xmlNodePtr node = xmlNewDocNode(check->document, NULL, BAD_CAST name, NULL);
   if (!node)
      return false;
   if (check->innermost)
      xmlAddChild(check->innermost, node);
   else
      xmlDocSetRootElement(check->document, node);
   check->innermost = node;
   if (namespace_uri) {
      xmlSetNs(node, declare_namespace(node, namespace_uri));
      if (!node->ns)
         return false;
   }
   for (size_t i = 0; i < count; i++)
      if (!add_attribute(node, &attributes[i]))
         return false;
   return true;
}

static void close_node(struct pr_schema_check *check)
{
   xmlNodePtr node = check->innermost;
   bool is_root = node->parent == (xmlNodePtr)check->document;
   check->innermost = is_root ? NULL : node->parent;
   if (check->whole && check->whole != node)
      return; /* part of what is kept */
   check->whole = NULL;
   xmlUnlinkNode(node);
   xmlFreeNode(node);
}

void pr_schema_check_start(struct pr_schema_check *check, unsigned long line, const char *name,
                           const char *namespace_uri, const struct pr_attribute *attributes,
                           size_t count)
{
   if (check->failed)
      return;
   check->messages[0] = '\0';
   if (!open_node(check, name, namespace_uri, attributes, count))
      return fail(check, line, "no memory left");
   if (check->whole)
      return;
   int answer =
      xmlRelaxNGValidatePushElement(check->validator, check->document, check->innermost);
   if (answer == 0)
      check->whole = check->innermost;
   else if (answer < 0)
      fail(check, line, violation(check, "it is not expected here"));
}

static bool is_blank(const char *text, size_t bytes)
{
   for (size_t i = 0; i < bytes; i++)
      if (!strchr(" \t\r\n", text[i]))
         return false;
   return true;
}

void pr_schema_check_text(struct pr_schema_check *check, unsigned long line, const char *text,
                          size_t bytes)
{
   if (check->failed || !check->innermost)
      return;
   check->messages[0] = '\0';
   if (check->whole) {
      xmlNodeAddContentLen(check->innermost, BAD_CAST text, (int)bytes);
   } else if (!is_blank(text, bytes)) {
      /* What the text is does not matter, only that there is some. */
      if (xmlRelaxNGValidatePushCData(check->validator, BAD_CAST "text", 4) < 0)
         fail(check, line, "text where there may be none");
   }
}

void pr_schema_check_end(struct pr_schema_check *check, unsigned long line)
{
   if (check->failed)
      return;
   check->messages[0] = '\0';
   xmlNodePtr node = check->innermost;
   if (!check->whole) {
      if (xmlRelaxNGValidatePopElement(check->validator, check->document, node) < 0)
         return fail(check, line, "it ends where a further element is due");
   } else if (check->whole == node) {
      if (xmlRelaxNGValidateFullElement(check->validator, check->document, node) < 0)
         return fail(check, line, violation(check, "its content is not as it should be"));
   }
   close_node(check);
}

bool pr_schema_check_passed(const struct pr_schema_check *check)
{
   return !check->failed;
}
