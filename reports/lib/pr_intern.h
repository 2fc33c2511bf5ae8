/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_intern.h: one copy of a string that a report repeats.
 *
 * Frames name the same functions, files and objects over and over. A copy made lately
 * is given out again. It is a cache and no set: a string whose place another one took
 * is copied anew. So a lookup costs the string's own length whatever the report holds,
 * and strings chosen to collide gain nothing; equal pointers mean equal strings, different
 * ones mean nothing.
 */
#ifndef PR_INTERN_H
#define PR_INTERN_H

#include "pr_arena.h"

enum { PR_INTERN_PLACES = 8192 };

/* All NULL at first. */
struct pr_intern {
   const char *recent[PR_INTERN_PLACES];
};

/* A string of `bytes` bytes in the arena. NULL: no memory left. */
const char *pr_intern_string(struct pr_intern *intern, struct pr_arena *arena, const char *text,
                             size_t bytes);

#endif
