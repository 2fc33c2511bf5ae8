/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_stacks.c: stacks that the program makes itself, and leaves in unusual ways.
 *
 *    hostile_stacks LESSON LEDGER
 *
 * Coroutines on stacks from malloc hand control to each other, by swapcontext or by a
 * few instructions of their own, in the middle of functions that are phases, of phases
 * by request, and of allocation functions; they end, their stacks are given back, and
 * others begin. Allocation functions are left by longjmp. Recursion is deep.
 *
 * An allocation function of the program's own is je_malloc, which the tool knows by its
 * name.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <setjmp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { KEPT = 200, COROUTINES = 64, TASKS = 4, STACK_BYTES = 32768 };

/* ---- Phases and what happens in them. */

struct tally {
   const char *name;
   bool open;
   long instances;
   struct deeds deeds;
};

enum { WHOLE = TASKS, ACROSS, TALLIES };
static struct tally tallies[TALLIES] = {{.name = "task_0"}, {.name = "task_1"},
                                        {.name = "task_2"}, {.name = "task_3"},
                                        {.name = "stacks"}, {.name = "across"}};
static struct live live;

static void opens(struct tally *tally)
{
   check(!tally->open, "already open");
   tally->open = true;
   tally->instances++;
   tally->deeds.last_obtained = 0;
}

static void closes(struct tally *tally)
{
   check(tally->open, "not open");
   tally->open = false;
}

static void begins(struct tally *tally)
{
   if (tally == &tallies[WHOLE])
      live_enter(&live);
   opens(tally);
   profmem_begin(tally->name);
}

static void ends(struct tally *tally)
{
   profmem_end(tally->name);
   closes(tally);
}

static void report(bool with_order)
{
   for (struct tally *tally = tallies; tally < tallies + TALLIES; tally++) {
      if (tally->instances == 0)
         continue;
      expect(tally->name, "@instances", tally->instances);
      expect_text(tally->name, "@complete", "yes");
      expect_sums(tally->name, &tally->deeds);
      if (with_order)
         expect(tally->name, "allocations.temporary", tally->deeds.temporary);
   }
   if (with_order)
      expect_live("stacks", &live);
}

/* ---- Calls and their entries. */

static struct {
   char *address;
   size_t bytes;
   unsigned long serial;
} kept[KEPT];
static unsigned long serials;
static uint64_t chance = 99;

#define IN_OPEN_TALLIES(entry)                              \
   for (struct tally *t = tallies; t < tallies + TALLIES; t++) \
      if (t->open)                                          \
         entry

static unsigned long obtained(size_t bytes)
{
   serials++;
   IN_OPEN_TALLIES(did_obtain(&t->deeds, serials, bytes));
   live_add(&live, (long long)bytes, 1);
   return serials;
}

static void given_back(unsigned long serial, size_t bytes)
{
   IN_OPEN_TALLIES(did_release(&t->deeds, serial, bytes, false));
   live_add(&live, -(long long)bytes, -1);
}

static FUNCTION void operate(void)
{
   uint64_t slot = draw(&chance, KEPT);
   size_t bytes = draw(&chance, 20) ? draw(&chance, 300) : draw(&chance, 10000);
   char *address = kept[slot].address;
   if (!address) {
      kept[slot].address = malloc(bytes);
      kept[slot].bytes = bytes;
      kept[slot].serial = obtained(bytes);
   } else if (draw(&chance, 4) == 0) {
      kept[slot].address = realloc(address, bytes + 1);
      bool moved = kept[slot].address != address;
      IN_OPEN_TALLIES(did_resize(&t->deeds, kept[slot].bytes, bytes + 1, moved));
      live_add(&live, (long long)bytes + 1 - (long long)kept[slot].bytes, 0);
      kept[slot].bytes = bytes + 1;
   } else {
      free(address);
      given_back(kept[slot].serial, kept[slot].bytes);
      kept[slot].address = NULL;
   }
   NO_TAIL_CALL;
}

/* ---- Switches. */

struct coroutine {
   char *stack;       /* NULL: there is none */
   unsigned long serial;
   ucontext_t context;
   void *saved;       /* stack pointer, where switches are by hand */
   int number;
};

static struct coroutine coroutines[COROUTINES + 1]; /* the last one is main */
static struct coroutine *running = &coroutines[COROUTINES], *ended;
static unsigned long switches, most_switches;
static bool by_hand;

void jump_to_stack(void **save, void *restore);

/* As Boost's contexts do: what must survive a call is pushed, and the new stack's is
   popped; on one machine they go on by a jump, on the other by a return. */
#if defined(__x86_64__)
__asm__(".text\n.globl jump_to_stack\n.type jump_to_stack, @function\njump_to_stack:\n"
        "   pushq %rbp\n   pushq %rbx\n   pushq %r12\n   pushq %r13\n   pushq %r14\n   pushq %r15\n"
        "   movq %rsp, (%rdi)\n   movq %rsi, %rsp\n"
        "   popq %r15\n   popq %r14\n   popq %r13\n   popq %r12\n   popq %rbx\n   popq %rbp\n"
        "   popq %r8\n   jmp *%r8\n.size jump_to_stack, .-jump_to_stack\n");
enum { SAVED_WORDS = 8, GOES_TO = 6 };
#elif defined(__aarch64__)
__asm__(".text\n.globl jump_to_stack\n.type jump_to_stack, %function\njump_to_stack:\n"
        "   sub sp, sp, #160\n"
        "   stp d8, d9, [sp]\n   stp d10, d11, [sp, #16]\n   stp d12, d13, [sp, #32]\n"
        "   stp d14, d15, [sp, #48]\n   stp x19, x20, [sp, #64]\n   stp x21, x22, [sp, #80]\n"
        "   stp x23, x24, [sp, #96]\n   stp x25, x26, [sp, #112]\n   stp x27, x28, [sp, #128]\n"
        "   stp x29, x30, [sp, #144]\n"
        "   mov x9, sp\n   str x9, [x0]\n   mov sp, x1\n"
        "   ldp d8, d9, [sp]\n   ldp d10, d11, [sp, #16]\n   ldp d12, d13, [sp, #32]\n"
        "   ldp d14, d15, [sp, #48]\n   ldp x19, x20, [sp, #64]\n   ldp x21, x22, [sp, #80]\n"
        "   ldp x23, x24, [sp, #96]\n   ldp x25, x26, [sp, #112]\n   ldp x27, x28, [sp, #128]\n"
        "   ldp x29, x30, [sp, #144]\n   add sp, sp, #160\n   ret x30\n"
        ".size jump_to_stack, .-jump_to_stack\n");
enum { SAVED_WORDS = 20, GOES_TO = 19 };
#else
#error "add this platform's switch of stacks"
#endif

static void switch_to(struct coroutine *target)
{
   struct coroutine *from = running;
   if (target == from)
      return;
   switches++;
   running = target;
   if (by_hand)
      jump_to_stack(&from->saved, target->saved);
   else
      check(swapcontext(&from->context, &target->context) == 0, "swapcontext");
}

/* To somebody who is there. */
static FUNCTION void yield(void)
{
   struct coroutine *target;
   do
      target = &coroutines[draw(&chance, COROUTINES + 1)];
   while (!target->stack);
   switch_to(target);
}

/* ---- Functions that are phases, each on one coroutine at a time. */

static void task(struct tally *tally)
{
   opens(tally);
   operate();
   yield();
   operate();
   yield();
   operate();
   closes(tally);
}

FUNCTION void task_0(void)
{
   task(&tallies[0]);
   NO_TAIL_CALL;
}

FUNCTION void task_1(void)
{
   task(&tallies[1]);
   NO_TAIL_CALL;
}

FUNCTION void task_2(void)
{
   task(&tallies[2]);
   NO_TAIL_CALL;
}

FUNCTION void task_3(void)
{
   task(&tallies[3]);
   NO_TAIL_CALL;
}

static void (*const tasks[TASKS])(void) = {task_0, task_1, task_2, task_3};

static void body(void)
{
   int number = running->number;
   uint64_t rounds = 1 + draw(&chance, 100);
   for (uint64_t r = 0; r < rounds; r++) {
      operate();
      if (number < TASKS && !tallies[number].open && draw(&chance, 3) == 0)
         tasks[number]();
      /* A phase by request is the thread's, whoever begins it. */
      if (draw(&chance, 10) == 0) {
         if (tallies[ACROSS].open)
            ends(&tallies[ACROSS]);
         else
            begins(&tallies[ACROSS]);
      }
      yield();
   }
   ended = running;
   switch_to(&coroutines[COROUTINES]);
   stop("an ended coroutine runs");
}

static void begin_coroutine(struct coroutine *coroutine)
{
   coroutine->stack = malloc(STACK_BYTES);
   check(coroutine->stack != NULL, "no memory");
   coroutine->serial = obtained(STACK_BYTES);
   if (by_hand) {
      uintptr_t top = ((uintptr_t)coroutine->stack + STACK_BYTES) & ~(uintptr_t)15;
      void **words = (void **)top - SAVED_WORDS;
      memset(words, 0, SAVED_WORDS * sizeof *words);
      words[GOES_TO] = (void *)body;
      coroutine->saved = words;
   } else {
      check(getcontext(&coroutine->context) == 0, "getcontext");
      coroutine->context.uc_stack.ss_sp = coroutine->stack;
      coroutine->context.uc_stack.ss_size = STACK_BYTES;
      coroutine->context.uc_link = NULL;
      makecontext(&coroutine->context, body, 0);
   }
}

static void end_coroutine(struct coroutine *coroutine)
{
   free(coroutine->stack);
   given_back(coroutine->serial, STACK_BYTES);
   coroutine->stack = NULL;
}

/* Until all have ended, main is among those that take turns, and begins others for those
   that are gone. */
static void take_turns(void)
{
   static char here;
   long begun = 0;
   most_switches = scaled(100000);
   begins(&tallies[WHOLE]);
   coroutines[COROUTINES].stack = &here;
   for (int c = 0; c < COROUTINES; c++) {
      coroutines[c].number = c;
      begin_coroutine(&coroutines[c]);
      begun++;
   }
   int there = COROUTINES;
   while (there > 0) {
      yield();
      if (!ended)
         continue;
      struct coroutine *gone = ended;
      ended = NULL;
      end_coroutine(gone);
      there--;
      if (switches < most_switches) {
         begin_coroutine(gone);
         begun++;
         there++;
      }
   }
   ends(&tallies[WHOLE]);
   if (tallies[ACROSS].open)
      ends(&tallies[ACROSS]);
   report(true);
   note("switches", (long long)switches);
   print("%lu switches of %ld coroutines\n", switches, begun);
}

static void turns_by_hand(void)
{
   by_hand = true;
   take_turns();
}

/* ---- An allocation function that lets others run, or is left. */

static char arena[64 << 20] __attribute__((aligned(16)));
static size_t used;
static enum { RETURNS, YIELDS, JUMPS, RECURSES, NESTS } allocator_does;
static jmp_buf out;
static int nesting;

static FUNCTION int recurse(int depth)
{
   return depth == 0 ? 0 : 1 + recurse(depth - 1) * (int)(used != 1);
}

FUNCTION void *je_malloc(size_t bytes)
{
   if (used + bytes > sizeof arena)
      return NULL;
   char *block = arena + used;
   used += (bytes + 31) / 16 * 16;
   switch (allocator_does) {
   case RETURNS:
      break;
   case YIELDS:
      yield();
      break;
   case JUMPS:
      longjmp(out, 1);
   case RECURSES:
      check(recurse(100000) == 100000, "recursion");
      break;
   case NESTS:
      if (nesting > 0) {
         nesting--;
         return je_malloc(bytes);
      }
      break;
   }
   NO_TAIL_CALL;
   return block;
}

/* What comes and goes inside another call would be no event: nothing is given back. */
static void body_of_allocations(void)
{
   for (int r = 0; r < 500; r++) {
      size_t bytes = draw(&chance, 100);
      check(je_malloc(bytes) != NULL, "no memory");
      obtained(bytes);
   }
   ended = running;
   switch_to(&coroutines[COROUTINES]);
}

/* Which block is the last to become an event in between is the tool's to say: sums. */
static void yields_inside(void)
{
   static char here;
   by_hand = true;
   allocator_does = YIELDS;
   unsigned long times = scaled(100000) / 500;
   int there = times < COROUTINES ? (int)times : COROUTINES;
   begins(&tallies[WHOLE]);
   coroutines[COROUTINES].stack = &here;
   for (int c = 0; c < there; c++) {
      begin_coroutine(&coroutines[c]);
      ((void **)coroutines[c].saved)[GOES_TO] = (void *)body_of_allocations;
   }
   unsigned long begun = (unsigned long)there;
   while (there > 0) {
      yield();
      if (!ended)
         continue;
      struct coroutine *gone = ended;
      ended = NULL;
      if (begun < times) {
         begun++;
         void **words = gone->saved = (void **)(((uintptr_t)gone->stack + STACK_BYTES) &
                                                ~(uintptr_t)15) - SAVED_WORDS;
         memset(words, 0, SAVED_WORDS * sizeof *words);
         words[GOES_TO] = (void *)body_of_allocations;
      } else {
         gone->stack = NULL;
         there--;
      }
   }
   ends(&tallies[WHOLE]);
   report(false);
   expect("stacks", "heap.exit", live.bytes);
   expect("stacks", "heap.exit-blocks", live.blocks);
   note("switches", (long long)switches);
   print("%lu switches inside allocation functions\n", switches);
}

/* ---- jumps: 10,000 times out of an allocation function. */

static FUNCTION void call_from(int depth)
{
   if (depth > 0)
      call_from(depth - 1);
   else
      (void)je_malloc(77);
   NO_TAIL_CALL;
}

static void leaves_allocator(void)
{
   const volatile unsigned long rounds = scaled(10000);
   begins(&tallies[WHOLE]);
   for (volatile unsigned long r = 0; r < rounds; r++) {
      allocator_does = JUMPS;
      if (setjmp(out) == 0)
         call_from((int)(r % 20));
      else
         tallies[WHOLE].deeds.failed++;
      operate();
      allocator_does = RETURNS;
      check(je_malloc(5) != NULL, "no memory");
      obtained(5);
   }
   ends(&tallies[WHOLE]);
   report(true);
   print("%lu times out of an allocation function\n", rounds);
}

/* ---- deep: 100,000 frames on main's stack. */

struct link {
   struct link *below;
   unsigned long serial;
   size_t bytes;
};

static struct link *chain;
static bool jumps_at_the_end;

static FUNCTION void obtain_link(int depth)
{
   size_t bytes = sizeof(struct link) + (size_t)depth % 50;
   struct link *link = malloc(bytes);
   check(link != NULL, "no memory");
   *link = (struct link){chain, obtained(bytes), bytes};
   chain = link;
}

static FUNCTION void give_link_back(void)
{
   struct link link = *chain;
   free(chain);
   given_back(link.serial, link.bytes);
   chain = link.below;
}

static FUNCTION void descends(int depth)
{
   obtain_link(depth);
   if (depth > 0)
      descends(depth - 1);
   else if (jumps_at_the_end)
      longjmp(out, 1);
   give_link_back();
   NO_TAIL_CALL;
}

FUNCTION void task_of_depth(int depth)
{
   descends(depth);
   NO_TAIL_CALL;
}

static void deep(void)
{
   const volatile int frames = (int)scaled(100000);
   begins(&tallies[WHOLE]);
   task_of_depth(frames);
   jumps_at_the_end = true;
   if (setjmp(out) == 0)
      task_of_depth(frames);
   operate();
   while (chain)
      give_link_back();
   allocator_does = RECURSES;
   check(je_malloc(100) != NULL, "no memory");
   obtained(100);
   /* Of calls of itself, each of which returns what the next one has, one remains. */
   allocator_does = NESTS;
   nesting = 1000;
   check(je_malloc(200) != NULL, "no memory");
   obtained(200);
   ends(&tallies[WHOLE]);
   report(true);
   expect("task_of_depth", "@instances", 2);
   expect_text("task_of_depth", "@complete", "no");
   expect("task_of_depth", "!phase-left-by-jump", 1);
   print("%d frames\n", frames);
}

static const struct lesson lessons[] = {
   {"swapcontext", take_turns},
   {"by-hand", turns_by_hand},
   {"yields-inside", yields_inside},
   {"jumps", leaves_allocator},
   {"deep", deep},
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   return teach(argc, argv, lessons);
}
