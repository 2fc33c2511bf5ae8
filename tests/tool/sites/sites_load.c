/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_load.c: libraries that obtain blocks and are gone before the end.
 *
 *    sites_load FOLDER
 *
 * Loads libplugin_a.so, _b and _c from there one after the other and unloads each before
 * the next, several times. They are mapped at the same address, which is checked. Their
 * blocks live on. What the loader obtains itself is outside of phase `loaded`, where the
 * account is complete; in `program` the highest peak is far above all that it obtains.
 */
#define _GNU_SOURCE
#include "sites_ledger.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef void *plugin_run(size_t bytes);

static void *first_base;

/* A function at this address, so that libraries differ by their names alone. */
static void check_base(plugin_run *run)
{
   Dl_info info;
   if (dladdr(__extension__(void *)run, &info) == 0)
      sites_stop("a function of no library");
   if (!first_base)
      first_base = info.dli_fbase;
   if (info.dli_fbase != first_base)
      sites_stop("a library is mapped elsewhere than the first");
}

/* The library's block lives longer than the library. */
SITES_FUNCTION static void *load_and_run(const char *path, size_t bytes)
{
   void *library = dlopen(path, RTLD_NOW);
   if (!library)
      sites_stop(dlerror());
   plugin_run *run;
   *(void **)&run = dlsym(library, "plugin_run");
   check_base(run);
   void *block;
   sites_begin("loaded");
   HERE(block = run(bytes));
   sites_end("loaded");
   dlclose(library);
   if (dlopen(path, RTLD_NOW | RTLD_NOLOAD))
      sites_stop("a library is not unloaded");
   return block;
}

int main(int argc, char **argv)
{
   static const char order[] = "abcaabcbacx";
   if (argc < 2)
      sites_stop("usage: sites_load FOLDER");
   sites_start(argc, argv);
   void *blocks[sizeof order] = {NULL};
   char path[4096];
   for (int i = 0; order[i] != 'x'; i++) {
      snprintf(path, sizeof path, "%s/libplugin_%c.so", argv[1], order[i]);
      HERE(blocks[i] = load_and_run(path, 1000 * ((size_t)i + 1)));
   }
   for (int i = 0; order[i] != 'x'; i += 2)
      GIVE_BACK(free, blocks[i]);
   sites_begin("after");
   void *last = OBTAIN(malloc(10000000), 10000000);
   sites_end("after");
   GIVE_BACK(free, last);
   sites_report();
   _exit(0);
}
