/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_text.c: the text helpers against libc and against counting arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pm_text.h"

/* Numbers at which the length or a carry changes. */
static const uint64_t edges[] = {
   0, 1, 9, 10, 99, 100, 999, 1000, 1001, 9999, 10000, 99999, 100000, 999999, 1000000,
   999999999, 1000000000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
   INT64_MAX, UINT64_C(0x8000000000000000), UINT64_MAX - 1, UINT64_MAX,
};

enum { EDGES = sizeof edges / sizeof edges[0] };

static void remove_commas(char *text)
{
   char *to = text;

   for (const char *from = text; *from != '\0'; from++)
      if (*from != ',')
         *to++ = *from;
   *to = '\0';
}

/* Commas before every third digit from the end and nowhere else. */
static void check_commas(const char *text)
{
   size_t length = strlen(text), first = text[0] == '-' ? 1 : 0;

   for (size_t i = first; i < length; i++)
      assert_int_equal(text[i] == ',', (length - i) % 4 == 0);
   assert_int_not_equal(text[first], ',');
}

static void decimal_is_that_of_printf(void **state)
{
   char is[64], should[64];
   size_t length;

   (void)state;
   for (int i = 0; i < EDGES; i++) {
      uint64_t value = edges[i];
      int64_t negative = (int64_t)(0 - value);

      sprintf(should, "%" PRIu64, value);
      assert_int_equal(pm_u64_text(is, value), strlen(should));
      assert_string_equal(is, should);
      length = pm_u64_grouped(is, value);
      assert_int_equal(length, strlen(is));
      check_commas(is);
      remove_commas(is);
      assert_string_equal(is, should);

      sprintf(should, "%" PRId64, negative);
      assert_int_equal(pm_i64_text(is, negative), strlen(should));
      assert_string_equal(is, should);
      length = pm_i64_grouped(is, negative);
      assert_int_equal(length, strlen(is));
      check_commas(is);
      remove_commas(is);
      assert_string_equal(is, should);
   }
}

static void the_longest_texts_just_fit(void **state)
{
   /* On the heap, so that AddressSanitizer sees a byte too many. */
   char *text = malloc(PM_U64_TEXT);

   (void)state;
   assert_int_equal(pm_u64_text(text, UINT64_MAX), PM_U64_TEXT - 1);
   free(text);
   text = malloc(PM_I64_TEXT);
   assert_int_equal(pm_i64_text(text, INT64_MIN), PM_I64_TEXT - 1);
   free(text);
   text = malloc(PM_U64_GROUPED_TEXT);
   assert_int_equal(pm_u64_grouped(text, UINT64_MAX), PM_U64_GROUPED_TEXT - 1);
   assert_string_equal(text, "18,446,744,073,709,551,615");
   free(text);
   text = malloc(PM_I64_GROUPED_TEXT);
   assert_int_equal(pm_i64_grouped(text, INT64_MIN), PM_I64_GROUPED_TEXT - 1);
   assert_string_equal(text, "-9,223,372,036,854,775,808");
   free(text);
   text = malloc(PM_HEX_TEXT);
   assert_int_equal(pm_hex_text(text, UINT64_MAX, 1), PM_HEX_TEXT - 1);
   free(text);
}

static void hexadecimal_is_that_of_printf(void **state)
{
   char is[PM_HEX_TEXT], should[64];

   (void)state;
   for (int i = 0; i < EDGES; i++)
      for (unsigned digits = 1; digits <= 16; digits++) {
         sprintf(should, "%0*" PRIx64, (int)digits, edges[i]);
         assert_int_equal(pm_hex_text(is, edges[i], digits), strlen(should));
         assert_string_equal(is, should);
      }
}

static void bytes_keep_the_order_of_memory(void **state)
{
   const unsigned char bytes[] = {0x00, 0x0f, 0xa0, 0xff};
   char text[PM_BYTES_TEXT(sizeof bytes)];

   (void)state;
   assert_int_equal(pm_bytes_text(text, bytes, sizeof bytes), 8);
   assert_string_equal(text, "000fa0ff");
   assert_int_equal(pm_bytes_text(text, bytes, 0), 0);
   assert_string_equal(text, "");
}

static int sign(int value)
{
   return (value > 0) - (value < 0);
}

static void strings_compare_as_in_libc(void **state)
{
   static const char *const texts[] = {"", "a", "ab", "b", "B", "\x7f", "\x80", "\xff", "ab\xff"};
   enum { TEXTS = sizeof texts / sizeof texts[0] };

   (void)state;
   for (int i = 0; i < TEXTS; i++) {
      assert_int_equal(pm_strlen(texts[i]), strlen(texts[i]));
      for (int j = 0; j < TEXTS; j++) {
         int should = sign(strcmp(texts[i], texts[j]));
         size_t common = strlen(texts[i]) < strlen(texts[j]) ? strlen(texts[i]) : strlen(texts[j]);

         assert_int_equal(sign(pm_strcmp(texts[i], texts[j])), should);
         assert_int_equal(pm_streq(texts[i], texts[j]), should == 0);
         assert_int_equal(sign(pm_memcmp(texts[i], texts[j], common)),
                          sign(memcmp(texts[i], texts[j], common)));
      }
   }
}

/* Values from the authors' own test vectors. */
static void fnv1a64_gives_the_published_values(void **state)
{
   uint64_t hash;

   (void)state;
   assert_true(pm_fnv1a64(PM_FNV1A64_START, "", 0) == UINT64_C(0xcbf29ce484222325));
   assert_true(pm_fnv1a64(PM_FNV1A64_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
   assert_true(pm_fnv1a64(PM_FNV1A64_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
   hash = pm_fnv1a64(PM_FNV1A64_START, "foo", 3);
   assert_true(pm_fnv1a64(hash, "bar", 3) == UINT64_C(0x85944171f73967e8));
}

static size_t encode(uint32_t code, char *to)
{
   if (code < 0x80)
      return (size_t)sprintf(to, "%c", (int)code);
   if (code < 0x800)
      return (size_t)sprintf(to, "%c%c", (int)(0xc0 | code >> 6), (int)(0x80 | (code & 63)));
   if (code < 0x10000)
      return (size_t)sprintf(to, "%c%c%c", (int)(0xe0 | code >> 12),
                             (int)(0x80 | (code >> 6 & 63)), (int)(0x80 | (code & 63)));
   return (size_t)sprintf(to, "%c%c%c%c", (int)(0xf0 | code >> 18),
                          (int)(0x80 | (code >> 12 & 63)), (int)(0x80 | (code >> 6 & 63)),
                          (int)(0x80 | (code & 63)));
}

static bool is_surrogate(uint32_t code)
{
   return code >= 0xd800 && code <= 0xdfff;
}

static void every_character_decodes(void **state)
{
   (void)state;
   for (uint32_t code = 0; code <= 0x10ffff; code++) {
      uint32_t is = 0xdeadbeef;
      char bytes[8];
      size_t length = encode(code, bytes);

      if (is_surrogate(code)) {
         if (pm_utf8_step(bytes, length, &is) != 0)
            fail_msg("surrogate U+%04" PRIX32 " was accepted", code);
         continue;
      }
      if (pm_utf8_step(bytes, length, &is) != length || is != code)
         fail_msg("U+%04" PRIX32 " was not decoded", code);
      for (size_t left = 1; left < length; left++)
         if (pm_utf8_step(bytes, left, &is) != 0)
            fail_msg("U+%04" PRIX32 " was decoded from %zu bytes", code, left);
   }
}

/* Every character has been accepted above; if the number of sequences that are
   accepted is the number of characters, nothing else is. Bytes behind the first
   are varied over a valid and an invalid class each. */
static void nothing_else_decodes(void **state)
{
   unsigned long accepted[5] = {0};
   uint32_t code;

   (void)state;
   for (unsigned first = 0; first < 256; first++) {
      unsigned behind = first < 0xc0 || first >= 0xf8 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
      unsigned long sequences = 1UL << (6 * behind);

      for (unsigned long n = 0; n < sequences; n++) {
         char bytes[4] = {(char)first, (char)(0x80 | (n & 63)), (char)(0x80 | (n >> 6 & 63)),
                          (char)(0x80 | (n >> 12 & 63))};
         unsigned length = pm_utf8_step(bytes, sizeof bytes, &code);

         accepted[length]++;
         if (length != 0 && length != behind + 1)
            fail_msg("%02x starts %u bytes", first, length);
      }
   }
   assert_int_equal(accepted[1], 0x80);
   assert_int_equal(accepted[2], 0x800 - 0x80);
   assert_int_equal(accepted[3], 0x10000 - 0x800 - 0x800);
   assert_int_equal(accepted[4], 0x110000 - 0x10000);
}

static void a_byte_that_does_not_continue_ends_it(void **state)
{
   static const char bad[] = {'\0', 'a', '\x7f', '\xc0', '\xff'};
   uint32_t code;

   (void)state;
   for (size_t b = 0; b < sizeof bad; b++)
      for (unsigned position = 1; position < 4; position++) {
         char bytes[] = "\xf0\x9f\x98\x80"; /* U+1F600 */

         bytes[position] = bad[b];
         assert_int_equal(pm_utf8_step(bytes, 4, &code), 0);
      }
}

/* All patterns up to 5 and names up to 6 characters; fnmatch has the last word. */
static void wildcards_match_as_fnmatch_says(void **state)
{
   static const char pattern_letters[] = "ab*?", name_letters[] = "ab";
   unsigned compared = 0;

   (void)state;
   for (unsigned pattern_length = 0; pattern_length <= 5; pattern_length++)
      for (unsigned p = 0; p < 1u << (2 * pattern_length); p++) {
         char pattern[6] = "";

         for (unsigned i = 0; i < pattern_length; i++)
            pattern[i] = pattern_letters[p >> (2 * i) & 3];
         for (unsigned name_length = 0; name_length <= 6; name_length++)
            for (unsigned n = 0; n < 1u << name_length; n++) {
               char name[7] = "";

               for (unsigned i = 0; i < name_length; i++)
                  name[i] = name_letters[n >> i & 1];
               if (pm_wildcard_match(pattern, name) != (fnmatch(pattern, name, 0) == 0))
                  fail_msg("pattern '%s', name '%s'", pattern, name);
               compared++;
            }
      }
   assert_int_equal(compared, 1365 * 127);
}

static void other_characters_stand_for_themselves(void **state)
{
   (void)state;
   assert_true(pm_wildcard_match("operator new[](*)", "operator new[](unsigned long)"));
   assert_false(pm_wildcard_match("operator new[]", "operator newx"));
   assert_true(pm_wildcard_match("a\\*", "a\\b"));
   assert_true(pm_wildcard_match("\xff?", "\xff\x80"));
}

/* A matcher that tries every combination of star lengths would not come back. */
static void wildcards_do_not_explode(void **state)
{
   char pattern[101], name[20001];

   (void)state;
   memset(name, 'a', sizeof name - 1);
   name[sizeof name - 1] = '\0';
   for (size_t i = 0; i + 1 < sizeof pattern; i++)
      pattern[i] = i % 2 == 0 ? 'a' : '*';
   pattern[sizeof pattern - 2] = 'b';
   pattern[sizeof pattern - 1] = '\0';
   alarm(30);
   assert_false(pm_wildcard_match(pattern, name));
   alarm(0);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(decimal_is_that_of_printf),
      cmocka_unit_test(the_longest_texts_just_fit),
      cmocka_unit_test(hexadecimal_is_that_of_printf),
      cmocka_unit_test(bytes_keep_the_order_of_memory),
      cmocka_unit_test(strings_compare_as_in_libc),
      cmocka_unit_test(fnv1a64_gives_the_published_values),
      cmocka_unit_test(every_character_decodes),
      cmocka_unit_test(nothing_else_decodes),
      cmocka_unit_test(a_byte_that_does_not_continue_ends_it),
      cmocka_unit_test(wildcards_match_as_fnmatch_says),
      cmocka_unit_test(other_characters_stand_for_themselves),
      cmocka_unit_test(wildcards_do_not_explode),
   };

   return cmocka_run_group_tests_name("pm_text", tests, NULL, NULL);
}
