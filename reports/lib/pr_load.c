/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_load.c: from a file to a report in memory. See pr_load.h.
 *
 * The only file that includes libxml2's parser; pr_build.c knows the format.
 *
 * libxml2's SAX2 interface and not its xmlTextReader, for three reasons: a
 * document type is seen at its name, before anything in it is parsed; lines
 * are the parser's own, while nodes hold them in 16 bits, and large reports
 * have more; and it costs half.
 *
 * Nothing is fetched: without a document type there is no external entity,
 * and XML_PARSE_NONET closes the rest. The limits that libxml2 itself keeps
 * (XML_PARSE_HUGE is not set) stand behind those of pr_build.h.
 */
#include "pr_load.h"

#include <errno.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

#include "pr_build.h"

/* Attributes of one element, of which the format's own need a dozen, and namespaces, of which
   they need none. */
enum { ATTRIBUTES_MAX = 64 };

struct loader {
   FILE *in;
   int read_errno; /* why reading failed; 0: it did not */
   xmlParserCtxtPtr parser;
   struct pr_schema_check *check; /* NULL: no check wanted */
   struct pr_builder builder;
};

static const char *text(const xmlChar *string)
{
   return (const char *)string;
}

/* Tell the builder where the parser is. */
static void mark_line(struct loader *loader)
{
   loader->builder.line = (unsigned long)xmlSAX2GetLineNumber(loader->parser);
}

static void stop_if(struct loader *loader, bool refused)
{
   if (refused)
      xmlStopParser(loader->parser);
}

/* libxml2 gives five pointers per attribute: name, prefix, namespace, start
   and end of the value. */
static void convert_attributes(struct pr_attribute *attributes, const xmlChar **raw, size_t count)
{
   for (size_t i = 0; i < count; i++, raw += 5)
      attributes[i] = (struct pr_attribute){
         .name = text(raw[0]),
         .namespace_uri = text(raw[2]),
         .value = text(raw[3]),
         .value_bytes = (size_t)(raw[4] - raw[3]),
      };
}

/* libxml2 tells of a start tag before it looks for the tag's end. Of one that
   is cut off, or broken, it brings the part it could read; the parser is about
   to say what is wrong, and does it better than the builder would. */
static bool tag_ends_here(const struct loader *loader)
{
   const xmlChar *at = loader->parser->input->cur;
   return at[0] == '>' || (at[0] == '/' && at[1] == '>');
}

static void refuse_crowd(struct loader *loader, const char *of_what)
{
   mark_line(loader);
   pr_builder_refuse(&loader->builder, "an element has more than %d %s", ATTRIBUTES_MAX, of_what);
}

static void on_start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespace_count, const xmlChar **namespaces, int attribute_count,
                     int defaulted_count, const xmlChar **raw)
{
   (void)prefix, (void)namespaces, (void)defaulted_count;
   struct loader *loader = user;
   struct pr_attribute attributes[ATTRIBUTES_MAX];
   size_t count = (size_t)attribute_count;
   if (!tag_ends_here(loader))
      return;
   mark_line(loader);
   if (count > ATTRIBUTES_MAX || namespace_count > ATTRIBUTES_MAX) {
      refuse_crowd(loader, count > ATTRIBUTES_MAX ? "attributes" : "namespaces");
      return stop_if(loader, true);
   }
   convert_attributes(attributes, raw, count);
   bool ok = pr_builder_start(&loader->builder, text(name), text(uri), attributes, count);
   if (ok && loader->check)
      pr_schema_check_start(loader->check, loader->builder.line, text(name), text(uri), attributes,
                            count);
   stop_if(loader, !ok);
}

static void on_text(void *user, const xmlChar *string, int bytes)
{
   struct loader *loader = user;
   mark_line(loader);
   bool ok = pr_builder_text(&loader->builder, text(string), (size_t)bytes);
   if (ok && loader->check)
      pr_schema_check_text(loader->check, loader->builder.line, text(string), (size_t)bytes);
   stop_if(loader, !ok);
}

static void on_end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
   (void)name, (void)prefix, (void)uri;
   struct loader *loader = user;
   mark_line(loader);
   bool ok = pr_builder_end(&loader->builder);
   if (ok && loader->check)
      pr_schema_check_end(loader->check, loader->builder.line);
   stop_if(loader, !ok);
}

static void on_document_type(void *user, const xmlChar *name, const xmlChar *public_id,
                             const xmlChar *system_id)
{
   (void)name, (void)public_id, (void)system_id;
   struct loader *loader = user;
   mark_line(loader);
   pr_builder_refuse(&loader->builder, "a report has no document type (DOCTYPE)");
   stop_if(loader, true);
}

/* libxml2's signature for this differs between its versions in `const`. */
#if LIBXML_VERSION >= 21200
typedef const xmlError *error_pointer;
#else
typedef xmlError *error_pointer;
#endif

static void on_error(void *user, error_pointer error)
{
   struct loader *loader = user;
   if (error->level < XML_ERR_ERROR)
      return;
   const char *message = error->message ? error->message : "unknown error";
   loader->builder.line = error->line > 0 ? (unsigned long)error->line : 0;
   if (loader->read_errno) {
      loader->builder.line = 0;
      pr_builder_refuse(&loader->builder, "cannot be read: %s", strerror(loader->read_errno));
   } else if (error->code == XML_ERR_NO_MEMORY) {
      pr_builder_refuse(&loader->builder, "no memory left");
   } else {
      pr_builder_refuse(&loader->builder, "not well-formed XML: %.*s",
                        (int)strcspn(message, "\n"), message);
   }
   stop_if(loader, true);
}

/* Before 2.12, libxml2 compares all names of a tag with each other once it has all of them, and
   all namespaces: a megabyte of either costs seconds, ten of them minutes. Its room for them,
   five pointers for each attribute and two for each namespace of all open elements, doubles
   when it grows, and grows while the tag is read. */
static bool refuses_crowd(struct loader *loader)
{
#if LIBXML_VERSION < 21200
   enum {
      ATTRIBUTE_ROOM = 4 * 5 * ATTRIBUTES_MAX,
      NAMESPACE_ROOM = 4 * PR_BUILD_DEPTH_MAX * ATTRIBUTES_MAX,
   };
   if (loader->parser && loader->parser->maxatts > ATTRIBUTE_ROOM)
      refuse_crowd(loader, "attributes");
   else if (loader->parser && loader->parser->nsMax > NAMESPACE_ROOM)
      refuse_crowd(loader, "namespaces");
#endif
   return loader->builder.refused;
}

static int read_bytes(void *user, char *buffer, int size)
{
   struct loader *loader = user;
   if (refuses_crowd(loader))
      return -1; /* the parser still holds the buffer: it is stopped when it tells of this */
   size_t bytes = fread(buffer, 1, (size_t)size, loader->in);
   if (bytes == 0 && ferror(loader->in)) {
      loader->read_errno = errno ? errno : EIO;
      return -1;
   }
   return (int)bytes;
}

/* Run the parser over the input; false: refused, with a diagnostic. */
static bool parse(struct loader *loader)
{
   xmlSAXHandler handler = {
      .initialized = XML_SAX2_MAGIC,
      .internalSubset = on_document_type,
      .startElementNs = on_start,
      .endElementNs = on_end,
      .characters = on_text,
      /* The same handler: otherwise libxml2 guesses which blanks matter. */
      .ignorableWhitespace = on_text,
      .cdataBlock = on_text,
      .serror = on_error,
   };
   xmlInitParser();
   loader->parser =
      xmlCreateIOParserCtxt(&handler, loader, read_bytes, NULL, loader, XML_CHAR_ENCODING_UTF8);
   if (!loader->parser)
      return pr_builder_refuse(&loader->builder, "no memory left");
   /* A report is UTF-8; a declaration that says otherwise is not followed. Without
      NOENT an attribute's &amp; arrives as &#38;. It replaces no other entity, since
      a document type, which alone could declare one, is refused. */
   xmlCtxtUseOptions(loader->parser,
                     XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT);
   int failed = xmlParseDocument(loader->parser);
   /* Should libxml2 ever give up without a word, the report is still none. */
   if (failed || loader->read_errno)
      pr_builder_refuse(&loader->builder, "not well-formed XML");
   xmlFreeParserCtxt(loader->parser);
   return !loader->builder.refused;
}

struct pr_report *pr_load(FILE *in, const char *file, struct pr_schema_check *check,
                          struct pr_diagnostics *diagnostics)
{
   struct pr_report *report = calloc(1, sizeof *report);
   if (!report) {
      pr_diagnostics_add(diagnostics, file, 0, "no memory left");
      return NULL;
   }
   pr_arena_init(&report->arena);
   report->file = file;
   struct loader loader = {.in = in, .check = check};
   pr_builder_init(&loader.builder, report, diagnostics);
   bool ok = parse(&loader) && pr_builder_finish(&loader.builder);
   if (ok) {
      report->file = pr_arena_string(&report->arena, file, strlen(file));
      ok = report->file != NULL;
      if (!ok)
         pr_diagnostics_add(diagnostics, file, 0, "no memory left");
   }
   pr_builder_release(&loader.builder);
   if (!ok) {
      pr_report_free(report);
      return NULL;
   }
   return report;
}
