/* SPDX-License-Identifier: GPL-2.0-or-later */
/* callers.c: a function that many others call, for tests of `profmem diff`.
 *
 * -DREGRESSION: it asks for twice as much.
 */
#include <stdlib.h>

#ifdef REGRESSION
enum { FACTOR = 2 };
#else
enum { FACTOR = 1 };
#endif

__attribute__((noinline)) static char *buffer(size_t bytes)
{
   return malloc(bytes * FACTOR);
}

#define CALLER(n)                                                                         \
   __attribute__((noinline)) static void caller_##n(void)                                 \
   {                                                                                      \
      char *volatile mine = buffer(10 + n);                                               \
      free(mine);                                                                         \
   }

CALLER(1)
CALLER(2)
CALLER(3)
CALLER(4)
CALLER(5)
CALLER(6)
CALLER(7)
CALLER(8)

int main(void)
{
   for (int i = 0; i < 10; i++) {
      caller_1();
      caller_2();
      caller_3();
      caller_4();
      caller_5();
      caller_6();
      caller_7();
      caller_8();
   }
   char *volatile other = malloc(5);
   free(other);
   return 0;
}
