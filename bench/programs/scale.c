/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scale.c: very much of one thing, and hardly any memory of its own.
 *
 *    scale blocks N      N live blocks of 24 bytes; their addresses are only numbers. It
 *                        wants --alloc-fn=malloc:take and --alloc-fn=free:put
 *    scale instances N   a phase that is begun and ended N times, with a block each time
 *    scale range GIB     maps so many GiB without access, and obtains a block as large;
 *                        nothing of it is touched
 *    scale steps N       executes 100 instructions N times over
 *
 * Prints what a report must say in lines for tests/phases/expect.py.
 */
#define _GNU_SOURCE
#include "profmem.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define APART __attribute__((noipa))

static void stop(const char *reason)
{
   fprintf(stderr, "scale: %s\n", reason);
   _exit(1);
}

static void expect(const char *phase, const char *what, uint64_t value)
{
   char line[128];
   int bytes = snprintf(line, sizeof line, "%s\t%s\t%" PRIu64 "\n", phase, what, value);
   if (write(1, line, (size_t)bytes) != bytes)
      stop("no output");
}

/* ---- Blocks. */

enum { BLOCK_BYTES = 24 };

static uintptr_t next_block = 0x100000000000;

APART void *take(size_t bytes);
APART void put(void *block);

APART void *take(size_t bytes)
{
   uintptr_t block = next_block;
   next_block += bytes / 16 * 16 + 16; /* an empty block has an address of its own, too */
   return (void *)block;
}

APART void put(void *block)
{
   __asm__ volatile("" : : "r"(block));
}

static void run_blocks(uint64_t count)
{
   uintptr_t first = next_block;
   profmem_begin("blocks");
   for (uint64_t i = 0; i < count; i++)
      take(BLOCK_BYTES);
   for (uint64_t i = 0; i < count; i += 2)
      put((void *)(first + i * 32));
   profmem_end("blocks");
   expect("blocks", "heap.growth", count * BLOCK_BYTES);
   expect("blocks", "allocations.count", count);
   expect("blocks", "deallocations.count", (count + 1) / 2);
   expect("blocks", "heap.retained", count / 2 * BLOCK_BYTES);
   expect("blocks", "deallocations.unmatched", 0);
}

/* ---- Instances. */

static void run_instances(uint64_t count)
{
   for (uint64_t i = 0; i < count; i++) {
      profmem_begin("instance");
      put(take(i % 1000));
      profmem_end("instance");
   }
   uint64_t thousands = count / 1000, rest = count % 1000;
   expect("instance", "@instances", count);
   expect("instance", "allocations.bytes", thousands * 499500 + rest * (rest - 1) / 2);
   expect("instance", "allocations.count", count);
   expect("instance", "heap.growth", count < 1000 ? count - 1 : 999);
}

/* ---- A range of addresses. */

static void run_range(uint64_t gib)
{
   size_t bytes = (size_t)gib << 30;
   profmem_begin("range");
   char *mapped = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (mapped == MAP_FAILED)
      stop("no such range");
   void *block = take(bytes);
   put(block);
   profmem_end("range");
   expect("range", "heap.growth", bytes);
   expect("range", "heap.retained", 0);
}

/* ---- Instructions. */

/* 100 of them each time. */
APART static uint64_t steps(uint64_t count)
{
   uint64_t sum = 0;
#if defined(__x86_64__)
   __asm__ volatile("1:\n.rept 98\n\tincq %0\n.endr\n\tdecq %1\n\tjnz 1b" : "+r"(sum), "+r"(count)
                    : : "cc");
#else
   __asm__ volatile("1:\n.rept 98\n\tadd %0, %0, #1\n.endr\n\tsubs %1, %1, #1\n\tb.ne 1b"
                    : "+r"(sum), "+r"(count) : : "cc");
#endif
   return sum;
}

/* Code for both phases, so that only the steps differ. */
APART static void step_in(const char *phase, uint64_t count)
{
   profmem_begin(phase);
   uint64_t sum = steps(count);
   profmem_end(phase);
   if (sum != 98 * count)
      stop("it was not executed");
}

static void run_steps(uint64_t count)
{
   step_in("one", 1);
   step_in("many", count + 1);
   expect("one", "@instances", 1);
   expect("many", "@instances", 1);
}

int main(int argc, char **argv)
{
   uint64_t number = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
   if (argc == 3 && strcmp(argv[1], "blocks") == 0)
      run_blocks(number);
   else if (argc == 3 && strcmp(argv[1], "instances") == 0)
      run_instances(number);
   else if (argc == 3 && strcmp(argv[1], "range") == 0)
      run_range(number);
   else if (argc == 3 && strcmp(argv[1], "steps") == 0)
      run_steps(number);
   else
      stop("usage: scale blocks|instances|range|steps NUMBER");
   return 0;
}
