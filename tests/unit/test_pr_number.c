/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_number.c: numbers as text, against libc and against what must not pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pr_number.h"

static const uint64_t edges[] = {
   0, 1, 9, 10, 999, 1000, 1023, 1024, 999999, 1000000, UINT32_MAX, INT64_MAX,
   (uint64_t)INT64_MAX + 1, UINT64_MAX - 1, UINT64_MAX,
};

static void unsigned_numbers_come_back(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
      char text[32];
      uint64_t value = ~edges[i];
      int bytes = snprintf(text, sizeof text, "%" PRIu64, edges[i]);
      assert_int_equal(pr_number_parse_unsigned(text, (size_t)bytes, &value), PR_NUMBER_OK);
      assert_true(value == edges[i]);
   }
}

static void signed_numbers_come_back(void **state)
{
   static const int64_t values[] = {0, 1, -1, INT32_MIN, INT64_MAX, INT64_MIN, INT64_MIN + 1};
   (void)state;
   for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
      char text[32];
      int64_t value = ~values[i];
      int bytes = snprintf(text, sizeof text, "%" PRId64, values[i]);
      assert_int_equal(pr_number_parse_signed(text, (size_t)bytes, &value), PR_NUMBER_OK);
      assert_true(value == values[i]);
   }
}

static void only_the_given_bytes_are_read(void **state)
{
   uint64_t value = 0;
   (void)state;
   assert_int_equal(pr_number_parse_unsigned("123456", 3, &value), PR_NUMBER_OK);
   assert_true(value == 123);
}

static void other_spellings_are_malformed(void **state)
{
   static const char *const texts[] = {
      "", " ", " 1", "1 ", "+1", "-", "--1", "-0", "00", "01", "-01", "1.0", "1e3", "0x10",
      "1,000", "ten", "1\n", "99999999999999999999999x", "\xD9\xA1",
   };
   uint64_t as_unsigned;
   int64_t as_signed;
   (void)state;
   for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
      size_t bytes = strlen(texts[i]);
      assert_int_equal(pr_number_parse_unsigned(texts[i], bytes, &as_unsigned),
                       PR_NUMBER_MALFORMED);
      assert_int_equal(pr_number_parse_signed(texts[i], bytes, &as_signed), PR_NUMBER_MALFORMED);
   }
   assert_int_equal(pr_number_parse_unsigned("-1", 2, &as_unsigned), PR_NUMBER_MALFORMED);
   assert_int_equal(pr_number_parse_unsigned("1\0002", 3, &as_unsigned), PR_NUMBER_MALFORMED);
}

static void what_does_not_fit_is_refused(void **state)
{
   static const char *const too_large[] = {
      "18446744073709551616", "18446744073709551620", "28446744073709551615",
      "184467440737095516150", "184467440737095516160", "1844674407370955161600000000000000000000",
      "99999999999999999999999999999999999999999999999999",
   };
   static const char *const too_large_signed[] = {
      "9223372036854775808", "-9223372036854775809", "18446744073709551615",
      "-18446744073709551616",
   };
   uint64_t as_unsigned;
   int64_t as_signed;
   (void)state;
   for (size_t i = 0; i < sizeof too_large / sizeof too_large[0]; i++)
      assert_int_equal(
         pr_number_parse_unsigned(too_large[i], strlen(too_large[i]), &as_unsigned),
         PR_NUMBER_OUT_OF_RANGE);
   for (size_t i = 0; i < sizeof too_large_signed / sizeof too_large_signed[0]; i++)
      assert_int_equal(
         pr_number_parse_signed(too_large_signed[i], strlen(too_large_signed[i]), &as_signed),
         PR_NUMBER_OUT_OF_RANGE);
}

/* Without its commas, which stand three digits apart from the end, it is what
   printf makes. */
static void check_exact(uint64_t value)
{
   char text[PR_NUMBER_TEXT_BYTES], expected[32], plain[PR_NUMBER_TEXT_BYTES];
   size_t used = 0;
   pr_number_format(text, pr_number_of_unsigned(value));
   size_t bytes = strlen(text);
   for (size_t i = 0; i < bytes; i++) {
      bool is_comma_place = (bytes - i) % 4 == 0;
      assert_int_equal(text[i] == ',', is_comma_place);
      if (!is_comma_place)
         plain[used++] = text[i];
   }
   plain[used] = '\0';
   snprintf(expected, sizeof expected, "%" PRIu64, value);
   assert_string_equal(plain, expected);
}

static void exact_numbers_have_separators(void **state)
{
   char text[PR_NUMBER_TEXT_BYTES];
   (void)state;
   for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
      check_exact(edges[i]);
   for (uint64_t value = 1; value < UINT64_MAX / 7; value *= 7)
      check_exact(value);
   assert_string_equal(pr_number_format(text, pr_number_of_signed(-1234)), "-1,234");
   assert_string_equal(pr_number_format(text, pr_number_of_signed(-999)), "-999");
   assert_string_equal(pr_number_format(text, pr_number_of_signed(INT64_MIN)),
                       "-9,223,372,036,854,775,808");
   unsigned __int128 widest = (unsigned __int128)1 << 127;
   assert_string_equal(pr_number_format(text, pr_number_of_wide((__int128)widest)),
                       "-170,141,183,460,469,231,731,687,303,715,884,105,728");
}

static void scaled_numbers_round_to_the_right_unit(void **state)
{
   static const struct {
      uint64_t bytes;
      const char *text;
   } cases[] = {
      {0, ""},
      {1023, ""},
      {1024, "1.00 KiB"},
      {1540, "1.50 KiB"},
      {1029, "1.00 KiB"},
      {1030, "1.01 KiB"},
      {1048570, "1023.99 KiB"},
      {1048571, "1.00 MiB"},
      {1048575, "1.00 MiB"},
      {1048576, "1.00 MiB"},
      {UINT64_C(1) << 40, "1.00 TiB"},
      {UINT64_C(1) << 60, "1.00 EiB"},
      {UINT64_MAX, "16.00 EiB"},
   };
   char text[PR_NUMBER_TEXT_BYTES];
   (void)state;
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
      assert_string_equal(
         pr_number_format_scaled(text, pr_number_of_unsigned(cases[i].bytes)), cases[i].text);
   assert_string_equal(pr_number_format_scaled(text, pr_number_of_signed(-1536)), "-1.50 KiB");
   assert_string_equal(pr_number_format_scaled(text, pr_number_of_signed(INT64_MIN)),
                       "-8.00 EiB");
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsigned_numbers_come_back),
      cmocka_unit_test(signed_numbers_come_back),
      cmocka_unit_test(only_the_given_bytes_are_read),
      cmocka_unit_test(other_spellings_are_malformed),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(exact_numbers_have_separators),
      cmocka_unit_test(scaled_numbers_round_to_the_right_unit),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
