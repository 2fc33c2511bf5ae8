/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_malloc.c: an allocator that a program brings along, under the C library's names.
 *
 * Everything in the process uses it. Blocks of a power of two come from one mapping and
 * go to a list when they are given back; what is no block, or none any more, is ignored.
 * calloc, realloc and the aligned ones call malloc and free, as allocators do.
 */
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CLASSES = 26, ARENA_BYTES = 1 << 29, LIVE = 0x6c697665, DEAD = 0x64656164 };

/* Before each block. 16 bytes, so that blocks are aligned as they have to be. */
struct header {
   uint32_t state;
   uint32_t class; /* of 16 << class bytes */
   struct header *next;
};

static char *arena, *unused;
static struct header *lists[CLASSES];

static bool is_block(const void *block)
{
   uintptr_t at = (uintptr_t)block;
   const struct header *header = (const struct header *)block - 1;
   return at % 16 == 0 && at > (uintptr_t)arena && at < (uintptr_t)unused && header->state == LIVE &&
          header->next == header;
}

void *malloc(size_t bytes)
{
   uint32_t class = 0;
   while (class < CLASSES && (size_t)16 << class < bytes)
      class++;
   if (class == CLASSES) {
      errno = ENOMEM;
      return NULL;
   }
   if (!arena)
      arena = unused = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   struct header *header = lists[class];
   if (header) {
      lists[class] = header->next;
   } else {
      header = (struct header *)unused;
      unused += sizeof *header + ((size_t)16 << class);
   }
   *header = (struct header){LIVE, class, header};
   return header + 1;
}

void free(void *block)
{
   if (!is_block(block))
      return;
   struct header *header = (struct header *)block - 1;
   *header = (struct header){DEAD, header->class, lists[header->class]};
   lists[header->class] = header;
}

size_t malloc_usable_size(void *block)
{
   return is_block(block) ? (size_t)16 << ((struct header *)block - 1)->class : 0;
}

void *calloc(size_t count, size_t bytes)
{
   if (__builtin_mul_overflow(count, bytes, &bytes))
      return NULL;
   void *block = malloc(bytes);
   return block ? memset(block, 0, bytes) : NULL;
}

void *realloc(void *block, size_t bytes)
{
   size_t old = malloc_usable_size(block);
   if (block && bytes <= old && bytes > old / 4)
      return block;
   void *other = malloc(bytes);
   if (other && block) {
      memcpy(other, block, old < bytes ? old : bytes);
      free(block);
   }
   return other;
}

/* The aligned part of a larger block gets a header of its own; that part alone is given
   back, and what lies before it never is. */
void *memalign(size_t alignment, size_t bytes)
{
   uintptr_t block = (uintptr_t)malloc(2 * bytes + alignment + 64);
   if (!block || block % alignment == 0)
      return (void *)block;
   struct header *header = (struct header *)((block + alignment + 15) / alignment * alignment) - 1;
   uint32_t class = 0;
   while ((size_t)16 << class < bytes)
      class++;
   *header = (struct header){LIVE, class, header};
   return header + 1;
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
   return memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
   *block = memalign(alignment, bytes);
   return *block ? 0 : ENOMEM;
}
