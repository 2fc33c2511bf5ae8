/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_text.c: untrusted names on a terminal. See pr_text.h. */
#include "pr_text.h"

#include <string.h>

/* Code points above 0x7F that are written out, in order. Characters that
   only look alike (homoglyphs) are beyond this: they are visible. */
static const struct {
   uint32_t first, last;
} hidden[] = {
   {0x0080, 0x009F},   /* C1 controls: 0x9B starts an escape sequence */
   {0x00AD, 0x00AD},   /* soft hyphen */
   {0x034F, 0x034F},   /* combining grapheme joiner */
   {0x061C, 0x061C},   /* Arabic letter mark */
   {0x115F, 0x1160},   /* Hangul fillers */
   {0x17B4, 0x17B5},   /* Khmer inherent vowels */
   {0x180B, 0x180F},   /* Mongolian variation selectors, vowel separator */
   {0x200B, 0x200F},   /* zero width, direction marks */
   {0x2028, 0x202E},   /* line, paragraph separator; bidi embeddings, overrides */
   {0x2060, 0x206F},   /* word joiner, invisible operators, bidi isolates */
   {0x3164, 0x3164},   /* Hangul filler */
   {0xE000, 0xF8FF},   /* private use: what it shows depends on the font */
   {0xFDD0, 0xFDEF},   /* noncharacters */
   {0xFE00, 0xFE0F},   /* variation selectors */
   {0xFEFF, 0xFEFF},   /* byte order mark */
   {0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
   {0xFFF0, 0xFFFB},   /* interlinear annotation */
   {0xFFFE, 0xFFFF},   /* noncharacters */
   {0x1BCA0, 0x1BCA3}, /* shorthand format */
   {0x1D173, 0x1D17A}, /* musical format */
   {0xE0000, 0x10FFFF}, /* tags, supplementary private use, the rest */
};

static bool is_hidden(uint32_t code_point)
{
   for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
      if (code_point >= hidden[i].first && code_point <= hidden[i].last)
         return true;
   return false;
}

size_t pr_text_decode(const char *from, size_t bytes, uint32_t *code_point)
{
   const unsigned char *text = (const unsigned char *)from;
   static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
   unsigned char lead = text[0];
   size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3
                   : lead < 0xF5 ? 4 : 0;
   if (length == 0 || length > bytes)
      return 0;
   uint32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
   for (size_t i = 1; i < length; i++) {
      if ((text[i] & 0xC0) != 0x80)
         return 0;
      value = value << 6 | (text[i] & 0x3F);
   }
   if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
      return 0;
   *code_point = value;
   return length;
}

/* The written-out form of one ASCII control character, code point or broken
   byte; "" if it is shown as it is. */
static void spell(char form[16], size_t length, uint32_t code_point, unsigned char byte)
{
   form[0] = '\0';
   if (length == 0 || code_point < 0x20 || code_point == 0x7F) {
      const char *named = byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : byte == '\r' ? "\\r" : NULL;
      if (named)
         strcpy(form, named);
      else
         snprintf(form, 16, "\\x%02x", byte);
   } else if (is_hidden(code_point)) {
      snprintf(form, 16, "\\u{%x}", (unsigned)code_point);
   }
}

/* Length of the run of plain ASCII at the start of the text: most text is one. */
static size_t plain_run(const unsigned char *text, size_t bytes)
{
   size_t length = 0;
   while (length < bytes && text[length] >= 0x20 && text[length] < 0x7F)
      length++;
   return length;
}

/* The next character, or byte that begins none: its bytes, and in `form` how it is
   written if not as it is. Returns its columns. */
static size_t next(const unsigned char *at, size_t bytes, char form[16], size_t *length)
{
   uint32_t code_point = 0;
   *length = pr_text_decode((const char *)at, bytes, &code_point);
   spell(form, *length, code_point, *at);
   if (*length == 0)
      *length = 1;
   return form[0] ? strlen(form) : 1;
}

size_t pr_text_write(FILE *out, const char *text, size_t bytes)
{
   const unsigned char *at = (const unsigned char *)text;
   size_t columns = 0;
   for (;;) {
      size_t plain = plain_run(at, bytes), length;
      columns += plain;
      if (out && plain)
         fwrite(at, 1, plain, out);
      at += plain;
      bytes -= plain;
      if (bytes == 0)
         return columns;
      char form[16];
      columns += next(at, bytes, form, &length);
      if (out && form[0])
         fputs(form, out);
      else if (out)
         fwrite(at, 1, length, out);
      at += length;
      bytes -= length;
   }
}

size_t pr_text_puts(FILE *out, const char *text)
{
   return text ? pr_text_write(out, text, strlen(text)) : 0;
}

size_t pr_text_puts_cut(FILE *out, const char *text, size_t columns)
{
   static const char gap[] = "...";
   enum { GAP = sizeof gap - 1 };
   size_t bytes = text ? strlen(text) : 0, all = pr_text_write(NULL, text, bytes);
   if (columns <= GAP)
      columns = GAP + 1;
   if (all <= columns)
      return pr_text_write(out, text, bytes);
   /* Whole characters only, so either part may be shorter than its half. */
   size_t head_most = (columns - GAP + 1) / 2, tail_most = (columns - GAP) / 2;
   const unsigned char *at = (const unsigned char *)text;
   size_t head_bytes = 0, head = 0, passed = 0, length;
   char form[16];
   while (all - passed > tail_most) {
      size_t width = next(at, bytes, form, &length);
      if (passed + width <= head_most) {
         head_bytes += length;
         head = passed + width;
      }
      passed += width;
      at += length;
      bytes -= length;
   }
   pr_text_write(out, text, head_bytes);
   if (out)
      fputs(gap, out);
   return head + GAP + pr_text_write(out, (const char *)at, bytes);
}

bool pr_text_is_command(const char *text)
{
   return text[0] == ':' && text[1] == ':';
}

size_t pr_text_puts_word(FILE *out, const char *word)
{
   static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789%+,-./:=@_";
   if (word[0] && !word[strspn(word, plain)] && !pr_text_is_command(word))
      return pr_text_puts(out, word);
   size_t columns = pr_text_puts(out, "'");
   for (const char *quote; (quote = strchr(word, '\'')) != NULL; word = quote + 1) {
      columns += pr_text_write(out, word, (size_t)(quote - word));
      columns += pr_text_puts(out, "'\\''");
   }
   return columns + pr_text_puts(out, word) + pr_text_puts(out, "'");
}
