/* SPDX-License-Identifier: GPL-2.0-or-later */
/* many.c: 200 places that allocate, for tests of `profmem diff`.
 *
 * -DREGRESSION: place n asks for (n * 67 % 199) bytes more than its 1,000: each for another
 * number of them, in no order, 0 for the first and for the last.
 */
#include <stdlib.h>

#ifdef REGRESSION
enum { STEP = 67 };
#else
enum { STEP = 0 };
#endif

#define PLACE(n)                                                                          \
   __attribute__((noinline)) static void place_##n(void)                                  \
   {                                                                                      \
      char *volatile mine = malloc(1000 + (1##n - 1000) * STEP % 199);                    \
      free(mine);                                                                         \
   }
#define CALL(n) place_##n();

#define TEN(what, tens)                                                                   \
   what(tens##0) what(tens##1) what(tens##2) what(tens##3) what(tens##4)                  \
   what(tens##5) what(tens##6) what(tens##7) what(tens##8) what(tens##9)
#define HUNDRED(what, hundreds)                                                           \
   TEN(what, hundreds##0) TEN(what, hundreds##1) TEN(what, hundreds##2)                   \
   TEN(what, hundreds##3) TEN(what, hundreds##4) TEN(what, hundreds##5)                   \
   TEN(what, hundreds##6) TEN(what, hundreds##7) TEN(what, hundreds##8)                   \
   TEN(what, hundreds##9)

HUNDRED(PLACE, 0)
HUNDRED(PLACE, 1)

int main(void)
{
   HUNDRED(CALL, 0)
   HUNDRED(CALL, 1)
   return 0;
}
