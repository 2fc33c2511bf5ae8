/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.c: recursion, indirect calls, jump tables, tail calls. */
#include "freestanding.h"

static __attribute__((noinline)) unsigned fibonacci(unsigned n)
{
   return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static __attribute__((noinline)) unsigned odd(unsigned n);

static __attribute__((noinline)) unsigned even(unsigned n)
{
   return n == 0 ? 1 : odd(n - 1);
}

static __attribute__((noinline)) unsigned odd(unsigned n)
{
   return n == 0 ? 0 : even(n - 1);
}

static unsigned twice(unsigned n)
{
   return 2 * n;
}

static unsigned plus_three(unsigned n)
{
   return n + 3;
}

static unsigned (*volatile operations[])(unsigned) = {twice, plus_three, even, fibonacci};

static __attribute__((noinline)) unsigned choose(unsigned n)
{
   switch (n & 7) {
   case 0: return n + 1;
   case 1: return n * 3;
   case 2: return n - 7;
   case 3: return n ^ 21;
   case 4: return n << 2;
   case 5: return n >> 1;
   case 6: return ~n;
   default: return n % 11;
   }
}

int program(void)
{
   unsigned sum = fibonacci(13);
   for (unsigned i = 0; i < 200; i++)
      sum += operations[i & 3](i & 7) + choose(i);
   return sum != 0 && even(100) && !even(101) ? 0 : 1;
}
