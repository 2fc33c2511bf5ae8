/* SPDX-License-Identifier: GPL-2.0-or-later */
/* segv_fix.c: SIGSEGV from the middle of a block, cured by the handler.
 *
 * The handler makes the page accessible and the instruction runs again: a
 * load, a store, a read-modify-write, a call through memory and a push onto a
 * stack that is not there yet.  Each faulting instruction retires once.
 */
#include "freestanding.h"

#include "faults.h"

#define ROUNDS 25

static char *page;
static volatile int faults_seen;
static char alternate_stack[16 * PAGE_BYTES];

static void make_accessible(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)context;
   faults_seen++;
   if ((uintptr_t)info->si_addr / PAGE_BYTES == (uintptr_t)page / PAGE_BYTES)
      protect(page, PAGE_BYTES, PROT_READ | PROT_WRITE);
}

static int returns_at_once(void)
{
   return 5;
}

int program(void)
{
   stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
   system_call(__NR_sigaltstack, (long)&stack, 0, 0, 0, 0, 0);
   handle(SIGSEGV, make_accessible, SA_ONSTACK);
   page = map(PAGE_BYTES, PROT_READ | PROT_WRITE);

   long sum = 0;
   for (int i = 0; i < ROUNDS; i++) {
      protect(page, PAGE_BYTES, PROT_NONE);
      sum += load_word(page + 8);
      protect(page, PAGE_BYTES, PROT_READ);
      store_word(page + 8);
      protect(page, PAGE_BYTES, PROT_READ);
      add_word(page + 8);
      *(int (*volatile *)(void))(page + 64) = returns_at_once;
      protect(page, PAGE_BYTES, PROT_NONE);
      call_through(page + 64);
      protect(page, PAGE_BYTES, PROT_READ);
      push_onto(page + 2048);
      /* Again, without a fault. */
      sum += load_word(page + 8);
      store_word(page + 8);
   }
   return faults_seen == 5 * ROUNDS && sum == ROUNDS * 80 + (ROUNDS - 1) * 77 ? 0 : 1;
}
