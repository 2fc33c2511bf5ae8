/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_text.h: text helpers for code that has no libc.
 *
 * Numbers into text, bytes into hexadecimal, a hash, one step through UTF-8, and
 * the wildcard match of names. Nothing here allocates, keeps state or depends on
 * a locale; the same input gives the same bytes everywhere.
 *
 * Strings are NUL-terminated bytes unless a length stands beside them; order
 * and equality are those of unsigned bytes.
 */
#ifndef PM_TEXT_H
#define PM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that the longest text of each form needs, its NUL included. */
enum {
   PM_U64_TEXT = 21,         /* 18446744073709551615 */
   PM_I64_TEXT = 21,         /* -9223372036854775808 */
   PM_U64_GROUPED_TEXT = 27, /* 18,446,744,073,709,551,615 */
   PM_I64_GROUPED_TEXT = 27, /* -9,223,372,036,854,775,808 */
   PM_HEX_TEXT = 17          /* ffffffffffffffff */
};

/* Bytes that pm_bytes_text needs for `bytes` bytes, its NUL included. */
#define PM_BYTES_TEXT(bytes) (2 * (bytes) + 1)

size_t pm_strlen(const char *text);
bool pm_streq(const char *a, const char *b);

/* < 0, 0 or > 0 as a sorts before, with or after b. */
int pm_strcmp(const char *a, const char *b);
int pm_memcmp(const void *a, const void *b, size_t bytes);

/* A number as text, with its NUL; the result is the length without it.
   Decimal; `_grouped` puts a comma between groups of three digits. */
size_t pm_u64_text(char to[PM_U64_TEXT], uint64_t value);
size_t pm_i64_text(char to[PM_I64_TEXT], int64_t value);
size_t pm_u64_grouped(char to[PM_U64_GROUPED_TEXT], uint64_t value);
size_t pm_i64_grouped(char to[PM_I64_GROUPED_TEXT], int64_t value);

/* Lower-case hexadecimal without prefix, at least `digits` digits (1 to 16). */
size_t pm_hex_text(char to[PM_HEX_TEXT], uint64_t value, unsigned digits);

/* Each byte as two lower-case hexadecimal digits, in the order of memory; `to`
   holds PM_BYTES_TEXT(count). */
size_t pm_bytes_text(char *to, const void *bytes, size_t count);

/* FNV-1a, 64 bits: start with PM_FNV1A64_START, feed bytes in any portions. Not
   a cryptographic hash: it tells honest inputs apart, not forged ones. */
#define PM_FNV1A64_START UINT64_C(0xcbf29ce484222325)
uint64_t pm_fnv1a64(uint64_t hash, const void *bytes, size_t count);

/* One step through UTF-8: the length (1 to 4) of the character at `at`, of which
   `left` > 0 bytes are readable, and the character itself in *code. 0: no
   valid UTF-8 starts there (stray, missing or overlong bytes, surrogates, beyond
   U+10FFFF); *code is untouched and the caller deals with one byte. */
unsigned pm_utf8_step(const char *at, size_t left, uint32_t *code);

/* Whether the whole name fits the pattern, in which `*` stands for any bytes, also
   none, and `?` for exactly one byte; all others for themselves. At most
   strlen(pattern) x strlen(name) steps, whatever the pattern. */
bool pm_wildcard_match(const char *pattern, const char *name);

#endif
