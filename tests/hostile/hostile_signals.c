/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_signals.c: signals that arrive inside allocation functions.
 *
 *    hostile_signals LESSON LEDGER
 *
 * The allocator is the program's own, so that handlers may allocate while one of its
 * functions is under way, and so that a signal can be had inside one for certain: a
 * function that is armed sends the process a signal before it returns, by a system call
 * of its own code. Every handler looks where it has interrupted the program; the
 * allocator's functions have a section of their own.
 *
 * A call that a handler leaves by a jump has failed; a block that was to be resized is as
 * it was; a block that was to be given back is given back. Calls take effect when they
 * return, those of free when they begin: what handlers do meanwhile comes before, or
 * after.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

enum { PAGE_BYTES = 4096, KEPT = 64, MOST_THREADS = 16 };

/* ---- The allocator: its arena is used from its begin to its end, and then again. So much
   is never allocated while a block lives. */

#define ALLOCATOR __attribute__((noipa, section("allocator")))

extern char __start_allocator[], __stop_allocator[];

struct block {
   size_t size_bytes;
   unsigned long serial;
   unsigned owner;
   bool tidy;           /* given back */
   _Alignas(16) char contents[];
};

static _Alignas(PAGE_BYTES) char arena[64 << 20];
static size_t used;

/* What the next calls of the thread raise in their middle; 0: nothing. */
static __thread volatile int armed;
/* How long each call takes. */
static volatile int slowness;
/* A page that the next call of the thread touches; NULL: none. */
static __thread volatile char *volatile touched;

static inline __attribute__((always_inline)) long direct_call(long number, long a, long b, long c)
{
#if defined(__x86_64__)
   long result = number;
   __asm__ volatile("syscall"
                    : "+a"(result) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
   return result;
#elif defined(__aarch64__)
   register long x8 __asm__("x8") = number;
   register long x0 __asm__("x0") = a;
   register long x1 __asm__("x1") = b;
   register long x2 __asm__("x2") = c;
   __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
   return x0;
#else
#error "add this platform's system call"
#endif
}

/* In the middle of a function of the allocator. */
static inline __attribute__((always_inline)) void interruption(void)
{
   int number = armed;
   if (number != 0) {
      armed = 0;
      direct_call(SYS_tgkill, direct_call(SYS_getpid, 0, 0, 0), direct_call(SYS_gettid, 0, 0, 0),
                  number);
   }
   for (int s = slowness; s > 0; s--)
      NO_TAIL_CALL;
   volatile char *page = touched;
   if (page) {
      touched = NULL;
      *page = 1;
   }
}

static inline __attribute__((always_inline)) struct block *take(size_t bytes)
{
   size_t whole = (sizeof(struct block) + bytes + 15) / 16 * 16;
   size_t at;
   do
      at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED) % sizeof arena;
   while (at + whole > sizeof arena);
   struct block *block = (struct block *)(arena + at);
   block->size_bytes = bytes;
   block->tidy = false;
   return block;
}

/* The compiler is not to know that the address is an allocation function's. */
static FUNCTION struct block *block_of(void *address)
{
   return (struct block *)((char *)address - offsetof(struct block, contents));
}

ALLOCATOR void *malloc(size_t bytes)
{
   struct block *block = take(bytes);
   interruption();
   return block->contents;
}

ALLOCATOR void *calloc(size_t count, size_t bytes)
{
   struct block *block = take(count * bytes);
   interruption();
   return block->contents;
}

ALLOCATOR void free(void *address)
{
   interruption();
   if (address)
      block_of(address)->tidy = true;
}

ALLOCATOR void *realloc(void *address, size_t bytes)
{
   if (!address)
      return malloc(bytes);
   struct block *old = block_of(address), *block = take(bytes);
   interruption();
   block->serial = old->serial;
   block->owner = old->owner;
   for (size_t b = 0; b < bytes && b < old->size_bytes; b++)
      block->contents[b] = old->contents[b];
   old->tidy = true;
   return block->contents;
}

/* ---- Calls and their entries: of one thread, in the order of their effects. */

struct thread {
   struct deeds deeds;  /* of the program */
   struct deeds async;  /* of handlers that may interrupt the other's entry */
   unsigned number;
   unsigned long obtained;
   uint64_t chance;
   char *kept[KEPT];
   pthread_t handle;
   pid_t id;
   long handled;
};

static struct thread main_thread = {.number = 1, .chance = 4711};
static __thread struct thread *self = &main_thread;
static struct live live;
static long landed_inside, landed_outside;

static void entered(char *address)
{
   struct block *block = block_of(address);
   block->serial = (unsigned long)self->number << 40 | ++self->obtained;
   block->owner = self->number;
   did_obtain(&self->deeds, block->serial, block->size_bytes);
   live_add(&live, (long long)block->size_bytes, 1);
}

static FUNCTION char *obtain(size_t bytes)
{
   char *address = draw(&self->chance, 4) == 0 ? calloc(1, bytes) : malloc(bytes);
   check(address != NULL, "no memory");
   entered(address);
   return address;
}

static FUNCTION char *resize(char *address, size_t bytes)
{
   size_t old_bytes = block_of(address)->size_bytes;
   address = realloc(address, bytes);
   check(address != NULL, "no memory");
   did_resize(&self->deeds, old_bytes, bytes, true);
   live_add(&live, (long long)bytes - (long long)old_bytes, 0);
   return address;
}

static FUNCTION void give_back(char *address)
{
   struct block *block = block_of(address);
   did_release(&self->deeds, block->serial, block->size_bytes, block->owner != self->number);
   live_add(&live, -(long long)block->size_bytes, -1);
   free(address);
   NO_TAIL_CALL;
}

/* Calls under way: 0 the program's, then those of the handlers that have interrupted one
   another. */
enum { DEPTH = 4 };
static struct {
   enum { NOTHING, OBTAINS, RESIZES, GIVES_BACK } kind;
   char **slot;
} under_way[DEPTH + 1];

/* One call, on what is kept and is in nobody's hands. It may be left by a jump. */
static FUNCTION void operate(int depth, size_t most_bytes)
{
   char **slot;
   bool free_to_use;
   do {
      slot = &self->kept[draw(&self->chance, KEPT)];
      free_to_use = true;
      for (int d = 0; d < depth; d++)
         free_to_use = free_to_use && (under_way[d].kind == NOTHING || under_way[d].slot != slot);
   } while (!free_to_use);
   size_t bytes = draw(&self->chance, most_bytes);
   char *address = *slot;
   under_way[depth].slot = slot;
   under_way[depth].kind = address == NULL ? OBTAINS
                           : draw(&self->chance, 3) == 0 ? RESIZES : GIVES_BACK;
   if (under_way[depth].kind == GIVES_BACK) {
      *slot = NULL;
      give_back(address);
   } else {
      *slot = address == NULL ? obtain(bytes) : resize(address, bytes + 1);
   }
   under_way[depth].kind = NOTHING;
}

/* Control has jumped to who works at that depth: the calls from there on are gone. */
static void landed_at(int depth)
{
   for (int d = depth; d <= DEPTH; d++) {
      self->deeds.failed += under_way[d].kind == OBTAINS;
      self->deeds.resizes_failed += under_way[d].kind == RESIZES;
      under_way[d].kind = NOTHING;
   }
}

static void look(void *context)
{
   const ucontext_t *interrupted = context;
#if defined(__x86_64__)
   uintptr_t at = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#else
   uintptr_t at = interrupted->uc_mcontext.pc;
#endif
   if (at >= (uintptr_t)__start_allocator && at < (uintptr_t)__stop_allocator)
      __atomic_fetch_add(&landed_inside, 1, __ATOMIC_RELAXED);
   else
      __atomic_fetch_add(&landed_outside, 1, __ATOMIC_RELAXED);
}

/* ---- Set up. */

static void on(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
   struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
   check(sigaction(number, &action, NULL) == 0, "sigaction");
}

static void have_alternate_stack(void)
{
   static __thread char memory[64 * 1024];
   stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
   check(sigaltstack(&stack, NULL) == 0, "sigaltstack");
}

static void report(const char *phase)
{
   expect_sums(phase, &main_thread.deeds);
   expect(phase, "allocations.temporary", main_thread.deeds.temporary);
   expect_live(phase, &live);
   expect_thread(phase, 1, &main_thread.deeds);
   note("inside", landed_inside);
   note("outside", landed_outside);
}

/* Where the test says so, handlers only go around a loop of two instructions, so many
   times. */
static bool spin(void)
{
   const char *text = getenv("HOSTILE_SPIN");
   if (!text)
      return false;
   unsigned long times = strtoul(text, NULL, 10);
#if defined(__x86_64__)
   __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(times) : : "cc");
#else
   __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(times) : : "cc");
#endif
   return true;
}

/* ---- inside, alternate: handlers that allocate and return. */

static char *of_handler[KEPT];

static void allocates(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   look(context);
   if (spin())
      return;
   char *passing = obtain(draw(&self->chance, 500));
   char **slot = &of_handler[draw(&self->chance, KEPT)];
   if (*slot)
      give_back(*slot);
   *slot = obtain(1 + draw(&self->chance, 100));
   *slot = resize(*slot, 1 + draw(&self->chance, 200));
   give_back(passing);
}

static void inside(int flags)
{
   unsigned long signals = scaled(10000);
   for (int i = 0; i < KEPT; i += 2)
      self->kept[i] = obtain(100);
   self->deeds = (struct deeds){0};
   on(SIGUSR1, allocates, flags);
   live_enter(&live);
   profmem_begin("signals");
   for (unsigned long s = 0; s < signals; s++) {
      operate(0, 1000);
      armed = SIGUSR1;
      operate(0, 1000);
   }
   profmem_end("signals");
   check(landed_inside == (long)signals && landed_outside == 0, "a signal landed elsewhere");
   report("signals");
   print("%lu signals inside allocation functions\n", signals);
}

static void on_same_stack(void)
{
   inside(0);
}

static void on_alternate_stack(void)
{
   have_alternate_stack();
   inside(SA_ONSTACK);
}

/* ---- nested: a handler's own calls are interrupted, on either stack. */

/* In the order of nesting; every other one is for the alternate stack, where all stay
   that follow. */
static int signal_at(int depth)
{
   static const int numbers[DEPTH] = {SIGUSR1, SIGUSR2, SIGURG, SIGWINCH};
   return numbers[depth];
}

static int depth_now, deepest_wanted, deepest_seen;

static void nests(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   look(context);
   int depth = ++depth_now;
   if (depth > deepest_seen)
      deepest_seen = depth;
   operate(depth, 300);
   armed = depth < deepest_wanted ? signal_at(depth) : 0;
   operate(depth, 300);
   operate(depth, 300);
   depth_now = depth - 1;
}

static void nested(void)
{
   unsigned long rounds = scaled(4000), signals = 0;
   have_alternate_stack();
   for (int d = 0; d < DEPTH; d++)
      on(signal_at(d), nests, d % 2 ? SA_ONSTACK : 0);
   live_enter(&live);
   profmem_begin("signals");
   for (unsigned long r = 0; r < rounds; r++) {
      deepest_wanted = 1 + (int)(r % DEPTH);
      signals += (unsigned long)deepest_wanted;
      armed = SIGUSR1;
      operate(0, 300);
      check(armed == 0 && depth_now == 0, "not every signal came");
   }
   profmem_end("signals");
   check(landed_inside == (long)signals, "a signal landed elsewhere");
   report("signals");
   print("%lu signals, %d deep\n", signals, deepest_seen);
}

/* ---- jumps: handlers that do not return. */

static sigjmp_buf back_to[DEPTH + 1]; /* 0: the program; then, the handlers */
static int jump_at, jump_to;          /* depths; at 0: no handler jumps */
static long jumps_made;

static void resume_at(int depth)
{
   landed_at(depth);
   depth_now = depth;
   armed = 0;
}

static void work_at(int depth)
{
   operate(depth, 300);
   armed = depth < deepest_wanted ? signal_at(depth) : 0;
   operate(depth, 300);
   operate(depth, 300);
}

static void jumps(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   look(context);
   int depth = ++depth_now;
   if (depth == jump_at) {
      operate(depth, 100);
      jumps_made++;
      siglongjmp(back_to[jump_to], 1);
   }
   if (sigsetjmp(back_to[depth], 1) == 0)
      work_at(depth);
   else
      resume_at(depth);
   operate(depth, 300);
   depth_now = depth - 1;
}

/* From every depth to every other, through both stacks. */
static void leaves(int flags)
{
   const volatile unsigned long rounds = scaled(10000);
   have_alternate_stack();
   for (int d = 0; d < DEPTH; d++)
      on(signal_at(d), jumps, d % 2 ? flags : 0);
   live_enter(&live);
   profmem_begin("signals");
   for (volatile unsigned long r = 0; r < rounds; r++) {
      jump_at = 1 + (int)(r % DEPTH);
      jump_to = (int)(r / DEPTH % (unsigned long)jump_at);
      deepest_wanted = jump_at;
      if (sigsetjmp(back_to[0], 1) == 0)
         work_at(0);
      else
         resume_at(0);
      check(armed == 0 && depth_now == 0, "not every signal came");
      operate(0, 300);
   }
   profmem_end("signals");
   check(jumps_made == (long)rounds && landed_outside == 0, "not every handler jumped");
   report("signals");
   note("failed", self->deeds.failed + self->deeds.resizes_failed);
   print("%lu handlers left by a jump\n", rounds);
}

static void left_by_jump(void)
{
   leaves(0);
}

static void left_by_jump_on_stacks(void)
{
   leaves(SA_ONSTACK);
}

/* ---- faults: a handler for SIGSEGV is the normal way on. */

static char *page;
static sigjmp_buf after_fault;
static enum { MAKES_ACCESSIBLE, GOES_BEHIND, JUMPS } on_fault;

static void protect(int protection)
{
   check(mprotect(page, PAGE_BYTES, protection) == 0, "mprotect");
}

/* The next instruction is where the label stands that the program left in a register. */
static uintptr_t behind;

static void faulted(int number, siginfo_t *info, void *context)
{
   (void)number;
   check(info->si_addr == page, "another address");
   look(context);
   char *passing = obtain(50);
   give_back(passing);
   ucontext_t *interrupted = context;
   if (on_fault == MAKES_ACCESSIBLE) {
      protect(PROT_READ | PROT_WRITE);
   } else if (on_fault == GOES_BEHIND) {
#if defined(__x86_64__)
      interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)behind;
#else
      interrupted->uc_mcontext.pc = behind;
#endif
   } else {
      siglongjmp(after_fault, 1);
   }
}

static FUNCTION void touch_or_go_on(void)
{
#if defined(__x86_64__)
   __asm__ volatile("lea 1f(%%rip), %%rax\n\tmov %%rax, %0\n\tmovb $1, (%1)\n1:"
                    : "=m"(behind) : "r"(page) : "rax", "memory");
#else
   __asm__ volatile("adr x9, 1f\n\tstr x9, %0\n\tstrb wzr, [%1]\n1:"
                    : "=m"(behind) : "r"(page) : "x9", "memory");
#endif
}

static void faults(void)
{
   const volatile unsigned long rounds = scaled(10000);
   volatile unsigned long inside_wanted = 0;
   have_alternate_stack();
   on(SIGSEGV, faulted, SA_ONSTACK);
   page = mmap(NULL, PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   check(page != MAP_FAILED, "no page");
   live_enter(&live);
   profmem_begin("signals");
   for (volatile unsigned long r = 0; r < rounds; r++) {
      switch (r % 4) {
      case 0: /* as a collector's barrier */
         on_fault = MAKES_ACCESSIBLE;
         *(volatile char *)page = 1;
         protect(PROT_NONE);
         break;
      case 1: /* as a virtual machine's null check */
         on_fault = GOES_BEHIND;
         touch_or_go_on();
         break;
      case 2: /* as an allocator that makes its memory accessible when it is used */
         on_fault = MAKES_ACCESSIBLE;
         inside_wanted++;
         touched = page;
         operate(0, 100);
         protect(PROT_NONE);
         break;
      case 3: /* out of an allocation function */
         on_fault = JUMPS;
         inside_wanted++;
         touched = page;
         if (sigsetjmp(after_fault, 1) == 0)
            operate(0, 100);
         landed_at(0);
         break;
      }
      operate(0, 100);
   }
   profmem_end("signals");
   check(landed_inside == (long)inside_wanted, "a fault landed elsewhere");
   report("signals");
   print("%lu faults\n", rounds);
}

/* ---- timers: signals that come at any time. */

/* Another block is put in the place of the one that hangs there. Handlers have an account
   and blocks of their own, since they may interrupt the program's entries. */
static void in_account(struct deeds *deeds, char **slot, size_t bytes)
{
   if (*slot) {
      did_release(deeds, 0, block_of(*slot)->size_bytes, false);
      free(*slot);
   }
   *slot = malloc(bytes);
   did_obtain(deeds, 1, bytes);
}

static void ticks(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   look(context);
   long slot = self->handled++ % KEPT;
   in_account(&self->async, &self->kept[slot], (size_t)slot * 7);
}

static void start_timers(bool going)
{
   static timer_t timer;
   long nanoseconds = going ? 1000000 : 0;
   struct itimerval every = {{0, nanoseconds / 1000}, {0, nanoseconds / 1000}};
   struct itimerspec also_every = {{0, nanoseconds}, {0, nanoseconds}};
   struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1};
   check(!going || timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
   check(setitimer(ITIMER_REAL, &every, NULL) == 0 &&
            timer_settime(timer, 0, &also_every, NULL) == 0, "no timer");
}

static void timers(void)
{
   long wanted = (long)scaled(2000);
   sigset_t both;
   sigemptyset(&both);
   sigaddset(&both, SIGALRM);
   sigaddset(&both, SIGRTMIN + 1);
   struct sigaction action = {.sa_sigaction = ticks, .sa_flags = SA_SIGINFO | SA_RESTART,
                              .sa_mask = both};
   check(sigaction(SIGALRM, &action, NULL) == 0 && sigaction(SIGRTMIN + 1, &action, NULL) == 0,
         "sigaction");
   char *blocks[KEPT] = {0};
   slowness = 300;
   profmem_begin("signals");
   start_timers(true);
   while (__atomic_load_n(&self->handled, __ATOMIC_RELAXED) < wanted) {
      char **slot = &blocks[draw(&self->chance, KEPT)];
      in_account(&self->deeds, slot, draw(&self->chance, 64));
   }
   start_timers(false);
   sigprocmask(SIG_BLOCK, &both, NULL);
   profmem_end("signals");
   add_deeds(&self->deeds, &self->async);
   expect_sums("signals", &self->deeds);
   expect("signals", "heap.retained", self->deeds.allocated_bytes - self->deeds.released_bytes);
   expect("signals", "heap.exit", self->deeds.allocated_bytes - self->deeds.released_bytes);
   note("inside", landed_inside);
   note("outside", landed_outside);
   print("%ld signals of timers\n", wanted);
}

/* ---- threads: signals that threads send each other, wherever those are. */

enum { THREADS = 8 };

static struct thread threads[THREADS];
static pthread_barrier_t all_there;
static unsigned long sends;

static void *sends_signals(void *argument)
{
   self = argument;
   self->id = (pid_t)direct_call(SYS_gettid, 0, 0, 0);
   have_alternate_stack();
   pthread_barrier_wait(&all_there);
   char *kept[KEPT] = {0};
   for (unsigned long s = 0; s < sends; s++) {
      for (int c = 0; c < 10; c++)
         in_account(&self->deeds, &kept[draw(&self->chance, KEPT)], draw(&self->chance, 500));
      const struct thread *other = &threads[draw(&self->chance, THREADS)];
      /* In the middle of the next call, to itself; or from here, to somebody. */
      if (other == self)
         armed = SIGUSR1;
      else
         check(pthread_kill(other->handle, SIGUSR1) == 0, "pthread_kill");
   }
   in_account(&self->deeds, &kept[0], 8);
   pthread_barrier_wait(&all_there);
   /* What has been sent by now comes before the next system call returns. */
   sched_yield();
   pthread_barrier_wait(&all_there);
   return NULL;
}

static void among_threads(void)
{
   sends = scaled(2000);
   sigset_t all;
   sigfillset(&all);
   struct sigaction action = {.sa_sigaction = ticks, .sa_flags = SA_SIGINFO | SA_ONSTACK,
                              .sa_mask = all};
   check(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
   pthread_barrier_init(&all_there, NULL, THREADS + 1);
   for (unsigned t = 0; t < THREADS; t++) {
      threads[t].number = t + 2;
      threads[t].chance = t + 99;
      check(pthread_create(&threads[t].handle, NULL, sends_signals, &threads[t]) == 0,
            "pthread_create");
   }
   profmem_begin("signals");
   for (int b = 0; b < 3; b++)
      pthread_barrier_wait(&all_there);
   profmem_end("signals");
   long handled = 0;
   for (unsigned t = 0; t < THREADS; t++) {
      pthread_join(threads[t].handle, NULL);
      handled += threads[t].handled;
      add_deeds(&threads[t].deeds, &threads[t].async);
      add_deeds(&main_thread.deeds, &threads[t].deeds);
      expect_thread("signals", threads[t].number, &threads[t].deeds);
   }
   expect_sums("signals", &main_thread.deeds);
   expect("signals", "heap.retained",
          main_thread.deeds.allocated_bytes - main_thread.deeds.released_bytes);
   note("handled", handled);
   note("inside", landed_inside);
   print("%d threads that send each other signals\n", THREADS);
}

static const struct lesson lessons[] = {
   {"inside", on_same_stack},
   {"alternate", on_alternate_stack},
   {"nested", nested},
   {"jumps", left_by_jump},
   {"jumps-alternate", left_by_jump_on_stacks},
   {"faults", faults},
   {"timers", timers},
   {"threads", among_threads},
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   return teach(argc, argv, lessons);
}
