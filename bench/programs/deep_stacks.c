/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deep_stacks.c: allocation at the bottom of deep and varied chains of calls.
 *
 * Whoever unwinds the stack at each allocation pays for its depth here.
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 100000, DEPTH = 120 };

static unsigned long sum;

__attribute__((noinline)) static void left(unsigned depth, unsigned path);

__attribute__((noinline)) static void right(unsigned depth, unsigned path)
{
   unsigned char *block = malloc(16 + depth);
   if (!block)
      exit(1);
   *block = (unsigned char)path;
   if (depth > 0)
      (path & 1 ? left : right)(depth - 1, path * 5 + 3);
   sum += *block;
   free(block);
}

__attribute__((noinline)) static void left(unsigned depth, unsigned path)
{
   volatile unsigned here = depth; /* work after the call: it is no jump, no loop */
   if (depth > 0)
      (path & 6 ? left : right)(depth - 1, path * 3 + 1);
   sum += here;
}

int main(void)
{
   for (unsigned i = 0; i < ROUNDS; i++)
      right(DEPTH, i * 2654435761u >> 7);
   printf("%lu\n", sum);
   return 0;
}
