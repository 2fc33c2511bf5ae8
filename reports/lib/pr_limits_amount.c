/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_amount.c: numbers of a limits file. See the header.
 *
 * A decimal has at most 20 digits before its point and 9 behind it, so it is below 2^97,
 * and times the largest unit, 2^30, below 2^127.
 */
#include "pr_limits_amount.h"

#include <string.h>

const struct pr_unit pr_units[] = {
   {"GiB", 1024 * 1024 * 1024, true},
   {"MiB", 1024 * 1024, true},
   {"KiB", 1024, true},
   {"GB", 1000 * 1000 * 1000, true},
   {"MB", 1000 * 1000, true},
   {"kB", 1000, true},
   {"B", 1, true},
   {"G", 1000 * 1000 * 1000, false},
   {"M", 1000 * 1000, false},
   {"k", 1000, false},
   {NULL, 1, false},
};

const struct pr_unit *pr_unit_find(const char *name, size_t bytes)
{
   for (const struct pr_unit *unit = pr_units; unit->name; unit++)
      if (strlen(unit->name) == bytes && memcmp(unit->name, name, bytes) == 0)
         return unit;
   return NULL;
}

static bool is_digit(const char *at, const char *end)
{
   return at < end && *at >= '0' && *at <= '9';
}

const char *pr_decimal_parse(const char **at, const char *end, struct pr_decimal *decimal)
{
   const char *start = *at, *next = start;
   uint64_t whole = 0;
   bool fits = true;
   *decimal = (struct pr_decimal){0, 1};
   for (; is_digit(next, end); next++)
      fits = fits && !__builtin_mul_overflow(whole, 10, &whole)
             && !__builtin_add_overflow(whole, (uint64_t)(*next - '0'), &whole);
   if (next == start)
      return "expected a number";
   if (*start == '0' && next - start > 1)
      return "expected a number without leading zeros";
   decimal->digits = whole;
   if (next < end && *next == '.') {
      const char *point = next++;
      for (; is_digit(next, end) && next - point <= PR_DECIMALS_MAX; next++) {
         decimal->digits = decimal->digits * 10 + (unsigned)(*next - '0');
         decimal->parts *= 10;
      }
      if (next - point == 1)
         return "expected digits behind the point";
      if (is_digit(next, end))
         return "expected at most 9 digits behind the point";
   }
   if (!fits)
      return "expected a number that fits 64 bits";
   *at = next;
   return NULL;
}

const char *pr_decimal_scale(const struct pr_decimal *decimal, uint64_t factor,
                             uint64_t *number)
{
   unsigned __int128 product = decimal->digits * factor;
   if (product % decimal->parts != 0)
      return "expected a whole number";
   product /= decimal->parts;
   if (product > UINT64_MAX)
      return "expected a number that fits 64 bits";
   *number = (uint64_t)product;
   return NULL;
}
