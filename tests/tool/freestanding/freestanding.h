/* SPDX-License-Identifier: GPL-2.0-or-later */
/* freestanding.h: all that the programs of this folder have instead of a libc.
 *
 * They count instructions, so that nothing may run but what their source says:
 * static, no loader, no start-up code, no dependence on the environment or on
 * the stack's address.  _start comes from start.S and calls program(), whose
 * result is the exit status: 0 if the program saw what it should see.
 *
 * A register that is needed after a fault must not be written later in the
 * same run of straight code: Valgrind promises the true value of the
 * instruction, stack and frame pointers at a fault, of no others.  Where that
 * matters, the faulting instruction stands in a function of faults.S.
 */
#ifndef FREESTANDING_H
#define FREESTANDING_H

#define _GNU_SOURCE /* REG_RIP and its like */

#include <asm/unistd.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE_BYTES 4096

int program(void);

/* Where _start found the number of arguments and the arguments. */
extern long *initial_stack_pointer;

#if defined(__x86_64__)
#include "freestanding_amd64.h"
#elif defined(__aarch64__)
#include "freestanding_arm64.h"
#endif

/* A private anonymous mapping; never fails in these programs. */
static inline char *map(size_t bytes, int protection)
{
   return (char *)system_call(__NR_mmap, 0, (long)bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static inline void protect(const void *address, size_t bytes, int protection)
{
   system_call(__NR_mprotect, (long)address, (long)bytes, protection, 0, 0, 0);
}

typedef void handler_function(int, siginfo_t *, void *);

extern char signal_restorer[];

/* rt_sigaction as the kernel has it: the restorer is the program's own. */
static inline void handle(int number, handler_function *handler, unsigned long flags)
{
   struct {
      handler_function *handler;
      unsigned long flags;
      void *restorer;
      unsigned long mask;
   } action = {handler, flags | SA_SIGINFO | 0x04000000 /* SA_RESTORER */, signal_restorer, 0};
   system_call(__NR_rt_sigaction, number, (long)&action, 0, 8, 0, 0);
}

#endif
