/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_clock.h: a clock that shows the same in every run.
 *
 * It starts at an epoch and moves with what the program does: a nanosecond for each
 * instruction executed, and what the program asked to sleep when it has slept. Waiting
 * for something else does not move it. It never goes backwards.
 *
 * All clocks of a system are views of this one: CLOCK_REALTIME shows the epoch and what
 * has passed, CLOCK_MONOTONIC what has passed since a start-up that was a while before
 * the epoch, the clocks of processor use what was executed. A program that sets its
 * CLOCK_REALTIME moves the epoch.
 *
 * Timers move the clock to their last expiration, which the program had waited for, once
 * it knows of it: it reads how often they have expired (timerfd), or gets a signal.
 *
 * Numbers are nanoseconds; they saturate at 2^64 - 1, in the year 2554.
 */
#ifndef PM_CLOCK_H
#define PM_CLOCK_H

#include "pm_host.h"

enum pm_clock_kind {
   PM_CLOCK_REALTIME,
   PM_CLOCK_MONOTONIC,
   PM_CLOCK_TAI,
   PM_CLOCK_PROCESS, /* processor use: of the process, of a thread */
   PM_CLOCK_THREAD,
   PM_CLOCK_KINDS
};

enum { PM_CLOCK_TIMERS = 64 };

/* A timer of the program. */
struct pm_clock_timer {
   int32_t descriptor;    /* or another number of its own; -1: this place is free */
   bool armed;
   uint64_t next_ns;      /* next expiration, as PM_CLOCK_MONOTONIC minus its start */
   uint64_t interval_ns;  /* from one to the next; 0: it expires once */
};

struct pm_clock {
   uint64_t epoch_ns;     /* since 1970 */
   uint64_t slept_ns;     /* so far; in an image that was started by exec, with all that
                             had passed before */
   struct pm_clock_timer timers[PM_CLOCK_TIMERS];
};

/* What the program has executed. */
struct pm_clock_work {
   uint64_t instrs;        /* all threads */
   uint64_t thread_instrs; /* the one that asks */
};

void pm_clock_init(struct pm_clock *clock, uint64_t epoch_ns, uint64_t passed_ns);

/* Nanoseconds since the epoch of the run. */
uint64_t pm_clock_passed(const struct pm_clock *clock, const struct pm_clock_work *work);

/* What the clock shows. */
uint64_t pm_clock_now(const struct pm_clock *clock, enum pm_clock_kind kind,
                      const struct pm_clock_work *work);

/* The program has slept: for so long, of which nothing has passed yet; until the clock
   showed that, which it may have done for others. */
void pm_clock_slept(struct pm_clock *clock, uint64_t ns);
void pm_clock_reached(struct pm_clock *clock, enum pm_clock_kind kind, uint64_t deadline_ns,
                      const struct pm_clock_work *work);

/* The program has set its CLOCK_REALTIME, which then goes where it says. */
void pm_clock_set(struct pm_clock *clock, uint64_t ns, const struct pm_clock_work *work);

/* The timer that is read through a descriptor is set to expire in after_ns (0: never);
   has expired `times` since it was read last; has expired, and is still to be read; is
   gone. More timers than there is room for do not move the clock. */
void pm_clock_timer_set(struct pm_clock *clock, int32_t descriptor, uint64_t after_ns,
                        uint64_t interval_ns, const struct pm_clock_work *work);
void pm_clock_timer_expired(struct pm_clock *clock, int32_t descriptor, uint64_t times,
                            const struct pm_clock_work *work);
void pm_clock_timer_seen(struct pm_clock *clock, int32_t descriptor,
                         const struct pm_clock_work *work);
void pm_clock_timer_gone(struct pm_clock *clock, int32_t descriptor);

/* When it will expire, as next_ns. UINT64_MAX: never. */
uint64_t pm_clock_timer_next(struct pm_clock *clock, int32_t descriptor);

#endif
