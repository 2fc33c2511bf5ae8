/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plugin.c: a library that loads.c opens; its functions are phases. */
#include "profmem.h"

#include <stdlib.h>

/* Kept from a compiler that sees through it. */
static void *volatile kept;

/* So that the name is in the library's full table of symbols alone. */
static __attribute__((noipa)) void plugin_private(size_t bytes)
{
   kept = malloc(bytes);
   free(kept);
   kept = NULL;
}

__attribute__((noipa)) int plugin_run(size_t bytes)
{
   kept = malloc(bytes);
   free(kept);
   plugin_private(2 * bytes);
   return kept == NULL;
}

/* A phase whose name is in the library's memory. */
int plugin_phase(int begin)
{
   static const char name[] = "from the plugin";
   return begin ? profmem_begin(name) : profmem_end(name);
}
