/* SPDX-License-Identifier: GPL-2.0-or-later */
/* breakpoints.c: two functions that execute the same instructions, in turn.
 *
 * A debugger that stops at their entries knows what lies between: the instructions of one
 * function, and the call of the other.
 */
#define STEP(name)                                                                        \
   __attribute__((noipa)) void name(unsigned count)                                       \
   {                                                                                      \
      while (count-- > 0)                                                                 \
         __asm__ volatile("");                                                            \
   }

STEP(first)
STEP(second)

int main(void)
{
   for (int round = 0; round < 3; round++) {
      first(100000);
      second(100000);
   }
   return 0;
}
