/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print.h: `name=value` lines from a program without a libc. */
#ifndef PRINT_H
#define PRINT_H

#include "freestanding.h"

static inline void print(const char *name, uint64_t value)
{
   char line[128];
   size_t length = 0;
   while (*name != '\0')
      line[length++] = *name++;
   line[length++] = '=';
   char digits[20];
   unsigned count = 0;
   do
      digits[count++] = (char)('0' + value % 10);
   while ((value /= 10) != 0);
   while (count > 0)
      line[length++] = digits[--count];
   line[length++] = '\n';
   system_call(__NR_write, 1, (long)line, (long)length, 0, 0, 0);
}

#endif
