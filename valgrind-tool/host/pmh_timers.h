/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_timers.h: --fixed-clock: which timers does the program have, and when do they expire?
 *
 * A timer expires when the kernel says so. The program's clock, which does not move while
 * the program waits, is then moved to what the timer was set to: else a program that waits
 * for its timers until its clock shows something would wait for ever. It learns of an
 * expiration by reading a descriptor (timerfd), by finding that descriptor ready, or by
 * a signal.
 *
 * Clocks are the kernel's CLOCK_*. Timers of processor use are left alone: what it takes to
 * make them expire moves the clock anyway.
 */
#ifndef PMH_TIMERS_H
#define PMH_TIMERS_H

#include "pub_tool_basics.h"
#include "pmh_clock.h"
#include "pm_clock.h"

/* A system call that has succeeded. */
struct pmh_timer_call {
   struct pm_clock *clock;
   const struct pm_clock_work *work;
   const struct pmh_wait *wait; /* of its thread */
   UWord *args, result;
};

void pmh_timers_after(UInt number, const struct pmh_timer_call *call);

/* The clock that a timer of timer_create goes by; -1: not known. */
Int pmh_timers_clock(Int id);

/* The same for a timer that is read; -1: nothing of that kind is behind the descriptor. */
Int pmh_timers_clock_of_descriptor(Int descriptor);

/* The program has got a signal; has found descriptors ready. */
void pmh_timers_signalled(struct pm_clock *clock, Int signal, const struct pm_clock_work *work);
void pmh_timers_ready(struct pm_clock *clock, const struct pm_clock_work *work);

/* In a forked child, which has none but those that are read. */
void pmh_timers_after_fork(struct pm_clock *clock);

#endif
