/* SPDX-License-Identifier: GPL-2.0-or-later */
/* coroutines.c: functions that are phases, on stacks that take turns.
 *
 *    coroutines LESSON blocks|mapped|guarded|registered
 *
 * Two coroutines (swapcontext) and main hand control to each other inside functions
 * that are phases, so that a function begins, others run and return on their stacks
 * meanwhile, and it goes on later. Stacks are blocks of malloc; mappings; mappings with
 * a page below that nobody may touch; or parts of one array, registered by requests.
 * Every number follows from the program's own calls; say.h has the form.
 */
#define _GNU_SOURCE
#include "profmem.h"
#include "say.h"

#include <setjmp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <valgrind/valgrind.h>

enum { STACK_BYTES = 65536, PAGE_BYTES = 4096, ROUNDS = 20 };

#define FUNCTION __attribute__((noipa))
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

static ucontext_t main_context, a_context, b_context;
static const char *kind;
static char array[2 * STACK_BYTES] __attribute__((aligned(16)));

static char *new_stack(int which)
{
   char *stack;
   if (strcmp(kind, "blocks") == 0) {
      stack = malloc(STACK_BYTES);
      check(stack != NULL, "no memory");
   } else if (strcmp(kind, "registered") == 0) {
      stack = array + which * STACK_BYTES;
      (void)VALGRIND_STACK_REGISTER(stack, stack + STACK_BYTES);
   } else {
      size_t guard = strcmp(kind, "guarded") == 0 ? PAGE_BYTES : 0;
      stack = mmap(NULL, guard + STACK_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      check(stack != MAP_FAILED, "no mapping");
      check(guard == 0 || mprotect(stack, guard, PROT_NONE) == 0, "no guard");
      stack += guard;
   }
   return stack;
}

static void drop_stack(char *stack)
{
   if (strcmp(kind, "blocks") == 0)
      free(stack);
   else if (strcmp(kind, "mapped") == 0)
      munmap(stack, STACK_BYTES);
   else if (strcmp(kind, "guarded") == 0)
      munmap(stack - PAGE_BYTES, PAGE_BYTES + STACK_BYTES);
}

static void make(ucontext_t *context, char *stack, void (*body)(void))
{
   check(getcontext(context) == 0, "getcontext");
   context->uc_stack.ss_sp = stack;
   context->uc_stack.ss_size = STACK_BYTES;
   context->uc_link = &main_context;
   makecontext(context, body, 0);
}

FUNCTION void use(size_t bytes)
{
   void *block = malloc(bytes);
   check(block != NULL, "no memory");
   free(block);
   NO_TAIL_CALL;
}

static void to(ucontext_t *from, ucontext_t *target)
{
   check(swapcontext(from, target) == 0, "swapcontext");
}

/* --- turns ------------------------------------------------------------------------ */

/* Calls below and above the phases' frames, and returns of all of them. */
FUNCTION void task_a(void)
{
   use(100);
   to(&a_context, &main_context);
   use(200);
}

FUNCTION void task_b(void)
{
   use(10);
   to(&b_context, &main_context);
   use(20);
}

static void body_a(void)
{
   for (;;) {
      task_a();
      use(100000);
      to(&a_context, &main_context);
   }
}

static void body_b(void)
{
   for (;;) {
      task_b();
      use(100000);
      to(&b_context, &main_context);
   }
}

FUNCTION void task_main(void)
{
   use(1);
   to(&main_context, &a_context); /* task_a begins, 100 */
   use(1000);
   to(&main_context, &b_context); /* task_b begins, 10 */
   use(3000);
   to(&main_context, &a_context); /* 200, task_a ends, 100000 */
   use(5000);
   to(&main_context, &b_context); /* 20, task_b ends, 100000 */
   use(7000);
}

static void turns(void)
{
   char *stack_a = new_stack(0), *stack_b = new_stack(1);
   make(&a_context, stack_a, body_a);
   make(&b_context, stack_b, body_b);
   for (int i = 0; i < ROUNDS; i++)
      task_main();
   /* Once more, with the stacks the other way round. */
   make(&a_context, stack_b, body_a);
   make(&b_context, stack_a, body_b);
   for (int i = 0; i < ROUNDS; i++)
      task_main();

   static const char *const names[] = {"task_main", "task_a", "task_b"};
   static const long long bytes[] = {1 + 100 + 1000 + 10 + 3000 + 200 + 100000 + 5000 + 20 +
                                        100000 + 7000,
                                     100 + 1000 + 10 + 3000 + 200,
                                     10 + 3000 + 200 + 100000 + 5000 + 20};
   for (int i = 0; i < 3; i++) {
      expect(names[i], "@instances", 2 * ROUNDS);
      expect_text(names[i], "@complete", "yes");
      expect(names[i], "!phase-left-by-jump", 0);
      expect(names[i], "allocations.bytes", 2 * ROUNDS * bytes[i]);
      expect(names[i], "allocations.bytes:min", bytes[i]);
      expect(names[i], "allocations.bytes:max", bytes[i]);
   }
   expect_text("task_a", "@parent", "task_main");
   expect_text("task_main", "@parent", "program");
}

/* --- left on their stacks ------------------------------------------------------------ */

static jmp_buf in_coroutine;

FUNCTION void leaves(void)
{
   use(3);
   longjmp(in_coroutine, 1);
}

static void body_jumps(void)
{
   for (;;) {
      if (setjmp(in_coroutine) == 0)
         leaves();
      use(50);
      to(&a_context, &main_context);
   }
}

static void jumps(void)
{
   make(&a_context, new_stack(0), body_jumps);
   for (int i = 0; i < ROUNDS; i++) {
      to(&main_context, &a_context);
      use(1000);
   }
   expect("leaves", "@instances", ROUNDS);
   expect_text("leaves", "@complete", "no");
   expect("leaves", "allocations.bytes", 3 * ROUNDS);
   expect("leaves", "!phase-left-by-jump", ROUNDS);
}

/* --- abandoned ------------------------------------------------------------------------- */

static int abandon;

FUNCTION void unfinished(void)
{
   use(7);
   if (abandon)
      to(&a_context, &main_context); /* and never back */
   NO_TAIL_CALL;
}

/* Each time a new coroutine is given up in the middle and its stack is gone; the
   function runs to its end on main's stack between. */
static void abandoned(void)
{
   for (int i = 0; i < ROUNDS; i++) {
      char *stack = new_stack(0);
      abandon = 1;
      make(&a_context, stack, unfinished);
      to(&main_context, &a_context);
      use(90);
      drop_stack(stack);
      use(1000);
      abandon = 0;
      unfinished();
   }
   expect("unfinished", "@instances", 2 * ROUNDS);
   expect_text("unfinished", "@complete", "no");
   expect("unfinished", "allocations.bytes", (7 + 90 + 7) * ROUNDS);
   expect("unfinished", "!phase-left-by-jump", ROUNDS);
}

/* The same stack again, for another coroutine with the same function. */
static void reused(void)
{
   char *stack = new_stack(0);
   abandon = 1;
   for (int i = 0; i < ROUNDS; i++) {
      make(&a_context, stack, unfinished);
      to(&main_context, &a_context);
      use(1);
   }
   /* To the end, and back by the link. */
   abandon = 0;
   make(&a_context, stack, unfinished);
   to(&main_context, &a_context);
   expect("unfinished", "@instances", ROUNDS + 1);
   expect_text("unfinished", "@complete", "no");
   expect("unfinished", "allocations.bytes", 8 * ROUNDS + 7);
   expect("unfinished", "!phase-left-by-jump", ROUNDS);
}

/* --- requests ---------------------------------------------------------------------------- */

static void body_requests(void)
{
   check(profmem_begin("across") == PROFMEM_DONE, "begun");
   use(5);
   to(&a_context, &main_context);
   check(profmem_end("back") == PROFMEM_DONE, "ended");
}

/* A phase by request belongs to its thread, not to a stack. */
static void requests(void)
{
   make(&a_context, new_stack(0), body_requests);
   to(&main_context, &a_context);
   use(50);
   check(profmem_end("across") == PROFMEM_DONE, "ended");
   check(profmem_begin("back") == PROFMEM_DONE, "begun");
   use(500);
   to(&main_context, &a_context);
   expect("across", "@instances", 1);
   expect_text("across", "@complete", "yes");
   expect("across", "allocations.bytes", 55);
   expect("across", "!phase-ended-by-other-thread", 0);
   expect("back", "@instances", 1);
   expect("back", "allocations.bytes", 500);
}

static const struct {
   const char *name;
   void (*run)(void);
} lessons[] = {
   {"turns", turns},
   {"jumps", jumps},
   {"abandoned", abandoned},
   {"reused", reused},
   {"requests", requests},
};

int main(int argc, char **argv)
{
   for (size_t l = 0; argc == 3 && l < sizeof lessons / sizeof *lessons; l++)
      if (strcmp(argv[1], lessons[l].name) == 0) {
         kind = argv[2];
         lessons[l].run();
         return 0;
      }
   stop("usage: coroutines LESSON KIND");
}
