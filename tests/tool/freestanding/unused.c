/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unused.c: has an allocator (own_allocator.S) and never calls it. */
#include "freestanding.h"

int program(void)
{
   return 0;
}
