/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_xml.c: the XML writer; libxml2 reads back what it wrote. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosted.h"
#include "pm_xml.h"

/* ---- A sink that collects, and can fail. */

struct collector {
   char *bytes;
   size_t count;
   unsigned long writes;  /* so far */
   unsigned long fail_at; /* this one fails, counted from 1; 0: none */
};

static bool collect(void *ctx, const void *bytes, size_t count)
{
   struct collector *c = ctx;

   assert_true(count > 0);
   if (++c->writes == c->fail_at)
      return false;
   c->bytes = realloc(c->bytes, c->count + count + 1);
   memcpy(c->bytes + c->count, bytes, count);
   c->count += count;
   c->bytes[c->count] = '\0';
   return true;
}

struct document {
   struct pm_xml xml;
   struct pm_xml_sink sink;
   struct collector collector;
};

static struct pm_xml *begin(struct document *d)
{
   memset(d, 0, sizeof *d);
   d->sink.write = collect;
   d->sink.ctx = &d->collector;
   pm_xml_begin(&d->xml, &hosted, &d->sink);
   return &d->xml;
}

static void finish(struct document *d)
{
   free(d->collector.bytes);
}

/* ---- Form. */

static void copy_attributes(struct pm_xml *xml, const xmlNode *node)
{
   for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
      xmlChar *value = xmlNodeGetContent((const xmlNode *)a);

      pm_xml_attr(xml, (const char *)a->name, (const char *)value);
      xmlFree(value);
   }
}

static void copy_element(struct pm_xml *xml, const xmlNode *node)
{
   pm_xml_open(xml, (const char *)node->name);
   copy_attributes(xml, node);
   for (const xmlNode *child = node->children; child != NULL; child = child->next) {
      if (child->type == XML_ELEMENT_NODE)
         copy_element(xml, child);
      else
         pm_xml_text(xml, (const char *)child->content);
   }
   pm_xml_close(xml);
}

static char *read_file(const char *path, size_t *bytes)
{
   FILE *file = fopen(path, "rb");
   char *text;

   assert_non_null(file);
   assert_int_equal(fseek(file, 0, SEEK_END), 0);
   *bytes = (size_t)ftell(file);
   rewind(file);
   text = malloc(*bytes + 1);
   assert_int_equal(fread(text, 1, *bytes, file), *bytes);
   text[*bytes] = '\0';
   fclose(file);
   return text;
}

/* The sample that the format is defined by, rewritten from its tree. */
static void the_sample_report_comes_out_as_it_is(void **state)
{
   const char *top = getenv("abs_top_srcdir");
   char path[4096];
   size_t bytes;
   char *sample;
   xmlDoc *tree;
   struct document d;

   (void)state;
   assert_non_null(top);
   snprintf(path, sizeof path, "%s/tests/fixtures/good/good-hello.xml", top);
   sample = read_file(path, &bytes);
   tree = xmlReadMemory(sample, (int)bytes, path, NULL, XML_PARSE_NOBLANKS);
   assert_non_null(tree);
   begin(&d);
   copy_element(&d.xml, xmlDocGetRootElement(tree));
   assert_true(pm_xml_end(&d.xml));
   assert_string_equal(d.collector.bytes, sample);
   assert_int_equal(d.collector.count, bytes);
   finish(&d);
   xmlFreeDoc(tree);
   free(sample);
}

static void numbers_and_empty_elements(void **state)
{
   struct document d;
   struct pm_xml *xml = begin(&d);

   (void)state;
   pm_xml_open(xml, "a");
   pm_xml_open(xml, "b");
   pm_xml_attr_u64(xml, "u", UINT64_MAX);
   pm_xml_attr_i64(xml, "i", INT64_MIN);
   pm_xml_attr_bytes(xml, "none", "x", 0);
   pm_xml_close(xml);
   pm_xml_open(xml, "c");
   pm_xml_text(xml, "");
   pm_xml_close(xml);
   pm_xml_close(xml);
   assert_true(pm_xml_end(xml));
   assert_string_equal(d.collector.bytes,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<a>\n"
                       "  <b u=\"18446744073709551615\" i=\"-9223372036854775808\" none=\"\"/>\n"
                       "  <c/>\n"
                       "</a>\n");
   finish(&d);
}

/* ---- Data. */

/* <v a="DATA">DATA</v> */
static void write_value(struct document *d, const char *bytes, size_t count)
{
   struct pm_xml *xml = begin(d);

   pm_xml_open(xml, "v");
   pm_xml_attr_bytes(xml, "a", bytes, count);
   pm_xml_text_bytes(xml, bytes, count);
   pm_xml_close(xml);
   assert_true(pm_xml_end(xml));
}

static void data_is_spelled_as_documented(void **state)
{
   static const struct {
      const char *data, *attribute, *text; /* text NULL: as the attribute */
   } cases[] = {
      {"plain", "plain", NULL},
      {"&<>", "&amp;&lt;&gt;", NULL},
      {"\"'", "&quot;'", "\"'"},
      {"]]>", "]]&gt;", NULL},
      {" \t\n\r ", " &#9;&#10;&#13; ", NULL},
      {"\033[1m\001\037", "\\x1b[1m\\x01\\x1f", NULL},
      {"\177", "\\x7f", NULL},
      {"\xc2\x80\xc2\x85\xc2\x9f\xc2\xa0", "\\xc2\\x80\\xc2\\x85\\xc2\\x9f\xc2\xa0", NULL},
      {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f", NULL},
      {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", NULL},
      {"gr\xfc\xdf", "gr\\xfc\\xdf", NULL},
      {"\xed\xa0\x80", "\\xed\\xa0\\x80", NULL},
      {"\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd\\xef\\xbf\\xbe\\xef\\xbf\\xbf", NULL},
      {"\xf0\x9f\xbf\xbe", "\xf0\x9f\xbf\xbe", NULL}, /* U+1FFFE is a Char of XML 1.0 */
      {"\xe2\x82", "\\xe2\\x82", NULL},               /* ends in the middle of a character */
      {"C:\\dir\\n \\x \\x1 \\xg0 \\", "C:\\dir\\n \\x \\x1 \\xg0 \\", NULL},
      {"\\x41 \\xAF", "\\x5cx41 \\x5cxAF", NULL},
      {"\\\\x41", "\\\\x5cx41", NULL},
      {"\\\033", "\\\\x1b", NULL},
      {"\\x\033", "\\x\\x1b", NULL},
   };

   (void)state;
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct document d;
      char should[256];

      snprintf(should, sizeof should,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<v a=\"%s\">%s</v>\n",
               cases[i].attribute, cases[i].text ? cases[i].text : cases[i].attribute);
      write_value(&d, cases[i].data, strlen(cases[i].data));
      assert_string_equal(d.collector.bytes, should);
      finish(&d);
   }
}

/* What lies in memory behind a value has no say in how it is written. */
static void values_end_where_they_are_told(void **state)
{
   static const struct {
      const char *data;
      size_t count;
      const char *should;
   } cases[] = {
      {"\\x41", 3, "\\x4"},
      {"\xc3\xbc", 1, "\\xc3"},
      {"a\0b", 3, "a\\x00b"},
   };

   (void)state;
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct document d;
      char should[256];

      snprintf(should, sizeof should,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<v a=\"%s\">%s</v>\n", cases[i].should,
               cases[i].should);
      write_value(&d, cases[i].data, cases[i].count);
      assert_string_equal(d.collector.bytes, should);
      finish(&d);
   }
}

static int hex_digit(char c)
{
   return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What the header of pm_xml.h tells readers to do: each \xHH back into its byte. */
static size_t restore(const char *value, char *bytes)
{
   size_t count = 0;

   while (*value != '\0') {
      if (value[0] == '\\' && value[1] == 'x' && hex_digit(value[2]) >= 0 &&
          hex_digit(value[3]) >= 0) {
         bytes[count++] = (char)(hex_digit(value[2]) * 16 + hex_digit(value[3]));
         value += 4;
      } else {
         bytes[count++] = *value++;
      }
   }
   return count;
}

static void refuse_any_complaint(void *ctx, const char *format, ...)
{
   (void)ctx;
   fail_msg("libxml2 complains: %s", format);
}

/* Through libxml2 and back into the same bytes, from attribute and text. */
static void check_round_trip(const char *data, size_t count)
{
   struct document d;
   xmlDoc *tree;
   xmlChar *values[2];
   char *bytes;

   write_value(&d, data, count);
   tree = xmlReadMemory(d.collector.bytes, (int)d.collector.count, "value", NULL, XML_PARSE_HUGE);
   assert_non_null(tree);
   values[0] = xmlGetProp(xmlDocGetRootElement(tree), BAD_CAST "a");
   values[1] = xmlNodeGetContent(xmlDocGetRootElement(tree));
   for (int i = 0; i < 2; i++) {
      bytes = malloc((size_t)xmlStrlen(values[i]) + 1);
      assert_int_equal(restore((const char *)values[i], bytes), count);
      assert_memory_equal(bytes, data, count);
      free(bytes);
      xmlFree(values[i]);
   }
   xmlFreeDoc(tree);
   finish(&d);
}

static void every_pair_of_bytes_survives(void **state)
{
   (void)state;
   for (int first = 0; first < 256; first++) {
      /* All pairs with this first byte, none touching the next. */
      char data[256 * 3];

      for (int second = 0; second < 256; second++) {
         data[3 * second] = (char)first;
         data[3 * second + 1] = (char)second;
         data[3 * second + 2] = ' ';
      }
      check_round_trip(data, sizeof data);
   }
}

/* Made of what the notation and the encodings consist of, so that every collision
   is likely. */
static void random_data_survives(void **state)
{
   static const char *const parts[] = {
      "\\", "x", "5", "c", "\\x", "\\x5c", "\033", "\n", "&", "<", "&#10;", "]]>", "\"",
      "\xc3", "\xbc", "\xed\xa0", "\xef\xbf", "\xbe", "\xf4\x8f\xbf\xbd", "\xf4\x90", " ", "A",
   };
   enum { PARTS = sizeof parts / sizeof parts[0] };
   unsigned random = 1;

   (void)state;
   for (int round = 0; round < 20000; round++) {
      char data[128] = "";

      for (int i = 0; i < 12; i++) {
         random = random * 1103515245 + 12345;
         strcat(data, parts[(random >> 16) % PARTS]);
      }
      check_round_trip(data, strlen(data));
   }
}

static void the_buffer_leaves_no_seams(void **state)
{
   static char data[3 * PM_XML_BUFFER_BYTES];

   (void)state;
   for (size_t i = 0; i < sizeof data; i++)
      data[i] = "a<\033\xc3\xbc"[i % 5];
   for (size_t count = sizeof data - 20; count < sizeof data; count++)
      check_round_trip(data, count);
}

/* ---- Trouble. */

static void write_much(struct pm_xml *xml)
{
   pm_xml_open(xml, "much");
   for (int i = 0; i < 4000; i++) {
      pm_xml_open(xml, "element");
      pm_xml_attr_u64(xml, "n", (uint64_t)i);
      pm_xml_close(xml);
   }
   pm_xml_close(xml);
}

static void a_failed_write_is_remembered(void **state)
{
   struct document d;
   unsigned long writes;
   char *complete;

   (void)state;
   write_much(begin(&d));
   assert_true(pm_xml_end(&d.xml));
   writes = d.collector.writes;
   complete = d.collector.bytes;
   assert_true(writes >= 4);
   for (unsigned long fail_at = 1; fail_at <= writes; fail_at++) {
      begin(&d);
      d.collector.fail_at = fail_at;
      write_much(&d.xml);
      assert_false(pm_xml_end(&d.xml));
      assert_int_equal(d.collector.writes, fail_at); /* nothing was tried after it */
      assert_int_equal(d.collector.count, (fail_at - 1) * PM_XML_BUFFER_BYTES);
      if (d.collector.count > 0)
         assert_memory_equal(d.collector.bytes, complete, d.collector.count);
      finish(&d);
   }
   free(complete);
}

static void mock_broken(const char *file, int line, const char *invariant)
{
   mock_assert(false, invariant, file, line);
}

static void wrong_nesting_is_a_broken_invariant(void **state)
{
   struct document d;
   struct pm_xml *xml = begin(&d);

   (void)state;
   hosted_broken = mock_broken;
   expect_assert_failure(pm_xml_close(xml));
   expect_assert_failure(pm_xml_attr(xml, "a", ""));
   expect_assert_failure(pm_xml_text(xml, "t"));
   pm_xml_open(xml, "a");
   expect_assert_failure(pm_xml_end(xml));
   pm_xml_open(xml, "b");
   pm_xml_text(xml, "");
   expect_assert_failure(pm_xml_attr(xml, "a", "")); /* after the content */
   expect_assert_failure(pm_xml_text(xml, "t"));     /* a second text */
   expect_assert_failure(pm_xml_open(xml, "c"));     /* mixed content */
   pm_xml_close(xml);
   expect_assert_failure(pm_xml_text(xml, "t")); /* mixed content */
   for (int depth = 1; depth < PM_XML_DEPTH; depth++)
      pm_xml_open(xml, "deep");
   expect_assert_failure(pm_xml_open(xml, "deep"));
   finish(&d);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sample_report_comes_out_as_it_is),
      cmocka_unit_test(numbers_and_empty_elements),
      cmocka_unit_test(data_is_spelled_as_documented),
      cmocka_unit_test(values_end_where_they_are_told),
      cmocka_unit_test(every_pair_of_bytes_survives),
      cmocka_unit_test(random_data_survives),
      cmocka_unit_test(the_buffer_leaves_no_seams),
      cmocka_unit_test(a_failed_write_is_remembered),
      cmocka_unit_test(wrong_nesting_is_a_broken_invariant),
   };

   LIBXML_TEST_VERSION
   xmlSetGenericErrorFunc(NULL, refuse_any_complaint);
   return cmocka_run_group_tests_name("pm_xml", tests, NULL, NULL);
}
