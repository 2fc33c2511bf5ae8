/* SPDX-License-Identifier: GPL-2.0-or-later */
/* short_functions.c: calls and returns with next to nothing between them.
 *
 * The worst case of a tool that does something at every call, every return or
 * every start of straight-line code.
 */
#include <stdio.h>

typedef unsigned long step(unsigned long value);

__attribute__((noinline)) static unsigned long twice(unsigned long v) { return v * 2; }
__attribute__((noinline)) static unsigned long next(unsigned long v) { return v + 1; }
__attribute__((noinline)) static unsigned long fold(unsigned long v) { return v ^ v >> 7; }

__attribute__((noinline)) static unsigned long fibonacci(unsigned n)
{
   return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
   static step *volatile const steps[] = {twice, next, fold};
   unsigned long value = 1;
   for (unsigned i = 0; i < 60000000; i++)
      value = steps[i % 3](value);
   printf("%lu %lu\n", value, fibonacci(34));
   return 0;
}
