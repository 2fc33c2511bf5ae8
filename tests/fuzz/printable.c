/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printable.c: what fuzz targets of the report program require of its output. */
#include "printable.h"

#include <stdio.h>
#include <stdlib.h>

void require(bool condition, const char *what)
{
   if (condition)
      return;
   fprintf(stderr, "not true: %s\n", what);
   abort();
}

/* Length of the UTF-8 sequence at the start of the text; 0: there is none.
   From the Unicode standard's table 3-7, not from pr_text.c, which is tested. */
static size_t sequence(const unsigned char *text, size_t bytes)
{
   static const struct {
      unsigned char lead_first, lead_last, second_first, second_last, length;
   } rows[] = {
      {0x00, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
      {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
      {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
   };
   for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      size_t length = rows[i].length;
      if (text[0] < rows[i].lead_first || text[0] > rows[i].lead_last)
         continue;
      if (length > bytes)
         return 0;
      if (length > 1 && (text[1] < rows[i].second_first || text[1] > rows[i].second_last))
         return 0;
      for (size_t j = 2; j < length; j++)
         if (text[j] < 0x80 || text[j] > 0xBF)
            return 0;
      return length;
   }
   return 0;
}

void require_printable(const char *text, size_t bytes)
{
   const unsigned char *at = (const unsigned char *)text;
   while (bytes > 0) {
      size_t length = sequence(at, bytes);
      require(length > 0, "output is UTF-8");
      require((at[0] >= 0x20 && at[0] != 0x7F) || at[0] == '\n', "no control character");
      require(!(at[0] == 0xC2 && at[1] < 0xA0), "no C1 control character");
      require(!(at[0] == 0xE2 && at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE),
              "no bidi override, no line separator");
      require(!(at[0] == 0xE2 && at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9),
              "no bidi isolate");
      at += length;
      bytes -= length;
   }
}
