/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_xml.c: a writer that streams an XML document to a sink; see pm_xml.h.
 *
 * A start tag stays without its > until it is known whether the element is
 * empty. Line ends are written before an element, not after it, so that a text
 * stands between its tags without blanks.
 */
#include "pm_xml.h"

#include "pm_host.h"
#include "pm_text.h"

static void flush(struct pm_xml *xml)
{
   if (!xml->failed && xml->used > 0)
      xml->failed = !xml->sink->write(xml->sink->ctx, xml->buffer, xml->used);
   xml->used = 0;
}

static void put_bytes(struct pm_xml *xml, const char *bytes, size_t count)
{
   while (count > 0) {
      size_t room = PM_XML_BUFFER_BYTES - xml->used;
      size_t part = count < room ? count : room;

      memcpy(xml->buffer + xml->used, bytes, part);
      xml->used += part;
      bytes += part;
      count -= part;
      if (xml->used == PM_XML_BUFFER_BYTES)
         flush(xml);
   }
}

static void put(struct pm_xml *xml, const char *text)
{
   put_bytes(xml, text, pm_strlen(text));
}

static void put_visible(struct pm_xml *xml, const char *bytes, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      char digits[PM_HEX_TEXT];

      pm_hex_text(digits, (unsigned char)bytes[i], 2);
      put(xml, "\\x");
      put_bytes(xml, digits, 2);
   }
}

static bool is_hex_digit(char c)
{
   return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Whether a reader would take the backslash at `at` for the start of \xHH. */
static bool looks_like_notation(const char *at, size_t left)
{
   return left >= 4 && at[1] == 'x' && is_hex_digit(at[2]) && is_hex_digit(at[3]);
}

/* How the character has to be written instead of as itself; NULL: as itself. */
static const char *reference(uint32_t code, bool in_attribute)
{
   switch (code) {
   case '&':
      return "&amp;";
   case '<':
      return "&lt;";
   case '>': /* for the sake of ]]> */
      return "&gt;";
   case '"':
      return in_attribute ? "&quot;" : NULL;
   case '\t':
      return "&#9;";
   case '\n':
      return "&#10;";
   case '\r':
      return "&#13;";
   default:
      return NULL;
   }
}

static bool is_shown_as_bytes(uint32_t code)
{
   return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0xfffe || code == 0xffff;
}

/* Untrusted bytes, written as the header says. */
static void put_data(struct pm_xml *xml, const char *bytes, size_t count, bool in_attribute)
{
   size_t done = 0;

   while (done < count) {
      const char *at = bytes + done, *instead;
      uint32_t code = 0;
      unsigned length = pm_utf8_step(at, count - done, &code);

      if (length == 0) {
         put_visible(xml, at, 1);
         length = 1;
      } else if ((instead = reference(code, in_attribute)) != NULL) {
         put(xml, instead);
      } else if (is_shown_as_bytes(code) ||
                 (code == '\\' && looks_like_notation(at, count - done))) {
         put_visible(xml, at, length);
      } else {
         put_bytes(xml, at, length);
      }
      done += length;
   }
}

/* The start tag gets its content. */
static void finish_tag(struct pm_xml *xml)
{
   if (xml->in_tag)
      put(xml, ">");
   xml->in_tag = false;
}

static void new_line(struct pm_xml *xml)
{
   put(xml, "\n");
   for (unsigned level = 0; level < xml->depth; level++)
      put(xml, "  ");
}

void pm_xml_begin(struct pm_xml *xml, const struct pm_host *host, const struct pm_xml_sink *sink)
{
   xml->host = host;
   xml->sink = sink;
   xml->failed = false;
   xml->in_tag = false;
   xml->has_text = false;
   xml->depth = 0;
   xml->used = 0;
   put(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
}

void pm_xml_open(struct pm_xml *xml, const char *element)
{
   PM_ASSERT(xml->host, xml->depth < PM_XML_DEPTH);
   PM_ASSERT(xml->host, !xml->has_text);
   finish_tag(xml);
   new_line(xml);
   put(xml, "<");
   put(xml, element);
   xml->open[xml->depth++] = element;
   xml->in_tag = true;
}

void pm_xml_attr(struct pm_xml *xml, const char *name, const char *value)
{
   pm_xml_attr_bytes(xml, name, value, pm_strlen(value));
}

void pm_xml_attr_bytes(struct pm_xml *xml, const char *name, const void *value, size_t count)
{
   PM_ASSERT(xml->host, xml->in_tag && !xml->has_text);
   put(xml, " ");
   put(xml, name);
   put(xml, "=\"");
   put_data(xml, value, count, true);
   put(xml, "\"");
}

void pm_xml_attr_u64(struct pm_xml *xml, const char *name, uint64_t value)
{
   char text[PM_U64_TEXT];

   pm_xml_attr_bytes(xml, name, text, pm_u64_text(text, value));
}

void pm_xml_attr_i64(struct pm_xml *xml, const char *name, int64_t value)
{
   char text[PM_I64_TEXT];

   pm_xml_attr_bytes(xml, name, text, pm_i64_text(text, value));
}

void pm_xml_text(struct pm_xml *xml, const char *text)
{
   pm_xml_text_bytes(xml, text, pm_strlen(text));
}

void pm_xml_text_bytes(struct pm_xml *xml, const void *text, size_t count)
{
   /* in_tag: nothing has been written into the element yet. */
   PM_ASSERT(xml->host, xml->in_tag && !xml->has_text);
   xml->has_text = true;
   if (count == 0)
      return;
   finish_tag(xml);
   put_data(xml, text, count, false);
}

void pm_xml_close(struct pm_xml *xml)
{
   PM_ASSERT(xml->host, xml->depth > 0);
   xml->depth--;
   if (xml->in_tag) {
      put(xml, "/>");
   } else {
      if (!xml->has_text)
         new_line(xml);
      put(xml, "</");
      put(xml, xml->open[xml->depth]);
      put(xml, ">");
   }
   xml->in_tag = false;
   xml->has_text = false;
}

bool pm_xml_end(struct pm_xml *xml)
{
   PM_ASSERT(xml->host, xml->depth == 0);
   put(xml, "\n");
   flush(xml);
   return !xml->failed;
}
