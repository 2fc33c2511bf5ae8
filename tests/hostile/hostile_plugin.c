/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_plugin.c: what hostile_plugins.c opens and closes, in two kinds.
 *
 * Both have the same code at the same places: with -DPLUGIN_ALLOCATES its functions are
 * allocation functions by name, without it they are none. Both obtain blocks of the
 * program's allocator when they are opened and give them back when they are closed.
 */
#include <stddef.h>
#include <stdlib.h>

#ifdef PLUGIN_ALLOCATES
#define TAKE je_malloc
#define GIVE je_free
#else
#define TAKE take_for_me
#define GIVE give_away
#endif

static char arena[4096] __attribute__((aligned(16)));
static size_t used;
static void *own;

__attribute__((noipa)) void *TAKE(size_t bytes)
{
   char *block = arena + used;
   used += (bytes + 31) / 16 * 16;
   return block;
}

__attribute__((noipa)) void GIVE(void *block)
{
   *(volatile char *)block = 0;
}

/* Calls of the functions above; the sizes are 1 to `count`. */
void work(int count)
{
   for (int c = 1; c <= count; c++)
      GIVE(TAKE((size_t)c));
}

__attribute__((constructor)) static void opened(void)
{
   own = malloc(300);
}

__attribute__((destructor)) static void closed(void)
{
   free(own);
}
