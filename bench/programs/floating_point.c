/* SPDX-License-Identifier: GPL-2.0-or-later */
/* floating_point.c: loops over numbers in double precision, no allocation.
 *
 * Heat that spreads over a square, relaxed step by step: long straight runs of
 * instructions, which Valgrind translates well.
 */
#include <stdio.h>

enum { SIDE = 256, STEPS = 1000 };

static double heat[2][SIDE][SIDE];

int main(void)
{
   for (int i = 0; i < SIDE; i++)
      heat[0][0][i] = heat[1][0][i] = 100.0 * i / SIDE;
   for (int step = 0; step < STEPS; step++) {
      double(*from)[SIDE] = heat[step & 1], (*to)[SIDE] = heat[~step & 1];
      for (int y = 1; y < SIDE - 1; y++)
         for (int x = 1; x < SIDE - 1; x++)
            to[y][x] = 0.2 * (from[y][x] + from[y - 1][x] + from[y + 1][x] + from[y][x - 1] +
                              from[y][x + 1]);
   }
   double sum = 0;
   for (int y = 0; y < SIDE; y++)
      for (int x = 0; x < SIDE; x++)
         sum += heat[0][y][x];
   printf("%.3f\n", sum);
   return 0;
}
