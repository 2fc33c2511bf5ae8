/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spy.c: a library to preload: how often a program calls a function of a library, and
 * what the program's heap does meanwhile.
 *
 * The referee of a function that is a phase, in a native run: the function and the
 * allocation functions are replaced by ones that keep an account and call the C
 * library's. At the end the account goes to the file that SPY_FILE names, in the form
 * of say.h. Only the functions at the end of this file, and one of them in a program;
 * one thread; calls inside calls belong to the outermost.
 */
#define _GNU_SOURCE
#include "say.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>

/* --- the heap ----------------------------------------------------------------------- */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *block, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void __libc_free(void *block);

enum { SLOTS = 1 << 20 };

/* What lives, by address; open addressing, and a slot of a block that is gone keeps
   its address until another one with the same hash takes it. */
static struct {
   void *address;
   size_t bytes;
   uint64_t birth; /* 0: gone */
} live[SLOTS];
static uint64_t live_bytes, live_blocks, births;

static struct {
   const char *name;
   int depth;
   uint64_t calls, birth;   /* births before the outermost call that runs */
   uint64_t entry_bytes, peak_bytes;
   uint64_t growth; /* the most over the calls */
   uint64_t allocations, allocated_bytes, reallocations, reallocated_bytes;
   uint64_t deallocations, deallocated_bytes, retained_bytes, released_bytes;
} phase;

static size_t slot_of(const void *address)
{
   size_t slot = ((uintptr_t)address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 44;
   size_t first_gone = SLOTS;
   for (; live[slot].address != NULL && live[slot].address != address; slot = (slot + 1) % SLOTS)
      if (live[slot].birth == 0 && first_gone == SLOTS)
         first_gone = slot;
   return live[slot].address == NULL && first_gone != SLOTS ? first_gone : slot;
}

static void put(void *address, size_t bytes, uint64_t birth)
{
   size_t slot = slot_of(address);
   live[slot].address = address;
   live[slot].bytes = bytes;
   live[slot].birth = birth;
   live_bytes += bytes;
   live_blocks++;
   if (phase.depth > 0 && live_bytes > phase.peak_bytes)
      phase.peak_bytes = live_bytes;
}

static void *obtained(void *address, size_t bytes)
{
   if (address == NULL)
      return NULL;
   put(address, bytes, ++births);
   if (phase.depth > 0) {
      phase.allocations++;
      phase.allocated_bytes += bytes;
   }
   return address;
}

void *malloc(size_t bytes)
{
   return obtained(__libc_malloc(bytes), bytes);
}

void *calloc(size_t count, size_t bytes)
{
   return obtained(__libc_calloc(count, bytes), count * bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
   return obtained(__libc_memalign(alignment, bytes), bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
   return memalign(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
   void *address = memalign(alignment, bytes);
   if (address == NULL)
      return ENOMEM;
   *block = address;
   return 0;
}

static void take(void *block, size_t *bytes, uint64_t *birth)
{
   size_t slot = slot_of(block);
   if (live[slot].address != block || live[slot].birth == 0)
      stop("a block that is not known");
   *bytes = live[slot].bytes;
   *birth = live[slot].birth;
   live[slot].birth = 0;
   live_bytes -= *bytes;
   live_blocks--;
}

void free(void *block)
{
   size_t bytes;
   uint64_t birth;
   if (block == NULL)
      return;
   take(block, &bytes, &birth);
   if (phase.depth > 0) {
      phase.deallocations++;
      phase.deallocated_bytes += bytes;
      if (birth <= phase.birth)
         phase.released_bytes += bytes;
   }
   __libc_free(block);
}

void *realloc(void *block, size_t bytes)
{
   size_t old_bytes;
   uint64_t birth;
   if (block == NULL)
      return malloc(bytes);
   if (bytes == 0) {
      free(block);
      return NULL;
   }
   void *address = __libc_realloc(block, bytes);
   if (address == NULL)
      return NULL;
   take(block, &old_bytes, &birth);
   put(address, bytes, birth);
   if (phase.depth > 0) {
      phase.reallocations++;
      phase.reallocated_bytes += bytes;
   }
   return address;
}

/* --- the function --------------------------------------------------------------------- */

static void enter(const char *name)
{
   if (phase.depth++ > 0)
      return;
   phase.name = name;
   phase.calls++;
   phase.birth = births;
   phase.entry_bytes = phase.peak_bytes = live_bytes;
}

static void leave(void)
{
   if (--phase.depth > 0)
      return;
   if (phase.peak_bytes - phase.entry_bytes > phase.growth)
      phase.growth = phase.peak_bytes - phase.entry_bytes;
   for (size_t slot = 0; slot < SLOTS; slot++)
      if (live[slot].birth > phase.birth)
         phase.retained_bytes += live[slot].bytes;
}

static void *next(const char *name)
{
   void *function = dlsym(RTLD_NEXT, name);
   if (function == NULL)
      stop("no such function");
   return function;
}

static __attribute__((destructor)) void report(void)
{
   const char *file = getenv("SPY_FILE");
   if (file == NULL || phase.name == NULL)
      return;
   int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
   if (fd < 0 || dup2(fd, 1) != 1)
      return;
   expect(phase.name, "@instances", (long long)phase.calls);
   expect(phase.name, "allocations.count", (long long)phase.allocations);
   expect(phase.name, "allocations.bytes", (long long)phase.allocated_bytes);
   expect(phase.name, "reallocations.count", (long long)phase.reallocations);
   expect(phase.name, "reallocations.bytes", (long long)phase.reallocated_bytes);
   expect(phase.name, "deallocations.count", (long long)phase.deallocations);
   expect(phase.name, "deallocations.bytes", (long long)phase.deallocated_bytes);
   expect(phase.name, "heap.growth", (long long)phase.growth);
   expect(phase.name, "heap.retained", (long long)phase.retained_bytes);
   expect(phase.name, "heap.released", (long long)phase.released_bytes);
}

#define SPY(name, parameters, arguments)                                                  \
   int name parameters;                                                                   \
   int name parameters                                                                    \
   {                                                                                      \
      static int(*function) parameters;                                                   \
      if (function == NULL)                                                               \
         function = (int(*) parameters)next(#name);                                       \
      enter(#name);                                                                       \
      int result = function arguments;                                                    \
      leave();                                                                            \
      return result;                                                                      \
   }

SPY(sqlite3_step, (void *statement), (statement))
SPY(lzma_code, (void *stream, int action), (stream, action))
