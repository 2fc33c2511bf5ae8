/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_kernel_program.c: fills the kernel's arrays, runs it, and sees what it computed. */
#include "mix_kernel.h"

#define OWN __attribute__((noipa))

int program(void);

OWN float one_element(float a, float x, float y)
{
   return y + a * x;
}

static OWN void fill(void)
{
   for (int i = 0; i < ELEMENTS; i++) {
      kernel_x[i] = (float)(i % 7);
      kernel_y[i] = (float)(i % 5);
   }
}

/* Small whole numbers: the same whatever the order of additions. */
static OWN int is_right(void)
{
   for (int i = 0; i < ELEMENTS; i++)
      if (kernel_y[i] != (float)(i % 5 + RUNS * 2 * (i % 7)))
         return 0;
   return 1;
}

int program(void)
{
   fill();
   for (int run = 0; run < RUNS; run++)
      kernel(2);
   return is_right() ? 0 : 1;
}
