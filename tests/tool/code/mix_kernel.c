/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_kernel.c: a loop to be compiled as vector code, as scalar code, or, with BY_CALLS, into
 * a call for each element. The numbers of elements and their alignment are known, so that the
 * loop is all there is.
 */
#include "mix_kernel.h"

float kernel_x[ELEMENTS] __attribute__((aligned(64)));
float kernel_y[ELEMENTS] __attribute__((aligned(64)));

void kernel(float a)
{
   for (int i = 0; i < ELEMENTS; i++)
#ifdef BY_CALLS
      kernel_y[i] = one_element(a, kernel_x[i], kernel_y[i]);
#else
      kernel_y[i] += a * kernel_x[i];
#endif
}
