/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pr_text.c: what reaches a terminal, and in which columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "pr_table.h"
#include "pr_text.h"

enum { ROOM = 4096 };

/* Text through a function that writes to a stream. */
struct capture {
   char text[ROOM];
   FILE *stream;
};

static FILE *capture_open(struct capture *capture)
{
   memset(capture->text, 0, sizeof capture->text);
   capture->stream = fmemopen(capture->text, sizeof capture->text, "w");
   assert_non_null(capture->stream);
   return capture->stream;
}

static const char *capture_close(struct capture *capture)
{
   assert_int_equal(fclose(capture->stream), 0);
   return capture->text;
}

static void check_written(const char *text, size_t bytes, const char *expected)
{
   struct capture capture;
   size_t columns = pr_text_write(capture_open(&capture), text, bytes);
   assert_string_equal(capture_close(&capture), expected);
   assert_int_equal(columns, pr_text_write(NULL, text, bytes));
}

static void dangerous_text_is_written_out(void **state)
{
   static const struct {
      const char *text, *expected;
   } cases[] = {
      {"plain text, <b>&amp;</b> \\ 'q'", "plain text, <b>&amp;</b> \\ 'q'"},
      {"\x1B[31mred", "\\x1b[31mred"},
      {"a\nb\tc\rd\x07\x7F", "a\\nb\\tc\\rd\\x07\\x7f"},
      {"\xC2\x9B""31m", "\\u{9b}31m"},             /* CSI as one character */
      {"\xE2\x80\xAE" "gpj.exe", "\\u{202e}gpj.exe"}, /* right-to-left override */
      {"\xE2\x81\xA6x\xE2\x81\xA9", "\\u{2066}x\\u{2069}"},
      {"\xE2\x80\xA8|\xE2\x80\x8B|\xEF\xBB\xBF", "\\u{2028}|\\u{200b}|\\u{feff}"},
      {"\xF3\xA0\x81\x81", "\\u{e0041}"},            /* a tag */
      {"\xC3\xA4\xE2\x82\xAC\xE6\xBC\xA2\xF0\x9F\x98\x80",
       "\xC3\xA4\xE2\x82\xAC\xE6\xBC\xA2\xF0\x9F\x98\x80"},
      {"\xFF\xFE", "\\xff\\xfe"},
      {"\xC0\xAF", "\\xc0\\xaf"},                    /* overlong slash */
      {"\xE0\x80\xAF", "\\xe0\\x80\\xaf"},
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},           /* a surrogate */
      {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  /* past U+10FFFF */
      {"\xE2\x82", "\\xe2\\x82"},                    /* cut off */
      {"\xE2\x82z", "\\xe2\\x82z"},
   };
   (void)state;
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
      check_written(cases[i].text, strlen(cases[i].text), cases[i].expected);
   check_written("a\0b", 3, "a\\x00b");
}

/* Whatever the bytes, libc takes the output for printable text. */
static void random_bytes_become_printable(void **state)
{
   (void)state;
   assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
   srand(1);
   for (int round = 0; round < 20000; round++) {
      char bytes[24];
      wchar_t wide[ROOM];
      struct capture capture;
      size_t count = (size_t)(rand() % (int)sizeof bytes);
      for (size_t i = 0; i < count; i++)
         bytes[i] = (char)(rand() % 3 ? rand() % 256 : 0x80 + rand() % 0x40);
      size_t columns = pr_text_write(capture_open(&capture), bytes, count);
      size_t length = mbstowcs(wide, capture_close(&capture), ROOM);
      assert_int_not_equal(length, (size_t)-1);
      assert_int_equal(length, columns);
      for (size_t i = 0; i < length; i++)
         assert_false(iswcntrl((wint_t)wide[i]));
   }
}

/* A shell gives back the words it is shown. */
static void words_are_quoted_for_a_shell(void **state)
{
   static const struct {
      const char *word, *expected;
   } cases[] = {
      {"./a-b_c.d/e:f=g@h,i+j%k", "./a-b_c.d/e:f=g@h,i+j%k"},
      {"", "''"},
      {"two words", "'two words'"},
      {"it's", "'it'\\''s'"},
      {"'", "''\\'''"},
      {"$(x)`y`\"z\\", "'$(x)`y`\"z\\'"},
      {"~", "'~'"},
   };
   (void)state;
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct capture capture;
      size_t columns = pr_text_puts_word(capture_open(&capture), cases[i].word);
      assert_string_equal(capture_close(&capture), cases[i].expected);
      assert_int_equal(columns, strlen(cases[i].expected));
   }
}

static void tables_align_by_what_is_shown(void **state)
{
   struct pr_table table;
   struct capture capture;
   (void)state;
   pr_table_init(&table, "lrll");
   pr_table_add(&table, "name");
   pr_table_add(&table, "12345");
   pr_table_add(&table, NULL);
   pr_table_add(&table, "note");
   pr_table_add(&table, "\x1B");
   pr_table_addf(&table, "%d", 7);
   pr_table_add(&table, "");
   pr_table_add(&table, "");
   pr_table_add(&table, "\xC3\xA4");
   pr_table_add(&table, "");
   pr_table_add(&table, "");
   pr_table_add(&table, "x");
   pr_table_print(&table, 1, capture_open(&capture));
   assert_string_equal(capture_close(&capture), " name  12345  note\n"
                                                " \\x1b      7\n"
                                                " \xC3\xA4            x\n");
   assert_false(table.exhausted);
   pr_table_release(&table);
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(dangerous_text_is_written_out),
      cmocka_unit_test(random_bytes_become_printable),
      cmocka_unit_test(words_are_quoted_for_a_shell),
      cmocka_unit_test(tables_align_by_what_is_shown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
