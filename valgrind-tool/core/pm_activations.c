/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_activations.c: function phases; pm_activations.h has the terms.
 *
 * A function that has called another one keeps its return address below the stack
 * pointer it was entered with, or, on a machine that pushes return addresses, at it:
 * a call with the stack pointer of an activation's entry, or a return to somewhere
 * else, says that the activation is gone. A jump to a function with the same stack
 * pointer and return address says nothing: it is a tail call. Nor does another jump,
 * on a machine that passes return addresses in a register: the function may not have
 * moved the stack pointer yet.
 */
#include "pm_activations.h"
#include "pm_room.h"

static struct pm_phase_caller caller_of(const struct pm_activations *activations,
                                        const struct pm_activation_thread *thread)
{
   return (struct pm_phase_caller){thread->number, activations->thread_instrs};
}

enum leaving { RETURNED, BY_JUMP, BY_EXIT };

/* End the activation at place `at`. A request may have ended its instance before. */
static void end(struct pm_activations *activations, struct pm_activation_thread *thread,
                uint32_t at, enum leaving leaving)
{
   struct pm_declared *declared = thread->open[at].declared;
   const struct pm_phases *phases = &activations->table->heap->phases;
   for (; at + 1 < thread->count; at++)
      thread->open[at] = thread->open[at + 1];
   thread->count--;
   if (!pm_phases_open_on(phases, &declared->phase, thread->number))
      return;
   if (leaving != RETURNED)
      declared->trouble[leaving == BY_EXIT ? PM_PHASE_LEFT_BY_EXIT : PM_PHASE_LEFT_BY_JUMP]++;
   struct pm_phase_caller caller = caller_of(activations, thread);
   pm_phase_table_end(activations->table, declared, &caller, leaving == RETURNED);
}

static bool above(const struct pm_activations *activations, uint64_t stack_pointer,
                  uint64_t frame)
{
   return stack_pointer > frame && activations->guest->same_stack(stack_pointer, frame);
}

/* --- handlers ------------------------------------------------------------------ */

/* Forget the handlers that are gone now that the stack pointer is there. */
static void forget_handlers(const struct pm_activations *activations,
                            struct pm_activation_thread *thread, uint64_t stack_pointer)
{
   for (uint32_t h = 0; h < thread->handler_count; h++)
      if (stack_pointer == thread->interrupted[h] ||
          above(activations, stack_pointer, thread->interrupted[h])) {
         thread->handler_count = h;
         return;
      }
}

void pm_activations_signal_begin(struct pm_activations *activations,
                                 struct pm_activation_thread *thread,
                                 uint64_t interrupted_sp)
{
   forget_handlers(activations, thread, interrupted_sp);
   if (pm_reserve_one(activations->host, (void **)&thread->interrupted, thread->handler_count,
                      &thread->handler_capacity, sizeof *thread->interrupted))
      thread->interrupted[thread->handler_count++] = interrupted_sp;
   else
      activations->table->heap->lost = true;
}

void pm_activations_signal_end(struct pm_activation_thread *thread)
{
   if (thread->handler_count > 0)
      thread->handler_count--;
}

/* Is its frame gone with a handler, or with its stack? */
static bool lost(const struct pm_activation_thread *thread, const struct pm_activation *open)
{
   return open->handlers > thread->handler_count || open->stack_gone;
}

void pm_activations_stack_gone(struct pm_activation_thread *thread, uint64_t start,
                               uint64_t end)
{
   for (uint32_t a = 0; a < thread->count; a++) {
      struct pm_activation *open = &thread->open[a];
      if (open->stack_pointer > start && open->stack_pointer <= end)
         open->stack_gone = true;
   }
}

/* --- entries -------------------------------------------------------------------- */

void pm_activations_pass(struct pm_activations *activations,
                         struct pm_activation_thread *thread,
                         const struct pm_observed_entry *entry)
{
   bool pushed = activations->guest->return_pops_bytes > 0;
   forget_handlers(activations, thread, entry->stack_pointer);
   for (uint32_t a = thread->count; a-- > 0;) {
      const struct pm_activation *open = &thread->open[a];
      bool same_return = entry->return_address == open->return_address;
      bool in_its_place = entry->stack_pointer == open->stack_pointer &&
                          (entry->called || (pushed && !same_return));
      if (in_its_place || lost(thread, open) ||
          above(activations, entry->stack_pointer, open->stack_pointer))
         end(activations, thread, a, BY_JUMP);
   }
}

void pm_activations_enter(struct pm_activations *activations,
                          struct pm_activation_thread *thread, struct pm_declared *declared,
                          const struct pm_observed_entry *entry)
{
   for (uint32_t a = 0; a < thread->count; a++)
      if (thread->open[a].declared == declared)
         return;
   if (!pm_reserve_one(activations->host, (void **)&thread->open, thread->count,
                       &thread->capacity, sizeof *thread->open)) {
      activations->table->heap->lost = true;
      declared->begins_lost++;
      return;
   }
   struct pm_phase_caller caller = caller_of(activations, thread);
   if (pm_phase_table_begin(activations->table, declared, &caller))
      thread->open[thread->count++] = (struct pm_activation){
         .declared = declared,
         .stack_pointer = entry->stack_pointer,
         .return_address = entry->return_address,
         .handlers = thread->handler_count,
      };
}

/* --- returns and jumps ------------------------------------------------------------ */

uint64_t pm_activations_watch_all(const struct pm_activations *activations,
                                  const struct pm_activation_thread *thread)
{
   uint64_t watch = UINT64_MAX;
   for (uint32_t a = 0; a < thread->count; a++) {
      uint64_t sp = thread->open[a].stack_pointer + activations->guest->return_pops_bytes;
      if (sp < watch)
         watch = sp;
   }
   for (uint32_t h = 0; h < thread->handler_count; h++)
      if (thread->interrupted[h] < watch)
         watch = thread->interrupted[h];
   return watch;
}

void pm_activations_leave(struct pm_activations *activations,
                          struct pm_activation_thread *thread, uint64_t stack_pointer,
                          uint64_t target, bool to_caller)
{
   uint64_t pops = activations->guest->return_pops_bytes;
   bool known = to_caller || pops > 0;
   forget_handlers(activations, thread, stack_pointer);
   for (uint32_t a = thread->count; a-- > 0;) {
      const struct pm_activation *open = &thread->open[a];
      bool same_place = stack_pointer == open->stack_pointer + pops;
      bool same_return = target == open->return_address;
      if (same_place && same_return)
         end(activations, thread, a, RETURNED);
      else if ((same_place && known) || lost(thread, open) ||
               above(activations, stack_pointer, open->stack_pointer + pops))
         end(activations, thread, a, BY_JUMP);
   }
}

void pm_activations_thread_exit(struct pm_activations *activations,
                                struct pm_activation_thread *thread)
{
   const struct pm_host *host = activations->host;
   while (thread->count > 0)
      end(activations, thread, thread->count - 1, BY_EXIT);
   host->release(thread->open, thread->capacity * sizeof *thread->open);
   host->release(thread->interrupted, thread->handler_capacity * sizeof *thread->interrupted);
   *thread = (struct pm_activation_thread){.number = thread->number};
}
