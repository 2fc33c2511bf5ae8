/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_names.c: names of functions in their language. */
#include "pm_names.h"
#include "pm_text.h"

static bool is_word_byte(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool starts_with(const char *text, size_t length, const char *start)
{
   size_t bytes = pm_strlen(start);
   return length >= bytes && pm_memcmp(text, start, bytes) == 0;
}

/* Where the name of an operator that has brackets ends, if one begins at `at`; else `at`. */
static size_t skip_operator(const char *name, size_t length, size_t at)
{
   static const char word[] = "operator";
   /* Of two that begin alike, the longer first. */
   static const char *const operators[] = {"()", "<=>", "<<=", "<<", "<=", "<",
                                           ">>=", ">>", ">=", ">", "->*", "->"};
   if ((at > 0 && is_word_byte(name[at - 1])) || !starts_with(name + at, length - at, word))
      return at;
   size_t symbol = at + sizeof word - 1;
   for (size_t o = 0; o < sizeof operators / sizeof *operators; o++)
      if (starts_with(name + symbol, length - symbol, operators[o]))
         return symbol + pm_strlen(operators[o]);
   return at;
}

/* The parameter list is the last group of parentheses that stands outside < >: a
   template argument may have groups of its own. */
size_t pm_name_without_parameters(const char *name)
{
   size_t length = pm_strlen(name), end = length;
   unsigned angle = 0, depth = 0;
   for (size_t at = 0; at < length; at++) {
      at = skip_operator(name, length, at);
      char c = name[at];
      bool arrow = at > 0 && name[at - 1] == '-' && c == '>';
      if (c == '<' && depth == 0)
         angle++;
      else if (c == '>' && depth == 0 && angle > 0 && !arrow)
         angle--;
      else if (c == '(' && angle == 0 && depth++ == 0)
         end = at;
      else if (c == ')' && angle == 0 && depth > 0)
         depth--;
   }
   return depth == 0 ? end : length;
}
