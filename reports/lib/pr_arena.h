/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_arena.h: memory that is given back all at once.
 *
 * A loaded report is many small strings and records that live and die
 * together. They are cut from large chunks: no header per piece, nothing to
 * free one by one.
 *
 * Out of memory is sticky: the failing call and all later ones return NULL and
 * `exhausted` stays set, so a caller may check once after a group of calls if
 * it does not use the pointers before.
 */
#ifndef PR_ARENA_H
#define PR_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct pr_arena_chunk;

struct pr_arena {
   struct pr_arena_chunk *chunks; /* newest first */
   char *next;                    /* the free part of the newest chunk */
   size_t left_bytes;             /* its size */
   bool exhausted;
};

void pr_arena_init(struct pr_arena *arena);
void pr_arena_release(struct pr_arena *arena);

/* Zeroed, aligned for any type. NULL: no memory left. */
void *pr_arena_alloc(struct pr_arena *arena, size_t bytes);

/* A copy of `bytes` bytes with a NUL behind them. NULL: no memory left. */
char *pr_arena_string(struct pr_arena *arena, const char *text, size_t bytes);

/* Append a zeroed element to the array *items of *count elements of `size`
   bytes each, which grows by doubling; returns the new element. Earlier
   element pointers become invalid. Both start as NULL and 0.
   NULL: no memory left. */
void *pr_arena_append(struct pr_arena *arena, void *items, size_t *count, size_t size);

#endif
