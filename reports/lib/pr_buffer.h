/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_buffer.h: an array whose length is not known yet.
 *
 * Elements are appended while a report is read; when the last is known they are
 * copied to the report's arena, cut to measure, and the buffer serves the next list.
 * So growing leaves nothing behind in the arena, which cannot take memory back.
 */
#ifndef PR_BUFFER_H
#define PR_BUFFER_H

#include "pr_arena.h"

struct pr_buffer {
   void *items;
   size_t count, capacity; /* in elements */
};

/* A new element of `size` bytes, the same for all, with anything in it; pointers to
   earlier ones become invalid. NULL: no memory left. */
void *pr_buffer_append(struct pr_buffer *buffer, size_t size);

/* A copy of all elements; an empty buffer has none: *copy is NULL then.
   False: no memory left. */
bool pr_buffer_copy(const struct pr_buffer *buffer, size_t size, struct pr_arena *arena,
                    void *copy);

/* Hand the elements over to the caller, who frees them: for an array so large that a copy
   would be felt. Leaves the buffer empty. */
void *pr_buffer_take(struct pr_buffer *buffer);

/* Remove all elements; keeps the memory for the next ones. */
void pr_buffer_clear(struct pr_buffer *buffer);

void pr_buffer_release(struct pr_buffer *buffer);

#endif
