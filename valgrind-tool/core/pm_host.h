/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_host.h: everything the core needs from outside.
 *
 * The core is pure C: no Valgrind, no libc. Memory and the end of a broken
 * run come in through this struct; inside the tool it is filled by
 * host/pmh_services.c, in unit tests and fuzzers by tests/unit/hosted.c.
 * Nothing else crosses the border, so every module of the core runs hosted
 * under sanitizers exactly as it runs inside Valgrind.
 */
#ifndef PM_HOST_H
#define PM_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pm_host {
   /* `bytes` of uninitialised memory, 16-byte aligned; NULL: no memory left,
      and the caller says so to its own caller. `bytes` > 0. */
   void *(*alloc)(size_t bytes);

   /* Give back what alloc returned, with the same size. p may be NULL. */
   void (*release)(void *p, size_t bytes);

   /* `bytes` of zeroed address space that becomes memory only where it is
      written. NULL: none left. */
   void *(*reserve)(size_t bytes);

   /* Give back what reserve returned, with the same size. p may be NULL. */
   void (*unreserve)(void *p, size_t bytes);

   /* An invariant of the core is broken: say where, and do not return. */
   void (*broken)(const char *file, int line, const char *invariant);
};

#define PM_ASSERT(host, condition)                                             \
   do {                                                                        \
      if (__builtin_expect(!(condition), 0))                                   \
         (host)->broken(__FILE__, __LINE__, #condition);                       \
   } while (0)

/* A function that is seldom called: kept apart, so that what is usual needs neither its
   registers nor its room in the cache. */
#define PM_SELDOM __attribute__((noinline, cold))

/* What the compiler may call by itself even in freestanding code; the tool
   links Valgrind's, hosted builds link libc's. The core uses them through
   these prototypes. (Valgrind has no memcmp: pm_text.h brings its own.) */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);

#endif
