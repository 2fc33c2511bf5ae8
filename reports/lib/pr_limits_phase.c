/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_limits_phase.c: how a limits file names phases. See the header.
 *
 * Not fnmatch(3): its `?` is a byte in some locales and a character in others, and its
 * brackets would be wildcards in "operator[]".
 */
#include "pr_limits_phase.h"

#include <stdint.h>
#include <string.h>

#include "pr_limits.h"

/* Matching --------------------------------------------------------------- */

static const char *next_character(const char *at)
{
   do
      at++;
   while (((unsigned char)*at & 0xC0) == 0x80);
   return at;
}

/* What PR_PATTERN_ANY stands for is found by trial, the last one's alone: what an earlier
   one could take more, the last can take as well. So the cost is at most the product of
   both lengths. */
static bool matches(const char *pattern, const char *name)
{
   const char *after_any = NULL, *resume = NULL;
   while (*name) {
      unsigned char wanted = (unsigned char)*pattern;
      if (wanted == PR_PATTERN_ANY) {
         after_any = ++pattern;
         resume = name;
      } else if (wanted == PR_PATTERN_ONE) {
         pattern++;
         name = next_character(name);
      } else if (*pattern == *name) {
         pattern++;
         name++;
      } else if (after_any) {
         pattern = after_any;
         resume = next_character(resume);
         name = resume;
      } else {
         return false;
      }
   }
   while ((unsigned char)*pattern == PR_PATTERN_ANY)
      pattern++;
   return !*pattern;
}

bool pr_limits_match(const struct pr_limit *limit, const char *phase)
{
   return limit->has_wildcard ? matches(limit->pattern, phase)
                              : strcmp(limit->pattern, phase) == 0;
}

/* Reading ---------------------------------------------------------------- */

static int hexadecimal(char digit)
{
   static const char digits[] = "0123456789abcdef";
   const char *found = digit ? strchr(digits, digit) : NULL;
   return found ? (int)(found - digits) : -1;
}

static char *put_character(char *to, uint32_t code_point)
{
   if (code_point < 0x80) {
      *to++ = (char)code_point;
      return to;
   }
   int more = code_point < 0x800 ? 1 : code_point < 0x10000 ? 2 : 3;
   static const unsigned char leads[] = {0, 0xC0, 0xE0, 0xF0};
   *to++ = (char)(leads[more] | code_point >> 6 * more);
   while (more-- > 0)
      *to++ = (char)(0x80 | (code_point >> 6 * more & 0x3F));
   return to;
}

/* "u{202e}", behind a backslash. */
static const char *parse_code_point(const char **at, const char *end, char **to)
{
   const char *next = *at + 1;
   uint32_t code_point = 0;
   if (next == end || *next++ != '{')
      return "expected '{' behind '\\u'";
   const char *digits = next;
   for (; next < end && hexadecimal(*next) >= 0 && next - digits < 7; next++)
      code_point = code_point << 4 | (uint32_t)hexadecimal(*next);
   if (next == digits || next == end || *next != '}')
      return "expected a code point as in '\\u{202e}'";
   if (code_point == 0 || code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000))
      return "expected the code point of a character";
   *to = put_character(*to, code_point);
   *at = next + 1;
   return NULL;
}

/* What stands behind a backslash in quotes. `\xHH` stays what it is: reports hold these
   four characters for what XML cannot carry. */
static const char *parse_escape(const char **at, const char *end, char **to)
{
   static const struct {
      char name, meaning;
   } escapes[] = {{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'t', '\t'}, {'r', '\r'}};
   const char *next = *at;
   if (next < end && *next == 'u')
      return parse_code_point(at, end, to);
   if (end - next >= 3 && *next == 'x' && hexadecimal(next[1]) >= 0 && hexadecimal(next[2]) >= 0) {
      *(*to)++ = '\\';
      *(*to)++ = 'x';
      *at = next + 1;
      return NULL;
   }
   for (size_t e = 0; next < end && e < sizeof escapes / sizeof escapes[0]; e++) {
      if (escapes[e].name != *next)
         continue;
      *(*to)++ = escapes[e].meaning;
      *at = next + 1;
      return NULL;
   }
   return "expected one of \\ \" n t r xHH u{HHHH} behind the backslash in quotes";
}

static const char *parse_quoted(const char **at, const char *end, char **to)
{
   const char *opening = *at;
   for (++*at; *at < end;) {
      char next = *(*at)++;
      if (next == '"')
         return NULL;
      if (next != '\\') {
         *(*to)++ = next;
         continue;
      }
      const char *expected = parse_escape(at, end, to);
      if (expected)
         return expected;
   }
   *at = opening;
   return "expected a closing quote for this one";
}

/* How long the word is, as it is written: up to a blank that is not quoted. A line can have
   very many words, so that each has no more room than it may need. */
static size_t written_bytes(const char *start, const char *end)
{
   bool is_quoted = false;
   const char *at = start;
   for (; at < end && (is_quoted || (*at != ' ' && *at != '\t')); at++) {
      if (*at == '"')
         is_quoted = !is_quoted;
      else if (is_quoted && *at == '\\' && at + 1 < end)
         at++;
   }
   return (size_t)(at - start);
}

const char *pr_limits_phase_parse(const char **at, const char *end, struct pr_arena *arena,
                                  const char **pattern, bool *has_wildcard)
{
   /* No escape is shorter than what it stands for. */
   char *text = pr_arena_alloc(arena, written_bytes(*at, end) + 1), *to = text;
   if (!text)
      return "";
   *has_wildcard = false;
   while (*at < end && **at != ' ' && **at != '\t') {
      if (**at == '"') {
         const char *expected = parse_quoted(at, end, &to);
         if (expected)
            return expected;
         continue;
      }
      char next = *(*at)++;
      bool is_wildcard = next == '*' || next == '?';
      *has_wildcard = *has_wildcard || is_wildcard;
      *to++ = is_wildcard ? (char)(next == '*' ? PR_PATTERN_ANY : PR_PATTERN_ONE) : next;
   }
   *pattern = text;
   return NULL;
}
