/* SPDX-License-Identifier: GPL-2.0-or-later */
/* known_lines.c: a line that is inlined into three functions. */
#include <stdio.h>

static volatile int several = 3, result;

static inline __attribute__((always_inline)) int inlined(int n)
{
   return n * 17;
}

static __attribute__((noipa)) void first(void)
{
   result = inlined(several);
}

static __attribute__((noipa)) void second(void)
{
   for (int i = 0; i < several; i++)
      result = inlined(several);
}

int main(void)
{
   first();
   second();
   result = inlined(several);
   printf("%d\n", result);
   return 0;
}
