/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_lines.c: small text files that people write, line by line. See pr_lines.h. */
#include "pr_lines.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pr_text.h"

enum { FILE_BYTES_MAX = 16 << 20 };

char *pr_lines_read(FILE *in, size_t *bytes, const char **reason)
{
   size_t room = 4096;
   char *text = malloc(room);
   *bytes = 0;
   *reason = "no memory left";
   while (text) {
      errno = 0;
      *bytes += fread(text + *bytes, 1, room - *bytes, in);
      if (ferror(in)) {
         *reason = errno ? strerror(errno) : "the input failed";
         break;
      }
      if (*bytes > FILE_BYTES_MAX) {
         *reason = "it has more than 16 MiB";
         break;
      }
      if (*bytes < room)
         return text;
      room *= 2;
      char *more = realloc(text, room);
      if (!more)
         break;
      text = more;
   }
   free(text);
   return NULL;
}

void pr_lines_init(struct pr_lines *lines, const char *text, size_t bytes, unsigned long first)
{
   bool has_mark = bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0;
   *lines = (struct pr_lines){
      .number = first - 1, .next = text + (has_mark ? 3 : 0), .last = text + bytes};
}

bool pr_lines_next(struct pr_lines *lines)
{
   if (lines->next >= lines->last)
      return false;
   const char *newline = memchr(lines->next, '\n', (size_t)(lines->last - lines->next));
   lines->start = lines->next;
   lines->end = newline ? newline : lines->last;
   lines->next = newline ? newline + 1 : lines->last;
   lines->number++;
   if (lines->end > lines->start && lines->end[-1] == '\r')
      lines->end--;
   return true;
}

unsigned long pr_lines_column(const char *start, const char *at)
{
   unsigned long column = 1;
   for (const char *c = start; c < at; c++)
      column += ((unsigned char)*c & 0xC0) != 0x80;
   return column;
}

const char *pr_lines_wrong(const char *start, const char *end,
                           char reason[PR_LINES_REASON_BYTES])
{
   for (const char *at = start; at < end;) {
      uint32_t code_point;
      size_t length = pr_text_decode(at, (size_t)(end - at), &code_point);
      if (length == 0) {
         snprintf(reason, PR_LINES_REASON_BYTES, "expected UTF-8, not the byte 0x%02x",
                  (unsigned char)*at);
         return at;
      }
      if ((code_point < 0x20 && code_point != '\t') || code_point == 0x7F) {
         snprintf(reason, PR_LINES_REASON_BYTES, "expected no control character, not 0x%02x",
                  (unsigned)code_point);
         return at;
      }
      at += length;
   }
   return NULL;
}
