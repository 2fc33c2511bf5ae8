/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_deaths.c: a process that a signal ends.
 *
 *    hostile_deaths PLACE CAUSE LEDGER
 *
 * PLACE is where it is then: in main, a thread, a handler, a handler on an alternate
 * stack, or an allocation function. CAUSE is the number of a signal that it sends itself,
 * or the name of something that it does. The phase `dying` is open then; the ledger is
 * written just before.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { BLOCKS = 100 };

static const char *cause;
static struct deeds deeds;
static struct live live;

/* ---- Causes. */

static void unmapped(void)
{
   volatile uintptr_t address = 16;
   *(volatile char *)address = 1;
}

static void behind_the_end(void)
{
   int file = memfd_create("empty", 0);
   volatile char *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
   check(file >= 0 && page != MAP_FAILED, "no mapping");
   (void)*page;
}

static void no_instruction(void)
{
   __builtin_trap();
}

#if defined(__x86_64__)
static void division(void)
{
   volatile int seven = 7, zero = 0;
   seven = seven / zero;
}
#endif

static FUNCTION int overflows(int depth)
{
   volatile char frame[4000];
   frame[0] = (char)depth;
   return depth < 0 ? 0 : overflows(depth + 1) + frame[0];
}

static void overflow(void)
{
   overflows(0);
}

static void broken_pipe(void)
{
   int ends[2];
   check(pipe(ends) == 0 && close(ends[0]) == 0, "no pipe");
   check(write(ends[1], "x", 1) < 0, "somebody reads");
}

static const struct {
   const char *name;
   void (*act)(void);
} acts[] = {
   {"unmapped", unmapped},     {"behind-the-end", behind_the_end},
   {"no-instruction", no_instruction},
   {"overflow", overflow},     {"broken-pipe", broken_pipe},
   {"abort", abort},
#if defined(__x86_64__)
   {"division", division},
#endif
};

static FUNCTION void die(void)
{
   expect("dying", "@instances", 1);
   expect_text("dying", "@complete", "no");
   expect("dying", "!phase-open-at-end", 1);
   expect_sums("dying", &deeds);
   expect("dying", "heap.growth", live.peak - live.entry);
   expect("dying", "heap.retained", live.bytes);
   print("dies of %s\n", cause);
   for (size_t a = 0; a < sizeof acts / sizeof *acts; a++)
      if (strcmp(cause, acts[a].name) == 0)
         acts[a].act();
   int number = atoi(cause);
   check(number > 0, "no such cause");
   /* By the system call: raise() blocks signals, and kill() may take another thread. */
   syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
   stop("still alive");
}

/* ---- Places. */

static void *in_thread(void *unused)
{
   die();
   return unused;
}

static void in_handler(int number)
{
   (void)number;
   die();
}

/* An allocation function of the program's own, which returns no block. */
FUNCTION void *je_malloc(size_t bytes)
{
   deeds.failed++;
   die();
   return malloc(bytes);
}

static void go_to(const char *place)
{
   struct sigaction action = {.sa_handler = in_handler};
   static char memory[65536];
   stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
   pthread_t thread;
   if (strcmp(place, "main") == 0) {
      die();
   } else if (strcmp(place, "allocator") == 0) {
      check(je_malloc(10) != NULL, "no memory");
   } else if (strcmp(place, "thread") == 0) {
      check(pthread_create(&thread, NULL, in_thread, NULL) == 0, "pthread_create");
      pthread_join(thread, NULL);
   } else {
      if (strcmp(place, "alternate") == 0)
         action.sa_flags = SA_ONSTACK;
      else
         check(strcmp(place, "handler") == 0, "no such place");
      check(sigaltstack(&stack, NULL) == 0 && sigaction(SIGURG, &action, NULL) == 0, "no handler");
      raise(SIGURG);
   }
   stop("still alive");
}

int main(int argc, char **argv)
{
   check(argc == 4, "usage: hostile_deaths PLACE CAUSE LEDGER");
   open_ledger(argv[3]);
   cause = argv[2];
   static char *blocks[BLOCKS];
   /* What a thread obtains for itself is not of the phase. */
   pthread_t thread;
   check(strcmp(argv[1], "thread") != 0 ||
            (pthread_create(&thread, NULL, (void *(*)(void *))(void *)getppid, NULL) == 0 &&
             pthread_join(thread, NULL) == 0), "pthread_create");
   profmem_begin("dying");
   for (int b = 0; b < BLOCKS; b++) {
      blocks[b] = malloc((size_t)b * 10);
      did_obtain(&deeds, (unsigned long)b + 1, (size_t)b * 10);
      live_add(&live, b * 10, 1);
   }
   for (int b = 0; b < BLOCKS; b += 3) {
      free(blocks[b]);
      did_release(&deeds, (unsigned long)b + 1, (size_t)b * 10, false);
      live_add(&live, -b * 10, -1);
   }
   go_to(argv[1]);
}
