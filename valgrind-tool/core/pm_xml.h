/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_xml.h: a writer that streams an XML document to a sink.
 *
 * How does a report get out without a copy of it in memory, and without a byte
 * of the program's names being able to break it? Elements are opened, given
 * attributes, filled and closed in document order; the text leaves through a
 * fixed buffer. The same calls give the same bytes.
 *
 *    pm_xml_begin(x, host, sink);
 *    pm_xml_open(x, "run");
 *    pm_xml_open(x, "arg");
 *    pm_xml_text(x, argument);
 *    pm_xml_close(x);
 *    pm_xml_close(x);
 *    complete = pm_xml_end(x);
 *
 * Form: one element a line, two spaces of indentation a level, <x/> for one
 * without content. An element holds either elements or one text.
 *
 * Element and attribute names are literals of the caller, valid XML names that
 * outlive their element, no attribute twice: they are not checked. Values and
 * texts are data, any bytes at all:
 *
 *    & < >            always as &amp; &lt; &gt;, in attributes " as &quot;
 *    tab, newline,    as &#9; &#10; &#13;, so that no reader normalises them
 *    carriage return
 *    what cannot or   each byte visible as \xHH, two lower-case hexadecimal
 *    must not stand   digits: the other control characters (C0, DEL, C1),
 *    in XML 1.0       U+FFFE, U+FFFF, and bytes that are not valid UTF-8
 *    a backslash      as itself, unless x and two hexadecimal digits (of either
 *                     case) follow in the value: then as \x5c
 *
 * So a backslash before x and two hexadecimal digits always begins a notation, any
 * other backslash is one, and turning each \xHH back into its byte restores
 * every value exactly; `a\n` or `C:\dir` stays as readable as it was.
 *
 * Trouble with the sink is remembered: the writer goes on accepting calls and
 * writes nothing more; pm_xml_end says so. Wrong nesting is a broken invariant.
 */
#ifndef PM_XML_H
#define PM_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pm_host;

enum {
   PM_XML_DEPTH = 32,             /* elements open at the same time */
   PM_XML_BUFFER_BYTES = 16 * 1024
};

struct pm_xml_sink {
   /* Take all `count` bytes or return false. */
   bool (*write)(void *ctx, const void *bytes, size_t count);
   void *ctx;
};

struct pm_xml {
   const struct pm_host *host;
   const struct pm_xml_sink *sink;
   bool failed;   /* the sink has refused bytes; nothing is written any more */
   bool in_tag;   /* the latest start tag still takes attributes: no > yet */
   bool has_text; /* the innermost element was given its text */
   unsigned depth;
   const char *open[PM_XML_DEPTH]; /* names of the open elements, outermost first */
   size_t used;                    /* bytes waiting in the buffer */
   char buffer[PM_XML_BUFFER_BYTES];
};

/* Start a document. `host` and `sink` outlive it. */
void pm_xml_begin(struct pm_xml *xml, const struct pm_host *host, const struct pm_xml_sink *sink);

void pm_xml_open(struct pm_xml *xml, const char *element);

/* For the element opened last, before its content. */
void pm_xml_attr(struct pm_xml *xml, const char *name, const char *value);
void pm_xml_attr_bytes(struct pm_xml *xml, const char *name, const void *value, size_t count);
void pm_xml_attr_u64(struct pm_xml *xml, const char *name, uint64_t value);
void pm_xml_attr_i64(struct pm_xml *xml, const char *name, int64_t value);

/* The content of an element without children, once. An empty text is no
   content: <x/>. */
void pm_xml_text(struct pm_xml *xml, const char *text);
void pm_xml_text_bytes(struct pm_xml *xml, const void *text, size_t count);

/* Close the element opened last. */
void pm_xml_close(struct pm_xml *xml);

/* The document is complete, every element closed. True: the sink took every
   byte of it. */
bool pm_xml_end(struct pm_xml *xml);

#endif
