/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chains.c: call chains that look alike where stacks are unwound.
 *
 * Blocks are obtained from the same instruction with the same stack pointer, by way
 * of different callers: frames of variable length in exchanged order, so that the
 * return address of an earlier chain still stands where it stood, as data of a
 * longer frame. Frames of variable length are unwound by the frame pointer; others
 * keep anything in that register (this is compiled with and without frame pointers).
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned long sum;

__attribute__((noinline)) static void obtain(size_t bytes)
{
   char *volatile block = malloc(bytes);
   if (!block)
      exit(1);
   *block = 1;
   sum += (unsigned long)*block;
   free(block);
}

__attribute__((noinline)) static void inner(unsigned length, size_t bytes)
{
   volatile char *room = __builtin_alloca(length); /* one byte of it is written */
   room[0] = 1;
   obtain(bytes);
   sum += (unsigned long)room[0];
}

#define OUTER(name)                                                                       \
   __attribute__((noinline)) static void name(unsigned length, unsigned rest, size_t bytes) \
   {                                                                                      \
      volatile char *room = __builtin_alloca(length);                                     \
      room[0] = 1;                                                                        \
      inner(rest, bytes);                                                                 \
      sum += (unsigned long)room[0] * sizeof #name;                                       \
   }
OUTER(left)
OUTER(right)
OUTER(other)

__attribute__((noinline)) static void fixed(unsigned long anything, size_t bytes)
{
   obtain(bytes);
   sum += anything;
}

typedef void outer(unsigned length, unsigned rest, size_t bytes);

int main(void)
{
   static outer *volatile const outers[] = {left, right, other};
   for (unsigned i = 0; i < 3000; i++) {
      unsigned length = 64 + i * 7919 % 29 * 16;
      /* From one place: only the return address into one of the three tells. */
      outers[i % 3](length, 1088 - length, 10 * (i % 3 + 1));
      fixed(sum * i, 40);
   }
   printf("%lu\n", sum);
   return 0;
}
