/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interposer.c: allocation functions for LD_PRELOAD that ask the next ones for more.
 *
 * Before each block stand its place in the larger one and its size, as debugging
 * allocators keep them. Several copies may lie above each other. The next functions are
 * looked up at the first call, and what dlsym itself asks for meanwhile is never given back.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NEXT(name, result, ...) static result (*next_##name)(__VA_ARGS__)
NEXT(malloc, void *, size_t);
NEXT(calloc, void *, size_t, size_t);
NEXT(realloc, void *, void *, size_t);
NEXT(memalign, void *, size_t, size_t);
NEXT(free, void, void *);

/* 16 bytes, so that blocks are aligned as they have to be. */
struct header {
   void *whole; /* what the next allocator knows */
   size_t bytes;
};

static char early[65536] __attribute__((aligned(16)));
static size_t early_bytes;

static void look_up(void)
{
   static bool under_way;
   if (next_free || under_way)
      return;
   under_way = true;
   next_malloc = dlsym(RTLD_NEXT, "malloc");
   next_calloc = dlsym(RTLD_NEXT, "calloc");
   next_realloc = dlsym(RTLD_NEXT, "realloc");
   next_memalign = dlsym(RTLD_NEXT, "memalign");
   next_free = dlsym(RTLD_NEXT, "free");
   under_way = false;
}

static struct header *header_of(void *block)
{
   return (struct header *)block - 1;
}

static void *enter(void *whole, size_t offset, size_t bytes)
{
   if (!whole)
      return NULL;
   void *block = (char *)whole + offset;
   *header_of(block) = (struct header){whole, bytes};
   return block;
}

static size_t with_header(size_t bytes)
{
   return bytes > SIZE_MAX / 2 ? bytes : bytes + sizeof(struct header);
}

static void *early_block(size_t bytes)
{
   void *whole = early + early_bytes;
   early_bytes += (bytes + 31) / 16 * 16;
   return early_bytes <= sizeof early ? enter(whole, sizeof(struct header), bytes) : NULL;
}

void *malloc(size_t bytes)
{
   look_up();
   if (!next_free)
      return early_block(bytes);
   return enter(next_malloc(with_header(bytes)), sizeof(struct header), bytes);
}

void *calloc(size_t count, size_t bytes)
{
   look_up();
   if (__builtin_mul_overflow(count, bytes, &bytes))
      return NULL;
   if (!next_free)
      return early_block(bytes);
   return enter(next_calloc(1, with_header(bytes)), sizeof(struct header), bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
   look_up();
   size_t offset = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
   return enter(next_memalign(alignment, bytes + offset), offset, bytes);
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

void free(void *block)
{
   if (block && ((char *)block < early || (char *)block >= early + sizeof early))
      next_free(header_of(block)->whole);
}

void *realloc(void *block, size_t bytes)
{
   if (!block)
      return malloc(bytes);
   if (bytes == 0) {
      free(block);
      return NULL;
   }
   struct header *header = header_of(block);
   if (header->whole == header)
      return enter(next_realloc(header, with_header(bytes)), sizeof(struct header), bytes);
   void *other = malloc(bytes);
   if (other) {
      memcpy(other, block, header->bytes < bytes ? header->bytes : bytes);
      free(block);
   }
   return other;
}

size_t malloc_usable_size(void *block)
{
   return block ? header_of(block)->bytes : 0;
}
