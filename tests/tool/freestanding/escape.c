/* SPDX-License-Identifier: GPL-2.0-or-later */
/* escape.c: handlers that never return to where they came from.
 *
 * The handler restores an earlier stack and goes on there, as siglongjmp
 * does, out of a fault in the middle of a block, at several call depths.
 */
#include "freestanding.h"

#include "faults.h"

#define ROUNDS 20

/* setjmp's essence: __builtin_setjmp stores frame, stack and place. */
static void *place[5];
static volatile int faults_seen;

static void escape(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   faults_seen++;
   __builtin_longjmp(place, 1);
}

static __attribute__((noinline)) long descend(int depth, const void *address)
{
   if (depth == 0)
      return load_word(address);
   return 1 + descend(depth - 1, address);
}

static __attribute__((noinline)) int attempt(int depth, const void *address)
{
   if (__builtin_setjmp(place) != 0)
      return 1;
   descend(depth, address);
   return 0;
}

int program(void)
{
   handle(SIGSEGV, escape, SA_NODEFER);
   char *page = map(PAGE_BYTES, PROT_NONE);
   int escaped = 0;
   for (int i = 0; i < ROUNDS; i++) {
      escaped += attempt(i, page);
      escaped += attempt(i, place);
   }
   return escaped == ROUNDS && faults_seen == ROUNDS ? 0 : 1;
}
