/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collected.c: blocks of a garbage collector (libgc), beside the C library's.
 *
 *    collected observed|unobserved FILE
 *
 * "observed": the collector's functions are made known by --alloc-fn. What it collects it
 * gives back to nobody: that a block has ended is seen when its address is returned again.
 * The account is a table of what was returned last at each address, disguised, so that the
 * collector does not take it for references. Its library is loaded, so that nothing of it
 * is needed to compile this.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <dlfcn.h>

static void (*GC_init)(void);
static void *(*GC_malloc)(size_t bytes);
static void *(*GC_malloc_atomic)(size_t bytes); /* holds no references */
static void (*GC_free)(void *block);
static void (*GC_gcollect)(void);
static unsigned long (*GC_get_gc_no)(void); /* collections so far */

static void load(void)
{
   const struct {
      const char *name;
      void *function;
   } table[] = {
      {"GC_init", &GC_init}, {"GC_malloc", &GC_malloc},
      {"GC_malloc_atomic", &GC_malloc_atomic}, {"GC_free", &GC_free},
      {"GC_gcollect", &GC_gcollect}, {"GC_get_gc_no", &GC_get_gc_no},
   };
   void *library = dlopen("libgc.so.1", RTLD_NOW | RTLD_GLOBAL);
   check(library != NULL, "libgc is not there");
   for (size_t f = 0; f < sizeof table / sizeof *table; f++) {
      void *address = dlsym(library, table[f].name);
      check(address != NULL, "libgc lacks a function");
      memcpy(table[f].function, &address, sizeof address);
   }
}

enum { ENTRIES = 1 << 16, KEPT = 200 };

static struct entry {
   uintptr_t disguised; /* 0: none */
   long long bytes;     /* -1: given back */
} table[ENTRIES];

static struct {
   long long live, blocks, peak, peak_blocks, obtained, obtained_bytes;
   long long given_back, given_back_bytes, unseen;
} own;

static void *kept[KEPT]; /* references: what is not here is garbage */

static struct entry *entry_of(const void *block)
{
   uintptr_t disguised = ~(uintptr_t)block;
   size_t e = (uintptr_t)block / 16 * 40503 % ENTRIES;
   while (table[e].disguised && table[e].disguised != disguised)
      e = (e + 1) % ENTRIES;
   table[e].disguised = disguised;
   return &table[e];
}

static void gone(struct entry *entry)
{
   own.live -= entry->bytes;
   own.blocks--;
   own.given_back++;
   own.given_back_bytes += entry->bytes;
   entry->bytes = -1;
}

static void enter(void *block, size_t bytes)
{
   struct entry *entry = entry_of(block);
   if (entry->disguised && entry->bytes > 0) {
      own.unseen++;
      gone(entry);
   }
   entry->bytes = (long long)bytes;
   own.live += (long long)bytes;
   own.blocks++;
   own.obtained++;
   own.obtained_bytes += (long long)bytes;
   if (own.live > own.peak) {
      own.peak = own.live;
      own.peak_blocks = own.blocks;
   }
}

static void play(unsigned long calls)
{
   uint64_t random = 1;
   for (unsigned long c = 0; c < calls; c++) {
      if (c % (calls / 5 + 1) == 0)
         GC_gcollect();
      size_t slot = draw(&random, KEPT), bytes = 1 + draw(&random, 1000);
      if (draw(&random, 10) == 0 && kept[slot]) {
         gone(entry_of(kept[slot]));
         GC_free(kept[slot]);
         kept[slot] = NULL;
         continue;
      }
      kept[slot] = draw(&random, 2) ? GC_malloc(bytes) : GC_malloc_atomic(bytes);
      check(kept[slot] != NULL, "no memory");
      memset(kept[slot], 0, bytes);
      enter(kept[slot], bytes);
   }
}

static void lesson(void)
{
   load();
   GC_init();
   profmem_begin("collected");
   play(scaled(30000));
   profmem_end("collected");
   print("%s\n", GC_get_gc_no() > 3 ? "collected" : "too little");
}

static void lesson_observed(void)
{
   lesson();
   expect("collected", "heap.growth", own.peak);
   expect("collected", "heap.retained", own.live);
   expect("collected", "heap.released", 0);
   expect("collected", "allocations.count", own.obtained);
   expect("collected", "allocations.bytes", own.obtained_bytes);
   expect("collected", "deallocations.count", own.given_back);
   expect("collected", "deallocations.bytes", own.given_back_bytes);
   expect("collected", "deallocations.unseen", own.unseen);
   expect("collected", "deallocations.unmatched", 0);
   expect("-", "!unseen-deallocation", own.unseen);
}

/* The collector's blocks are none of the heap; it maps what they lie in by itself. */
static void lesson_unobserved(void)
{
   lesson();
   expect("collected", "allocations.count", 0);
   expect("collected", "deallocations.count", 0);
   expect("collected", "heap.growth", 0);
}

int main(int argc, char **argv)
{
   static const struct lesson lessons[] = {
      {"observed", lesson_observed}, {"unobserved", lesson_unobserved}, {0}};
   return teach(argc, argv, lessons);
}
