/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_text.c: text helpers for code that has no libc; see pm_text.h. */
#include "pm_text.h"

#include "pm_host.h"

static const char hex_digits[] = "0123456789abcdef";

size_t pm_strlen(const char *text)
{
   const char *end = text;

   while (*end != '\0')
      end++;
   return (size_t)(end - text);
}

bool pm_streq(const char *a, const char *b)
{
   return pm_strcmp(a, b) == 0;
}

int pm_strcmp(const char *a, const char *b)
{
   while (*a != '\0' && *a == *b) {
      a++;
      b++;
   }
   return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

int pm_memcmp(const void *a, const void *b, size_t bytes)
{
   const unsigned char *pa = a, *pb = b;

   for (size_t i = 0; i < bytes; i++)
      if (pa[i] != pb[i])
         return (int)pa[i] - (int)pb[i];
   return 0;
}

/* The digits are produced from the last one, so they are laid down at the end of
   a scratch buffer and copied from where they begin. */
static size_t decimal(char *to, uint64_t magnitude, bool minus, bool grouped)
{
   char scratch[PM_I64_GROUPED_TEXT];
   size_t first = sizeof scratch;
   unsigned digits = 0;

   scratch[--first] = '\0';
   do {
      if (grouped && digits > 0 && digits % 3 == 0)
         scratch[--first] = ',';
      scratch[--first] = (char)('0' + magnitude % 10);
      magnitude /= 10;
      digits++;
   } while (magnitude > 0);
   if (minus)
      scratch[--first] = '-';
   memcpy(to, scratch + first, sizeof scratch - first);
   return sizeof scratch - first - 1;
}

/* Correct for INT64_MIN too, whose magnitude no int64_t holds. */
static uint64_t magnitude_of(int64_t value)
{
   return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

size_t pm_u64_text(char to[PM_U64_TEXT], uint64_t value)
{
   return decimal(to, value, false, false);
}

size_t pm_i64_text(char to[PM_I64_TEXT], int64_t value)
{
   return decimal(to, magnitude_of(value), value < 0, false);
}

size_t pm_u64_grouped(char to[PM_U64_GROUPED_TEXT], uint64_t value)
{
   return decimal(to, value, false, true);
}

size_t pm_i64_grouped(char to[PM_I64_GROUPED_TEXT], int64_t value)
{
   return decimal(to, magnitude_of(value), value < 0, true);
}

size_t pm_hex_text(char to[PM_HEX_TEXT], uint64_t value, unsigned digits)
{
   unsigned length = digits < 1 ? 1 : digits > 16 ? 16 : digits;

   while (length < 16 && value >> (4 * length) != 0)
      length++;
   for (unsigned i = 0; i < length; i++)
      to[i] = hex_digits[value >> (4 * (length - 1 - i)) & 15];
   to[length] = '\0';
   return length;
}

size_t pm_bytes_text(char *to, const void *bytes, size_t count)
{
   const unsigned char *from = bytes;

   for (size_t i = 0; i < count; i++) {
      to[2 * i] = hex_digits[from[i] >> 4];
      to[2 * i + 1] = hex_digits[from[i] & 15];
   }
   to[2 * count] = '\0';
   return 2 * count;
}

uint64_t pm_fnv1a64(uint64_t hash, const void *bytes, size_t count)
{
   const unsigned char *from = bytes;

   for (size_t i = 0; i < count; i++)
      hash = (hash ^ from[i]) * UINT64_C(0x100000001b3);
   return hash;
}

unsigned pm_utf8_step(const char *at, size_t left, uint32_t *code)
{
   /* The smallest character that needs a sequence of this length: anything
      below is an overlong form. */
   static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
   const unsigned char *byte = (const unsigned char *)at;
   unsigned length;
   uint32_t value;

   if (byte[0] < 0x80) {
      length = 1;
      value = byte[0];
   } else if ((byte[0] & 0xe0) == 0xc0) {
      length = 2;
      value = byte[0] & 0x1f;
   } else if ((byte[0] & 0xf0) == 0xe0) {
      length = 3;
      value = byte[0] & 0x0f;
   } else if ((byte[0] & 0xf8) == 0xf0) {
      length = 4;
      value = byte[0] & 0x07;
   } else {
      return 0;
   }
   if (length > left)
      return 0;
   for (unsigned i = 1; i < length; i++) {
      if ((byte[i] & 0xc0) != 0x80)
         return 0;
      value = value << 6 | (byte[i] & 0x3f);
   }
   if (value < smallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
      return 0;
   *code = value;
   return length;
}

/* When the text after a star does not fit, only the latest star needs to swallow
   one byte more: an earlier star that swallowed more could not help, because the
   latest one can reach everything that lies behind. Hence no recursion, and no
   exponential search. */
bool pm_wildcard_match(const char *pattern, const char *name)
{
   const char *after_star = NULL; /* pattern behind the latest star */
   const char *retry = NULL;      /* where in the name that star ends now */

   while (*name != '\0') {
      if (*pattern == '*') {
         after_star = ++pattern;
         retry = name;
      } else if (*pattern != '\0' && (*pattern == '?' || *pattern == *name)) {
         pattern++;
         name++;
      } else if (after_star != NULL) {
         pattern = after_star;
         name = ++retry;
      } else {
         return false;
      }
   }
   while (*pattern == '*')
      pattern++;
   return *pattern == '\0';
}
