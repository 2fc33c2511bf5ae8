/* SPDX-License-Identifier: GPL-2.0-or-later */
/* random_functions.cc: functions that are phases, entered and left in every way at
 * random, and a ledger of the program's own for each execution.
 *
 *    random_functions ACTIONS SEED STACKS
 *
 * Four phases: plain_0; plain_1; two_a and two_b, which are one phase; tail_a and
 * tail_b, which are one and tail-call each other and others. They call each other to
 * any depth, on three stacks that take turns (swapcontext), in signal handlers on the
 * interrupted stack and on an alternate one, and are left by returns, siglongjmp (out
 * of handlers too) and exceptions. STACKS says what the stacks are: blocks, mapped.
 *
 * The ledger.  Who calls a phase's function pushes it on a shadow stack before, and
 * pops it behind; who catches a jump or an exception pops what was above. A phase that
 * is not open is begun by a push; it is ended by the pop of that push. What is
 * obtained meanwhile, whoever asks, counts for every open execution.
 */
#include "profmem.h"
#include "say.h"

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>

enum { PHASES = 4, STACKS = 3, STACK_BYTES = 1 << 18, DEEPEST = 14, LISTED = 100 };

#define APART __attribute__((noipa))

static uint64_t random_state;
static long actions_left;

static unsigned pick(unsigned below)
{
   random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return static_cast<unsigned>((random_state >> 33) % below);
}

/* --- the ledger ---------------------------------------------------------------------- */

struct execution {
   bool open, complete;
   long long count, bytes;
};

static struct {
   const char *name;
   int begun;
   int jumped, exited;
   long long bytes, least, most;
   execution now;
   execution listed[LISTED];
} phases[PHASES] = {};

static void begin(int phase)
{
   phases[phase].now = {true, true, 0, 0};
   phases[phase].begun++;
}

static void end(int phase, bool complete)
{
   auto &p = phases[phase];
   p.now.open = false;
   p.now.complete = complete;
   p.bytes += p.now.bytes;
   if (p.begun == 1 || p.now.bytes < p.least)
      p.least = p.now.bytes;
   if (p.begun == 1 || p.now.bytes > p.most)
      p.most = p.now.bytes;
   if (p.begun <= LISTED)
      p.listed[p.begun - 1] = p.now;
}

static void obtained(size_t bytes)
{
   for (auto &p : phases)
      if (p.now.open) {
         p.now.count++;
         p.now.bytes += static_cast<long long>(bytes);
      }
}

/* --- stacks that take turns ------------------------------------------------------------ */

enum kind { JUMP, TRY };

/* Where a jump or an exception can go. */
struct mark {
   kind what;
   sigjmp_buf *target;
   int shadow;   /* height then */
   int handlers; /* that ran then */
};

struct turn {
   ucontext_t context;
   struct {
      int phase;
      bool begins;
   } shadow[DEEPEST * 4];
   int height;
   mark marks[DEEPEST * 4];
   int mark_count;
   int handlers;
};

static turn turns[STACKS];
static turn *now = turns;

static void push(int phase)
{
   bool begins = !phases[phase].now.open;
   if (begins)
      begin(phase);
   now->shadow[now->height++] = {phase, begins};
}

static void pop()
{
   const auto &top = now->shadow[--now->height];
   if (top.begins)
      end(top.phase, true);
}

/* Control has come back here, past all that was above. */
static void unwind(const mark &to)
{
   while (now->height > to.shadow) {
      const auto &top = now->shadow[--now->height];
      if (top.begins) {
         phases[top.phase].jumped++;
         end(top.phase, false);
      }
   }
   now->handlers = to.handlers;
}

/* --- the functions ---------------------------------------------------------------------- */

void body(int depth);
void plain_0(int depth);
void plain_1(int depth);
void two_a(int depth);
void two_b(int depth);
void tail_a(int depth);
void tail_b(int depth);

APART void plain_0(int depth)
{
   body(depth);
   __asm__ volatile("" ::: "memory"); /* so that it is no tail call */
}

APART void plain_1(int depth)
{
   body(depth);
   __asm__ volatile("" ::: "memory");
}

APART void two_a(int depth)
{
   body(depth);
   __asm__ volatile("" ::: "memory");
}

APART void two_b(int depth)
{
   body(depth);
   __asm__ volatile("" ::: "memory");
}

/* Tail calls, as every compiler makes them of these. */
APART void tail_a(int depth)
{
   return pick(2) ? tail_b(depth) : body(depth);
}

APART void tail_b(int depth)
{
   return pick(3) ? body(depth) : tail_a(depth);
}

static void call(int depth)
{
   static void (*const functions[])(int) = {plain_0, plain_1, two_a, two_b, tail_a, tail_b};
   static const int phase_of[] = {0, 1, 2, 2, 3, 3};
   unsigned f = pick(6);
   push(phase_of[f]);
   functions[f](depth);
   pop();
}

static size_t exception_bytes; /* obtained for one */

APART void use(size_t bytes)
{
   obtained(bytes);
   void *block = malloc(bytes);
   check(block != nullptr, "no memory");
   free(block);
   __asm__ volatile("" ::: "memory");
}

APART void with_jump(int depth)
{
   sigjmp_buf here;
   const int place = now->mark_count++;
   now->marks[place] = {JUMP, &here, now->height, now->handlers};
   if (sigsetjmp(here, 1) == 0)
      body(depth);
   else
      unwind(now->marks[now->mark_count - 1]);
   now->mark_count--;
}

APART void with_try(int depth)
{
   const int place = now->mark_count++;
   now->marks[place] = {TRY, nullptr, now->height, now->handlers};
   try {
      body(depth);
   } catch (int thrown) {
      now->mark_count = thrown + 1;
      unwind(now->marks[thrown]);
   }
   now->mark_count--;
}

APART void jump()
{
   if (now->mark_count == 0)
      return;
   int place = static_cast<int>(pick(static_cast<unsigned>(now->mark_count)));
   if (now->marks[place].what != JUMP)
      return;
   now->mark_count = place + 1;
   siglongjmp(*now->marks[place].target, 1);
}

/* To the innermost try, unless a handler is between: no exception passes one. */
APART void throws()
{
   for (int place = now->mark_count; place-- > 0;)
      if (now->marks[place].what == TRY) {
         if (now->marks[place].handlers != now->handlers)
            return;
         obtained(exception_bytes);
         throw place;
      }
}

static int depth_of_signal;

static void handler(int)
{
   int depth = depth_of_signal;
   now->handlers++;
   body(depth);
   now->handlers--;
}

APART void signals(int depth)
{
   depth_of_signal = depth;
   raise(pick(2) ? SIGUSR1 : SIGUSR2);
}

/* Not in a handler: the alternate stack is there once. */
static void next_turn()
{
   turn *from = now;
   if (from->handlers > 0)
      return;
   now = &turns[pick(STACKS)];
   if (now != from)
      check(swapcontext(&from->context, &now->context) == 0, "swapcontext");
}

APART void body(int depth)
{
   for (unsigned i = 1 + pick(3); i > 0 && actions_left > 0; i--) {
      actions_left--;
      unsigned what = pick(20);
      if (what < 4)
         use(pick(1000));
      else if (what < 6)
         next_turn();
      else if (what < 7)
         jump();
      else if (what < 8)
         throws();
      else if (depth >= DEEPEST)
         continue;
      else if (what < 15)
         call(depth + 1);
      else if (what < 17)
         with_jump(depth + 1);
      else if (what < 19)
         with_try(depth + 1);
      else
         signals(depth + 1);
   }
}

static void other_stack()
{
   for (;;) {
      body(0);
      if (actions_left <= 0) {
         now = &turns[0];
         setcontext(&now->context);
      }
   }
}

/* --- run and print ------------------------------------------------------------------------ */

static void *new_stack(bool mapped)
{
   void *stack = mapped ? mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                        : malloc(STACK_BYTES);
   check(stack != nullptr && stack != MAP_FAILED, "no stack");
   return stack;
}

static void measure_exception()
{
   struct profmem_numbers before, after;
   for (volatile int i = 0; i < 2; i = i + 1) { /* the first throw makes the runtime ready */
      check(profmem_read("program", &before) == PROFMEM_DONE, "not under profmem");
      try {
         throw i;
      } catch (int) {
      }
      check(profmem_read("program", &after) == PROFMEM_DONE, "read");
   }
   check(after.allocations_count.value - before.allocations_count.value == 1, "one block");
   exception_bytes = after.allocations_bytes.value - before.allocations_bytes.value;
}

static void print()
{
   for (int i = 0; i < PHASES; i++) {
      auto &p = phases[i];
      if (p.now.open) {
         p.exited++;
         end(i, false);
      }
      expect(p.name, "@instances", p.begun);
      if (p.begun == 0)
         continue;
      expect_text(p.name, "@complete", p.jumped + p.exited > 0 ? "no" : "yes");
      expect_text(p.name, "@overlapping", "absent");
      expect(p.name, "!phase-left-by-jump", p.jumped);
      expect(p.name, "!phase-left-by-exit", p.exited);
      expect(p.name, "allocations.bytes", p.bytes);
      if (p.begun < 2)
         continue;
      expect(p.name, "allocations.bytes:min", p.least);
      expect(p.name, "allocations.bytes:max", p.most);
      for (int n = 0; n < p.begun && n < LISTED; n++) {
         char what[64];
         snprintf(what, sizeof what, "allocations.bytes#%d", n + 1);
         expect(p.name, what, p.listed[n].bytes);
         snprintf(what, sizeof what, "allocations.count#%d", n + 1);
         expect(p.name, what, p.listed[n].count);
         snprintf(what, sizeof what, "@complete#%d", n + 1);
         expect_text(p.name, what, p.listed[n].complete ? "yes" : "no");
      }
   }
   say("jumps %d\n", phases[0].jumped + phases[1].jumped + phases[2].jumped + phases[3].jumped);
}

int main(int argc, char **argv)
{
   check(argc == 4, "usage: random_functions ACTIONS SEED STACKS");
   const long actions = atol(argv[1]);
   random_state = strtoull(argv[2], nullptr, 10);
   const bool mapped = strcmp(argv[3], "mapped") == 0;
   static const char *const names[] = {"plain_0", "plain_1", "two", "tail"};
   for (int i = 0; i < PHASES; i++)
      phases[i].name = names[i];
   measure_exception();

   stack_t alternate = {};
   alternate.ss_sp = new_stack(mapped);
   alternate.ss_size = STACK_BYTES;
   check(sigaltstack(&alternate, nullptr) == 0, "sigaltstack");
   struct sigaction action = {};
   action.sa_handler = handler;
   action.sa_flags = SA_NODEFER;
   check(sigaction(SIGUSR1, &action, nullptr) == 0, "sigaction");
   action.sa_flags = SA_NODEFER | SA_ONSTACK;
   check(sigaction(SIGUSR2, &action, nullptr) == 0, "sigaction");

   for (int i = 1; i < STACKS; i++) {
      check(getcontext(&turns[i].context) == 0, "getcontext");
      turns[i].context.uc_stack.ss_sp = new_stack(mapped);
      turns[i].context.uc_stack.ss_size = STACK_BYTES;
      makecontext(&turns[i].context, other_stack, 0);
   }
   actions_left = actions;
   while (actions_left > 0)
      body(0);
   print();
   _exit(0);
}
