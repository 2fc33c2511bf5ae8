/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sums.c: sums over arrays of numbers, for tests of `profmem diff`.
 *
 * -DREGRESSION: the loop that four numbers at once were added in adds one at a time.
 */
#include <stddef.h>

enum { NUMBERS = 4096 };

typedef float four_floats __attribute__((vector_size(16)));

static four_floats numbers[NUMBERS / 4];

__attribute__((noinline)) static void fill(void)
{
   for (size_t i = 0; i < NUMBERS / 4; i++)
      numbers[i] = (four_floats){1, 2, 3, 4};
}

__attribute__((noinline)) static float sum_all(void)
{
#ifdef REGRESSION
   volatile float sum = 0; /* keeps compilers from vectorizing it after all */
   for (size_t i = 0; i < NUMBERS; i++)
      sum += ((const float *)numbers)[i];
   return sum;
#else
   four_floats sum = {0, 0, 0, 0};
   for (size_t i = 0; i < NUMBERS / 4; i++)
      sum += numbers[i];
   return sum[0] + sum[1] + sum[2] + sum[3];
#endif
}

int main(void)
{
   fill();
   return sum_all() > 0 ? 0 : 1;
}
