/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_names.c: names of functions in their language. */
#include "pm_names.h"
#include "pm_text.h"

/* The parameter list is the last group of parentheses that stands outside < >: a
   template argument may have groups of its own, and "operator()" is a name. */
size_t pm_name_without_parameters(const char *name)
{
   static const char call_operator[] = "operator()";
   size_t length = pm_strlen(name), end = length;
   unsigned angle = 0, depth = 0;
   for (size_t at = 0; at < length; at++) {
      if (pm_strlen(name + at) >= sizeof call_operator - 1 &&
          pm_memcmp(name + at, call_operator, sizeof call_operator - 1) == 0) {
         at += sizeof call_operator - 2;
         continue;
      }
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
