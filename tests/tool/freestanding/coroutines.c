/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coroutines.c: an allocator that switches stacks in the middle of a call.
 *
 *    coroutines mapped | blocks | registered
 *
 * Three coroutines take turns: each call of malloc and of free hands control to
 * the next one before it returns, so that calls of all of them are under way at
 * once, on stacks of their own, and return in another order than they began.
 * None of these switches leaves a call.  The stacks are mappings; or blocks
 * obtained from memalign; or parts of one array, registered by client requests.
 *
 * Each coroutine keeps what it obtains, and gives back only blocks that were
 * obtained before the coroutines began: a block that came and went inside
 * another call would be no event.  Prints what must be reported.
 */
#include "freestanding.h"

#include <valgrind/valgrind.h>

#include "print.h"

#define COROUTINES 3
#define ROUNDS 60
#define STACK_BYTES 32768

void switch_stack(char **save, char *restore);

/* Saves what a function must keep and the stack pointer; the other way round. Of what it
   leaves on a stack, SAVED_WORDS, the word SAVED_PLACE is where to go. */
#if defined(__x86_64__)
#define SAVED_WORDS 8 /* with the two that keep the stack aligned */
#define SAVED_PLACE 6
__asm__(".text\n"
        ".globl switch_stack\n"
        ".type switch_stack, @function\n"
        "switch_stack:\n"
        "   pushq %rbx\n   pushq %rbp\n   pushq %r12\n   pushq %r13\n   pushq %r14\n   pushq %r15\n"
        "   movq %rsp, (%rdi)\n"
        "   movq %rsi, %rsp\n"
        "   popq %r15\n   popq %r14\n   popq %r13\n   popq %r12\n   popq %rbp\n   popq %rbx\n"
        "   ret\n"
        ".size switch_stack, .-switch_stack\n");
#elif defined(__aarch64__)
#define SAVED_WORDS 12
#define SAVED_PLACE 11
__asm__(".text\n"
        ".globl switch_stack\n"
        ".type switch_stack, @function\n"
        "switch_stack:\n"
        "   stp x19, x20, [sp, #-96]!\n   stp x21, x22, [sp, #16]\n"
        "   stp x23, x24, [sp, #32]\n   stp x25, x26, [sp, #48]\n"
        "   stp x27, x28, [sp, #64]\n   stp x29, x30, [sp, #80]\n"
        "   mov x9, sp\n   str x9, [x0]\n"
        "   mov sp, x1\n"
        "   ldp x29, x30, [sp, #80]\n   ldp x27, x28, [sp, #64]\n"
        "   ldp x25, x26, [sp, #48]\n   ldp x23, x24, [sp, #32]\n"
        "   ldp x21, x22, [sp, #16]\n   ldp x19, x20, [sp], #96\n"
        "   ret\n"
        ".size switch_stack, .-switch_stack\n");
#endif

static char arena[1 << 20] __attribute__((aligned(PAGE_BYTES)));
static char *next = arena;
static char array_of_stacks[COROUTINES][STACK_BYTES] __attribute__((aligned(PAGE_BYTES)));

static char *saved[COROUTINES + 1]; /* stack pointers; the last is program()'s */
static int running = COROUTINES, finished;
static char *old_blocks[COROUTINES][ROUNDS];
static uint64_t blocks, bytes, released, released_bytes;

/* To the next coroutine that has not finished, if any other is there. */
static void yield(void)
{
   if (running == COROUTINES || finished == COROUTINES)
      return;
   int from = running, to = from;
   do
      to = (to + 1) % COROUTINES;
   while (saved[to] == NULL && to != from);
   if (to == from)
      return;
   running = to;
   switch_stack(&saved[from], saved[to]);
}

static char *take(size_t size_bytes)
{
   char *block = next;
   next += (size_bytes + 31) / 16 * 16;
   return block;
}

__attribute__((noipa)) void *malloc(size_t size_bytes)
{
   char *block = take(size_bytes);
   yield();
   return block;
}

__attribute__((noipa)) void *memalign(size_t alignment, size_t size_bytes)
{
   (void)alignment;
   return take(size_bytes);
}

__attribute__((noipa)) void free(void *block)
{
   *(char *)block = 1;
   yield();
}

static void work(void)
{
   int me = running;
   for (int i = 0; i < ROUNDS; i++) {
      size_t size_bytes = (size_t)(me * 1000 + i);
      malloc(size_bytes);
      blocks++;
      bytes += size_bytes;
      /* Unevenly, so that the order of returns changes. */
      if ((i + me) % (me + 2) == 0) {
         free(old_blocks[me][i]);
         released++;
         released_bytes += 100;
      }
   }
   /* The end of one: to the next, or back to program(). */
   saved[me] = NULL;
   finished++;
   char *ignored;
   int to = me;
   for (int i = 0; i < COROUTINES && saved[to] == NULL; i++)
      to = (to + 1) % COROUTINES;
   running = saved[to] != NULL ? to : COROUTINES;
   switch_stack(&ignored, saved[running]);
}

static char *new_stack(int number, char kind)
{
   char *stack;
   if (kind == 'm') {
      /* With a page below that nobody may touch, as such stacks have. */
      stack = map(PAGE_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE);
      protect(stack, PAGE_BYTES, PROT_NONE);
      stack += PAGE_BYTES;
   } else if (kind == 'b') {
      stack = memalign(16, STACK_BYTES);
      blocks++;
      bytes += STACK_BYTES;
   } else {
      stack = array_of_stacks[number];
      (void)VALGRIND_STACK_REGISTER(stack, stack + STACK_BYTES);
   }
   /* As switch_stack leaves one. */
   uint64_t *top = (uint64_t *)(((uintptr_t)stack + STACK_BYTES) & ~(uintptr_t)15) - SAVED_WORDS;
   top[SAVED_PLACE] = (uint64_t)work;
   return (char *)top;
}

int program(void)
{
   if (*initial_stack_pointer != 2)
      return 2;
   char kind = ((char **)initial_stack_pointer)[2][0];
   for (int c = 0; c < COROUTINES; c++)
      for (int i = 0; i < ROUNDS; i++) {
         old_blocks[c][i] = malloc(100);
         blocks++;
         bytes += 100;
      }
   for (int c = 0; c < COROUTINES; c++)
      saved[c] = new_stack(c, kind);
   running = 0;
   switch_stack(&saved[COROUTINES], saved[0]);

   malloc(10);
   blocks++;
   bytes += 10;
   print("allocations.count", blocks);
   print("allocations.bytes", bytes);
   print("allocations.failed", 0);
   print("deallocations.count", released);
   print("deallocations.bytes", released_bytes);
   print("deallocations.unmatched", 0);
   print("heap.exit", bytes - released_bytes);
   return finished == COROUTINES ? 0 : 1;
}
