/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_timers.c: the program's timers; pmh_timers.h says what they are kept for.
 *
 * The core keeps them all by number (pm_clock.h): by their descriptors, and by negative
 * numbers those that have none.
 */
#include "pmh_timers.h"
#include "pmh_core.h"
#include "pmh_kernel_time.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

enum { PROCESS_TIMER = -2 /* of setitimer(ITIMER_REAL) and alarm */, ALARM = 14 };

/* Those of timer_create. Kernels may number them upwards for ever. */
static struct timer {
   Int id, clock, signal;
   struct timer *next;
} *timers;

static Int number_of(Int id)
{
   return PROCESS_TIMER - 1 - id;
}

static struct timer *find(Int id)
{
   struct timer *timer = timers;
   while (timer && timer->id != id)
      timer = timer->next;
   return timer;
}

static void add(Int id, Int clock, Int signal)
{
   struct timer *timer = find(id);
   if (!timer) {
      timer = VG_(malloc)("profmem.timer", sizeof *timer);
      *timer = (struct timer){.id = id, .next = timers};
      timers = timer;
   }
   timer->clock = clock;
   timer->signal = signal;
}

static void forget(struct pm_clock *clock, Int id)
{
   struct timer **at = &timers;
   while (*at && (*at)->id != id)
      at = &(*at)->next;
   if (*at) {
      struct timer *gone = *at;
      *at = gone->next;
      VG_(free)(gone);
   }
   pm_clock_timer_gone(clock, number_of(id));
}

Int pmh_timers_clock(Int id)
{
   const struct timer *timer = find(id);
   return timer ? timer->clock : -1;
}

/* The kernel tells, whatever way the descriptor came from: dup, a parent, a socket. */
Int pmh_timers_clock_of_descriptor(Int descriptor)
{
   static const HChar label[] = "clockid:";
   HChar text[512];
   VG_(snprintf)(text, sizeof text, "/proc/self/fdinfo/%d", descriptor);
   SysRes opened = VG_(open)(text, VKI_O_RDONLY, 0);
   if (sr_isError(opened))
      return -1;
   Int bytes = VG_(read)((Int)sr_Res(opened), text, sizeof text - 1);
   VG_(close)((Int)sr_Res(opened));
   text[bytes > 0 ? bytes : 0] = '\0';
   const HChar *found = VG_(strstr)(text, label);
   return found ? (Int)VG_(strtoll10)(found + sizeof label - 1, NULL) : -1;
}

/* Of several timers with one signal it was the one that was due first. */
void pmh_timers_signalled(struct pm_clock *clock, Int signal, const struct pm_clock_work *work)
{
   ULong first = signal == ALARM
                    ? pm_clock_timer_next(clock, PROCESS_TIMER)
                    : UINT64_MAX;
   Int number = PROCESS_TIMER;
   for (const struct timer *timer = timers; timer; timer = timer->next) {
      ULong next = timer->signal == signal
                      ? pm_clock_timer_next(clock, number_of(timer->id))
                      : UINT64_MAX;
      if (next < first) {
         first = next;
         number = number_of(timer->id);
      }
   }
   if (first < UINT64_MAX)
      pm_clock_timer_expired(clock, number, 1, work);
}

static Bool is_readable(Int descriptor)
{
   enum { READABLE = 1 /* POLLIN */ };
   struct vki_pollfd asked = {.fd = descriptor, .events = READABLE};
   SysRes result = VG_(poll)(&asked, 1, 0);
   return !sr_isError(result) && sr_Res(result) == 1 && (asked.revents & READABLE);
}

void pmh_timers_ready(struct pm_clock *clock, const struct pm_clock_work *work)
{
   for (Int t = 0; t < PM_CLOCK_TIMERS; t++) {
      Int descriptor = clock->timers[t].descriptor;
      if (descriptor < 0 || !clock->timers[t].armed || !is_readable(descriptor))
         continue;
      if (pmh_timers_clock_of_descriptor(descriptor) >= 0)
         pm_clock_timer_seen(clock, descriptor, work);
      else
         pm_clock_timer_gone(clock, descriptor);
   }
}

void pmh_timers_after_fork(struct pm_clock *clock)
{
   pm_clock_timer_gone(clock, PROCESS_TIMER);
   while (timers)
      forget(clock, timers->id);
}

/* --- calls ------------------------------------------------------------------------- */

/* One was set by a call that has its setting as third argument. */
static void timer_set(const struct pmh_timer_call *call, Int timer, enum pmh_layout layout)
{
   const struct pmh_wait *wait = call->wait;
   Addr setting = wait->exchanged ? wait->original : call->args[2];
   ULong value = 0, interval = 0;
   pmh_read_ns(setting, layout, &interval);
   pmh_read_ns(pmh_value_of(setting, layout), layout, &value);
   if (value > 0 && wait->exchanged) {
      ULong shown = pm_clock_now(call->clock, wait->kind, call->work);
      value = wait->deadline_ns > shown ? wait->deadline_ns - shown : 1;
   }
   pm_clock_timer_set(call->clock, timer, value, interval, call->work);
}

static void after_timerfd_settime(const struct pmh_timer_call *call)
{
   timer_set(call, (Int)call->args[0], TIMESPEC);
}

static void posix_timer_set(const struct pmh_timer_call *call, enum pmh_layout layout)
{
   Int id = (Int)call->args[0];
   if (!pmh_is_processor_use(pmh_clock_kind(pmh_timers_clock(id))))
      timer_set(call, number_of(id), layout);
}

static void after_timer_settime(const struct pmh_timer_call *call)
{
   posix_timer_set(call, TIMESPEC);
}

#if defined(__NR_timerfd_settime64)
static void after_timerfd_settime64(const struct pmh_timer_call *call)
{
   timer_set(call, (Int)call->args[0], TIMESPEC_64);
}

static void after_timer_settime64(const struct pmh_timer_call *call)
{
   posix_timer_set(call, TIMESPEC_64);
}
#endif

/* What comes first in struct sigevent. */
struct event {
   UWord value;
   Int signal, notify;
};

static void after_timer_create(const struct pmh_timer_call *call)
{
   enum { NOTHING = 1 };
   const struct event *event = (const struct event *)call->args[1];
   Int signal = !event ? ALARM : event->notify == NOTHING ? 0 : event->signal;
   add(*(Int *)call->args[2], (Int)call->args[0], signal);
}

static void after_timer_delete(const struct pmh_timer_call *call)
{
   forget(call->clock, (Int)call->args[0]);
}

static void after_setitimer(const struct pmh_timer_call *call)
{
   enum { OF_REAL_TIME = 0 };
   Addr setting = call->args[1];
   ULong value = 0, interval = 0;
   if ((Int)call->args[0] != OF_REAL_TIME)
      return;
   if (setting) {
      pmh_read_ns(setting, TIMEVAL, &interval);
      pmh_read_ns(pmh_value_of(setting, TIMEVAL), TIMEVAL, &value);
   }
   pm_clock_timer_set(call->clock, PROCESS_TIMER, value, interval, call->work);
}

#if defined(__NR_alarm)
static void after_alarm(const struct pmh_timer_call *call)
{
   pm_clock_timer_set(call->clock, PROCESS_TIMER, (UInt)call->args[0] * NS_PER_S, 0,
                      call->work);
}
#endif

/* A signal was waited for. */
static void after_sigtimedwait(const struct pmh_timer_call *call)
{
   pmh_timers_signalled(call->clock, (Int)call->result, call->work);
}

static void after_read(const struct pmh_timer_call *call)
{
   Int descriptor = (Int)call->args[0];
   if (call->result != sizeof(ULong) ||
       pm_clock_timer_next(call->clock, descriptor) == UINT64_MAX)
      return;
   if (pmh_timers_clock_of_descriptor(descriptor) >= 0)
      pm_clock_timer_expired(call->clock, descriptor, *(ULong *)call->args[1], call->work);
   else /* another file has taken its place */
      pm_clock_timer_gone(call->clock, descriptor);
}

static void after_close(const struct pmh_timer_call *call)
{
   pm_clock_timer_gone(call->clock, (Int)call->args[0]);
}

static const struct {
   UInt number;
   void (*succeeded)(const struct pmh_timer_call *call);
} calls[] = {
   {__NR_timerfd_settime, after_timerfd_settime},
   {__NR_timer_create, after_timer_create},
   {__NR_timer_settime, after_timer_settime},
   {__NR_timer_delete, after_timer_delete},
   {__NR_setitimer, after_setitimer},
   {__NR_rt_sigtimedwait, after_sigtimedwait},
   {__NR_read, after_read},
   {__NR_close, after_close},
#if defined(__NR_alarm)
   {__NR_alarm, after_alarm},
#endif
#if defined(__NR_timerfd_settime64)
   {__NR_timerfd_settime64, after_timerfd_settime64},
   {__NR_timer_settime64, after_timer_settime64},
   {__NR_rt_sigtimedwait_time64, after_sigtimedwait},
#endif
};

void pmh_timers_after(UInt number, const struct pmh_timer_call *call)
{
   for (UInt c = 0; c < sizeof calls / sizeof *calls; c++)
      if (calls[c].number == number)
         calls[c].succeeded(call);
}
