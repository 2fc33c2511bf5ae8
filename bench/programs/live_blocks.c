/* SPDX-License-Identifier: GPL-2.0-or-later */
/* live_blocks.c: a million blocks that live at once, given back in scattered order.
 *
 * What a tool keeps for each block shows in its peak memory, and how it finds a
 * block among a million in its time.
 */
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 1000000, STEP = 386413 /* has no divisor in common with BLOCKS */ };

int main(void)
{
   static unsigned char *blocks[BLOCKS];
   unsigned long sum = 0;
   for (unsigned i = 0; i < BLOCKS; i++) {
      blocks[i] = malloc(8 + i % 41);
      if (!blocks[i])
         return 1;
      *blocks[i] = (unsigned char)i;
   }
   for (unsigned i = 0, at = 0; i < BLOCKS; i++, at = (at + STEP) % BLOCKS) {
      sum += *blocks[at];
      free(blocks[at]);
   }
   printf("%lu\n", sum);
   return 0;
}
