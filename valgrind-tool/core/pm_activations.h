/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_activations.h: phases that are functions: from entries and returns to begin
 * and end.
 *
 * An activation is one execution of a matching function: it begins a phase
 * instance at the function's entry and ends it when that execution returns,
 * which is the return that restores the stack pointer and goes to the return
 * address of the entry (so through tail calls). While an activation of a phase
 * is open on a thread, further entries of any of its functions there are
 * ignored: recursion belongs to the outermost execution. An activation whose
 * frame is gone (longjmp, exception) ends at the first return, or entry of an
 * observed function, above its frame on the same stack, and is incomplete;
 * other stacks (coroutines, signal stacks) leave it alone.
 *
 * Cost: O(open activations of the thread) per reported entry and return.
 */
#ifndef PM_ACTIVATIONS_H
#define PM_ACTIVATIONS_H

#include "pm_calls.h"
#include "pm_phase_table.h"

struct pm_activation {
   struct pm_declared *declared;
   uint64_t stack_pointer;  /* at the entry */
   uint64_t return_address;
};

struct pm_activation_thread {
   uint32_t number;         /* of the thread */
   struct pm_activation *open;
   uint32_t count, capacity;
};

/* An entry of a function that is a phase. */
struct pm_phase_entry {
   struct pm_declared *declared;
   uint64_t address;        /* of the function */
   uint64_t size_bytes;     /* of its code; 0 unknown */
   uint64_t stack_pointer;
   uint64_t return_address;
   uint64_t came_from;      /* address of code executed just before */
};

struct pm_activations {
   const struct pm_host *host;
   const struct pm_guest *guest;
   struct pm_phase_table *table;
   uint64_t (*thread_instrs)(uint32_t thread);
};

/* In all of these the heap's state is current. */

void pm_activations_enter(struct pm_activations *activations,
                          struct pm_activation_thread *thread,
                          const struct pm_phase_entry *entry);

/* Only returns that leave the stack pointer at this value or above concern
   pm_activations_return(); UINT64_MAX: none does. */
uint64_t pm_activations_watch(const struct pm_activations *activations,
                              const struct pm_activation_thread *thread);

void pm_activations_return(struct pm_activations *activations,
                           struct pm_activation_thread *thread, uint64_t stack_pointer,
                           uint64_t target);

/* The thread is gone; what it had open ends, incomplete. */
void pm_activations_thread_exit(struct pm_activations *activations,
                                struct pm_activation_thread *thread);

#endif
