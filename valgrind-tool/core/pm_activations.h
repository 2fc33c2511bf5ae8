/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_activations.h: phases that are functions: from entries and returns to begin
 * and end.
 *
 * An activation is one execution of a matching function: it begins a phase
 * instance at the function's entry and ends it when that execution returns,
 * which is the return that restores the stack pointer and goes to the return
 * address of the entry (so through tail calls). While an activation of a phase
 * is open on a thread, further entries of any of its functions there are
 * ignored: recursion belongs to the outermost execution.
 *
 * An activation whose frame is gone (longjmp, exception) ends at the first jump,
 * return, or entry of an observed function, above its frame on the same stack,
 * and is incomplete; on a machine that passes return addresses in a register, a jump
 * to the very frame that had called it is told from a tail call by a call that stands
 * before its target. Other stacks (coroutines, signal stacks) leave it alone,
 * unless it was begun in a signal handler: when the stack pointer is back where
 * the handler interrupted its thread, or above, the handler is gone, whatever
 * stack it ran on; and unless the stack's memory is given back (a coroutine that
 * is given up): then it ends at the next of these events.
 *
 * Known limits: a coroutine that goes on in another thread, and a runtime that moves
 * its stacks (Go), return where no activation waits: theirs ends with their stack or
 * their thread, incomplete. Where return addresses are passed in a register, a new
 * coroutine that begins with the function in which an older one at the same place was
 * given up is taken for that one.
 *
 * Cost: O(open activations and running handlers of the thread) per reported entry,
 * jump and return.
 */
#ifndef PM_ACTIVATIONS_H
#define PM_ACTIVATIONS_H

#include "pm_calls.h"
#include "pm_phase_table.h"

struct pm_activation {
   struct pm_declared *declared;
   uint64_t stack_pointer;  /* at the entry */
   uint64_t return_address;
   uint32_t handlers;       /* that ran on the thread then */
   bool stack_gone;         /* the memory of its frame has been given back */
};

struct pm_activation_thread {
   uint32_t number;         /* of the thread */
   struct pm_activation *open;
   uint32_t count, capacity;
   uint64_t *interrupted;   /* for each handler that runs, the stack pointer where it
                               interrupted the thread; the innermost last */
   uint32_t handler_count, handler_capacity;
};

/* An entry of an observed function. */
struct pm_observed_entry {
   uint64_t stack_pointer;
   uint64_t return_address;
   bool called;             /* control came by a call that left that return address,
                               or by a change of stacks, and not by a jump */
};

struct pm_activations {
   const struct pm_host *host;
   const struct pm_guest *guest;
   struct pm_phase_table *table;
   uint64_t (*thread_instrs)(uint32_t thread);
};

/* In all of these the heap's state is current. */

/* An observed function is entered: end what cannot be there any more. */
void pm_activations_pass(struct pm_activations *activations,
                         struct pm_activation_thread *thread,
                         const struct pm_observed_entry *entry);

/* It is a function of the phase. After pm_activations_pass(). */
void pm_activations_enter(struct pm_activations *activations,
                          struct pm_activation_thread *thread, struct pm_declared *declared,
                          const struct pm_observed_entry *entry);

/* Only returns and jumps that leave the stack pointer at this value or above concern
   pm_activations_leave(); UINT64_MAX: none does. */
static inline uint64_t pm_activations_watch(const struct pm_activations *activations,
                                            const struct pm_activation_thread *thread);

/* A return, or a jump to a computed address: the stack pointer after it, and where it went.
   to_caller: to where returns go, behind a call. */
void pm_activations_leave(struct pm_activations *activations,
                          struct pm_activation_thread *thread, uint64_t stack_pointer,
                          uint64_t target, bool to_caller);

/* A signal handler starts on the thread, which was interrupted at that stack pointer;
   it has returned. */
void pm_activations_signal_begin(struct pm_activations *activations,
                                 struct pm_activation_thread *thread,
                                 uint64_t interrupted_sp);
void pm_activations_signal_end(struct pm_activation_thread *thread);

/* [start, end) is no stack any more. */
void pm_activations_stack_gone(struct pm_activation_thread *thread, uint64_t start,
                               uint64_t end);

/* The thread is gone; what it had open ends, incomplete. */
void pm_activations_thread_exit(struct pm_activations *activations,
                                struct pm_activation_thread *thread);

/* pm_activations_watch() of a thread that has any. */
PM_SELDOM uint64_t pm_activations_watch_all(const struct pm_activations *activations,
                                            const struct pm_activation_thread *thread);

static inline uint64_t pm_activations_watch(const struct pm_activations *activations,
                                            const struct pm_activation_thread *thread)
{
   return thread->count == 0 ? UINT64_MAX : pm_activations_watch_all(activations, thread);
}

#endif
