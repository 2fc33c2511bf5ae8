/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_rewrite.c: the tool's report with what only `profmem run` knows. See run_rewrite.h.
 *
 * libxml2's xmlTextReader pulls one node after the other, its xmlTextWriter puts them
 * back; neither holds more than the path to the current one. Blanks between elements are
 * dropped and made again. Texts are the only ones with blanks of their own: they stand
 * alone in their element.
 */
#include "run_rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libxml/xmlreader.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pr_text.h"

/* Which element of the path from the root the reader is in. */
enum place { ROOT, SECTION, PART, ITEM, PLACES };

struct rewriter {
   const struct run_additions *additions;
   xmlTextReaderPtr reader;
   xmlTextWriterPtr writer;
   const char *path[PLACES]; /* names of the open elements, interned by the reader */
   xmlChar *blanks; /* right behind a start tag: a text, if the end tag follows; or NULL */
   size_t metrics; /* of phases, that were copied */
   bool failed; /* writing did */
   bool says_text; /* the text of this element is a warning */
};

static const char *text(const xmlChar *string)
{
   return (const char *)string;
}

static void check(struct rewriter *rewriter, int written)
{
   rewriter->failed = rewriter->failed || written < 0;
}

/* Writing ----------------------------------------------------------------------------- */

static void put_attribute(struct rewriter *rewriter, const char *name, const char *value)
{
   check(rewriter, xmlTextWriterWriteAttribute(rewriter->writer, BAD_CAST name, BAD_CAST value));
}

static bool is_hex(char c)
{
   return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* How many bytes at `at` can stand in a report as they are; 0: the first cannot (see
   "Numbers, names" in the description of the format). */
static size_t plain_bytes(const char *at)
{
   int length = (int)strnlen(at, 4);
   int code = xmlGetUTF8Char(BAD_CAST at, &length);
   bool is_control = (code >= 0x7f && code <= 0x9f) || (code < 0x20 && !strchr("\t\n\r", code));
   if (code <= 0 || is_control || code == 0xfffe || code == 0xffff)
      return 0;
   if (code == '\\' && at[1] == 'x' && is_hex(at[2]) && is_hex(at[3]))
      return 0;
   return (size_t)length;
}

/* A name as any bytes. */
static void put_name(struct rewriter *rewriter, const char *name)
{
   char *visible = malloc(4 * strlen(name) + 1), *to = visible;
   if (!visible) {
      rewriter->failed = true;
      return;
   }
   while (*name) {
      size_t plain = plain_bytes(name);
      if (plain == 0)
         to += sprintf(to, "\\x%02x", (unsigned char)*name++);
      for (; plain > 0; plain--)
         *to++ = *name++;
   }
   *to = '\0';
   put_attribute(rewriter, "name", visible);
   free(visible);
}

/* The writer's own escapes would leave tabs and line ends as they are. */
static void put_text(struct rewriter *rewriter, const char *content)
{
   static const char special[] = "&<>\t\n\r";
   static const char *const references[] = {"&amp;", "&lt;", "&gt;", "&#9;", "&#10;", "&#13;"};
   while (*content) {
      size_t plain = strcspn(content, special);
      check(rewriter, xmlTextWriterWriteRawLen(rewriter->writer, BAD_CAST content, (int)plain));
      content += plain;
      if (*content)
         check(rewriter,
               xmlTextWriterWriteRaw(rewriter->writer,
                                     BAD_CAST references[strchr(special, *content++) - special]));
   }
}

static void put_element(struct rewriter *rewriter, const char *name, const char *const *attributes)
{
   check(rewriter, xmlTextWriterStartElement(rewriter->writer, BAD_CAST name));
   for (; attributes[0]; attributes += 2)
      put_attribute(rewriter, attributes[0], attributes[1]);
   check(rewriter, xmlTextWriterEndElement(rewriter->writer));
}

static void put_fixes(struct rewriter *rewriter)
{
   const struct run_fixes *fixes = rewriter->additions->fixes;
   for (size_t f = 0; f < fixes->count; f++)
      put_element(rewriter, "fix",
                  (const char *[]){"name", fixes->items[f].name, "value", fixes->items[f].value,
                                   NULL});
}

static void put_inputs(struct rewriter *rewriter)
{
   const struct run_additions *additions = rewriter->additions;
   if (additions->loader_cache)
      put_element(rewriter, "loader-cache",
                  (const char *[]){"sha256", additions->loader_cache->digest, NULL});
   if (additions->input_count == 0)
      return;
   check(rewriter, xmlTextWriterStartElement(rewriter->writer, BAD_CAST "inputs"));
   for (size_t i = 0; i < additions->input_count; i++) {
      const struct run_input *input = &additions->inputs[i];
      char bytes[32];
      snprintf(bytes, sizeof bytes, "%" PRIu64, input->identity->bytes);
      check(rewriter, xmlTextWriterStartElement(rewriter->writer, BAD_CAST "input"));
      put_name(rewriter, input->name);
      put_attribute(rewriter, "size", bytes);
      put_attribute(rewriter, "sha256", input->identity->digest);
      check(rewriter, xmlTextWriterEndElement(rewriter->writer));
   }
   check(rewriter, xmlTextWriterEndElement(rewriter->writer));
}

/* Reading ----------------------------------------------------------------------------- */

static bool is_at(const struct rewriter *rewriter, const char *part)
{
   return rewriter->path[ROOT] && strcmp(rewriter->path[ROOT], "profmem") == 0
          && rewriter->path[SECTION] && strcmp(rewriter->path[SECTION], "run") == 0
          && rewriter->path[PART] && strcmp(rewriter->path[PART], part) == 0;
}

static int digit(char c)
{
   return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Turn the report's \xHH back into bytes, in place. */
static void restore_bytes(char *name)
{
   char *to = name;
   for (const char *from = name; *from;) {
      bool is_byte = from[0] == '\\' && from[1] == 'x' && digit(from[2]) >= 0
                     && digit(from[3]) >= 0;
      *to++ = is_byte ? (char)(digit(from[2]) * 16 + digit(from[3])) : *from;
      from += is_byte ? 4 : 1;
   }
   *to = '\0';
}

/* The executable's digest, if its path still leads to a file of that size: an image that
   was executed in another working folder may have a name that does not. */
static void put_digest(struct rewriter *rewriter)
{
   xmlChar *path = xmlTextReaderGetAttribute(rewriter->reader, BAD_CAST "path");
   xmlChar *size = xmlTextReaderGetAttribute(rewriter->reader, BAD_CAST "size");
   if (path && size && rewriter->additions->identities) {
      restore_bytes((char *)path);
      const struct run_identity *identity =
         run_identify(rewriter->additions->identities, text(path));
      if (identity && identity->bytes == strtoull(text(size), NULL, 10))
         put_attribute(rewriter, "sha256", identity->digest);
   }
   xmlFree(path);
   xmlFree(size);
}

/* The verdict on the metric that is copied, which are in the order of the report. */
static void put_verdict(struct rewriter *rewriter)
{
   const struct run_verdicts *verdicts = rewriter->additions->verdicts;
   if (!verdicts || rewriter->metrics == verdicts->count)
      return;
   const struct run_verdict *verdict = &verdicts->items[rewriter->metrics++];
   if (verdict->stability == RUN_STABILITY_NONE)
      return;
   put_attribute(rewriter, "stable", verdict->stability == RUN_STABLE ? "yes" : "no");
   if (verdict->stability == RUN_UNSTABLE) {
      char difference[32];
      snprintf(difference, sizeof difference, "%" PRIu64, verdict->difference);
      put_attribute(rewriter, "stable-difference", difference);
   }
}

static bool is_metric_of_phase(const struct rewriter *rewriter)
{
   return strcmp(rewriter->path[SECTION], "phases") == 0
          && strcmp(rewriter->path[ITEM], "metric") == 0;
}

/* A diagnostic that people should see at once: its text is going to follow. */
static void begin_warning(struct rewriter *rewriter)
{
   xmlChar *severity = xmlTextReaderGetAttribute(rewriter->reader, BAD_CAST "severity");
   xmlChar *phase = xmlTextReaderGetAttribute(rewriter->reader, BAD_CAST "phase");
   FILE *warnings = rewriter->additions->warnings;
   rewriter->says_text = warnings && severity && strcmp(text(severity), "note") != 0;
   if (rewriter->says_text) {
      /* As in the tool's log: the run was a success all the same. */
      fputs(phase ? "profmem: warning: phase '" : "profmem: warning: ", warnings);
      pr_text_puts(warnings, text(phase));
      fputs(phase ? "': " : "", warnings);
   }
   xmlFree(severity);
   xmlFree(phase);
}

static void say(struct rewriter *rewriter, const char *content)
{
   if (!rewriter->says_text)
      return;
   pr_text_puts(rewriter->additions->warnings, content);
   putc('\n', rewriter->additions->warnings);
   rewriter->says_text = false;
}

/* The number of the process goes on to be another program's, of which nothing is known. */
static void warn_of_exec(struct rewriter *rewriter)
{
   FILE *warnings = rewriter->additions->warnings;
   xmlChar *kind = xmlTextReaderGetAttribute(rewriter->reader, BAD_CAST "kind");
   xmlChar *path = xmlTextReaderGetAttribute(rewriter->reader, BAD_CAST "path");
   if (warnings && kind && strcmp(text(kind), "exec") == 0) {
      fputs("profmem: warning: the program turned into '", warnings);
      pr_text_puts(warnings, text(path));
      fputs("', which was not measured; --trace-children=yes measures it\n", warnings);
   }
   xmlFree(kind);
   xmlFree(path);
}

static void put_environment(struct rewriter *rewriter)
{
   const struct run_environment_identity *environment = rewriter->additions->environment;
   char variables[32], digest[sizeof "sha256:" + RUN_DIGEST_TEXT];
   snprintf(variables, sizeof variables, "%zu", environment->variables);
   snprintf(digest, sizeof digest, "sha256:%s", environment->digest);
   put_attribute(rewriter, "variables", variables);
   put_attribute(rewriter, "digest", digest);
}

static void copy_attributes(struct rewriter *rewriter)
{
   while (xmlTextReaderMoveToNextAttribute(rewriter->reader) == 1)
      put_attribute(rewriter, text(xmlTextReaderConstName(rewriter->reader)),
                    text(xmlTextReaderConstValue(rewriter->reader)));
   xmlTextReaderMoveToElement(rewriter->reader);
}

/* An object's digest in the place of its path, if that still leads to a file. */
static void put_object(struct rewriter *rewriter)
{
   while (xmlTextReaderMoveToNextAttribute(rewriter->reader) == 1) {
      const char *name = text(xmlTextReaderConstName(rewriter->reader));
      xmlChar *value = xmlTextReaderValue(rewriter->reader);
      if (value && strcmp(name, "path") == 0) {
         restore_bytes((char *)value);
         const struct run_identity *identity =
            run_identify(rewriter->additions->identities, text(value));
         if (identity)
            put_attribute(rewriter, "sha256", identity->digest);
      } else {
         put_attribute(rewriter, name, text(value));
      }
      xmlFree(value);
   }
   xmlTextReaderMoveToElement(rewriter->reader);
}

static void end_element(struct rewriter *rewriter)
{
   if (is_at(rewriter, "fixed") && xmlTextReaderDepth(rewriter->reader) == PART)
      put_fixes(rewriter);
   check(rewriter, xmlTextWriterEndElement(rewriter->writer));
}

static void start_element(struct rewriter *rewriter)
{
   int depth = xmlTextReaderDepth(rewriter->reader);
   if (depth < PLACES) {
      rewriter->path[depth] = text(xmlTextReaderConstName(rewriter->reader));
      for (int below = depth + 1; below < PLACES; below++)
         rewriter->path[below] = NULL;
   }
   if (depth == PART && is_at(rewriter, "objects"))
      put_inputs(rewriter);
   check(rewriter, xmlTextWriterStartElement(
                      rewriter->writer, xmlTextReaderConstName(rewriter->reader)));
   bool is_empty = xmlTextReaderIsEmptyElement(rewriter->reader) == 1;
   if (depth == PART && is_at(rewriter, "environment") && rewriter->additions->environment)
      put_environment(rewriter);
   else if (depth == ITEM && is_at(rewriter, "objects"))
      put_object(rewriter);
   else
      copy_attributes(rewriter);
   if (depth == PART && is_at(rewriter, "executable"))
      put_digest(rewriter);
   if (depth == PART && is_at(rewriter, "end") && rewriter->additions->tells_of_exec)
      warn_of_exec(rewriter);
   if (depth == PART && strcmp(rewriter->path[SECTION], "diagnostics") == 0)
      begin_warning(rewriter);
   if (depth == ITEM && is_metric_of_phase(rewriter))
      put_verdict(rewriter);
   if (is_empty)
      end_element(rewriter);
}

static void forget_blanks(struct rewriter *rewriter)
{
   xmlFree(rewriter->blanks);
   rewriter->blanks = NULL;
}

/* The node the reader is at. `after_start`: the one before it was a start tag. */
static void copy_node(struct rewriter *rewriter, bool after_start)
{
   switch (xmlTextReaderNodeType(rewriter->reader)) {
   case XML_READER_TYPE_ELEMENT:
      forget_blanks(rewriter);
      start_element(rewriter);
      break;
   case XML_READER_TYPE_END_ELEMENT:
      if (rewriter->blanks)
         put_text(rewriter, text(rewriter->blanks));
      forget_blanks(rewriter);
      end_element(rewriter);
      break;
   case XML_READER_TYPE_SIGNIFICANT_WHITESPACE:
   case XML_READER_TYPE_WHITESPACE:
      forget_blanks(rewriter);
      if (after_start)
         rewriter->blanks = xmlTextReaderValue(rewriter->reader);
      break;
   case XML_READER_TYPE_TEXT:
      put_text(rewriter, text(xmlTextReaderConstValue(rewriter->reader)));
      say(rewriter, text(xmlTextReaderConstValue(rewriter->reader)));
      break;
   }
}

/* False: it is not well-formed. */
static bool copy(struct rewriter *rewriter)
{
   check(rewriter, xmlTextWriterSetIndent(rewriter->writer, 1));
   check(rewriter, xmlTextWriterSetIndentString(rewriter->writer, BAD_CAST "  "));
   check(rewriter, xmlTextWriterStartDocument(rewriter->writer, "1.0", "UTF-8", NULL));
   bool after_start = false;
   int more = 1;
   while (!rewriter->failed && (more = xmlTextReaderRead(rewriter->reader)) == 1) {
      copy_node(rewriter, after_start);
      after_start = xmlTextReaderNodeType(rewriter->reader) == XML_READER_TYPE_ELEMENT
                    && xmlTextReaderIsEmptyElement(rewriter->reader) == 0;
   }
   forget_blanks(rewriter);
   check(rewriter, xmlTextWriterEndDocument(rewriter->writer));
   check(rewriter, xmlTextWriterFlush(rewriter->writer));
   return rewriter->failed || more == 0;
}

/* libxml2's word, without the line it ends with, goes nowhere else. */
static void ignore_messages(void *context, const char *format, ...)
{
   (void)context, (void)format;
}

static xmlTextWriterPtr new_writer(int to)
{
   xmlOutputBufferPtr buffer = xmlOutputBufferCreateFd(to, NULL);
   xmlTextWriterPtr writer = buffer ? xmlNewTextWriter(buffer) : NULL;
   if (buffer && !writer)
      xmlOutputBufferClose(buffer);
   return writer;
}

bool run_rewrite(const char *from, int to, const char *name, const struct run_additions *additions,
                 struct run_error *error)
{
   xmlSetGenericErrorFunc(NULL, ignore_messages);
   int file = open(from, O_RDONLY | O_CLOEXEC);
   if (file < 0)
      return run_fail(error, RUN_OWN_TROUBLE, "%s: %s", from, strerror(errno));
   struct rewriter rewriter = {
      .additions = additions,
      .reader = xmlReaderForFd(file, from, NULL, XML_PARSE_NONET | XML_PARSE_HUGE),
      .writer = new_writer(to),
   };
   bool ok = rewriter.reader && rewriter.writer;
   if (!ok) {
      run_fail(error, RUN_OWN_TROUBLE, "no memory left");
   } else {
      errno = 0;
      ok = copy(&rewriter);
      if (!ok)
         run_fail(error, RUN_OWN_TROUBLE, "the tool's report is not well-formed XML");
      else if (rewriter.failed)
         ok = run_fail(error, RUN_OWN_TROUBLE, "cannot write '%s': %s", name,
                       errno ? strerror(errno) : "no memory left");
   }
   xmlFreeTextReader(rewriter.reader);
   xmlFreeTextWriter(rewriter.writer);
   xmlSetGenericErrorFunc(NULL, NULL);
   close(file);
   return ok;
}
