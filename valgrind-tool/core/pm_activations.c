/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_activations.c: function phases; pm_activations.h has the terms. */
#include "pm_activations.h"
#include "pm_room.h"

static struct pm_phase_caller caller_of(const struct pm_activations *activations,
                                        const struct pm_activation_thread *thread)
{
   return (struct pm_phase_caller){thread->number, activations->thread_instrs};
}

/* End the activation at place `at`. A request may have ended its instance before. */
static void end(struct pm_activations *activations, struct pm_activation_thread *thread,
                uint32_t at, bool complete)
{
   struct pm_declared *declared = thread->open[at].declared;
   const struct pm_phases *phases = &activations->table->heap->phases;
   for (; at + 1 < thread->count; at++)
      thread->open[at] = thread->open[at + 1];
   thread->count--;
   if (!pm_phases_open_on(phases, &declared->phase, thread->number))
      return;
   if (!complete)
      declared->trouble[PM_PHASE_LEFT_BY_JUMP]++;
   struct pm_phase_caller caller = caller_of(activations, thread);
   pm_phase_table_end(activations->table, declared, &caller, complete);
}

static bool above(const struct pm_activations *activations, uint64_t stack_pointer,
                  uint64_t frame)
{
   return stack_pointer > frame && activations->guest->same_stack(stack_pointer, frame);
}

/* End those whose frame cannot be there any more now that a function is entered.
   The same frame entered again from outside the function is a new call from the
   same place. */
static void end_gone_at_entry(struct pm_activations *activations,
                              struct pm_activation_thread *thread,
                              const struct pm_phase_entry *entry)
{
   bool from_inside = entry->came_from - entry->address < entry->size_bytes;
   for (uint32_t a = thread->count; a-- > 0;) {
      const struct pm_activation *open = &thread->open[a];
      bool same_place = entry->stack_pointer == open->stack_pointer;
      bool same_return = entry->return_address == open->return_address;
      bool again = same_place && same_return && open->declared == entry->declared && !from_inside;
      if (again || (same_place && !same_return) ||
          above(activations, entry->stack_pointer, open->stack_pointer))
         end(activations, thread, a, false);
   }
}

void pm_activations_enter(struct pm_activations *activations,
                          struct pm_activation_thread *thread,
                          const struct pm_phase_entry *entry)
{
   end_gone_at_entry(activations, thread, entry);
   for (uint32_t a = 0; a < thread->count; a++)
      if (thread->open[a].declared == entry->declared)
         return;
   if (!pm_reserve_one(activations->host, (void **)&thread->open, thread->count,
                       &thread->capacity, sizeof *thread->open)) {
      activations->table->heap->lost = true;
      return;
   }
   struct pm_phase_caller caller = caller_of(activations, thread);
   if (pm_phase_table_begin(activations->table, entry->declared, &caller))
      thread->open[thread->count++] = (struct pm_activation){
         entry->declared, entry->stack_pointer, entry->return_address};
}

uint64_t pm_activations_watch(const struct pm_activations *activations,
                              const struct pm_activation_thread *thread)
{
   uint64_t watch = UINT64_MAX;
   for (uint32_t a = 0; a < thread->count; a++) {
      uint64_t sp = thread->open[a].stack_pointer + activations->guest->return_pops_bytes;
      if (sp < watch)
         watch = sp;
   }
   return watch;
}

void pm_activations_return(struct pm_activations *activations,
                           struct pm_activation_thread *thread, uint64_t stack_pointer,
                           uint64_t target)
{
   uint64_t pops = activations->guest->return_pops_bytes;
   for (uint32_t a = thread->count; a-- > 0;) {
      const struct pm_activation *open = &thread->open[a];
      bool same_place = stack_pointer == open->stack_pointer + pops;
      bool same_return = target == open->return_address;
      if (same_place && same_return)
         end(activations, thread, a, true);
      else if ((same_place && pops) ||
               above(activations, stack_pointer, open->stack_pointer + pops))
         end(activations, thread, a, false);
   }
}

void pm_activations_thread_exit(struct pm_activations *activations,
                                struct pm_activation_thread *thread)
{
   while (thread->count > 0)
      end(activations, thread, thread->count - 1, false);
   activations->host->release(thread->open, thread->capacity * sizeof *thread->open);
   *thread = (struct pm_activation_thread){.number = thread->number};
}
