/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_twin.c: functions that two objects have alike: names, file and lines.
 *
 * Compiled twice into libraries, each with the name of its function for others
 * (TWIN_ENTRY) and its own (SITES_OBJECT). The static function has yet another of its
 * name in sites_fixed.c.
 */
#include "sites_ledger.h"

#include <stdlib.h>

void *TWIN_ENTRY(size_t bytes);

SITES_FUNCTION static void *twin(size_t bytes)
{
   return OBTAIN(malloc(bytes), bytes);
}

/* The same name in both, by way of a name that is not. */
SITES_FUNCTION static void *outer_twin(size_t bytes)
{
   void *block;
   HERE(block = twin(bytes));
   return block;
}

SITES_FUNCTION void *TWIN_ENTRY(size_t bytes)
{
   void *block;
   HERE_IN(TWIN_ENTRY_NAME, 0, block = outer_twin(bytes));
   return block;
}
