/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_text.h: untrusted names on a terminal.
 *
 * Names of phases, files, symbols and arguments are whatever the profiled
 * program made them. Printed raw they could move the cursor, retitle the
 * window, reverse the reading order of the line or end it. Everything that is
 * not a plain visible character is therefore written out:
 *
 *   newline, tab, carriage return        \n \t \r
 *   other control characters, DEL        \x1b
 *   bytes that are not UTF-8             \xff
 *   C1 controls, bidi controls, line and paragraph separators, zero-width
 *   and invisible format characters, tags, noncharacters   \u{202e}
 *
 * A backslash stays as it is: reports hold the same \xHH for what XML cannot
 * carry, and doubling it would hide what the tool wrote.
 */
#ifndef PR_TEXT_H
#define PR_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Decode the UTF-8 sequence at the start of the text; returns its length, 0 if there is none
   (overlong forms, surrogates and values past U+10FFFF are none). */
size_t pr_text_decode(const char *text, size_t bytes, uint32_t *code_point);

/* Write `bytes` bytes of text to `out`, which may be NULL to measure only.
   Returns the columns it takes, one per character. */
size_t pr_text_write(FILE *out, const char *text, size_t bytes);

/* The same of a string; NULL is written as nothing. */
size_t pr_text_puts(FILE *out, const char *text);

/* The same in no more columns than these: of a longer one the middle is left out, where
   "..." stands, since names differ at their ends. Of less than 4 columns, as of 4. */
size_t pr_text_puts_cut(FILE *out, const char *text, size_t columns);

/* The same as one word of a shell command line: in single quotes if it is
   empty or holds anything but letters, digits and %+,-./:=@_, or is a command. */
size_t pr_text_puts_word(FILE *out, const char *word);

/* Would runners of GitHub Actions take a line that begins with it for one of their
   commands, blanks before it or not? "::error::no". Such a name does not begin a line. */
bool pr_text_is_command(const char *text);

#endif
