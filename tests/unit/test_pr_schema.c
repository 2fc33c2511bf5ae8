/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_schema.c: the schema against the table of metrics, and the check
 * that follows the loader against libxml2's own on the whole document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pr_sample.h"
#include "pr_schema_text.h"

static struct pr_schema *schema;

static int make_schema(void **state)
{
   struct pr_diagnostics diagnostics;
   (void)state;
   pr_diagnostics_init(&diagnostics);
   schema = pr_schema_new(&diagnostics);
   pr_diagnostics_release(&diagnostics);
   return schema ? 0 : -1;
}

static int free_schema(void **state)
{
   (void)state;
   pr_schema_free(schema);
   return 0;
}

/* Does the report keep to the schema? It must load. *line: of the violation. */
static bool is_valid(const char *text, unsigned long *line)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   struct pr_schema_check *check = pr_schema_check_new(schema, "sample", &diagnostics);
   assert_non_null(check);
   struct pr_report *report = pr_sample_load(text, check, &diagnostics);
   assert_non_null(report);
   bool valid = pr_schema_check_passed(check);
   assert_int_equal(diagnostics.count, valid ? 0 : 1);
   *line = valid ? 0 : diagnostics.items[0].line;
   pr_report_free(report);
   pr_schema_check_free(check);
   pr_diagnostics_release(&diagnostics);
   return valid;
}

static bool is_valid_metric(const char *name, const char *unit, const char *rest)
{
   char metric[256];
   unsigned long line;
   snprintf(metric, sizeof metric,
            "<phase name='program' kind='process' instances='1' complete='yes'>"
            "<metric name='%s' unit='%s' %s/></phase>",
            name, unit, rest);
   char *text = pr_sample_with_phases(metric);
   bool valid = is_valid(text, &line);
   free(text);
   return valid;
}

static void every_metric_of_the_table_is_in_the_schema(void **state)
{
   (void)state;
   for (int i = 0; i < PR_METRIC_COUNT; i++) {
      const char *name = pr_metrics[i].name, *unit = pr_metrics[i].unit;
      assert_true(is_valid_metric(name, unit, "value='0'"));
      assert_true(is_valid_metric(name, unit, "unavailable='why'"));
      assert_false(is_valid_metric(name, unit, "unavailable=''"));
      assert_false(is_valid_metric(name, "furlongs", "value='0'"));
      for (int other = 0; other < PR_METRIC_COUNT; other++)
         if (strcmp(unit, pr_metrics[other].unit) != 0)
            assert_false(is_valid_metric(name, pr_metrics[other].unit, "value='0'"));
   }
}

static void signs_and_ranges_are_those_of_the_table(void **state)
{
   (void)state;
   for (int i = 0; i < PR_METRIC_COUNT; i++) {
      const char *name = pr_metrics[i].name, *unit = pr_metrics[i].unit;
      assert_true(is_valid_metric(name, unit, "value='9223372036854775807'"));
      assert_true(is_valid_metric(name, unit, "value='1' min='0' max='9223372036854775807'"));
      if (pr_metrics[i].sign == PR_SIGN_SIGNED)
         assert_true(is_valid_metric(name, unit, "value='-9223372036854775808' min='-1' max='-1'"));
      else
         assert_true(is_valid_metric(name, unit, "value='18446744073709551615'"));
   }
}

/* And the other way round: what the schema lists is in the table. */
static void every_metric_of_the_schema_is_in_the_table(void **state)
{
   (void)state;
   xmlDocPtr document =
      xmlReadMemory(pr_schema_text, (int)pr_schema_text_bytes, "schema", NULL, XML_PARSE_NONET);
   assert_non_null(document);
   xmlXPathContextPtr context = xmlXPathNewContext(document);
   assert_non_null(context);
   xmlXPathRegisterNs(context, BAD_CAST "r", BAD_CAST "http://relaxng.org/ns/structure/1.0");
   xmlXPathObjectPtr names =
      xmlXPathEvalExpression(BAD_CAST "//r:define[contains(@name, '-metric')]"
                                      "//r:attribute[@name = 'name']//r:value",
                             context);
   assert_true(names && names->nodesetval);
   assert_int_equal(names->nodesetval->nodeNr, PR_METRIC_COUNT);
   for (int i = 0; i < names->nodesetval->nodeNr; i++) {
      xmlChar *name = xmlNodeGetContent(names->nodesetval->nodeTab[i]);
      assert_int_not_equal(pr_metric_find((char *)name, strlen((char *)name)), PR_METRIC_UNKNOWN);
      xmlFree(name);
   }
   xmlXPathFreeObject(names);
   xmlXPathFreeContext(context);
   xmlFreeDoc(document);
}

static void stability_is_complete_or_absent(void **state)
{
   (void)state;
   assert_true(is_valid_metric("heap.peak", "bytes", "value='1' stable='yes'"));
   assert_true(
      is_valid_metric("heap.peak", "bytes", "value='1' stable='no' stable-difference='2'"));
   assert_false(is_valid_metric("heap.peak", "bytes", "value='1' stable-difference='2'"));
   assert_false(
      is_valid_metric("heap.peak", "bytes", "value='1' stable='yes' stable-difference='2'"));
}

static void ignore_message(void *user, const char *format, ...)
{
   (void)user, (void)format;
}

static bool is_valid_as_a_whole(const char *text, xmlRelaxNGPtr grammar)
{
   xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "sample", NULL, XML_PARSE_NONET);
   assert_non_null(document);
   xmlRelaxNGValidCtxtPtr validator = xmlRelaxNGNewValidCtxt(grammar);
   xmlRelaxNGSetValidErrors(validator, ignore_message, ignore_message, NULL);
   bool valid = xmlRelaxNGValidateDoc(validator, document) == 0;
   xmlRelaxNGFreeValidCtxt(validator);
   xmlFreeDoc(document);
   return valid;
}

/* The sample with one line taken out, doubled, or swapped with the next: still
   well-formed more often than not, and valid or not as a validator says that
   sees the whole document. */
static void mutate(char *to, const char *text, size_t line, int how)
{
   const char *start = text;
   for (size_t i = 0; i < line; i++)
      start = strchr(start, '\n') + 1;
   const char *end = strchr(start, '\n') + 1;
   const char *next_end = strchr(end, '\n') ? strchr(end, '\n') + 1 : end;
   size_t length = (size_t)(end - start), next_length = (size_t)(next_end - end);
   to = mempcpy(to, text, (size_t)(start - text));
   if (how == 1)
      to = mempcpy(mempcpy(to, start, length), start, length);
   if (how == 2)
      to = mempcpy(mempcpy(to, end, next_length), start, length);
   strcpy(to, how == 2 ? next_end : end);
}

static void the_streaming_check_agrees_with_the_whole(void **state)
{
   (void)state;
   char *text = pr_sample_fixture("good/good-phases.xml");
   char *mutant = malloc(strlen(text) * 2 + 1);
   xmlRelaxNGParserCtxtPtr parser =
      xmlRelaxNGNewMemParserCtxt(pr_schema_text, (int)pr_schema_text_bytes);
   xmlRelaxNGPtr grammar = xmlRelaxNGParse(parser);
   xmlRelaxNGFreeParserCtxt(parser);
   assert_true(mutant && grammar);
   size_t lines = 0, valid_count = 0, invalid_count = 0;
   for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
      lines++;
   for (size_t line = 1; line < lines; line++) {
      for (int how = 0; how < 3; how++) {
         struct pr_diagnostics diagnostics;
         unsigned long violation;
         mutate(mutant, text, line, how);
         pr_diagnostics_init(&diagnostics);
         struct pr_report *report = pr_sample_load(mutant, NULL, &diagnostics);
         pr_diagnostics_release(&diagnostics);
         if (!report)
            continue; /* not well-formed, or refused */
         pr_report_free(report);
         bool valid = is_valid(mutant, &violation);
         assert_int_equal(valid, is_valid_as_a_whole(mutant, grammar));
         valid_count += valid;
         invalid_count += !valid;
      }
   }
   assert_true(valid_count > 10 && invalid_count > 30);
   xmlRelaxNGFree(grammar);
   free(mutant);
   free(text);
}

/* The parser hands over text in pieces; the schema knows one text. */
static void text_may_come_in_pieces(void **state)
{
   unsigned long line;
   (void)state;
   char *text = pr_sample_with_phases("");
   char *argument = strstr(text, "<arg>x");
   char *longer = NULL;
   assert_non_null(argument);
   assert_true(asprintf(&longer, "%.*s<arg>a<!-- b -->c<?d e?>f<![CDATA[<g>]]>&#104;&amp; i%s",
                        (int)(argument - text), text, argument + strlen("<arg>x")) > 0);
   assert_true(is_valid(longer, &line));
   free(longer);
   free(text);
}

static void lines_are_exact_far_down(void **state)
{
   enum { LINES = 70000 };
   static char phases[LINES + 256];
   unsigned long line;
   (void)state;
   memset(phases, '\n', LINES);
   strcpy(phases + LINES, "<phase name='a' kind='dream' instances='1' complete='yes'/>");
   char *text = pr_sample_with_phases(phases);
   assert_false(is_valid(text, &line));
   assert_int_equal(line, LINES + 1);
   free(text);
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_metric_of_the_table_is_in_the_schema),
      cmocka_unit_test(signs_and_ranges_are_those_of_the_table),
      cmocka_unit_test(every_metric_of_the_schema_is_in_the_table),
      cmocka_unit_test(stability_is_complete_or_absent),
      cmocka_unit_test(the_streaming_check_agrees_with_the_whole),
      cmocka_unit_test(text_may_come_in_pieces),
      cmocka_unit_test(lines_are_exact_far_down),
   };
   return cmocka_run_group_tests(tests, make_schema, free_schema);
}
