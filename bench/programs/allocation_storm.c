/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocation_storm.c: allocate and give back, three million times, and nothing else.
 *
 * The worst case of a tool that looks at every heap event: there is next to no
 * work between them, and the allocator takes its fastest path.
 *
 *    allocation_storm [PAIRS]
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
   long pairs = argc > 1 ? atol(argv[1]) : 3000000;
   unsigned long sum = 0;
   for (long i = 0; i < pairs; i++) {
      char *volatile block = malloc(16 + (i & 63));
      if (!block)
         return 1;
      *block = (char)i;
      sum += (unsigned char)*block;
      free(block);
   }
   printf("%lu\n", sum);
   return 0;
}
