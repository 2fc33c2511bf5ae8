/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_events.c: what translated code calls; pmh_events.h has the terms. */
#include "pmh_events.h"
#include "pmh_core.h"
#include "pmh_emit.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_platform.h"
#include "pmh_sites.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"

/* The running thread, when translated code has called; the counters are up to date then. */
static struct pmh_thread *caller(void)
{
   struct pmh_thread *thread = pmh_thread_now();
   if (thread->guest)
      pmh_counters->instrs =
         ((const struct pmh_registers *)(thread->guest + pmh_registers_at))->instrs;
   else
      pmh_read_instrs();
   return thread;
}

PM_SELDOM static void enter_phases(struct pmh_thread *thread, const struct pmh_entry_point *point,
                                   Addr stack_pointer, Addr return_address)
{
   struct pm_activation_thread *activations = &thread->activations;
   const struct pm_observed_entry entry = {
      .stack_pointer = stack_pointer,
      .return_address = return_address,
      .called = pmh_counters->arrived == return_address || pmh_counters->arrived == point->address,
   };
   pmh_sync();
   pm_activations_pass(&pmh_activations, activations, &entry);
   for (UInt p = 0; p < point->phase_count; p++)
      pm_activations_enter(&pmh_activations, activations, point->phases[p], &entry);
}

struct pm_entry pmh_entry;

/* A function that chooses another one, and has not returned yet: one at a time, since
   such functions run before the rest of the program does, or when another function is
   called for the first time. Meanwhile all returns are watched. */
static struct {
   const struct pmh_entry_point *point; /* NULL: none is under way */
   const struct pmh_thread *thread;
   Addr stack_pointer, return_address;
} chooser;

PM_SELDOM static void begin_choice(const struct pmh_thread *thread,
                                   const struct pmh_entry_point *point, Addr stack_pointer,
                                   Addr return_address)
{
   chooser.point = point;
   chooser.thread = thread;
   chooser.stack_pointer = stack_pointer + pmh_platform.return_pops_bytes;
   chooser.return_address = return_address;
}

PM_SELDOM static void end_choice(const struct pmh_thread *thread, Addr target,
                                 Addr stack_pointer, UWord result)
{
   if (thread != chooser.thread || target != chooser.return_address ||
       stack_pointer != chooser.stack_pointer)
      return;
   pmh_symbols_chosen(chooser.point, result);
   chooser.point = NULL;
}

static void watch_returns(const struct pmh_thread *thread)
{
   pmh_watch_returns(thread);
   if (chooser.point)
      pmh_counters->watch = 0;
}

/* A phase begins before its own entry's event, and ends after its own return's. */
void pmh_on_entry(UChar *guest, const struct pmh_entry_point *point, Addr stack_pointer,
                  Addr return_address)
{
   pmh_thread_now()->guest = guest;
   struct pmh_thread *thread = caller();
   if (point->phase_count > 0 || thread->activations.count > 0)
      enter_phases(thread, point, stack_pointer, return_address);
   pmh_counters->arrived = 0;
   if (point->function) {
      pmh_entry.function = point->function;
      pmh_entry.stack_pointer = stack_pointer;
      pmh_entry.return_address = return_address;
      /* Asked for if it may be part of a pending call. */
      if (thread->calls.call_count > 0)
         pmh_entry.came_from = pmh_stretches.table[pmh_counters->stretch].address;
      if (pmh_options.stacks && thread->calls.call_count == 0)
         pmh_site_soon(return_address, stack_pointer + pmh_platform.return_pops_bytes);
      pm_calls_enter(&pmh_calls, &thread->calls, &pmh_entry);
   }
   if (point->chooses)
      begin_choice(thread, point, stack_pointer, return_address);
   watch_returns(thread);
}

PM_SELDOM static void leave_phases(struct pmh_thread *thread, Addr stack_pointer, Addr target,
                                   Bool to_caller)
{
   pmh_sync();
   pm_activations_leave(&pmh_activations, &thread->activations, stack_pointer, target, to_caller);
}

void pmh_on_return(Addr target)
{
   struct pmh_thread *thread = caller();
   Addr stack_pointer = pmh_register_now(thread, pmh_platform.sp);
   UWord result = pmh_register_now(thread, pmh_platform.result);
   /* The stack that is unwound is the caller's. */
   pmh_set_register_now(thread, pmh_platform.ip, target);
   Bool idle = pm_calls_return(&pmh_calls, &thread->calls, stack_pointer, target, result);
   if (idle && !chooser.point && thread->activations.count == 0) {
      pmh_counters->watch = UINT64_MAX;
      return;
   }
   if (chooser.point)
      end_choice(thread, target, stack_pointer, result);
   if (thread->activations.count > 0)
      leave_phases(thread, stack_pointer, target, True);
   watch_returns(thread);
}

/* Does a call stand before it, as before all places that returns go to? Where the stack does
   not tell a jump to a caller's frame from a tail call, that does: no function begins there,
   unless one that never returns is called right before it. */
static Bool is_behind_call(Addr target)
{
   UInt bytes = pmh_platform.call_bytes;
   return bytes && VG_(am_is_valid_for_client)(target - bytes, bytes, VKI_PROT_READ) &&
          (pmh_platform.mix((const UChar *)target - bytes, bytes) & PM_MIX_CALL);
}

void pmh_on_jump(Addr target)
{
   struct pmh_thread *thread = caller();
   Addr stack_pointer = pmh_register_now(thread, pmh_platform.sp);
   if (thread->activations.count > 0)
      leave_phases(thread, stack_pointer, target, is_behind_call(target));
   watch_returns(thread);
}
