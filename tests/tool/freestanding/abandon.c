/* SPDX-License-Identifier: GPL-2.0-or-later */
/* abandon.c: calls of allocation functions that never return.
 *
 * A fault inside pvalloc (own_allocator.S) whose handler goes on elsewhere, as
 * siglongjmp does: the call has failed, and what comes later is not taken for
 * a part of it.  From several depths, with other calls after each.
 */
#include "freestanding.h"

#include "print.h"

#define ROUNDS 40

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *pvalloc(size_t bytes);
void free(void *address);

extern char *fault_at;

static void *place[5];

static void escape(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   __builtin_longjmp(place, 1);
}

static __attribute__((noinline)) void *descend(int depth)
{
   if (depth == 0)
      return pvalloc(1000);
   char *result = descend(depth - 1);
   return result + 1;
}

static __attribute__((noinline)) int attempt(int depth)
{
   if (__builtin_setjmp(place) != 0)
      return 1;
   descend(depth);
   return 0;
}

int program(void)
{
   handle(SIGSEGV, escape, SA_NODEFER);
   fault_at = map(PAGE_BYTES, PROT_NONE);
   uint64_t blocks = 0, bytes = 0, released = 0, escaped = 0;
   for (int i = 0; i < ROUNDS; i++) {
      escaped += (uint64_t)attempt(i % 7);
      char *one = malloc((size_t)i + 1);
      calloc(2, 10);
      blocks += 2;
      bytes += (uint64_t)i + 1 + 20;
      if (i % 2 == 0) {
         free(one);
         released++;
      }
   }
   print("allocations.count", blocks);
   print("allocations.bytes", bytes);
   print("allocations.failed", escaped);
   print("deallocations.count", released);
   print("deallocations.unmatched", 0);
   print("heap.exit-blocks", blocks - released);
   return escaped == ROUNDS ? 0 : 1;
}
