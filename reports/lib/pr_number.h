/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_number.h: 64-bit numbers as text, both ways, without rounding or surprise.
 *
 * Reading accepts exactly one spelling of each number: decimal digits, no
 * leading zero, no plus sign, no blanks, `-` only before a signed number that
 * is not 0. Whatever does not fit 64 bits is refused, never wrapped.
 */
#ifndef PR_NUMBER_H
#define PR_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pr_number_result {
   PR_NUMBER_OK,
   PR_NUMBER_MALFORMED,
   PR_NUMBER_OUT_OF_RANGE,
};

enum pr_number_result pr_number_parse_unsigned(const char *text, size_t bytes, uint64_t *value);
enum pr_number_result pr_number_parse_signed(const char *text, size_t bytes, int64_t *value);

/* Enough for every text made here, NUL included: a sign, 39 digits (128
   bits) and 12 separators fit. */
enum { PR_NUMBER_TEXT_BYTES = 56 };

/* A number and its sign apart, so that one formatter serves signed and
   unsigned ones and the sums and differences of both. */
struct pr_number {
   bool is_negative;
   unsigned __int128 magnitude;
};

struct pr_number pr_number_of_unsigned(uint64_t value);
struct pr_number pr_number_of_signed(int64_t value);
struct pr_number pr_number_of_wide(__int128 value);

/* "1,234,567", "-42". Returns `text`. */
const char *pr_number_format(char text[PR_NUMBER_TEXT_BYTES], struct pr_number number);

/* Bytes as "1.50 KiB", "-3.00 MiB", rounded to two decimals, half up; "" below
   1 KiB, where the exact number is short enough. Returns `text`. */
const char *pr_number_format_scaled(char text[PR_NUMBER_TEXT_BYTES], struct pr_number bytes);

#endif
