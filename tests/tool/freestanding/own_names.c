/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_names.c: an allocator under names that nobody knows.
 *
 * Prints what must be reported if obtain is a malloc and give_back a free.
 */
#include "freestanding.h"

#include "print.h"

static char arena[65536];
static char *next = arena;

__attribute__((noipa)) char *obtain(size_t bytes)
{
   char *block = next;
   next += bytes + 16;
   return block;
}

__attribute__((noipa)) void give_back(char *block)
{
   *block = 1;
}

int program(void)
{
   uint64_t bytes = 0;
   char *last = NULL;
   for (size_t i = 1; i <= 100; i++) {
      last = obtain(i);
      bytes += i;
   }
   give_back(last);
   print("allocations.count", 100);
   print("allocations.bytes", bytes);
   print("heap.peak", bytes);
   print("heap.exit", bytes - 100);
   print("deallocations.count", 1);
   print("deallocations.unmatched", 0);
   return 0;
}
