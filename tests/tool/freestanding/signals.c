/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signals.c: signals that the program sends to itself.
 *
 * Handled at once, ignored, blocked and delivered when unblocked, sent from
 * inside a handler, handled on another stack, and a fault inside a handler.
 */
#include "freestanding.h"

#include "faults.h"

#define ROUNDS 15

static char *page;
static char alternate_stack[16 * PAGE_BYTES];
static volatile int usr1_seen, usr2_seen, segv_seen;

static void send_to_self(int number)
{
   long pid = system_call(__NR_getpid, 0, 0, 0, 0, 0, 0);
   system_call(__NR_kill, pid, number, 0, 0, 0, 0);
}

static void on_usr2(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   usr2_seen++;
}

static void on_usr1(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   usr1_seen++;
   send_to_self(SIGUSR2);
   protect(page, PAGE_BYTES, PROT_NONE);
   load_word(page);
}

static void on_segv(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   (void)context;
   segv_seen++;
   protect(page, PAGE_BYTES, PROT_READ);
}

int program(void)
{
   stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
   unsigned long usr2_only = 1ul << (SIGUSR2 - 1);
   system_call(__NR_sigaltstack, (long)&stack, 0, 0, 0, 0, 0);
   page = map(PAGE_BYTES, PROT_NONE);
   handle(SIGUSR1, on_usr1, SA_ONSTACK);
   handle(SIGUSR2, on_usr2, 0);
   handle(SIGSEGV, on_segv, 0);
   handle(SIGWINCH, (handler_function *)(void *)SIG_IGN, 0);
   for (int i = 0; i < ROUNDS; i++) {
      send_to_self(SIGUSR1);
      send_to_self(SIGWINCH);
      send_to_self(SIGURG); /* ignored by default */
      system_call(__NR_rt_sigprocmask, SIG_BLOCK, (long)&usr2_only, 0, 8, 0, 0);
      send_to_self(SIGUSR2);
      send_to_self(SIGUSR2); /* merges with the first */
      system_call(__NR_rt_sigprocmask, SIG_UNBLOCK, (long)&usr2_only, 0, 8, 0, 0);
   }
   return usr1_seen == ROUNDS && usr2_seen == 2 * ROUNDS && segv_seen == ROUNDS ? 0 : 1;
}
