/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loads.c: functions of libraries that come and go, and what a report must say.
 *
 *    loads PLUGIN OTHER
 *
 * Both files are the same library. It is opened, used and closed time and again, at
 * the same address and at others, alone and twice at once.
 */
#define _GNU_SOURCE
#include "profmem.h"
#include "say.h"

#include <dlfcn.h>
#include <sys/mman.h>

enum { ROUNDS = 20 };

static void *function_of(void *library, const char *name)
{
   void *function = dlsym(library, name);
   check(function != NULL, "no such function");
   return function;
}

static void *open_library(const char *path)
{
   void *library = dlopen(path, RTLD_NOW);
   if (library == NULL)
      stop(dlerror());
   return library;
}

static void run(void *library, size_t bytes)
{
   int (*plugin_run)(size_t) = (int (*)(size_t))function_of(library, "plugin_run");
   check(plugin_run(bytes), "it ran");
}

static int phase(void *library, int begin)
{
   return ((int (*)(int))function_of(library, "plugin_phase"))(begin);
}

int main(int argc, char **argv)
{
   check(argc == 3, "usage: loads PLUGIN OTHER");
   char *filler = NULL;
   for (int i = 0; i < ROUNDS; i++) {
      void *plugin = open_library(argv[1]);
      run(plugin, 100);
      check(phase(plugin, 1) == PROFMEM_DONE, "begun");
      dlclose(plugin);
      if (i % 3 == 0) {
         /* Something else where it was. */
         filler = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
         check(filler != MAP_FAILED, "no filler");
      }
      void *other = open_library(argv[2]);
      plugin = open_library(argv[1]);
      run(other, 10);
      run(plugin, 10);
      check(phase(plugin, 0) == PROFMEM_DONE, "ended");
      dlclose(other);
      run(plugin, 10);
      dlclose(plugin);
   }
   expect("plugin_run", "@instances", 4 * ROUNDS);
   expect_text("plugin_run", "@complete", "yes");
   expect("plugin_run", "allocations.bytes", 3 * 130 * ROUNDS);
   expect("private", "@instances", 4 * ROUNDS);
   expect("private", "allocations.bytes", 2 * 130 * ROUNDS);
   expect_text("private", "@parent#1", "plugin_run");
   expect("from the plugin", "@instances", ROUNDS);
   expect_text("from the plugin", "@complete", "yes");
   return 0;
}
