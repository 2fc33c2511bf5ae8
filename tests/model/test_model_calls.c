/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_model_calls.c: simulated programs, watched by the core as the host would.
 *
 * A simulated program has threads with stacks of frames, coroutines, signal handlers
 * on either stack, jumps out of all of them, and allocation functions that call each
 * other, tail-call each other, fail, leak, retry and are abandoned. The program
 * knows which call is which and tells expected.h; the core is told what the host
 * can see: entries and returns with stack pointers and addresses. After every step
 * both must have the same heap events, live blocks and instructions.
 *
 * Rules for when a call is found to be abandoned are those of design section 2: at
 * the first return, or entry of an observed function, above its frame on the same
 * stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "expected.h"
#include "hosted.h"
#include "model_random.h"
#include "pm_calls.h"
#include "sim_memory.h"

enum {
   THREADS = 5,       /* at once; numbered from 1 */
   COROUTINES = 3,    /* of a thread, its first code included */
   STACKS = COROUTINES + 1, /* the last one is for signal handlers */
   ALTERNATE = COROUTINES,
   FRAMES = 24,       /* of a coroutine */
   LEVELS = 6,
   FUNCTIONS = 2 * PM_ALLOCKINDS,
   STEPS = 400,
};

#define STACK_BYTES UINT64_C(0x40000)
#define RED_ZONE_BYTES 128

/* --- the simulated program -------------------------------------------------------- */

struct sim_call {
   struct expected_call *expected;
   struct pm_entry entry;
   uint64_t size_bytes;
   struct sim_call *outer;       /* the call inside which it was made; NULL: none */
   bool is_dead;                 /* its frame is gone */
   bool is_settled;              /* the result stands and took effect already */
   struct sim_pointer result;    /* if so */
   struct sim_pointer old;       /* what it releases or resizes; address 0: nothing */
   struct sim_call *owns;        /* old is the block of this call around it */
   bool old_is_gone;             /* inner calls have given its memory back */
   struct sim_call *next;        /* of the level, newest first */
};

enum frame_kind { BASE, PLAIN, ALLOCATING, HANDLER };

struct frame {
   enum frame_kind kind;
   uint64_t stack_pointer; /* at its entry */
   uint64_t return_address;
   uint64_t locals_bytes;
   bool is_replaced;       /* it has jumped to another function, which took its place */
   bool has_called;
   struct sim_call *call;
   /* An abandoned call that this frame may make once more, in the same way. */
   struct pm_entry retry;
};

struct coroutine {
   struct frame frames[FRAMES];
   int count;
};

struct level {
   uint64_t interrupted_sp;
   struct sim_call *calls;
};

struct thread {
   bool exists;
   uint32_t number;
   struct pm_call_thread core;
   struct coroutine coroutines[COROUTINES];
   int current;
   struct level levels[LEVELS + 1];
   int level_count; /* also those that were left and are not known to be */
   int handlers;    /* that run */
};

struct program {
   unsigned long number;
   struct model_random random;
   uint64_t pops;           /* bytes that a return adds to the stack pointer at entry */
   bool sees_every_return;  /* also those that the host would not report */
   struct sim_memory memory;
   struct pm_function functions[FUNCTIONS];
   struct thread threads[THREADS];
   int running;
   uint32_t threads_ever;
   uint64_t instrs;
   struct pm_heap heap;
   struct pm_calls calls;
   struct pm_phase phase;
   struct pm_instance *instance;
   struct expected expected;
   size_t history_checked;
};

static unsigned long verbose;
static uint64_t out_words[16];

#define SAY(p, ...)                                                                       \
   do {                                                                                   \
      if (verbose) {                                                                      \
         fprintf(stderr, "# trace %lu, thread %d: ", (p)->number, (p)->running);          \
         fprintf(stderr, __VA_ARGS__);                                                    \
         fputc('\n', stderr);                                                             \
      }                                                                                   \
   } while (0)

/* --- stacks --------------------------------------------------------------------------- */

static uint64_t stack_top(int thread, int stack)
{
   return UINT64_C(0x700000000000) + (uint64_t)(thread * STACKS + stack + 1) * 2 * STACK_BYTES;
}

static uint64_t stack_of(uint64_t stack_pointer)
{
   return (stack_pointer - 1) / STACK_BYTES;
}

static bool same_stack(uint64_t a, uint64_t b)
{
   return stack_of(a) == stack_of(b);
}

enum { OUT_WORDS = 0x5000 };

static uint64_t word_at(uint64_t address)
{
   assert_in_range(address, OUT_WORDS, OUT_WORDS + sizeof out_words - 1);
   return out_words[(address - OUT_WORDS) / sizeof *out_words];
}

static struct thread *running(struct program *p)
{
   return &p->threads[p->running];
}

static struct coroutine *current(struct program *p)
{
   return &running(p)->coroutines[running(p)->current];
}

static struct frame *top(struct program *p)
{
   return &current(p)->frames[current(p)->count - 1];
}

static struct level *level(struct program *p)
{
   return &running(p)->levels[running(p)->level_count - 1];
}

/* The stack pointer while a frame's body runs. */
static uint64_t body_sp(const struct frame *frame)
{
   return frame->stack_pointer - frame->locals_bytes;
}

static uint64_t fresh_address(struct program *p)
{
   return UINT64_C(0x400000000000) + (model_u64(&p->random) >> 20) * 16;
}

/* The allocation call inside which the top frame runs, handlers apart. */
static struct sim_call *enclosing(struct program *p)
{
   struct coroutine *c = current(p);
   for (int f = c->count; f-- > 0 && c->frames[f].kind != HANDLER;)
      if (c->frames[f].kind == ALLOCATING)
         return c->frames[f].call;
   return NULL;
}

/* --- what the core finds out ------------------------------------------------------------ */

static void drop(struct program *p, struct sim_call **link)
{
   struct sim_call *call = *link;
   if (!call->is_dead)
      fail_msg("trace %lu: a call is dropped that runs", p->number);
   SAY(p, "  %s is dropped", call->entry.function->name);
   *link = call->next;
   expected_drop(&p->expected, running(p)->number, call->expected);
   free(call);
}

/* The dead calls of the level whose frame is below stack_pointer. */
static void drop_below(struct program *p, uint64_t stack_pointer, bool or_at)
{
   struct sim_call **link = &level(p)->calls;
   while (*link) {
      uint64_t frame = (*link)->entry.stack_pointer;
      if ((*link)->is_dead && same_stack(frame, stack_pointer) &&
          (stack_pointer > frame || (or_at && stack_pointer == frame)))
         drop(p, link);
      else
         link = &(*link)->next;
   }
}

static void end_top_level(struct program *p)
{
   while (level(p)->calls)
      drop(p, &level(p)->calls);
   running(p)->level_count--;
   expected_level_end(&p->expected, running(p)->number);
}

/* Code runs at stack_pointer: handlers that interrupted code below have ended. */
static void leave_levels(struct program *p, uint64_t stack_pointer)
{
   struct thread *t = running(p);
   for (int l = 1; l < t->level_count; l++)
      if (same_stack(stack_pointer, t->levels[l].interrupted_sp) &&
          stack_pointer >= t->levels[l].interrupted_sp)
         while (t->level_count > l)
            end_top_level(p);
}

/* A call or a handler begins at stack_pointer. What handlers interrupted since they
   were on that stack last was on another one, which has been left. */
static void leave_other_stack(struct program *p, uint64_t stack_pointer)
{
   struct thread *t = running(p);
   for (int l = t->level_count - 1; l > 0; l--)
      if (same_stack(stack_pointer, t->levels[l].interrupted_sp)) {
         while (t->level_count - 1 > l)
            end_top_level(p);
         return;
      }
}

/* --- what the core is told ----------------------------------------------------------------- */

static void execute(struct program *p, uint64_t instrs)
{
   p->instrs += instrs;
   expected_executed(&p->expected, running(p)->number, instrs);
}

static void tell_return(struct program *p, uint64_t stack_pointer, uint64_t target,
                        uint64_t result)
{
   struct thread *t = running(p);
   if (p->sees_every_return || stack_pointer >= pm_calls_watch(&p->calls, &t->core))
      pm_calls_return(&p->calls, &t->core, stack_pointer, target, result);
}

/* --- calls of allocation functions ------------------------------------------------------------ */

static bool may_use(const struct sim_call *user, const struct sim_call *owner)
{
   for (; user; user = user->outer)
      if (user == owner)
         return true;
   return owner == NULL;
}

static const struct pm_allockind *kind_of(const struct pm_entry *entry)
{
   return &pm_allockinds[entry->function->kind];
}

static struct sim_call *call_around_with_block(struct sim_call *call)
{
   while (call && !call->old.address)
      call = call->outer;
   return call && call->owns ? call->owns : call;
}

/* What is released or resized: nothing, the block of a call around, an address that
   never was a block's, or a pointer. */
static void choose_old(struct program *p, struct sim_call *call)
{
   uint32_t choice = model_below(&p->random, 100);
   struct sim_call *around = call_around_with_block(enclosing(p));
   bool in_place = kind_of(&call->entry)->does == PM_DOES_RESIZE_IN_PLACE;
   call->old.place = NO_PLACE;
   if (choice < 8 && !in_place)
      return;
   if (choice < 35 && around && !around->is_settled && !around->old_is_gone) {
      call->old = around->old;
      call->owns = around;
      return;
   }
   if (choice < 88 && sim_pick(&p->memory, &p->random, enclosing(p), may_use, false, &call->old))
      return;
   call->old.address = UINT64_C(0x666000) + 16 * model_below(&p->random, 100);
}

static void choose_args(struct program *p, struct sim_call *call, uint64_t size_bytes)
{
   const struct pm_allockind *kind = kind_of(&call->entry);
   uint64_t *args = call->entry.args;
   for (int a = 0; a < PM_ARGS; a++)
      args[a] = model_u64(&p->random);
   if (kind->size != PM_ARG_NONE)
      args[kind->size] = size_bytes;
   if (kind->count != PM_ARG_NONE) {
      args[kind->count] = model_below(&p->random, 5);
      if (model_chance(&p->random, 5)) /* more than there can be: fails */
         args[kind->count] = args[kind->size] = UINT64_C(1) << 33;
      if (__builtin_mul_overflow(args[kind->count], args[kind->size], &size_bytes))
         size_bytes = UINT64_MAX;
   }
   if (kind->old != PM_ARG_NONE)
      args[kind->old] = call->old.address;
   if (kind->out != PM_ARG_NONE)
      args[kind->out] = OUT_WORDS + 8 * model_below(&p->random, 16);
   call->size_bytes = kind->size == PM_ARG_NONE ? 0 : size_bytes;
}

/* The memory of the block that a call resizes or releases is really gone. */
static void free_old(struct program *p, struct sim_call *call)
{
   struct sim_call *owner = call->owns ? call->owns : call;
   if (!owner->old_is_gone)
      sim_free_place(&p->memory, owner->old.place);
   owner->old_is_gone = true;
}

static struct sim_pointer fresh_block(struct program *p, const struct sim_call *call)
{
   int place = call->size_bytes > BLOCK_BYTES ? NO_PLACE : sim_take_place(&p->memory, &p->random);
   if (place == NO_PLACE)
      return (struct sim_pointer){.place = NO_PLACE};
   return (struct sim_pointer){.address = sim_place_address(place), .place = place};
}

/* The real work of a call is done early: others may be given the old address, and
   the new one is taken, long before the return. */
static void settle_early(struct program *p, struct sim_call *call)
{
   enum pm_alloc_does does = kind_of(&call->entry)->does;
   if (does == PM_DOES_RESIZE_IN_PLACE || call->owns)
      return;
   if (does == PM_DOES_RELEASE) {
      free_old(p, call);
      return;
   }
   call->result = fresh_block(p, call);
   if (!call->result.address)
      return;
   call->is_settled = true;
   if (call->old.address)
      free_old(p, call);
}

static struct frame *push(struct program *p, enum frame_kind kind, uint64_t stack_pointer,
                          uint64_t return_address)
{
   struct coroutine *c = current(p);
   assert_true(c->count < FRAMES);
   struct frame *frame = &c->frames[c->count++];
   *frame = (struct frame){.kind = kind,
                           .stack_pointer = stack_pointer,
                           .return_address = return_address,
                           .locals_bytes = 16 * (1 + model_below(&p->random, 20))};
   return frame;
}

/* A call from the top frame's body: its stack pointer at the entry. */
static uint64_t call_sp(struct program *p)
{
   top(p)->has_called = true;
   return body_sp(top(p)) - p->pops;
}

static void tell_entry(struct program *p, struct sim_call *call)
{
   struct thread *t = running(p);
   const struct pm_entry *entry = &call->entry;
   uint32_t before = entry->function->calls;
   execute(p, model_below(&p->random, 20));
   leave_levels(p, entry->stack_pointer + p->pops);
   leave_other_stack(p, entry->stack_pointer + p->pops);
   drop_below(p, entry->stack_pointer, true);
   pm_calls_enter(&p->calls, &t->core, entry);
   call->expected = expected_enter(&p->expected, t->number, kind_of(entry)->does,
                                   call->size_bytes, call->old.address);
   call->next = level(p)->calls;
   level(p)->calls = call;
   assert_int_equal(entry->function->calls, before + 1);
}

static void enter(struct program *p, struct pm_function *function, uint64_t stack_pointer,
                  uint64_t return_address, uint64_t came_from)
{
   struct sim_call *call = calloc(1, sizeof *call);
   assert_non_null(call);
   call->entry = (struct pm_entry){.function = function,
                                   .stack_pointer = stack_pointer,
                                   .return_address = return_address,
                                   .came_from = came_from};
   call->outer = enclosing(p);
   call->old.place = NO_PLACE;
   if (kind_of(&call->entry)->old != PM_ARG_NONE)
      choose_old(p, call);
   bool in_place = kind_of(&call->entry)->does == PM_DOES_RESIZE_IN_PLACE;
   choose_args(p, call, !in_place && model_chance(&p->random, 15)
                           ? 0
                           : 1 + model_below(&p->random, 4000));
   SAY(p, "enter %s, %" PRIu64 " bytes, old %" PRIx64 ", sp %" PRIx64, function->name,
       call->size_bytes, call->old.address, stack_pointer);
   tell_entry(p, call);
   struct frame *frame = push(p, ALLOCATING, stack_pointer, return_address);
   frame->call = call;
   if (model_chance(&p->random, 20))
      settle_early(p, call);
}

/* The block that a call returns; address 0: none. */
static struct sim_pointer choose_result(struct program *p, struct sim_call *call)
{
   struct sim_pointer none = {.place = NO_PLACE}, result;
   bool can_stay = call->old.place != NO_PLACE && !call->old_is_gone && !call->owns;
   if (call->is_settled)
      return call->result;
   if (call->size_bytes > BLOCK_BYTES || model_chance(&p->random, 12))
      return none;
   if (kind_of(&call->entry)->does == PM_DOES_RESIZE_IN_PLACE)
      return can_stay ? call->old : none;
   if (model_chance(&p->random, 70) &&
       sim_pick(&p->memory, &p->random, call, may_use, true, &result)) {
      if (model_chance(&p->random, 30)) /* made aligned */
         result.address += 16 * model_below(&p->random, 8);
      return result;
   }
   if (call->old.address && can_stay && model_chance(&p->random, 40))
      return call->old;
   return fresh_block(p, call);
}

/* What the program holds after a call that has not released anything. */
static void hold_result(struct program *p, struct sim_call *call, struct sim_pointer result)
{
   enum pm_alloc_does does = kind_of(&call->entry)->does;
   if (result.address) {
      if (call->old.address && result.place != call->old.place && !call->is_settled)
         free_old(p, call);
      result.owner = call->outer;
      sim_hold(&p->memory, result);
      return;
   }
   if (!call->old.address || call->owns)
      return;
   if (does == PM_DOES_RESIZE_OR_RELEASE || (does == PM_DOES_RESIZE && call->size_bytes == 0))
      free_old(p, call);
   else if (!call->old_is_gone && call->old.place != NO_PLACE)
      sim_hold(&p->memory, call->old);
}

/* The register that a caller finds the result in, after the out word was written. */
static uint64_t result_register(struct program *p, const struct sim_call *call,
                                struct sim_pointer result)
{
   const struct pm_allockind *kind = kind_of(&call->entry);
   if (kind->out != PM_ARG_NONE) {
      uint64_t *word = &out_words[(call->entry.args[kind->out] - OUT_WORDS) / 8];
      *word = result.address ? result.address : model_u64(&p->random);
      return result.address ? 0 : 12;
   }
   if (kind->does == PM_DOES_RESIZE_IN_PLACE)
      return result.address ? call->size_bytes + model_below(&p->random, 2)
                            : call->size_bytes - 1;
   return result.address;
}

static void unlink_call(struct program *p, struct sim_call *call)
{
   struct sim_call **link = &level(p)->calls;
   while (*link != call)
      link = &(*link)->next;
   *link = call->next;
}

/* The call in a frame that returns `result` is over. */
static void finish(struct program *p, struct sim_call *call, struct sim_pointer result)
{
   SAY(p, "  %s returns %" PRIx64, call->entry.function->name, result.address);
   unlink_call(p, call);
   sim_inherit(&p->memory, call, call->outer);
   expected_return(&p->expected, running(p)->number, call->expected, result.address);
   free(call);
}

/* --- steps of the program ---------------------------------------------------------------------- */

static struct pm_function *any_function(struct program *p)
{
   return &p->functions[model_below(&p->random, FUNCTIONS)];
}

/* Functions that a jump can lead between: they return addresses in the same way. */
static struct pm_function *jump_function(struct program *p)
{
   for (;;) {
      struct pm_function *function = any_function(p);
      const struct pm_allockind *kind = &pm_allockinds[function->kind];
      if (kind->out == PM_ARG_NONE && kind->does != PM_DOES_RESIZE_IN_PLACE)
         return function;
   }
}

static void step_plain_call(struct program *p)
{
   if (current(p)->count < FRAMES)
      push(p, PLAIN, call_sp(p), fresh_address(p));
}

static void step_allocation_call(struct program *p)
{
   if (current(p)->count < FRAMES)
      enter(p, any_function(p), call_sp(p), fresh_address(p), fresh_address(p));
}

/* The top frame ends by jumping to an allocation function. */
static void step_tail_call(struct program *p)
{
   struct frame *frame = top(p);
   bool can = frame->kind == PLAIN ||
              (frame->kind == ALLOCATING && kind_of(&frame->call->entry)->out == PM_ARG_NONE &&
               kind_of(&frame->call->entry)->does != PM_DOES_RESIZE_IN_PLACE &&
               !frame->call->is_settled && frame->call->size_bytes <= BLOCK_BYTES);
   if (!can || current(p)->count == FRAMES)
      return;
   struct pm_function *function = jump_function(p);
   /* Twice the same function in one place would be its loop. */
   for (int f = current(p)->count; f-- > 0;) {
      const struct frame *below = &current(p)->frames[f];
      if (below->stack_pointer != frame->stack_pointer)
         break;
      if (below->kind == ALLOCATING && below->call->entry.function == function)
         return;
   }
   SAY(p, "tail call");
   frame->is_replaced = true;
   enter(p, function, frame->stack_pointer, frame->return_address, fresh_address(p));
}

/* An allocation function jumps back to its own entry, as free may to free more. */
static void step_loop(struct program *p)
{
   struct frame *frame = top(p);
   if (frame->kind != ALLOCATING)
      return;
   struct pm_entry again = frame->call->entry;
   again.came_from =
      again.function->address + model_below(&p->random, (uint32_t)again.function->size_bytes);
   struct sim_pointer old = {.address = UINT64_C(0x777000)};
   if (kind_of(&again)->does == PM_DOES_RELEASE) {
      if (sim_pick(&p->memory, &p->random, enclosing(p), may_use, false, &old))
         sim_free_place(&p->memory, old.place);
      again.args[kind_of(&again)->old] = old.address;
   }
   SAY(p, "loop of %s, old %" PRIx64, again.function->name, old.address);
   leave_levels(p, again.stack_pointer + p->pops);
   leave_other_stack(p, again.stack_pointer + p->pops);
   drop_below(p, again.stack_pointer, false);
   pm_calls_enter(&p->calls, &running(p)->core, &again);
   expected_again(&p->expected, running(p)->number, frame->call->expected, old.address);
}

/* The calls that end with the return of the top frame: those it took the place of
   return the same. */
static void finish_group(struct program *p, uint64_t *result_seen)
{
   struct coroutine *c = current(p);
   struct sim_pointer result = {.place = NO_PLACE};
   bool have_result = false;
   do {
      struct frame *frame = top(p);
      if (frame->kind == ALLOCATING) {
         struct sim_call *call = frame->call;
         if (kind_of(&call->entry)->does == PM_DOES_RELEASE) {
            free_old(p, call);
         } else {
            if (!have_result)
               result = choose_result(p, call);
            else if (result.address)
               sim_take(&p->memory, result.address);
            have_result = true;
            hold_result(p, call, result);
         }
         *result_seen = result_register(p, call, result);
         c->count--;
         finish(p, call, result);
      } else {
         c->count--;
      }
   } while (top(p)->is_replaced);
}

/* Code has returned to stack_pointer. */
static void find_gone_at_return(struct program *p, uint64_t stack_pointer)
{
   leave_levels(p, stack_pointer);
   drop_below(p, stack_pointer - p->pops, p->pops != 0);
}

static void step_return(struct program *p)
{
   struct frame frame = *top(p);
   if (frame.kind == BASE)
      return;
   execute(p, model_below(&p->random, 20));
   uint64_t result = model_u64(&p->random);
   uint64_t stack_pointer = frame.stack_pointer + p->pops;
   SAY(p, "return to sp %" PRIx64, stack_pointer);
   find_gone_at_return(p, stack_pointer);
   if (frame.kind == HANDLER) {
      tell_return(p, stack_pointer, frame.return_address, result);
      execute(p, 2);
      current(p)->count--;
      pm_calls_signal_end(&p->calls, &running(p)->core);
      end_top_level(p);
      running(p)->handlers--;
      return;
   }
   finish_group(p, &result);
   tell_return(p, stack_pointer, frame.return_address, result);
}

/* The top frame is cut off: a call in it will never return. */
static void cut(struct program *p)
{
   struct frame *frame = top(p);
   current(p)->count--;
   if (frame->kind == HANDLER)
      running(p)->handlers--;
   if (frame->kind != ALLOCATING)
      return;
   struct sim_call *call = frame->call;
   call->is_dead = true;
   if (kind_of(&call->entry)->does == PM_DOES_RELEASE)
      free_old(p, call);
   else if (call->old.place != NO_PLACE && !call->owns && !call->old_is_gone)
      sim_hold(&p->memory, call->old);
   sim_inherit(&p->memory, call, call->outer);
}

/* longjmp, or an exception that is caught, in a frame further out; out of a handler
   only into code that is no allocation function. */
static void step_jump(struct program *p)
{
   struct coroutine *c = current(p);
   int targets[FRAMES], count = 0;
   bool out_of_handler = false;
   for (int f = c->count - 1; f > 0; f--) {
      const struct frame *frame = &c->frames[f], *target = &c->frames[f - 1];
      if (frame->kind == ALLOCATING && frame->call->is_settled)
         break;
      out_of_handler = out_of_handler || frame->kind == HANDLER;
      if (!target->is_replaced && !(out_of_handler && target->kind == ALLOCATING))
         targets[count++] = f - 1;
   }
   if (count == 0)
      return;
   int target = targets[model_below(&p->random, (uint32_t)count)];
   SAY(p, "jump out of %d frames to sp %" PRIx64, c->count - 1 - target,
       body_sp(&c->frames[target]));
   const struct frame *first = &c->frames[target + 1];
   if (first->kind == ALLOCATING)
      c->frames[target].retry = first->call->entry;
   while (c->count - 1 > target)
      cut(p);
}

/* The top frame calls once more what it was jumped out of. */
static void step_retry(struct program *p)
{
   struct pm_entry retry = top(p)->retry;
   if (!retry.function || current(p)->count == FRAMES)
      return;
   SAY(p, "once more");
   top(p)->retry.function = NULL;
   enter(p, retry.function, retry.stack_pointer, retry.return_address, fresh_address(p));
}

static void step_signal(struct program *p)
{
   struct thread *t = running(p);
   const struct frame *frame = top(p);
   if (t->level_count > LEVELS || current(p)->count == FRAMES)
      return;
   bool at_entry = frame->kind != BASE && !frame->has_called && model_chance(&p->random, 30);
   uint64_t interrupted = at_entry ? frame->stack_pointer : body_sp(frame);
   uint64_t alternate = stack_top(p->running, ALTERNATE) - 64;
   bool is_on_alternate = same_stack(interrupted, alternate);
   uint64_t room = !is_on_alternate && model_chance(&p->random, 50)
                      ? alternate
                      : interrupted - RED_ZONE_BYTES;
   SAY(p, "signal at sp %" PRIx64 ", handler below %" PRIx64, interrupted, room);
   leave_levels(p, interrupted);
   leave_other_stack(p, interrupted);
   pm_calls_signal_begin(&p->calls, &t->core, interrupted);
   expected_level_begin(&p->expected, t->number);
   t->levels[t->level_count++] = (struct level){.interrupted_sp = interrupted};
   t->handlers++;
   push(p, HANDLER, room - 1024 - p->pops, UINT64_C(0x41000000));
}

static void start_coroutine(struct program *p, int which)
{
   running(p)->current = which;
   if (current(p)->count == 0)
      push(p, BASE, stack_top(p->running, which) - 64, fresh_address(p));
}

/* As swapcontext() does: by a return, on the other stack. Rarely inside a call, and
   never while a handler was left by a jump that is not known yet: what is set aside
   for it cannot be told from what is not. */
static void step_coroutine(struct program *p)
{
   struct thread *t = running(p);
   int which = (int)model_below(&p->random, COROUTINES);
   if (t->level_count > 1 || which == t->current ||
       (enclosing(p) && model_chance(&p->random, 70)))
      return;
   SAY(p, "coroutine %d", which);
   start_coroutine(p, which);
   uint64_t stack_pointer = body_sp(top(p));
   find_gone_at_return(p, stack_pointer);
   tell_return(p, stack_pointer, fresh_address(p), model_u64(&p->random));
}

/* Memory is given back on a path that nobody sees. */
static void step_unseen(struct program *p)
{
   struct sim_pointer pointer;
   if (sim_pick(&p->memory, &p->random, enclosing(p), may_use, false, &pointer))
      sim_free_place(&p->memory, pointer.place);
}

static void step_announce(struct program *p)
{
   struct thread *t = running(p);
   struct sim_pointer pointer;
   uint64_t size_bytes = model_below(&p->random, 2000);
   if (model_chance(&p->random, 40)) {
      int place = sim_take_place(&p->memory, &p->random);
      if (place == NO_PLACE)
         return;
      pointer = (struct sim_pointer){
         .address = sim_place_address(place), .place = place, .owner = enclosing(p)};
      sim_hold(&p->memory, pointer);
      SAY(p, "announce %" PRIx64 ", %" PRIu64 " bytes", pointer.address, size_bytes);
      pm_calls_announce(&p->calls, &t->core, pointer.address, size_bytes);
      expected_announce(&p->expected, t->number, pointer.address, size_bytes);
      return;
   }
   if (!sim_pick(&p->memory, &p->random, enclosing(p), may_use, false, &pointer))
      return;
   SAY(p, "resize or end %" PRIx64, pointer.address);
   if (model_chance(&p->random, 50)) {
      assert_int_equal(
         pm_calls_announce_resize(&p->calls, &t->core, pointer.address, size_bytes),
         expected_announce_resize(&p->expected, t->number, pointer.address, size_bytes));
      sim_hold(&p->memory, pointer);
   } else {
      assert_int_equal(pm_calls_announce_end(&p->calls, &t->core, pointer.address),
                       expected_announce_end(&p->expected, t->number, pointer.address));
      sim_free_place(&p->memory, pointer.place);
   }
}

/* --- threads --------------------------------------------------------------------------------------- */

static void create_thread(struct program *p, int slot)
{
   struct thread *t = &p->threads[slot];
   *t = (struct thread){.exists = true, .number = ++p->threads_ever, .level_count = 1};
   assert_true(pm_call_thread_init(&p->calls, &t->core, t->number));
   expected_thread_begin(&p->expected, t->number);
   int before = p->running;
   p->running = slot;
   start_coroutine(p, 0);
   p->running = before;
}

static void switch_thread(struct program *p)
{
   do
      p->running = (int)model_below(&p->random, THREADS);
   while (!running(p)->exists);
   pm_calls_resume(&p->calls, &running(p)->core);
}

static void step_switch(struct program *p)
{
   pm_calls_pause(&p->calls);
   switch_thread(p);
}

static void step_create(struct program *p)
{
   for (int slot = 0; slot < THREADS; slot++)
      if (!p->threads[slot].exists && p->threads_ever + 1 < EXPECTED_THREADS) {
         create_thread(p, slot);
         return;
      }
}

static void end_thread(struct program *p)
{
   struct thread *t = running(p);
   for (t->current = 0; t->current < COROUTINES; t->current++)
      while (current(p)->count > 0)
         cut(p);
   t->current = 0;
   pm_calls_pause(&p->calls);
   pm_call_thread_exit(&p->calls, &t->core);
   while (t->level_count > 1)
      end_top_level(p);
   while (level(p)->calls)
      drop(p, &level(p)->calls);
   t->exists = false;
}

/* A call that has done its work already cannot be abandoned. */
static bool has_settled(const struct thread *t)
{
   for (int c = 0; c < COROUTINES; c++)
      for (int f = 0; f < t->coroutines[c].count; f++) {
         const struct frame *frame = &t->coroutines[c].frames[f];
         if (frame->kind == ALLOCATING && frame->call->is_settled)
            return true;
      }
   return false;
}

static void step_exit(struct program *p)
{
   int others = 0;
   for (int slot = 0; slot < THREADS; slot++)
      others += p->threads[slot].exists && slot != p->running;
   if (others == 0 || has_settled(running(p)))
      return;
   SAY(p, "exit");
   end_thread(p);
   switch_thread(p);
}

/* --- comparing ------------------------------------------------------------------------------------- */

static uint64_t instrs_of_first_thread(const struct program *p)
{
   uint64_t sum = 0;
   for (size_t i = 0; i < p->expected.history.count; i++) {
      const struct event *event = &p->expected.history.events[i];
      if (event->what == EXECUTED && event->thread == 1)
         sum += event->amount;
   }
   return sum;
}

static void check_values(struct program *p)
{
   uint64_t is[PM_METRICS], should[PM_METRICS];
   pm_instance_values(p->instance, &p->heap.state, instrs_of_first_thread(p), is);
   history_values(&p->expected.history, 0, p->expected.history.count, 1, should);
   for (int m = 0; m < PM_METRICS; m++)
      if (is[m] != should[m])
         fail_msg("trace %lu: %s is %" PRId64 ", should be %" PRId64, p->number,
                  pm_metric_rows[m].name, (int64_t)is[m], (int64_t)should[m]);
   const char *broken = history_broken_identity(is);
   if (broken)
      fail_msg("trace %lu: not true: %s", p->number, broken);
}

static void check_blocks(struct program *p)
{
   uint64_t filed = 0;
   for (int b = 0; b < p->expected.block_count; b++) {
      const struct expected_block *block = &p->expected.blocks[b];
      if (block->state == EXPECTED_GONE || !block->filed)
         continue;
      filed++;
      pm_block_id id = pm_ledger_find(&p->heap.ledger, block->address);
      if (id == 0)
         fail_msg("trace %lu: no block at %" PRIx64, p->number, block->address);
      const struct pm_block *is = pm_ledger_block(&p->heap.ledger, id);
      assert_int_equal(is->size_bytes, block->size_bytes);
      assert_int_equal(pm_block_state(is) == PM_BLOCK_LIVE, block->state == EXPECTED_LIVE);
   }
   if (p->heap.ledger.filed != filed)
      fail_msg("trace %lu: %" PRIu64 " blocks are filed, should be %" PRIu64, p->number,
               p->heap.ledger.filed, filed);
}

/* How much has happened, each time; whether it was the right thing, sometimes. */
static void check(struct program *p, bool all)
{
   const struct thread *t = running(p);
   uint64_t events = 0;
   for (size_t i = 0; i < p->expected.history.count; i++) {
      enum happening what = p->expected.history.events[i].what;
      events += what == OBTAINED || what == RESIZED || what == GIVEN_BACK;
   }
   if (p->heap.state.events != events)
      fail_msg("trace %lu: %" PRIu64 " heap events, should be %" PRIu64, p->number,
               p->heap.state.events, events);
   if (pm_calls_pending(&t->core) != expected_pending(&p->expected, t->number))
      fail_msg("trace %lu: a call is%s pending", p->number,
               pm_calls_pending(&t->core) ? "" : " not");
   if ((int)t->core.level_count != t->level_count)
      fail_msg("trace %lu: %d levels, should be %d", p->number, (int)t->core.level_count,
               t->level_count);
   assert_false(p->heap.lost);
   check_blocks(p);
   pm_calls_sync(&p->calls);
   if (all)
      check_values(p);
}

/* --- a trace ------------------------------------------------------------------------------------------ */

static void step(struct program *p)
{
   static const struct {
      void (*step)(struct program *p);
      uint32_t weight;
   } steps[] = {
      {step_allocation_call, 34}, {step_return, 32},  {step_plain_call, 12},
      {step_tail_call, 6},        {step_loop, 2},     {step_jump, 4},
      {step_retry, 6},            {step_signal, 4},   {step_coroutine, 4},
      {step_unseen, 2},           {step_announce, 3}, {step_switch, 10},
      {step_create, 1},           {step_exit, 1},
   };
   uint32_t weights = 0, choice, s = 0;
   for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
      weights += steps[i].weight;
   choice = model_below(&p->random, weights);
   while (choice >= steps[s].weight)
      choice -= steps[s++].weight;
   execute(p, model_below(&p->random, 50));
   steps[s].step(p);
}

static void begin(struct program *p, unsigned long number)
{
   static const struct pm_guest guests[] = {
      {.word_at = word_at, .same_stack = same_stack, .return_pops_bytes = 0},
      {.word_at = word_at, .same_stack = same_stack, .return_pops_bytes = 8},
   };
   *p = (struct program){.number = number, .random.state = number};
   const struct pm_guest *guest = &guests[model_below(&p->random, 2)];
   p->pops = guest->return_pops_bytes;
   p->sees_every_return = model_chance(&p->random, 30);
   for (int f = 0; f < FUNCTIONS; f++)
      p->functions[f] = (struct pm_function){
         .name = pm_allockinds[f % PM_ALLOCKINDS].name,
         .kind = f % PM_ALLOCKINDS,
         .address = UINT64_C(0x550000000000) + 4096 * (uint64_t)f,
         .size_bytes = 64 + model_below(&p->random, 1000),
      };
   expected_init(&p->expected);
   pm_heap_init(&p->heap, &hosted);
   pm_calls_init(&p->calls, &hosted, guest, &p->heap, &p->instrs);
   p->phase = (struct pm_phase){.name = "program", .complete = true};
   p->instance = pm_phases_begin(&p->heap.phases, &p->phase, &p->heap.state, 1, 0);
   assert_non_null(p->instance);
   create_thread(p, 0);
   pm_calls_resume(&p->calls, &running(p)->core);
}

static void run(unsigned long number)
{
   static struct program program;
   struct program *p = &program;
   begin(p, number);
   for (int s = 0; s < STEPS; s++) {
      step(p);
      check(p, s % 32 == 0);
   }
   check(p, true);
   for (p->running = 0; p->running < THREADS; p->running++)
      if (running(p)->exists)
         end_thread(p);
   pm_calls_sync(&p->calls);
   check_blocks(p);
   check_values(p);
   pm_phases_end(&p->heap.phases, p->instance, &p->heap.state, 0, true);
   pm_heap_release(&p->heap);
   expected_release(&p->expected);
   assert_int_equal(hosted_live_bytes(), 0);
}

static void heap_events_are_those_of_the_rules(void **state)
{
   unsigned long first = model_setting("PM_MODEL_FIRST", 1);
   unsigned long traces = model_setting("PM_MODEL_TRACES", 2000);
   (void)state;
   verbose = model_setting("PM_MODEL_VERBOSE", 0);
   for (unsigned long n = 0; n < traces; n++)
      run(first + n);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(heap_events_are_those_of_the_rules),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
