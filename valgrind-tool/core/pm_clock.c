/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_clock.c: the arithmetic of the clock; pm_clock.h has the terms. */
#include "pm_clock.h"

/* CLOCK_MONOTONIC at the epoch: the system had been up for a while. */
#define STARTUP_NS UINT64_C(1000000000000)
/* International Atomic Time is ahead of UTC by so many leap seconds. */
#define TAI_NS UINT64_C(37000000000)

static uint64_t sum(uint64_t a, uint64_t b)
{
   return a + b < a ? UINT64_MAX : a + b;
}

void pm_clock_init(struct pm_clock *clock, uint64_t epoch_ns, uint64_t passed_ns)
{
   *clock = (struct pm_clock){.epoch_ns = epoch_ns, .slept_ns = passed_ns};
   for (int t = 0; t < PM_CLOCK_TIMERS; t++)
      clock->timers[t].descriptor = -1;
}

uint64_t pm_clock_passed(const struct pm_clock *clock, const struct pm_clock_work *work)
{
   return sum(clock->slept_ns, work->instrs);
}

uint64_t pm_clock_now(const struct pm_clock *clock, enum pm_clock_kind kind,
                      const struct pm_clock_work *work)
{
   uint64_t passed = pm_clock_passed(clock, work);
   switch (kind) {
   case PM_CLOCK_REALTIME:
      return sum(clock->epoch_ns, passed);
   case PM_CLOCK_TAI:
      return sum(clock->epoch_ns, sum(passed, TAI_NS));
   case PM_CLOCK_PROCESS:
      return work->instrs;
   case PM_CLOCK_THREAD:
      return work->thread_instrs;
   case PM_CLOCK_MONOTONIC:
   case PM_CLOCK_KINDS:
      break;
   }
   return sum(STARTUP_NS, passed);
}

void pm_clock_slept(struct pm_clock *clock, uint64_t ns)
{
   clock->slept_ns = sum(clock->slept_ns, ns);
}

void pm_clock_reached(struct pm_clock *clock, enum pm_clock_kind kind, uint64_t deadline_ns,
                      const struct pm_clock_work *work)
{
   uint64_t now = pm_clock_now(clock, kind, work);
   if (deadline_ns > now)
      pm_clock_slept(clock, deadline_ns - now);
}

void pm_clock_set(struct pm_clock *clock, uint64_t ns, const struct pm_clock_work *work)
{
   uint64_t passed = pm_clock_passed(clock, work);
   clock->epoch_ns = ns > passed ? ns - passed : 0;
}

/* --- timers ---------------------------------------------------------------------- */

/* The place of a descriptor's timer; NULL: it has none. */
static struct pm_clock_timer *timer_of(struct pm_clock *clock, int32_t descriptor)
{
   for (int t = 0; t < PM_CLOCK_TIMERS; t++)
      if (clock->timers[t].descriptor == descriptor)
         return &clock->timers[t];
   return NULL;
}

void pm_clock_timer_set(struct pm_clock *clock, int32_t descriptor, uint64_t after_ns,
                        uint64_t interval_ns, const struct pm_clock_work *work)
{
   struct pm_clock_timer *timer = timer_of(clock, descriptor);
   if (!timer)
      timer = timer_of(clock, -1);
   if (timer)
      *timer = (struct pm_clock_timer){
         .descriptor = descriptor,
         .armed = after_ns > 0,
         .next_ns = sum(pm_clock_passed(clock, work), after_ns),
         .interval_ns = interval_ns};
}

void pm_clock_timer_expired(struct pm_clock *clock, int32_t descriptor, uint64_t times,
                            const struct pm_clock_work *work)
{
   struct pm_clock_timer *timer = timer_of(clock, descriptor);
   if (!timer || !timer->armed || times == 0)
      return;
   uint64_t more, last;
   if (__builtin_mul_overflow(times - 1, timer->interval_ns, &more))
      more = UINT64_MAX;
   last = sum(timer->next_ns, more);
   uint64_t passed = pm_clock_passed(clock, work);
   if (last > passed)
      pm_clock_slept(clock, last - passed);
   timer->armed = timer->interval_ns > 0;
   timer->next_ns = sum(last, timer->interval_ns);
}

void pm_clock_timer_seen(struct pm_clock *clock, int32_t descriptor,
                         const struct pm_clock_work *work)
{
   const struct pm_clock_timer *timer = timer_of(clock, descriptor);
   uint64_t passed = pm_clock_passed(clock, work);
   if (timer && timer->armed && timer->next_ns > passed)
      pm_clock_slept(clock, timer->next_ns - passed);
}

uint64_t pm_clock_timer_next(struct pm_clock *clock, int32_t descriptor)
{
   const struct pm_clock_timer *timer = timer_of(clock, descriptor);
   return timer && timer->armed ? timer->next_ns : UINT64_MAX;
}

void pm_clock_timer_gone(struct pm_clock *clock, int32_t descriptor)
{
   struct pm_clock_timer *timer = timer_of(clock, descriptor);
   if (timer)
      timer->descriptor = -1;
}
