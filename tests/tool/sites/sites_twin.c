/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_twin.c: functions that two objects have alike: names, file and lines.
 *
 * Compiled twice into libraries, which differ by the name of a pointer to the function
 * (TWIN), and by their own (SITES_OBJECT): only the object tells their sites apart.
 * sites_fixed.c has static functions of the same names.
 */
#include "sites_ledger.h"

#include <stdlib.h>

SITES_FUNCTION static void *twin(size_t bytes)
{
   return OBTAIN(malloc(bytes), bytes);
}

SITES_FUNCTION static void *outer_twin(size_t bytes)
{
   void *block;
   HERE(block = twin(bytes));
   return block;
}

extern void *(*const TWIN)(size_t bytes);
void *(*const TWIN)(size_t bytes) = outer_twin;
