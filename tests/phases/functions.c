/* SPDX-License-Identifier: GPL-2.0-or-later */
/* functions.c: functions that are phases, one lesson each, and what a report must say.
 *
 *    functions LESSON
 *
 * The test names the functions to the tool (--phase-fn); the program makes no request.
 * Every number follows from the program's own calls. say.h has the form of what is
 * printed; only after the lesson, since printing runs code too.
 *
 * Tail calls are written in assembly, so that they are some whatever the compiler.
 */
#define _GNU_SOURCE
#include "say.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

/* Not inlined, not cloned, not tail-called away. */
#define FUNCTION __attribute__((noipa))

static void *obtain(size_t bytes)
{
   void *block = malloc(bytes);
   check(block != NULL, "no memory");
   return block;
}

/* So that a call before it is no tail call. */
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

FUNCTION void work(size_t bytes)
{
   free(obtain(bytes));
   NO_TAIL_CALL;
}

/* Executes 202 instructions. */
void counted(void);

/* A function in assembly. */
#define FUNCTION_OF(name, instructions)                                                   \
   __asm__(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\n" instructions  \
           "\n.size " #name ", .-" #name "\n")

#ifdef __aarch64__
FUNCTION_OF(counted, "mov w1, #100\n1: subs w1, w1, #1\n b.ne 1b\n ret");
#else
FUNCTION_OF(counted, "movl $100, %ecx\n1: decl %ecx\n jnz 1b\n ret");
#endif

/* --- calls ---------------------------------------------------------------------- */

FUNCTION void outer(void)
{
   counted();
   work(1000);
   counted();
}

static void calls(void)
{
   static const size_t sizes[] = {100, 300, 200, 500, 400};
   for (int i = 0; i < 5; i++)
      work(sizes[i]);
   outer();

   expect_text("work", "@kind", "function");
   expect("work", "@instances", 6);
   expect_text("work", "@complete", "yes");
   expect_text("work", "@overlapping", "absent");
   expect_text("work", "@parent", "program"); /* the last one's is outer */
   expect_text("work", "@parent#1", "program");
   expect_text("work", "@parent#6", "outer");
   expect("work", "allocations.count", 6);
   expect("work", "allocations.bytes", 2500);
   expect("work", "allocations.temporary", 6);
   expect("work", "heap.scratch-peak", 1000);
   expect("work", "heap.scratch-peak:min", 100);
   expect("work", "heap.retained", 0);
   for (int i = 0; i < 5; i++) {
      char what[64];
      snprintf(what, sizeof what, "allocations.bytes#%d", i + 1);
      expect("work", what, (long long)sizes[i]);
   }
   expect_text("outer", "@parent", "program");
   expect("outer", "@instances", 1);
   expect("outer", "allocations.bytes", 1000);
   expect_text("counted", "@parent", "outer");
   expect("counted", "@instances", 2);
   expect("counted", "instructions.total", 404);
   expect("counted", "instructions.total:min", 202);
   expect("counted", "instructions.total:max", 202);
   expect("counted", "instructions.own-thread", 404);
   expect("counted", "instructions.program", 404);
   expect("counted", "instructions.allocator", 0);
   expect("counted", "allocations.count", 0);
}

/* --- recursion ---------------------------------------------------------------------- */

FUNCTION void deep(int levels)
{
   void *block = obtain(10);
   if (levels > 0)
      deep(levels - 1);
   free(block);
   NO_TAIL_CALL;
}

void parity_odd(int n);

FUNCTION void parity_even(int n)
{
   work(1);
   if (n > 0)
      parity_odd(n - 1);
   NO_TAIL_CALL;
}

FUNCTION void parity_odd(int n)
{
   work(1);
   if (n > 0)
      parity_even(n - 1);
   NO_TAIL_CALL;
}

static void recursion(void)
{
   for (int i = 0; i < 3; i++)
      deep(9);
   parity_even(6);
   parity_odd(2);
   expect("deep", "@instances", 3);
   expect_text("deep", "@complete", "yes");
   expect("deep", "allocations.count", 30);
   expect("deep", "heap.scratch-peak", 100);
   expect("deep", "allocations.count:min", 10);
   expect("parity", "@instances", 2);
   expect_text("parity", "@complete", "yes");
   expect("parity", "allocations.count", 10);
   expect("parity", "allocations.count#1", 7);
   expect("parity", "allocations.count#2", 3);
}

/* --- tail calls ------------------------------------------------------------------------ */

FUNCTION void tail_target(size_t bytes)
{
   free(obtain(bytes));
   NO_TAIL_CALL;
}

void tail_out(size_t bytes);  /* jumps to tail_target */
void tail_late(size_t bytes); /* works first, then does */
void tail_into(void);         /* jumps to counted */
void hop_a(int n);            /* n times to and fro between hop_a and hop_b */
void hop_b(int n);
void via_a(int n);            /* the same, each time by way of a function between */
void via_b(int n);
void between(int n, void (*to)(int));
void loop_to_start(int n);    /* n times to its own first instruction */
int tail_library(void);       /* jumps to getpid, by way of the linkage table */

/* Each of as many instructions on both machines as the lesson counts. */
#ifdef __aarch64__
FUNCTION_OF(tail_out, "add x0, x0, #1\n b tail_target");
FUNCTION_OF(tail_late, "stp x0, x30, [sp, #-16]!\n bl work\n ldp x0, x30, [sp], #16\n"
                       "b tail_target");
FUNCTION_OF(tail_into, "nop\n b counted");
FUNCTION_OF(hop_a, "subs w0, w0, #1\n b.pl hop_b\n ret");
FUNCTION_OF(hop_b, "stp x0, x30, [sp, #-16]!\n mov x0, #1\n bl work\n ldp x0, x30, [sp], #16\n"
                   "subs w0, w0, #1\n b.pl hop_a\n ret");
FUNCTION_OF(between, "br x1");
FUNCTION_OF(via_a, "adr x1, via_b\n subs w0, w0, #1\n b.pl between\n ret");
FUNCTION_OF(via_b, "adr x1, via_a\n subs w0, w0, #1\n b.pl between\n ret");
FUNCTION_OF(loop_to_start, "subs w0, w0, #1\n b.pl loop_to_start\n ret");
FUNCTION_OF(tail_library, "nop\n b getpid");
#else
FUNCTION_OF(tail_out, "addq $1, %rdi\n jmp tail_target");
FUNCTION_OF(tail_late, "pushq %rdi\n call work\n popq %rdi\n jmp tail_target");
FUNCTION_OF(tail_into, "nop\n jmp counted");
FUNCTION_OF(hop_a, "subl $1, %edi\n jns hop_b\n ret");
FUNCTION_OF(hop_b, "pushq %rdi\n movl $1, %edi\n call work\n popq %rdi\n"
                   "subl $1, %edi\n jns hop_a\n ret");
FUNCTION_OF(between, "jmp *%rsi");
FUNCTION_OF(via_a, "leaq via_b(%rip), %rsi\n subl $1, %edi\n jns between\n ret");
FUNCTION_OF(via_b, "leaq via_a(%rip), %rsi\n subl $1, %edi\n jns between\n ret");
FUNCTION_OF(loop_to_start, "subl $1, %edi\n jns loop_to_start\n ret");
FUNCTION_OF(tail_library, "nop\n jmp getpid@PLT");
#endif

static void tail_calls(void)
{
   for (int i = 0; i < 3; i++) {
      tail_out(10);
      tail_late(100);
      tail_into();
      hop_a(5);
      via_a(4);
      loop_to_start(10);
      check(tail_library() == getpid(), "the library's function");
   }
   expect("tail_out", "@instances", 3);
   expect_text("tail_out", "@complete", "yes");
   expect("tail_out", "allocations.bytes", 33);
   expect("tail_late", "@instances", 3);
   expect_text("tail_late", "@complete", "yes");
   expect("tail_late", "allocations.bytes", 600);
   expect("tail_target", "@instances", 6);
   expect_text("tail_target", "@parent#1", "tail_out");
   expect_text("tail_target", "@parent#2", "tail_late");
   expect("tail_target", "allocations.bytes", 333);
   expect("counted", "@instances", 3);
   expect_text("counted", "@complete", "yes");
   expect("counted", "instructions.total", 606);
   expect("hop", "@instances", 3);
   expect_text("hop", "@complete", "yes");
   expect("hop", "allocations.count", 9); /* hop_b, with 4, 2 and 0 */
   expect("hop", "!phase-left-by-jump", 0);
   expect("via", "@instances", 3);
   expect_text("via", "@complete", "yes");
   expect("via", "instructions.total", 3 * (5 * 3 + 4 + 1));
   expect("via", "!phase-left-by-jump", 0);
   expect("library", "@instances", 6); /* three times by tail_library */
   expect_text("library", "@complete", "yes");
   expect("library", "!phase-left-by-jump", 0);
   expect("loop_to_start", "@instances", 3);
   expect_text("loop_to_start", "@complete", "yes");
   expect("loop_to_start", "instructions.total", 3 * (2 * 11 + 1));
}

/* --- jumps ---------------------------------------------------------------------------------- */

static jmp_buf target;

FUNCTION void leaps(size_t bytes, int leap)
{
   free(obtain(bytes));
   if (leap)
      longjmp(target, 1);
   NO_TAIL_CALL;
}

FUNCTION void level_3(void)
{
   work(1);
   longjmp(target, 3);
}

FUNCTION void level_2(void)
{
   work(1);
   level_3();
   NO_TAIL_CALL;
}

FUNCTION void level_1(void)
{
   work(1);
   level_2();
   NO_TAIL_CALL;
}

FUNCTION void lands_inside(void)
{
   if (setjmp(target) == 0)
      level_2();
   work(1);
   NO_TAIL_CALL;
}

static void jumps(void)
{
   /* Once; what comes behind is no part of it. */
   if (setjmp(target) == 0)
      level_1();
   work(50);

   for (volatile int i = 0; i < 3; i++)
      lands_inside();

   /* From one place, every other time. */
   for (volatile int i = 0; i < 100; i++)
      if (setjmp(target) == 0)
         leaps(7, i % 2);

   expect("level_1", "@instances", 1);
   expect_text("level_1", "@complete", "no");
   expect("level_1", "allocations.count", 3);
   expect("level_1", "heap.retained", 0);
   expect("level_1", "!phase-left-by-jump", 1);
   expect("level_2", "@instances", 4);
   expect_text("level_2", "@complete", "no");
   expect_text("level_2", "@parent#1", "level_1");
   expect_text("level_2", "@parent#2", "lands_inside");
   expect("level_2", "allocations.count", 8);
   expect("level_2", "!phase-left-by-jump", 4);
   expect("lands_inside", "@instances", 3);
   expect_text("lands_inside", "@complete", "yes");
   expect("lands_inside", "allocations.count", 9);
   expect("leaps", "@instances", 100);
   expect_text("leaps", "@complete", "no");
   expect("leaps", "allocations.count", 100);
   expect("leaps", "allocations.bytes:max", 7);
   expect("leaps", "!phase-left-by-jump", 50);
   expect_text("leaps", "@complete#1", "yes");
   expect_text("leaps", "@complete#2", "no");
}

/* --- threads ----------------------------------------------------------------------------------- */

enum { THREADS = 4 };
static pthread_barrier_t together;

static pthread_barrier_t all_there;

FUNCTION void meets(size_t bytes)
{
   pthread_barrier_wait(&together); /* all are inside */
   free(obtain(bytes));
   pthread_barrier_wait(&together); /* and stay until the last has worked */
}

static void *thread(void *bytes)
{
   pthread_barrier_wait(&all_there); /* what the C library obtains for them, too */
   meets((size_t)bytes);
   pthread_barrier_wait(&all_there); /* and gives back */
   return NULL;
}

FUNCTION void ends_thread(void)
{
   work(10);
   pthread_exit(NULL);
}

static void *ending_thread(void *unused)
{
   ends_thread();
   return unused;
}

static void threads(void)
{
   pthread_t id[THREADS];
   pthread_barrier_init(&all_there, NULL, THREADS);
   pthread_barrier_init(&together, NULL, THREADS);
   for (size_t t = 0; t < THREADS; t++)
      check(pthread_create(&id[t], NULL, thread, (void *)(100 * (t + 1))) == 0, "no thread");
   for (size_t t = 0; t < THREADS; t++)
      check(pthread_join(id[t], NULL) == 0, "no join");
   for (size_t t = 0; t < 2; t++) {
      check(pthread_create(&id[t], NULL, ending_thread, NULL) == 0, "no thread");
      check(pthread_join(id[t], NULL) == 0, "no join");
   }
   expect("meets", "@instances", THREADS);
   expect_text("meets", "@complete", "yes");
   expect_text("meets", "@overlapping", "yes");
   expect("meets", "allocations.bytes", THREADS * 1000);
   expect("meets", "allocations.bytes:min", 1000);
   expect("meets", "allocations.bytes:max", 1000);
   expect("ends_thread", "@instances", 2);
   expect_text("ends_thread", "@complete", "no");
   expect("ends_thread", "!phase-left-by-jump", 2);
}

/* --- signals ------------------------------------------------------------------------------------- */

static sigjmp_buf out_of_handler;
static volatile int leave_handler;

FUNCTION void in_handler(void)
{
   work(5);
   if (leave_handler)
      siglongjmp(out_of_handler, 1);
   NO_TAIL_CALL;
}

static void handler(int number)
{
   (void)number;
   in_handler();
   NO_TAIL_CALL;
}

FUNCTION void interrupted(void)
{
   work(100);
   raise(SIGUSR1);
   work(100);
}

static void handle_on(int flags)
{
   struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
   check(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
}

static void signals_on(int flags)
{
   handle_on(flags);
   leave_handler = 0;
   for (int i = 0; i < 3; i++)
      raise(SIGUSR1);
   interrupted();
   leave_handler = 1;
   for (volatile int i = 0; i < 3; i++)
      if (sigsetjmp(out_of_handler, 1) == 0)
         raise(SIGUSR1);
   work(1000);
   /* Out of the handler, and out of what it had interrupted. */
   for (volatile int i = 0; i < 3; i++)
      if (sigsetjmp(out_of_handler, 1) == 0)
         interrupted();
   work(1000);
}

static void expect_signals(int times)
{
   expect("in_handler", "@instances", 10 * times);
   expect_text("in_handler", "@complete", "no");
   expect("in_handler", "!phase-left-by-jump", 6 * times);
   expect("in_handler", "allocations.count", 10 * times);
   expect("in_handler", "allocations.bytes", 50 * times);
   expect("interrupted", "@instances", 4 * times);
   expect("interrupted", "!phase-left-by-jump", 3 * times);
   expect("interrupted", "allocations.bytes", (205 + 3 * 105) * times);
}

static void signals(void)
{
   signals_on(0);
   expect_signals(1);
}

static void signals_alternate(void)
{
   stack_t stack = {.ss_sp = obtain(65536), .ss_size = 65536};
   check(sigaltstack(&stack, NULL) == 0, "sigaltstack");
   signals_on(SA_ONSTACK);
   expect_signals(1);
}

/* Both, by turns: what is left on one stack, and the next on the other. */
static void signals_mixed(void)
{
   stack_t stack = {.ss_sp = obtain(65536), .ss_size = 65536};
   check(sigaltstack(&stack, NULL) == 0, "sigaltstack");
   for (volatile int i = 0; i < 3; i++)
      signals_on(i % 2 ? 0 : SA_ONSTACK);
   expect_signals(3);
}

/* --- the end ---------------------------------------------------------------------------------------- */

FUNCTION void leaves_for_good(void)
{
   (void)!obtain(77);
   expect("leaves_for_good", "@instances", 1);
   expect_text("leaves_for_good", "@complete", "no");
   expect("leaves_for_good", "allocations.bytes", 77);
   expect("leaves_for_good", "heap.retained", 77);
   expect("leaves_for_good", "!phase-left-by-exit", 1);
   expect("leaves_for_good", "!phase-left-by-jump", 0);
   exit(0);
}

static void exits(void)
{
   leaves_for_good();
}

static void *exiting_thread(void *unused)
{
   leaves_for_good();
   return unused;
}

FUNCTION void waits_for_the_end(void)
{
   pthread_t id;
   expect("waits_for_the_end", "@instances", 1);
   expect_text("waits_for_the_end", "@complete", "no");
   expect("waits_for_the_end", "!phase-left-by-exit", 1);
   check(pthread_create(&id, NULL, exiting_thread, NULL) == 0, "no thread");
   pthread_join(id, NULL);
   stop("it did not exit");
}

static void thread_exits(void)
{
   waits_for_the_end();
}

FUNCTION void killed(void)
{
   work(5);
   expect("killed", "@instances", 1);
   expect_text("killed", "@complete", "no");
   expect("killed", "allocations.bytes", 5);
   expect("killed", "!phase-left-by-exit", 1);
   abort();
}

static void aborts(void)
{
   killed();
}

/* --- never entered ---------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) int only_inlined(int n)
{
   return n * 3 + 1;
}

FUNCTION void never_called(void)
{
   work(1);
}

static void never(void)
{
   volatile int n = 5;
   n = only_inlined(n);
   if (n == 0)
      never_called();
   static const char *const names[] = {"only_inlined", "never_called", "no such*function"};
   for (int i = 0; i < 3; i++) {
      expect(names[i], "@instances", 0);
      expect_text(names[i], "@complete", "yes");
      expect_text(names[i], "@parent", "absent");
      expect_text(names[i], "heap.peak", "unavailable");
      expect_text(names[i], "allocations.count", "unavailable");
      expect_text(names[i], "instructions.total", "unavailable");
      expect(names[i], "!phase-never-entered", 1);
   }
}

/* --- allocation functions ------------------------------------------------------------------------------ */

/* The C library makes calls of its own, so that the test has more to compare. */
static void allocates(void)
{
   for (size_t i = 1; i <= 50; i++)
      free(obtain(i));
   void *cleared = calloc(3, 5);
   cleared = realloc(cleared, 100000);
   free(cleared);
   free(NULL);
   expect("realloc", "@instances", 1);
   expect_text("realloc", "@complete", "yes");
   expect("realloc", "reallocations.bytes", 100000);
   expect("realloc", "reallocations.net-bytes", 99985);
   expect("realloc", "heap.resized", 99985);
   expect("realloc", "allocations.count", 0);
   expect("realloc", "instructions.program", 0);
   expect_text("malloc", "@complete", "yes");
   expect("malloc", "deallocations.count", 0);
   expect("malloc", "instructions.program", 0);
   expect_text("free", "@complete", "yes");
   expect("free", "allocations.count", 0);
   expect("free", "instructions.program", 0);
}

static const struct {
   const char *name;
   void (*run)(void);
} lessons[] = {
   {"calls", calls},
   {"recursion", recursion},
   {"tail-calls", tail_calls},
   {"jumps", jumps},
   {"threads", threads},
   {"signals", signals},
   {"signals-alternate", signals_alternate},
   {"signals-mixed", signals_mixed},
   {"exits", exits},
   {"thread-exits", thread_exits},
   {"aborts", aborts},
   {"never", never},
   {"allocates", allocates},
};

int main(int argc, char **argv)
{
   for (size_t l = 0; argc == 2 && l < sizeof lessons / sizeof *lessons; l++)
      if (strcmp(argv[1], lessons[l].name) == 0) {
         lessons[l].run();
         return 0;
      }
   stop("usage: functions LESSON");
}
