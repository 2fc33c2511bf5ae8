/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contexts.c: a stack that the program made itself, in memory that was used before.
 *
 * Beyond the function that such a stack begins with stands what its memory held, which
 * is other data in each round: nothing, small numbers, addresses of data and of code. One
 * block of 10 bytes is obtained in each round, always by the same calls.
 */
#include <stdlib.h>
#include <ucontext.h>

enum { ROUNDS = 100, WORDS = 8192, ABOVE = 32 };

static ucontext_t here, there;
static unsigned long stack[WORDS];

__attribute__((noinline)) static void obtain(void)
{
   char *volatile block = malloc(10);
   if (!block)
      exit(1);
   *block = 1;
}

static void begin(void)
{
   obtain();
   stack[0]++; /* no jump instead of the call */
}

static void fill(unsigned long round)
{
   const unsigned long values[] = {0, 1, round, (unsigned long)&stack[WORDS - ABOVE],
                                   (unsigned long)fill + 1, ~round, round * 0x1111111};
   for (unsigned long w = 0; w < WORDS; w++)
      stack[w] = values[(round + w * (round % 3)) % (sizeof values / sizeof *values)];
}

int main(void)
{
   static unsigned long round; /* a context that is come back to finds it as it is now */
   for (; round < ROUNDS; round++) {
      fill(round);
      if (getcontext(&there) != 0)
         return 1;
      there.uc_stack.ss_sp = stack;
      there.uc_stack.ss_size = (WORDS - ABOVE) * sizeof *stack;
      there.uc_link = &here;
      makecontext(&there, begin, 0);
      if (swapcontext(&here, &there) != 0)
         return 1;
   }
   return 0;
}
