/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_list.h: lists of strings and of named values, in an arena.
 *
 * Out of memory is the arena's sticky `exhausted`: whoever builds several lists checks
 * it once, before he uses them.
 */
#ifndef RUN_LIST_H
#define RUN_LIST_H

#include "pr_arena.h"

/* As exec takes them: a NULL behind the last. */
struct run_list {
   struct pr_arena *arena;
   char **items; /* NULL as long as there are none */
   size_t count;
};

void run_list_add(struct run_list *list, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

void run_list_add_first(struct run_list *list, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* The strings with the NULL behind them; an empty list has that as well. */
char **run_list_end(struct run_list *list);

/* A string in the arena. NULL: no memory left. */
char *run_text(struct pr_arena *arena, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* What was held fixed, or why it was not: the report's <fix> elements. */
struct run_fix {
   const char *name, *value;
};

struct run_fixes {
   struct pr_arena *arena;
   struct run_fix *items;
   size_t count;
};

/* `name` is kept as it is, the value copied. */
void run_fixes_add(struct run_fixes *fixes, const char *name, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

#endif
