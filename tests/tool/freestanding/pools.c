/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pools.c: blocks that the program announces by client requests.
 *
 * Inside a block that it obtained from malloc they are a pool's, counted apart
 * and never added to the heap.  Elsewhere, in memory mapped directly, they are
 * ordinary blocks.  Prints what must be reported.  malloc is own_allocator.S's.
 */
#include "freestanding.h"

#include <valgrind/valgrind.h>

#include "print.h"

void *malloc(size_t bytes);
void free(void *address);

static struct account {
   uint64_t bytes, blocks, peak_bytes;  /* live */
   uint64_t obtained, obtained_bytes;
   uint64_t resized, resized_bytes;
   uint64_t given_back, given_back_bytes;
} heap, pool;

static void reach_peak(struct account *account)
{
   if (account->bytes > account->peak_bytes)
      account->peak_bytes = account->bytes;
}

static void obtained(struct account *account, uint64_t bytes)
{
   account->bytes += bytes;
   account->blocks++;
   account->obtained++;
   account->obtained_bytes += bytes;
   reach_peak(account);
}

static void resized(struct account *account, uint64_t old_bytes, uint64_t new_bytes)
{
   account->bytes += new_bytes - old_bytes;
   account->resized++;
   account->resized_bytes += new_bytes;
   reach_peak(account);
}

static void given_back(struct account *account, uint64_t bytes)
{
   account->bytes -= bytes;
   account->blocks--;
   account->given_back++;
   account->given_back_bytes += bytes;
}

/* The same program of announcements, in memory of either kind. */
static void announce(struct account *account, char *memory)
{
   for (uint64_t i = 0; i < 50; i++) {
      VALGRIND_MALLOCLIKE_BLOCK(memory + 1000 * i, 10 * i, 16, 0);
      obtained(account, 10 * i);
   }
   for (uint64_t i = 0; i < 50; i += 3) {
      VALGRIND_RESIZEINPLACE_BLOCK(memory + 1000 * i, 10 * i, 20 * i + 5, 16);
      resized(account, 10 * i, 20 * i + 5);
   }
   for (uint64_t i = 0; i < 50; i += 2) {
      VALGRIND_FREELIKE_BLOCK(memory + 1000 * i, 16);
      given_back(account, i % 3 == 0 ? 20 * i + 5 : 10 * i);
   }
}

static void use_mempool(struct account *account, char *memory)
{
   VALGRIND_CREATE_MEMPOOL(memory, 0, 0);
   for (uint64_t i = 0; i < 20; i++) {
      VALGRIND_MEMPOOL_ALLOC(memory, memory + 200 * i, 100 + i);
      obtained(account, 100 + i);
   }
   for (uint64_t i = 0; i < 5; i++) {
      VALGRIND_MEMPOOL_FREE(memory, memory + 200 * i);
      given_back(account, 100 + i);
   }
   VALGRIND_DESTROY_MEMPOOL(memory);
   for (uint64_t i = 5; i < 20; i++)
      given_back(account, 100 + i);
}

int program(void)
{
   char *inside = malloc(65536), *inside_too = malloc(8192);
   obtained(&heap, 65536);
   obtained(&heap, 8192);
   char *outside = map(65536, PROT_READ | PROT_WRITE), *outside_too = map(8192, PROT_READ | PROT_WRITE);

   announce(&pool, inside);
   announce(&heap, outside);
   use_mempool(&pool, inside_too);
   use_mempool(&heap, outside_too);

   free(inside_too);
   given_back(&heap, 8192);
   char *last = malloc(10);
   obtained(&heap, 10);
   (void)last;

   print("heap.peak", heap.peak_bytes);
   print("heap.exit", heap.bytes);
   print("heap.exit-blocks", heap.blocks);
   print("allocations.count", heap.obtained);
   print("allocations.bytes", heap.obtained_bytes);
   print("reallocations.count", heap.resized);
   print("reallocations.bytes", heap.resized_bytes);
   print("deallocations.count", heap.given_back);
   print("deallocations.bytes", heap.given_back_bytes);
   print("deallocations.unmatched", 0);
   print("pool.peak", pool.peak_bytes);
   print("pool.exit", pool.bytes);
   print("pool.count", pool.obtained);
   return 0;
}
