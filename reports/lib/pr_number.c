/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_number.c: 64-bit numbers as text. See pr_number.h. */
#include "pr_number.h"

#include <stdio.h>
#include <string.h>

enum pr_number_result pr_number_parse_unsigned(const char *text, size_t bytes, uint64_t *value)
{
   if (bytes == 0 || (bytes > 1 && text[0] == '0'))
      return PR_NUMBER_MALFORMED;
   uint64_t sum = 0;
   bool fits = true;
   /* To the end even when it no longer fits: "99999999999999999999x" is
      malformed, not merely large. */
   for (size_t i = 0; i < bytes; i++) {
      if (text[i] < '0' || text[i] > '9')
         return PR_NUMBER_MALFORMED;
      fits = fits && !__builtin_mul_overflow(sum, 10, &sum)
             && !__builtin_add_overflow(sum, (uint64_t)(text[i] - '0'), &sum);
   }
   if (!fits)
      return PR_NUMBER_OUT_OF_RANGE;
   *value = sum;
   return PR_NUMBER_OK;
}

enum pr_number_result pr_number_parse_signed(const char *text, size_t bytes, int64_t *value)
{
   bool is_negative = bytes > 0 && text[0] == '-';
   uint64_t magnitude = 0;
   enum pr_number_result result =
      pr_number_parse_unsigned(text + is_negative, bytes - is_negative, &magnitude);
   if (result != PR_NUMBER_OK)
      return result;
   if (is_negative && magnitude == 0)
      return PR_NUMBER_MALFORMED;
   if (magnitude > (uint64_t)INT64_MAX + is_negative)
      return PR_NUMBER_OUT_OF_RANGE;
   *value = is_negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
   return PR_NUMBER_OK;
}

struct pr_number pr_number_of_unsigned(uint64_t value)
{
   return (struct pr_number){false, value};
}

struct pr_number pr_number_of_signed(int64_t value)
{
   return pr_number_of_wide(value);
}

struct pr_number pr_number_of_wide(__int128 value)
{
   bool is_negative = value < 0;
   unsigned __int128 magnitude = (unsigned __int128)value;
   return (struct pr_number){is_negative, is_negative ? -magnitude : magnitude};
}

const char *pr_number_format(char text[PR_NUMBER_TEXT_BYTES], struct pr_number number)
{
   /* From the last digit to the first, into the end of the buffer. */
   size_t start = PR_NUMBER_TEXT_BYTES - 1;
   text[start] = '\0';
   int digits = 0;
   unsigned __int128 rest = number.magnitude;
   do {
      if (digits > 0 && digits % 3 == 0)
         text[--start] = ',';
      text[--start] = (char)('0' + (int)(rest % 10));
      rest /= 10;
      digits++;
   } while (rest);
   if (number.is_negative)
      text[--start] = '-';
   return memmove(text, text + start, PR_NUMBER_TEXT_BYTES - start);
}

const char *pr_number_format_scaled(char text[PR_NUMBER_TEXT_BYTES], struct pr_number bytes)
{
   static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
   enum { UNITS = sizeof units / sizeof units[0] };
   if (bytes.magnitude < 1024) {
      text[0] = '\0';
      return text;
   }
   unsigned unit = 0;
   unsigned __int128 one = 1024; /* bytes in the unit */
   unsigned __int128 hundredths;
   /* Choose after rounding, so that 1 MiB less one byte is "1.00 MiB" and not
      "1024.00 KiB". */
   for (;;) {
      hundredths = (bytes.magnitude * 100 + one / 2) / one;
      if (hundredths < 102400 || unit + 1 == UNITS)
         break;
      unit++;
      one *= 1024;
   }
   snprintf(text, PR_NUMBER_TEXT_BYTES, "%s%llu.%02u %s", bytes.is_negative ? "-" : "",
            (unsigned long long)(hundredths / 100), (unsigned)(hundredths % 100), units[unit]);
   return text;
}
