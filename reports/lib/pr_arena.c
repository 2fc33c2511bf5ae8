/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_arena.c: memory that is given back all at once. See pr_arena.h. */
#include "pr_arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
   FIRST_CHUNK_BYTES = 16 * 1024,
   LARGEST_CHUNK_BYTES = 1024 * 1024,
   ALIGNMENT = alignof(max_align_t),
};

struct pr_arena_chunk {
   struct pr_arena_chunk *older;
   size_t bytes; /* of data[] */
   alignas(max_align_t) char data[];
};

void pr_arena_init(struct pr_arena *arena)
{
   *arena = (struct pr_arena){0};
}

void pr_arena_release(struct pr_arena *arena)
{
   while (arena->chunks) {
      struct pr_arena_chunk *older = arena->chunks->older;
      free(arena->chunks);
      arena->chunks = older;
   }
   pr_arena_init(arena);
}

/* Chunks double, so that a small report costs little and a large one few
   calls. What is left of the old chunk is given up: less than a piece that
   did not fit. */
static bool add_chunk(struct pr_arena *arena, size_t needed)
{
   size_t bytes = arena->chunks ? arena->chunks->bytes * 2 : FIRST_CHUNK_BYTES;
   if (bytes > LARGEST_CHUNK_BYTES)
      bytes = LARGEST_CHUNK_BYTES;
   if (bytes < needed)
      bytes = needed;
   struct pr_arena_chunk *chunk = NULL;
   if (bytes <= SIZE_MAX - sizeof *chunk)
      chunk = calloc(1, sizeof *chunk + bytes);
   if (!chunk) {
      arena->exhausted = true;
      return false;
   }
   chunk->older = arena->chunks;
   chunk->bytes = bytes;
   arena->chunks = chunk;
   arena->next = chunk->data;
   arena->left_bytes = bytes;
   return true;
}

void *pr_arena_alloc(struct pr_arena *arena, size_t bytes)
{
   if (arena->exhausted)
      return NULL;
   if (bytes > SIZE_MAX - ALIGNMENT) {
      arena->exhausted = true;
      return NULL;
   }
   size_t needed = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
   if (needed > arena->left_bytes && !add_chunk(arena, needed))
      return NULL;
   void *piece = arena->next;
   arena->next += needed;
   arena->left_bytes -= needed;
   return piece;
}

char *pr_arena_string(struct pr_arena *arena, const char *text, size_t bytes)
{
   char *copy = bytes < SIZE_MAX ? pr_arena_alloc(arena, bytes + 1) : NULL;
   if (copy && bytes)
      memcpy(copy, text, bytes);
   return copy;
}

void *pr_arena_append(struct pr_arena *arena, void *items, size_t *count, size_t size)
{
   enum { FIRST_CAPACITY = 8 };
   char *array;
   memcpy(&array, items, sizeof array); /* a pointer of some type, seen as bytes */
   /* The capacity is not stored: it is the least power of two, at least 8,
      that is not below the count; the array is full when they are equal. */
   bool full = *count == 0 || (*count >= FIRST_CAPACITY && (*count & (*count - 1)) == 0);
   if (full) {
      size_t capacity = *count ? *count * 2 : FIRST_CAPACITY;
      char *larger = capacity <= SIZE_MAX / size ? pr_arena_alloc(arena, capacity * size) : NULL;
      if (!larger)
         return NULL;
      if (*count)
         memcpy(larger, array, *count * size);
      memcpy(items, &larger, sizeof larger);
      array = larger;
   }
   return array + size * (*count)++;
}
