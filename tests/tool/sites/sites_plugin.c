/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_plugin.c: a library that obtains blocks, to be loaded and unloaded.
 *
 * Compiled several times with another name of its functions (PLUGIN_NAME, as a word in
 * PLUGIN(name)) and its own (SITES_OBJECT), so that the libraries look alike: what one has
 * at an address, the next one has there, by another name.
 */
#include "sites_ledger.h"

#include <stdlib.h>

#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)
#define PLUGIN(name) JOINED(name, PLUGIN_NAME)

SITES_FUNCTION static void *PLUGIN(obtain)(size_t bytes)
{
   return OBTAIN(malloc(bytes), bytes);
}

SITES_FUNCTION static void *PLUGIN(resize)(void *block, size_t bytes)
{
   return RESIZE(block, bytes);
}

SITES_FUNCTION static void PLUGIN(give_back)(void *block)
{
   GIVE_BACK(free, block);
}

/* The only name that all of them have. Returns a block that it leaves. */
void *plugin_run(size_t bytes);

SITES_FUNCTION void *plugin_run(size_t bytes)
{
   void *block, *other;
   HERE(block = PLUGIN(obtain)(bytes));
   HERE(other = PLUGIN(obtain)(2 * bytes));
   HERE(block = PLUGIN(resize)(block, 3 * bytes));
   HERE(PLUGIN(give_back)(other));
   return block;
}
