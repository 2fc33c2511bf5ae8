/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segv_skip.c: faults whose handler goes on behind the faulting instruction.
 *
 * SIGSEGV by a load, a store and, where there is such a thing, a misaligned
 * load, SIGILL, and a call into nowhere.  The skipped instruction never retires; the call into
 * nowhere has retired, the fault is the fetch of what it leads to.
 */
#include "freestanding.h"

#include "faults.h"

#define ROUNDS 30

static volatile int faults_seen;

static void skip(int number, siginfo_t *info, void *context)
{
   static const struct {
      const char *fault, *after;
   } sites[] = {
      {load_word_fault, load_word_after},
      {store_word_fault, store_word_after},
      {load_aligned_fault, load_aligned_after},
      {illegal_fault, illegal_after},
   };
   (void)number;
   (void)info;
   uintptr_t *ip = saved_ip(context);
   faults_seen++;
   for (unsigned i = 0; i < sizeof sites / sizeof sites[0]; i++)
      if (*ip == (uintptr_t)sites[i].fault) {
         *ip = (uintptr_t)sites[i].after;
         return;
      }
   return_at_once(context); /* from nowhere */
}

int program(void)
{
   static char bytes[64] __attribute__((aligned(64)));
   handle(SIGSEGV, skip, 0);
   handle(SIGILL, skip, 0);
   char *page = map(PAGE_BYTES, PROT_NONE);
   void (*volatile nowhere)(void) = (void (*)(void))page;
   for (int i = 0; i < ROUNDS; i++) {
      load_word(page);
      store_word(page);
      load_aligned(bytes + 4);
      load_aligned(bytes + 16);
      illegal();
      nowhere();
   }
   return faults_seen == (4 + UNALIGNED_LOADS_FAULT) * ROUNDS ? 0 : 1;
}
