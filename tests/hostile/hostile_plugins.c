/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_plugins.c: libraries that come and go.
 *
 *    hostile_plugins LESSON LEDGER
 *
 * Two libraries (hostile_plugin.c), beside the program, are opened and closed in turn, so
 * that each is mapped where the other was: one has allocation functions at places where
 * the other has none. The loader obtains many blocks for each, from the program's own
 * allocator, which keeps the account of all but those of the library's functions.
 */
#include "hostile.h"
#include "profmem.h"

#include <dlfcn.h>
#include <stddef.h>

struct head {
   size_t size_bytes;
   unsigned long serial;
};

static char arena[16 << 20] __attribute__((aligned(16)));
static size_t used;
static unsigned long serials;
static struct deeds deeds;
static struct live live;

/* ---- The allocator and its account: the last block can be used again. */

static struct head *head_of(void *address)
{
   return (struct head *)(uintptr_t)address - 1;
}

static void *take(size_t alignment, size_t bytes)
{
   size_t at = (used + sizeof(struct head) + alignment - 1) / alignment * alignment;
   check(bytes <= sizeof arena - at, "the arena is too small");
   used = at + bytes;
   *head_of(arena + at) = (struct head){bytes, ++serials};
   return arena + at;
}

static void *obtained(void *address)
{
   did_obtain(&deeds, head_of(address)->serial, head_of(address)->size_bytes);
   live_add(&live, (long long)head_of(address)->size_bytes, 1);
   return address;
}

FUNCTION void *malloc(size_t bytes)
{
   return obtained(take(16, bytes));
}

FUNCTION void *calloc(size_t count, size_t bytes)
{
   char *address = take(16, count * bytes);
   memset(address, 0, count * bytes);
   return obtained(address);
}

FUNCTION void free(void *address)
{
   if (!address)
      return;
   did_release(&deeds, head_of(address)->serial, head_of(address)->size_bytes, false);
   live_add(&live, -(long long)head_of(address)->size_bytes, -1);
   /* All of it is free when nothing lives. */
   if (live.blocks == 0)
      used = 0;
}

FUNCTION void *realloc(void *address, size_t bytes)
{
   if (!address)
      return malloc(bytes);
   struct head old = *head_of(address);
   char *moved = take(16, bytes);
   memcpy(moved, address, old.size_bytes < bytes ? old.size_bytes : bytes);
   head_of(moved)->serial = old.serial;
   did_resize(&deeds, old.size_bytes, bytes, true);
   live_add(&live, (long long)bytes - (long long)old.size_bytes, 0);
   return moved;
}

FUNCTION void *aligned_alloc(size_t alignment, size_t bytes)
{
   return obtained(take(alignment, bytes));
}

/* ---- The libraries. */

static char *folder;

static void turn(const char *name, int calls, bool allocates)
{
   char path[1024];
   snprintf(path, sizeof path, "%s/%s", folder, name);
   void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
   check(library != NULL, "dlopen");
   void (*work)(int) = (void (*)(int))(uintptr_t)dlsym(library, "work");
   check(work != NULL, "dlsym");
   work(calls);
   if (allocates)
      for (int c = 1; c <= calls; c++) {
         did_obtain(&deeds, ++serials, (size_t)c);
         live_add(&live, c, 1);
         did_release(&deeds, serials, (size_t)c, false);
         live_add(&live, -c, -1);
      }
   check(dlclose(library) == 0, "dlclose");
}

static void plugins(void)
{
   unsigned long rounds = scaled(1000) / 2 + 1;
   deeds = (struct deeds){0};
   live_enter(&live);
   profmem_begin("plugins");
   for (unsigned long r = 0; r < rounds; r++) {
      turn("hostile_plugin_a.so", 1 + (int)(r % 10), true);
      turn("hostile_plugin_b.so", 1 + (int)(r % 7), false);
   }
   profmem_end("plugins");
   expect_sums("plugins", &deeds);
   expect("plugins", "allocations.temporary", deeds.temporary);
   expect_live("plugins", &live);
   print("%lu libraries opened and closed\n", 2 * rounds);
}

static const struct lesson lessons[] = {
   {"plugins", plugins},
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   static char program[1024];
   char *end = strrchr(argv[0], '/');
   check(end != NULL && (size_t)(end - argv[0]) < sizeof program, "where am I?");
   memcpy(program, argv[0], (size_t)(end - argv[0]));
   folder = program;
   return teach(argc, argv, lessons);
}
