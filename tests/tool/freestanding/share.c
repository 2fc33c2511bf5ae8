/* SPDX-License-Identifier: GPL-2.0-or-later */
/* share.c: how many instructions are the allocator's, when that is known.
 *
 *    share        one thread
 *    share NAME   four threads more
 *
 * Calls every function of own_allocator.S and prints what must be reported:
 * the sum of what its header says of each call.  The threads yield in the
 * middle of calls (valloc), so that others run meanwhile whose instructions are
 * no part of the call; and a fault interrupts calls (pvalloc), whose handler's
 * instructions are no part of it either, but for the call it makes itself.
 */
#include "freestanding.h"

#include "print.h"

#define THREADS 4
#define ROUNDS 200
#define STACK_BYTES (64 * 1024)

void *malloc(size_t bytes);
void *calloc(size_t count, size_t bytes);
void *realloc(void *old, size_t bytes);
void *aligned_alloc(size_t alignment, size_t bytes);
void *memalign(size_t alignment, size_t bytes);
void *valloc(size_t bytes);
void *pvalloc(size_t bytes);
void free(void *address);

extern char pvalloc_fault[], pvalloc_after[];
extern char *fault_at;

/* Each thread has its own, the last one is the first thread's. */
static struct expected {
   uint64_t allocator_instrs;
   uint64_t blocks, bytes;
   uint64_t failed, resizes;
} expected[THREADS + 1];

static char stacks[THREADS][STACK_BYTES] __attribute__((aligned(16)));
static volatile int running[THREADS];
static uint64_t handler_calls;


static uint64_t malloc_instrs(size_t bytes)
{
   return 9 + 2 * (bytes & 15);
}

/* Calls malloc from inside a pvalloc that has not returned. */
static void on_fault(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   uintptr_t *ip = saved_ip(context);
   if (*ip != (uintptr_t)pvalloc_fault)
      system_call(__NR_exit_group, 9, 0, 0, 0, 0, 0);
   malloc(5);
   __atomic_fetch_add(&handler_calls, 1, __ATOMIC_SEQ_CST);
   *ip = (uintptr_t)pvalloc_after;
}

static void obtained(struct expected *sums, size_t bytes, uint64_t instrs)
{
   sums->blocks++;
   sums->bytes += bytes;
   sums->allocator_instrs += instrs;
}

static void work(struct expected *sums)
{
   for (size_t i = 0; i < ROUNDS; i++) {
      char *block = malloc(i);
      obtained(sums, i, malloc_instrs(i));
      calloc(3, i);
      obtained(sums, 3 * i, 12 + malloc_instrs(3 * i));
      aligned_alloc(16, i + 7);
      obtained(sums, i + 7, 2 + malloc_instrs(i + 7));
      valloc(i);
      obtained(sums, i, 7);
      pvalloc(i + 1);
      obtained(sums, i + 1, 4 + malloc_instrs(i + 1));
      block = realloc(block, i + 100);
      sums->resizes++;
      sums->allocator_instrs += 5 + malloc_instrs(i + 100);
      memalign(16, i);
      sums->failed++;
      sums->allocator_instrs += 3;
      if (i % 2 == 0) {
         free(block);
         sums->allocator_instrs += 3;
      }
   }
}

static void run_thread(struct expected *sums)
{
   work(sums);
   __atomic_store_n(&running[sums - expected], 0, __ATOMIC_RELEASE);
   system_call(__NR_exit, 0, 0, 0, 0, 0, 0);
}

/* clone, and in the new thread run_thread(sums) on the given stack. */
static void start_thread(char *stack_end, struct expected *sums)
{
   long flags = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x40000; /* as pthread_create:
      CLONE_VM, _FS, _FILES, _SIGHAND, _THREAD, _SYSVSEM */
#if defined(__x86_64__)
   long result = __NR_clone;
   __asm__ volatile("xorl %%edx, %%edx\n\t"
                    "xorl %%r10d, %%r10d\n\t"
                    "xorl %%r8d, %%r8d\n\t"
                    "syscall\n\t"
                    "testq %%rax, %%rax\n\t"
                    "jnz 1f\n\t"
                    "xorl %%ebp, %%ebp\n\t"
                    "movq %[sums], %%rdi\n\t"
                    "call *%[entry]\n\t"
                    "ud2\n"
                    "1:"
                    : "+a"(result)
                    : "D"(flags), "S"(stack_end), [sums] "r"(sums), [entry] "b"(run_thread)
                    : "rcx", "rdx", "r8", "r10", "r11", "memory");
#elif defined(__aarch64__)
   register long x8 __asm__("x8") = __NR_clone;
   register long result __asm__("x0") = flags;
   register char *x1 __asm__("x1") = stack_end;
   register void (*entry)(struct expected *) __asm__("x19") = run_thread;
   register struct expected *x20 __asm__("x20") = sums;
   __asm__ volatile("mov x2, xzr\n\t"
                    "mov x3, xzr\n\t"
                    "mov x4, xzr\n\t"
                    "svc #0\n\t"
                    "cbnz x0, 1f\n\t"
                    "mov x29, xzr\n\t"
                    "mov x0, x20\n\t"
                    "blr x19\n\t"
                    "udf #0\n"
                    "1:"
                    : "+r"(result)
                    : "r"(x8), "r"(x1), "r"(entry), "r"(x20)
                    : "x2", "x3", "x4", "x30", "memory");
#endif
   if (result < 0)
      system_call(__NR_exit_group, 8, 0, 0, 0, 0, 0);
}

int program(void)
{
   long arguments = *initial_stack_pointer;
   fault_at = map(PAGE_BYTES, PROT_NONE);
   handle(SIGSEGV, on_fault, 0);
   for (int i = 0; i < THREADS && arguments > 1; i++) {
      running[i] = 1;
      start_thread(stacks[i] + STACK_BYTES, &expected[i]);
   }
   work(&expected[THREADS]);
   for (int i = 0; i < THREADS; i++)
      while (__atomic_load_n(&running[i], __ATOMIC_ACQUIRE))
         system_call(__NR_sched_yield, 0, 0, 0, 0, 0, 0);

   struct expected all = {.blocks = handler_calls,
                          .bytes = 5 * handler_calls,
                          .allocator_instrs = handler_calls * malloc_instrs(5)};
   for (int i = 0; i <= THREADS; i++) {
      all.blocks += expected[i].blocks;
      all.bytes += expected[i].bytes;
      all.allocator_instrs += expected[i].allocator_instrs;
      all.failed += expected[i].failed;
      all.resizes += expected[i].resizes;
   }
   print("instructions.allocator", all.allocator_instrs);
   print("allocations.count", all.blocks);
   print("allocations.bytes", all.bytes);
   print("allocations.failed", all.failed);
   print("reallocations.count", all.resizes);
   return 0;
}
