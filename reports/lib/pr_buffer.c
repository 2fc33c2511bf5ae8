/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_buffer.c: an array whose length is not known yet. See pr_buffer.h. */
#include "pr_buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *pr_buffer_append(struct pr_buffer *buffer, size_t size)
{
   enum { FIRST_CAPACITY = 16 };
   if (buffer->count == buffer->capacity) {
      size_t capacity = buffer->capacity ? buffer->capacity * 2 : FIRST_CAPACITY;
      void *larger = capacity <= SIZE_MAX / size ? realloc(buffer->items, capacity * size) : NULL;
      if (!larger)
         return NULL;
      buffer->items = larger;
      buffer->capacity = capacity;
   }
   return (char *)buffer->items + size * buffer->count++;
}

bool pr_buffer_copy(const struct pr_buffer *buffer, size_t size, struct pr_arena *arena,
                    void *copy)
{
   void *items = NULL;
   if (buffer->count) {
      items = pr_arena_alloc(arena, buffer->count * size);
      if (!items)
         return false;
      memcpy(items, buffer->items, buffer->count * size);
   }
   memcpy(copy, &items, sizeof items); /* a pointer of some type, seen as bytes */
   return true;
}

void *pr_buffer_take(struct pr_buffer *buffer)
{
   void *items = buffer->items;
   *buffer = (struct pr_buffer){NULL, 0, 0};
   return items;
}

void pr_buffer_clear(struct pr_buffer *buffer)
{
   buffer->count = 0;
}

void pr_buffer_release(struct pr_buffer *buffer)
{
   free(buffer->items);
   *buffer = (struct pr_buffer){NULL, 0, 0};
}
