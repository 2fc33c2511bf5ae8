/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mapped_libc.c: memory mapped by a program and by glibc's malloc.
 *
 *    mapped_libc 0|1
 *
 * With 1: maps and unmaps by itself, obtains large blocks, each of which
 * malloc maps, and gives some back.  Prints by how much a report must differ
 * from that of a run with 0: of its own calls by its own record, of malloc's by
 * mallinfo2's hblkhd, glibc's own account of what it has mapped.  The loader's
 * and the C library's mappings are the same in both runs.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BLOCKS 20

static void *volatile blocks[BLOCKS];

int main(int argc, char **argv)
{
   if (argc != 2)
      return 2;
   size_t own = 0, own_peak = 0, of_malloc = 0, of_malloc_peak = 0;
   /* The threshold must not adapt: every block below is mapped. */
   mallopt(M_MMAP_THRESHOLD, 128 * 1024);
   blocks[0] = malloc(1); /* malloc's first call moves the break for itself */
   size_t before = mallinfo2().hblkhd;
   if (argv[1][0] == '1') {
      char *first = mmap(NULL, 50u << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      own = own_peak = 50u << 20;
      munmap(first + (20u << 20), 10u << 20);
      own -= 10u << 20;
      for (size_t i = 0; i < BLOCKS; i++)
         blocks[i] = malloc(200000 + 50000 * i);
      of_malloc_peak = mallinfo2().hblkhd - before;
      for (size_t i = 0; i < BLOCKS; i += 2)
         free(blocks[i]);
      of_malloc = mallinfo2().hblkhd - before;
   }
   char text[256];
   int length = snprintf(text, sizeof text,
                         "mapped.peak=%zu\nmapped.exit=%zu\nallocator-mapped.peak=%zu\n"
                         "allocator-mapped.exit=%zu\n",
                         own_peak, own, of_malloc_peak, of_malloc);
   _exit(write(1, text, (size_t)length) == length ? 0 : 1);
}
