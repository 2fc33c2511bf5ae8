/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_junit.c: a verdict as the XML of JUnit, as systems of continuous integration read it.
 *
 *    testsuites     the verdict
 *      testsuite    a report
 *        testcase   a check: the report's name as its class
 *          failure  it does not hold
 *          error    it could not be made
 *          system-out   what is to be said of one that passes: a warning
 *
 * Durations are left out, which readers allow. libxml2 writes and escapes; the texts are
 * safe for a terminal, so they hold no character that XML cannot carry.
 */
#include <libxml/xmlwriter.h>
#include <string.h>

#include "pr_piece.h"
#include "pr_text.h"
#include "pr_verdict.h"

/* libxml2 has a writer's errors in the return values of all its functions. */
struct document {
   xmlTextWriterPtr writer;
   bool failed;
};

static void note(struct document *document, int result)
{
   document->failed = document->failed || result < 0;
}

static void start(struct document *document, const char *name)
{
   note(document, xmlTextWriterStartElement(document->writer, BAD_CAST name));
}

static void end(struct document *document)
{
   note(document, xmlTextWriterEndElement(document->writer));
}

static void attribute(struct document *document, const char *name, const char *value)
{
   note(document,
        xmlTextWriterWriteAttribute(document->writer, BAD_CAST name, BAD_CAST value));
}

static void count(struct document *document, const char *name, size_t value)
{
   char text[32];
   snprintf(text, sizeof text, "%zu", value);
   attribute(document, name, text);
}

/* What was printed to the piece, as an attribute or, without a name, as text; releases
   it. */
static void write_piece(struct document *document, struct pr_piece *piece, const char *name)
{
   const char *text = pr_piece_text(piece);
   if (!text)
      document->failed = true;
   else if (name)
      attribute(document, name, text);
   else
      note(document, xmlTextWriterWriteString(document->writer, BAD_CAST text));
   pr_piece_release(piece);
}

/* A text that is not safe for a terminal yet. */
static void safe_attribute(struct document *document, const char *name, const char *value)
{
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   if (into)
      pr_text_puts(into, value);
   write_piece(document, &piece, name);
}

/* "limits.txt:3: message" */
static void message(struct document *document, const struct pr_verdict *verdict,
                    const struct pr_outcome *outcome, const char *name)
{
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   if (into) {
      pr_outcome_print_place(verdict, outcome, into);
      fputs(outcome->limit ? ": " : "", into);
      if (outcome->result == PR_WARNS)
         fputs("warning: ", into);
      pr_outcome_print_message(outcome, into);
   }
   write_piece(document, &piece, name);
}

static void write_outcome(struct document *document, const struct pr_verdict *verdict,
                          const struct pr_checked_report *report,
                          const struct pr_outcome *outcome)
{
   struct pr_piece name;
   start(document, "testcase");
   safe_attribute(document, "classname", report->name);
   FILE *into = pr_piece_open(&name);
   if (into)
      pr_outcome_print_name(outcome, into);
   write_piece(document, &name, "name");
   if (outcome->result == PR_FAILS) {
      start(document, "failure");
      attribute(document, "type", outcome->reason ? "no-value" : "limit");
      message(document, verdict, outcome, "message");
      message(document, verdict, outcome, NULL);
      end(document);
   } else if (outcome->result == PR_WARNS) {
      start(document, "system-out");
      message(document, verdict, outcome, NULL);
      end(document);
   }
   end(document);
}

/* One test case that has all of them. */
static void write_troubles(struct document *document, const struct pr_checked_report *report)
{
   start(document, "testcase");
   safe_attribute(document, "classname", report->name);
   attribute(document, "name", "can be checked");
   start(document, "error");
   attribute(document, "type", "not-checked");
   safe_attribute(document, "message", report->troubles[0]);
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   for (size_t t = 0; into && t < report->trouble_count; t++) {
      pr_text_puts(into, report->troubles[t]);
      putc('\n', into);
   }
   write_piece(document, &piece, NULL);
   end(document);
   end(document);
}

static void write_differences(struct document *document, const struct pr_checked_report *report)
{
   struct pr_piece piece;
   if (report->differences.count == 0)
      return;
   start(document, "system-out");
   FILE *into = pr_piece_open(&piece);
   if (into)
      fputs("The runs are unlike:\n", into);
   for (size_t d = 0; into && d < report->differences.count; d++) {
      pr_difference_print(&report->differences.items[d], into);
      putc('\n', into);
   }
   write_piece(document, &piece, NULL);
   end(document);
}

static void write_report(struct document *document, const struct pr_verdict *verdict,
                         const struct pr_checked_report *report)
{
   bool is_troubled = report->trouble_count > 0;
   start(document, "testsuite");
   safe_attribute(document, "name", report->name);
   count(document, "tests", is_troubled ? 1 : report->outcome_count);
   count(document, "failures", report->failing);
   count(document, "errors", is_troubled);
   count(document, "skipped", 0);
   write_differences(document, report);
   if (is_troubled)
      write_troubles(document, report);
   for (size_t o = 0; o < report->outcome_count; o++)
      write_outcome(document, verdict, report, &report->outcomes[o]);
   end(document);
}

static void write_verdict(struct document *document, const struct pr_verdict *verdict)
{
   note(document, xmlTextWriterSetIndent(document->writer, 1));
   note(document, xmlTextWriterSetIndentString(document->writer, BAD_CAST "  "));
   note(document, xmlTextWriterStartDocument(document->writer, "1.0", "UTF-8", NULL));
   start(document, "testsuites");
   attribute(document, "name", "profmem check");
   count(document, "tests", verdict->outcome_count + verdict->troubled);
   count(document, "failures", verdict->failing);
   count(document, "errors", verdict->troubled);
   for (size_t r = 0; r < verdict->report_count; r++)
      write_report(document, verdict, &verdict->reports[r]);
   end(document);
   note(document, xmlTextWriterEndDocument(document->writer));
   note(document, xmlTextWriterFlush(document->writer));
}

bool pr_verdict_junit(const struct pr_verdict *verdict, const struct pr_style *style, FILE *out)
{
   (void)style;
   xmlBufferPtr buffer = xmlBufferCreate();
   struct document document = {.writer = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL};
   bool ok = document.writer;
   if (ok) {
      write_verdict(&document, verdict);
      ok = !document.failed;
   }
   if (document.writer)
      xmlFreeTextWriter(document.writer);
   if (ok)
      fwrite(xmlBufferContent(buffer), 1, (size_t)xmlBufferLength(buffer), out);
   if (buffer)
      xmlBufferFree(buffer);
   return ok;
}
