/* SPDX-License-Identifier: GPL-2.0-or-later */
/* handlers_first.c: handlers in threads that have entered no allocation function.
 *
 * One is left by a jump; one runs in a thread of its own, on an alternate stack that lies above
 * that thread's. Neither needs a byte of the heap. The exit status is 0 if both have run.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

enum { STACK_BYTES = 65536 };

static sigjmp_buf place;
static volatile int jumped, counted;

static void jump(int number)
{
   (void)number;
   siglongjmp(place, 1);
}

__attribute__((noipa)) static void leave_handler(void)
{
   if (!sigsetjmp(place, 1))
      raise(SIGUSR1);
   else
      jumped = 1;
}

__attribute__((noipa)) static int next(int value)
{
   return value + 1;
}

static void count(int number)
{
   (void)number;
   counted = next(counted);
}

static void *on_alternate_stack(void *stack)
{
   const stack_t alternate = {.ss_sp = stack, .ss_size = STACK_BYTES};
   sigaltstack(&alternate, NULL);
   pthread_kill(pthread_self(), SIGUSR2);
   return NULL;
}

int main(void)
{
   char stack[STACK_BYTES]; /* of main: above those of all threads */
   const struct sigaction to_count = {.sa_handler = count, .sa_flags = SA_ONSTACK};
   pthread_t thread;
   signal(SIGUSR1, jump);
   sigaction(SIGUSR2, &to_count, NULL);
   leave_handler();
   if (pthread_create(&thread, NULL, on_alternate_stack, stack) != 0)
      return 1;
   pthread_join(thread, NULL);
   return jumped == 1 && counted == 1 ? 0 : 1;
}
