/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_intern.c: one copy of a string that a report repeats. See pr_intern.h. */
#include "pr_intern.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits; the upper half folded in, since a place is the lower bits. */
static size_t place_of(const char *text, size_t bytes)
{
   uint64_t hash = 0xCBF29CE484222325;
   for (size_t i = 0; i < bytes; i++)
      hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3;
   return (size_t)(hash ^ hash >> 32) % PR_INTERN_PLACES;
}

const char *pr_intern_string(struct pr_intern *intern, struct pr_arena *arena, const char *text,
                             size_t bytes)
{
   const char **recent = &intern->recent[place_of(text, bytes)];
   if (!*recent || strncmp(*recent, text, bytes) != 0 || (*recent)[bytes])
      *recent = pr_arena_string(arena, text, bytes);
   return *recent;
}
