/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mallocx.c: jemalloc's own interface, beside the C library's names.
 *
 *    mallocx LESSON FILE
 *
 * Runs with jemalloc preloaded, whose functions are looked up, so that nothing of it is
 * needed to compile this. What is expected goes to FILE.
 */
#define _GNU_SOURCE
#include "account.h"

#include <dlfcn.h>

static void *(*mallocx)(size_t bytes, int flags);
static void *(*rallocx)(void *block, size_t bytes, int flags);
static size_t (*xallocx)(void *block, size_t bytes, size_t extra, int flags);
static size_t (*sallocx)(const void *block, int flags);
static void (*dallocx)(void *block, int flags);
static void (*sdallocx)(void *block, size_t bytes, int flags);
static size_t (*nallocx)(size_t bytes, int flags);
static int (*mallctl)(const char *name, void *old, size_t *old_bytes, void *value,
                      size_t value_bytes);

static void look_up(void)
{
   const struct {
      const char *name;
      void *function;
   } table[] = {
      {"mallocx", &mallocx}, {"rallocx", &rallocx},   {"xallocx", &xallocx},
      {"sallocx", &sallocx}, {"dallocx", &dallocx},   {"sdallocx", &sdallocx},
      {"nallocx", &nallocx}, {"mallctl", &mallctl},
   };
   for (size_t f = 0; f < sizeof table / sizeof *table; f++) {
      void *address = dlsym(RTLD_DEFAULT, table[f].name);
      check(address != NULL, "jemalloc is not there");
      memcpy(table[f].function, &address, sizeof address);
   }
}

enum { ZERO = 0x40, NO_CACHE = 0x100 };

static int of_arena;                  /* flag: an arena of the program's own */
static unsigned char flags_of[SLOTS]; /* the alignment, which goes with a block */

static int flags(int s)
{
   int extra[] = {0, ZERO, NO_CACHE, NO_CACHE | of_arena};
   return flags_of[s] | extra[draw(&account.random, 4)];
}

static void fill(int s)
{
   size_t bytes = draw(&account.random, 12) ? 1 + draw(&account.random, 3000)
                                            : 1 + draw(&account.random, 200000);
   flags_of[s] = (unsigned char)draw(&account.random, 13); /* up to a page */
   int how = flags(s);
   check(nallocx(bytes, how) >= bytes, "no such size");
   char *block = mallocx(bytes, how);
   check((uintptr_t)block % (1u << flags_of[s]) == 0, "alignment");
   memset(block, 1, bytes);
   account_obtained(s, block, (long long)bytes);
}

static void resize(int s)
{
   size_t bytes = 1 + draw(&account.random, (uint64_t)account.slot[s].bytes * 2 + 100);
   char *block = account.slot[s].address;
   if (draw(&account.random, 2)) {
      account_resized(s, rallocx(block, bytes, flags(s)), (long long)bytes);
      return;
   }
   /* In place or not at all: it returns the size that the block has then. */
   size_t has = xallocx(block, bytes, draw(&account.random, 500), flags(s));
   if (has >= bytes)
      account_resized(s, block, (long long)bytes);
   else
      account_failed(true);
   check(sallocx(block, flags_of[s]) >= (size_t)account.slot[s].bytes, "its size");
}

static void empty(int s)
{
   char *block = account.slot[s].address;
   switch (draw(&account.random, 3)) {
   case 0:
      dallocx(block, flags_of[s]);
      break;
   case 1:
      sdallocx(block, sallocx(block, flags_of[s]), flags_of[s]);
      break;
   default:
      free(block);
   }
   account_given_back(s);
}

static void play(unsigned long calls)
{
   while (calls-- > 0) {
      int s = (int)draw(&account.random, SLOTS);
      if (!account.slot[s].address)
         fill(s);
      else if (draw(&account.random, 2))
         resize(s);
      else
         empty(s);
   }
}

static void lesson_random(void)
{
   unsigned arena;
   look_up();
   check(mallctl("arenas.create", &arena, &(size_t){sizeof arena}, NULL, 0) == 0, "no arena");
   of_arena = (int)(arena + 1) << 20;
   account_begin("random");
   play(scaled(20000));
   account_end("random");
   account_begin("random again");
   play(scaled(20000));
   account_end("random again");
}

int main(int argc, char **argv)
{
   static const struct lesson lessons[] = {{"random", lesson_random}, {0}};
   account.among_others = true; /* the library's own */
   int status = teach(argc, argv, lessons);
   account_print(false);
   return status;
}
