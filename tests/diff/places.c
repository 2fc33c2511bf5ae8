/* SPDX-License-Identifier: GPL-2.0-or-later */
/* places.c: one function that allocates at several places, for tests of `profmem diff`.
 *
 * -DREGRESSION: a block is obtained at one more place, between the others.
 */
#include <stdlib.h>

enum { ROUNDS = 100 };

static void *volatile kept;

__attribute__((noinline)) static void work(void)
{
   void *large = malloc(4000); /* the most bytes, and not what changed */
   kept = large;
#ifdef REGRESSION
   void *more = malloc(1000); /* here */
   kept = more;
   free(more);
#endif
   void *small = malloc(100);
   kept = small;
   free(small);
   free(large);
}

int main(void)
{
   for (int round = 0; round < ROUNDS; round++)
      work();
   return 0;
}
