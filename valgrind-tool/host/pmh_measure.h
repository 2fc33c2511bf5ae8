/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_measure.h: the one process that is measured: its counters, its heap, its
 * allocation calls, its threads and its phase `program`.
 *
 * The other modules of host/ report what they see to the objects here. They run
 * one at a time (Valgrind's lock), and between two of them the running thread
 * may have changed: pmh_thread_switch() is called first by everyone who acts
 * for a thread.
 */
#ifndef PMH_MEASURE_H
#define PMH_MEASURE_H

#include "pub_tool_basics.h"
#include "pub_tool_threadstate.h"
#include "pmh_clock.h"
#include "pmh_platform.h"
#include "pmh_stacks.h"
#include "pm_activations.h"
#include "pm_counters.h"
#include "pm_phase_table.h"
#include "pm_profile.h"

struct pmh_thread {
   struct pmh_wait wait;        /* with a fixed clock */
   struct pm_call_thread calls; /* calls.heap.number: by creation, from 1 */
   struct pm_activation_thread activations;
   struct pmh_alternate_stack alternate;
   UChar *guest;                /* its guest state; NULL: not known, as long as it has entered
                                   no observed function, or where nobody hands it over */
   ULong instrs;                /* executed, those since it runs not counted */
   ULong arrived;               /* pmh_counters->arrived when it stopped to run */
};

/* Those in use, never NULL. Others, with the same numbers, are when phases begin or end, and
   when code is translated. While translated code runs, its instrs are in a register. */
extern struct pm_counters *pmh_counters;

/* What translated code has in the first of the shadow registers of the thread that runs. With
   the sum there, and not at counters->instrs, no program of bench/ costs more, and the dearest
   cost less. */
struct pmh_registers {
   ULong instrs;                 /* as pmh_counters->instrs, and ahead of it */
   struct pm_counters *counters; /* pmh_counters */
};

extern struct pm_stretches pmh_stretches;
extern struct pm_profile pmh_profile;
extern struct pm_fates pmh_fates;
extern struct pm_sites pmh_sites;
extern struct pm_thread_counts pmh_thread_counts;
extern struct pm_heap pmh_heap;
extern struct pm_calls pmh_calls;
extern struct pm_phase_table pmh_phases;
extern struct pm_activations pmh_activations;

/* Once, before the program starts, as pmh_options says. */
void pmh_measure_begin(void);

/* As pm_stretches_id(); with a profile, there is a counter for it. */
UInt pmh_stretch_id(const struct pm_stretch *stretch, const UChar *lengths,
                    const struct pm_instr *told);

/* How many threads there have been. */
UInt pmh_thread_total(void);

/* The phase `program`. */
const struct pm_phase *pmh_program(void);

/* The running thread, as the phase table wants it; state is brought up to date. */
struct pm_phase_caller pmh_caller(void);

/* The same for gdbserver's monitor commands, which are no thread. */
struct pm_phase_caller pmh_monitor_caller(void);

/* The thread that runs now. */
struct pmh_thread *pmh_thread_now(void);

/* As pmh_register() and pmh_set_register(), of the running thread. */
static inline UWord pmh_register_now(const struct pmh_thread *thread, Int offset)
{
   return thread->guest ? *(const UWord *)(thread->guest + offset)
                        : pmh_register(VG_(get_running_tid)(), offset);
}

static inline void pmh_set_register_now(struct pmh_thread *thread, Int offset, UWord value)
{
   if (thread->guest)
      *(UWord *)(thread->guest + offset) = value;
   else
      pmh_set_register(VG_(get_running_tid)(), offset, value);
}

/* Instructions that a thread has executed so far. */
ULong pmh_thread_instrs(const struct pmh_thread *thread);

/* tid runs from now on. */
void pmh_thread_switch(ThreadId tid);

/* tid, which runs, is about to execute translated code, and has stopped to. The second says
   whether it was about to or stopped already. */
void pmh_client_code_starts(ThreadId tid);
Bool pmh_client_code_stops(void);

/* Bring pmh_counters->instrs up to date: for all who look at it and may be called from
   translated code, or by Valgrind before that has stopped. */
void pmh_read_instrs(void);

void pmh_thread_created(ThreadId tid);
void pmh_thread_gone(ThreadId tid);

/* [start, end) is no memory that could be a stack any more. */
void pmh_activations_gone(Addr start, Addr end);

/* After a change of the running thread's pending calls or activations: tell
   translated code which returns to report. */
static inline void pmh_watch_returns(const struct pmh_thread *thread)
{
   uint64_t calls = pm_calls_watch(&pmh_calls, &thread->calls);
   uint64_t activations = pm_activations_watch(&pmh_activations, &thread->activations);
   pmh_counters->watch = calls < activations ? calls : activations;
}

/* Bring all of pmh_heap.state up to date with the counters. */
void pmh_sync(void);

/* In a forked child, which continues on thread tid alone: everything counted so
   far was the parent's; live blocks and mappings are inherited. */
void pmh_measure_after_fork(ThreadId tid);

/* Put into pmh_program what it would hold if the process ended now. */
void pmh_measure_look(void);

/* The process ends: end what is open. */
void pmh_measure_end(void);

#endif
