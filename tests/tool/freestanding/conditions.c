/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conditions.c: nested && and || conditions in a loop.
 *
 * VEX's block chasing turns such conditions into straight code that also
 * executes the side not taken; a tool that counts there counts instructions
 * that no processor retires.
 */
#include "freestanding.h"

static volatile uint32_t values[64];

static int in_window(uint32_t a, uint32_t b, uint32_t c)
{
   return a > 10 && b > 20 && (c > 30 || (a < 40 && b < 50)) && a + b > c;
}

int program(void)
{
   uint32_t state = 12345, hits = 0, misses = 0;
   for (int i = 0; i < 64; i++) {
      state = state * 1103515245u + 12345u;
      values[i] = (state >> 16) & 63;
   }
   for (int i = 0; i < 500; i++) {
      uint32_t a = values[i & 63], b = values[(i * 7 + 3) & 63], c = values[(i * 13 + 5) & 63];
      if (in_window(a, b, c) && (a & 1) && !(b & 2))
         hits++;
      else if ((a == b && b == c) || (a < b && b < c && c < 60) || (!(a & 3) && c > 5))
         misses++;
   }
   return hits > 0 && misses > 0 && hits + misses < 500 ? 0 : 1;
}
