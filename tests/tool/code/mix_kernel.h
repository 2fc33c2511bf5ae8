/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_kernel.h: between the kernel, which each build compiles its own way, and the program
 * around it, which is the same code in all of them.
 */
#ifndef MIX_KERNEL_H
#define MIX_KERNEL_H

enum { ELEMENTS = 4096, RUNS = 3 };

extern float kernel_x[ELEMENTS], kernel_y[ELEMENTS];

/* kernel_y[i] += a * kernel_x[i], for each i. */
void kernel(float a);

/* For one element, where the kernel calls a function for each. */
float one_element(float a, float x, float y);

#endif
