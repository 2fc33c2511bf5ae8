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

#include "pr_notes.h"
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
      {"\xE3\x85\xA4|\xE3\x85\xA3", "\\u{3164}|\xE3\x85\xA3"}, /* filler, letter */
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

static void check_cut(const char *text, size_t columns, const char *expected)
{
   struct capture capture;
   size_t taken = pr_text_puts_cut(capture_open(&capture), text, columns);
   assert_string_equal(capture_close(&capture), expected);
   assert_int_equal(taken, pr_text_puts_cut(NULL, text, columns));
}

static void long_text_loses_its_middle(void **state)
{
   (void)state;
   check_cut(NULL, 10, "");
   check_cut("", 10, "");
   check_cut("0123456789", 10, "0123456789");
   check_cut("0123456789", 9, "012...789");
   check_cut("0123456789", 8, "012...89");
   check_cut("0123456789", 4, "0...");
   check_cut("0123456789", 0, "0...");
   check_cut("abc", 1, "abc");
   check_cut("abcd", 1, "abcd");
   /* Characters are kept or left out whole. */
   check_cut("\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4", 5,
             "\xC3\xA4...\xC3\xA4");
   check_cut("\x1B\x1B\x1B\x1B", 12, "\\x1b...\\x1b");
   check_cut("\x1B\x1B\x1B\x1B", 10, "\\x1b...");
   check_cut("\x1B\x1B\x1B\x1B", 8, "...");
   check_cut("ab\xE2\x80\xAE" "cdefgh", 10, "ab...fgh");
}

/* Never wider than asked for, and what is left is the text's own ends. */
static void random_text_is_cut_to_measure(void **state)
{
   (void)state;
   assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
   srand(2);
   for (int round = 0; round < 20000; round++) {
      char text[40];
      wchar_t wide[ROOM];
      struct capture whole, cut;
      size_t bytes = (size_t)(rand() % (int)sizeof text), columns = (size_t)(4 + rand() % 30);
      for (size_t i = 0; i < bytes; i++)
         text[i] = (char)(rand() % 3 ? 'a' + rand() % 26 : 1 + rand() % 255);
      text[bytes ? bytes - 1 : 0] = '\0';
      pr_text_puts(capture_open(&whole), text);
      capture_close(&whole);
      size_t taken = pr_text_puts_cut(capture_open(&cut), text, columns);
      capture_close(&cut);
      assert_true(taken <= columns);
      assert_int_equal(mbstowcs(wide, cut.text, ROOM), taken);
      if (strcmp(whole.text, cut.text) == 0)
         continue;
      assert_true(pr_text_puts(NULL, text) > columns);
      size_t head = 0, tail = strlen(cut.text);
      while (cut.text[head] == whole.text[head])
         head++;
      for (size_t end = strlen(whole.text); tail && end && cut.text[tail - 1] == whole.text[end - 1];)
         tail--, end--;
      assert_true(tail <= head + 3);
   }
}

static const struct pr_style plain = {0, false};

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
   pr_table_print(&table, 1, &plain, capture_open(&capture));
   assert_string_equal(capture_close(&capture), " name  12345  note\n"
                                                " \\x1b      7\n"
                                                " \xC3\xA4            x\n");
   assert_false(table.exhausted);
   pr_table_release(&table);
}

/* Three columns, of which the second is the label. */
static void fill(struct pr_table *table)
{
   pr_table_init(table, "lrll");
   table->label = 1;
   for (int row = 0; row < 2; row++) {
      pr_table_add(table, "first");
      pr_table_addf(table, "label-%d", row);
      pr_table_add(table, "");
      pr_table_add(table, row ? "" : "last-column");
   }
}

static void columns_that_do_not_fit_follow_below(void **state)
{
   static const struct {
      size_t width;
      const char *expected;
   } cases[] = {
      {0, " first  label-0  last-column\n first  label-1\n"},
      {28, " first  label-0  last-column\n first  label-1\n"},
      /* What is empty in a part has no line there. */
      {27, " first  label-0\n first  label-1\n\n label-0  last-column\n label-1\n"},
      {15, " first  label-0\n first  label-1\n\n label-0  last-column\n label-1\n"},
      {14, " first\n first\n\n label-0\n label-1\n\n label-0  last-column\n label-1\n"},
      {1, " first\n first\n\n label-0\n label-1\n\n label-0  last-column\n label-1\n"},
   };
   struct pr_table table;
   (void)state;
   fill(&table);
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct capture capture;
      const struct pr_style style = {cases[i].width, false};
      pr_table_print(&table, 1, &style, capture_open(&capture));
      assert_string_equal(capture_close(&capture), cases[i].expected);
   }
   pr_table_release(&table);
}

static void a_long_label_loses_its_middle_where_columns_follow_below(void **state)
{
   static const char label[] = "0123456789abcdefghijklmnopqrstuvwxyz";
   static const struct {
      size_t width;
      const char *expected;
   } cases[] = {
      {0, "0123456789abcdefghijklmnopqrstuvwxyz  1000  2000\n"},
      {48, "0123456789abcdefghijklmnopqrstuvwxyz  1000  2000\n"},
      /* What the others leave, or two thirds. */
      {47, "0123456789abcdef...klmnopqrstuvwxyz  1000  2000\n"},
      {36, "0123456789a...qrstuvwxyz  1000  2000\n"},
      {33, "0123456789...rstuvwxyz  1000\n\n0123456789...rstuvwxyz  2000\n"},
      /* Never shorter than this. */
      {9, "012345678...stuvwxyz\n\n012345678...stuvwxyz  1000\n\n"
          "012345678...stuvwxyz  2000\n"},
   };
   struct pr_table table;
   (void)state;
   pr_table_init(&table, "lrr");
   pr_table_add(&table, label);
   pr_table_add(&table, "1000");
   pr_table_add(&table, "2000");
   for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
      struct capture capture;
      const struct pr_style style = {cases[i].width, false};
      pr_table_print(&table, 0, &style, capture_open(&capture));
      assert_string_equal(capture_close(&capture), cases[i].expected);
   }
   pr_table_release(&table);
}

static void emphasis_takes_no_columns(void **state)
{
   const struct pr_style color = {0, true};
   struct pr_table table;
   struct capture capture;
   (void)state;
   pr_table_init(&table, "rr");
   table.emphasis = PR_FAINT;
   pr_table_add(&table, "title");
   pr_table_add(&table, "");
   table.emphasis = PR_PLAIN;
   pr_table_add(&table, "1");
   pr_table_add_cut(&table, "0123456789", 8);
   pr_table_print(&table, 0, &color, capture_open(&capture));
   assert_string_equal(capture_close(&capture), "\x1B[2mtitle\x1B[0m\n    1  012...89\n");
   pr_table_print(&table, 0, &plain, capture_open(&capture));
   assert_string_equal(capture_close(&capture), "title\n    1  012...89\n");
   pr_table_release(&table);
}

static void notes_are_numbered_by_their_texts(void **state)
{
   struct pr_notes notes = {.count = 0};
   struct capture capture;
   char mark[PR_NOTE_MARK_BYTES], texts[PR_NOTES_MAX + 1][16];
   (void)state;
   assert_string_equal(pr_notes_mark(&notes, "why: ", "a", mark), "[1]");
   assert_string_equal(pr_notes_mark(&notes, "why: ", "b\n", mark), "[2]");
   assert_string_equal(pr_notes_mark(&notes, "", "a", mark), "[3]");
   assert_string_equal(pr_notes_mark(&notes, "why: ", "a", mark), "[1]");
   pr_notes_print(&notes, 1, capture_open(&capture));
   assert_string_equal(capture_close(&capture), " [1] why: a\n [2] why: b\\n\n [3] a\n");
   for (int i = 3; i <= PR_NOTES_MAX; i++) {
      snprintf(texts[i], sizeof texts[i], "%d", i);
      pr_notes_mark(&notes, "", texts[i], mark);
   }
   assert_string_equal(mark, "[...]");
   assert_string_equal(pr_notes_mark(&notes, "", "a", mark), "[3]");
   assert_string_equal(pr_notes_mark(&notes, "", "63", mark), "[64]");
}

int main(void)
{
   static const struct CMUnitTest tests[] = {
      cmocka_unit_test(dangerous_text_is_written_out),
      cmocka_unit_test(random_bytes_become_printable),
      cmocka_unit_test(words_are_quoted_for_a_shell),
      cmocka_unit_test(long_text_loses_its_middle),
      cmocka_unit_test(random_text_is_cut_to_measure),
      cmocka_unit_test(tables_align_by_what_is_shown),
      cmocka_unit_test(columns_that_do_not_fit_follow_below),
      cmocka_unit_test(a_long_label_loses_its_middle_where_columns_follow_below),
      cmocka_unit_test(emphasis_takes_no_columns),
      cmocka_unit_test(notes_are_numbered_by_their_texts),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
