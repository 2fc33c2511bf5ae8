/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_clock.c: tables of the calls that read clocks, wait, and set deadlines. */
#include "pmh_clock.h"
#include "pmh_emit.h"
#include "pmh_kernel_time.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_platform.h"
#include "pmh_timers.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "pm_clock.h"

enum { ETIMEDOUT = 110 /* on all platforms of the table */ };

static struct pm_clock the_clock;

/* It may be called from translated code. */
static struct pm_clock_work work(void)
{
   pmh_read_instrs();
   return (struct pm_clock_work){pmh_counters->instrs, pmh_thread_instrs(pmh_thread_now())};
}

void pmh_clock_begin(void)
{
   pm_clock_init(&the_clock, pmh_options.epoch_s * NS_PER_S, pmh_options.clock_passed_ns);
}

ULong pmh_clock_passed(void)
{
   pmh_read_instrs();
   struct pm_clock_work so_far = {.instrs = pmh_counters->instrs};
   return pm_clock_passed(&the_clock, &so_far);
}

/* --- readings ------------------------------------------------------------------------- */

static ULong now(enum pm_clock_kind kind)
{
   struct pm_clock_work done = work();
   return pm_clock_now(&the_clock, kind, &done);
}

static void set_result(ThreadId tid, UWord value)
{
   pmh_set_register(tid, pmh_platform.syscall_result, value);
}

static void after_clock_gettime(ThreadId tid, UWord *args, UWord result)
{
   if (args[1])
      pmh_write_ns(args[1], TIMESPEC, now(pmh_clock_kind((Int)args[0])));
}

static void after_gettimeofday(ThreadId tid, UWord *args, UWord result)
{
   if (args[0])
      pmh_write_ns(args[0], TIMEVAL, now(PM_CLOCK_REALTIME));
}

/* All processor use is the user's. A tick is a hundredth of a second. */
static void after_times(ThreadId tid, UWord *args, UWord result)
{
   UWord *user = (UWord *)args[0];
   if (user) {
      VG_(memset)(user, 0, 4 * sizeof *user);
      *user = (UWord)(now(PM_CLOCK_PROCESS) / (NS_PER_S / 100));
   }
   set_result(tid, (UWord)(now(PM_CLOCK_MONOTONIC) / (NS_PER_S / 100)));
}

static void after_getrusage(ThreadId tid, UWord *args, UWord result)
{
   enum { OF_CHILDREN = -1, OF_THREAD = 1 };
   ULong used = (Int)args[0] == OF_CHILDREN ? 0
                : (Int)args[0] == OF_THREAD ? now(PM_CLOCK_THREAD)
                                            : now(PM_CLOCK_PROCESS);
   pmh_write_ns(args[1], TIMEVAL, used);
   pmh_write_ns(args[1] + 2 * sizeof(UWord), TIMEVAL, 0);
}

#if defined(__NR_time)
static void after_time(ThreadId tid, UWord *args, UWord result)
{
   UWord seconds = (UWord)(now(PM_CLOCK_REALTIME) / NS_PER_S);
   if (args[0])
      *(UWord *)args[0] = seconds;
   set_result(tid, seconds);
}
#endif

#if defined(__NR_clock_gettime64)
static void after_clock_gettime64(ThreadId tid, UWord *args, UWord result)
{
   pmh_write_ns(args[1], TIMESPEC_64, now(pmh_clock_kind((Int)args[0])));
}
#endif

/* As in the use that getrusage shows of children. */
static void clear_use(Addr rusage)
{
   if (rusage)
      VG_(memset)((void *)rusage, 0, 4 * sizeof(UWord));
}

static void after_wait4(ThreadId tid, UWord *args, UWord result)
{
   clear_use(args[3]);
}

static void after_waitid(ThreadId tid, UWord *args, UWord result)
{
   clear_use(args[4]);
}

/* Not the rest: how much memory there is. */
static void after_sysinfo(ThreadId tid, UWord *args, UWord result)
{
   *(UWord *)args[0] = (UWord)(now(PM_CLOCK_MONOTONIC) / NS_PER_S);
}

/* What struct timex says of the present, in its tenth and eleventh word. */
static void show_in_timex(Addr timex)
{
   enum { STATUS = 5, TIME = 9, IN_NANOSECONDS = 0x2000 };
   UWord *words = (UWord *)timex;
   pmh_write_ns((Addr)&words[TIME], (Int)words[STATUS] & IN_NANOSECONDS ? TIMESPEC : TIMEVAL,
            now(PM_CLOCK_REALTIME));
}

static void after_adjtimex(ThreadId tid, UWord *args, UWord result)
{
   show_in_timex(args[0]);
}

static void after_clock_adjtime(ThreadId tid, UWord *args, UWord result)
{
   if ((Int)args[0] == CLOCK_REALTIME)
      show_in_timex(args[1]);
}

static const struct {
   UInt number;
   void (*succeeded)(ThreadId tid, UWord *args, UWord result);
} rewritten[] = {
   {__NR_clock_gettime, after_clock_gettime},
   {__NR_gettimeofday, after_gettimeofday},
   {__NR_times, after_times},
   {__NR_getrusage, after_getrusage},
   {__NR_wait4, after_wait4},
   {__NR_waitid, after_waitid},
   {__NR_sysinfo, after_sysinfo},
   {__NR_adjtimex, after_adjtimex},
   {__NR_clock_adjtime, after_clock_adjtime},
#if defined(__NR_time)
   {__NR_time, after_time},
#endif
#if defined(__NR_clock_gettime64)
   {__NR_clock_gettime64, after_clock_gettime64},
#endif
};

/* --- calls that wait for a while ------------------------------------------------------------ */

/* How a call tells that all of the while has passed. */
enum waited { RETURNS_0, FAILS_WITH_EAGAIN, FAILS_WITH_ETIMEDOUT, DOES_NOT_WAIT,
              SETS_THE_CLOCK };

static Bool is_relative_sleep(const UWord *args)
{
   return !(args[1] & TIMER_ABSTIME) && !pmh_is_processor_use(pmh_clock_kind((Int)args[0]));
}

enum { FUTEX_WAIT = 0, FUTEX_LOCK_PI = 6, FUTEX_WAIT_BITSET = 9, FUTEX_WAIT_REQUEUE_PI = 11,
       FUTEX_LOCK_PI2 = 13, FUTEX_COMMAND = 0x7f, FUTEX_CLOCK_REALTIME = 0x100 };

static Bool is_relative_futex(const UWord *args)
{
   return (args[1] & FUTEX_COMMAND) == FUTEX_WAIT;
}

static const struct {
   UInt number;
   Int arg; /* the while */
   enum pmh_layout layout;
   enum waited waited;
   Bool (*applies)(const UWord *args); /* NULL: always */
} waits[] = {
   {__NR_nanosleep, 0, TIMESPEC, RETURNS_0, NULL},
   {__NR_clock_nanosleep, 2, TIMESPEC, RETURNS_0, is_relative_sleep},
   {__NR_ppoll, 2, TIMESPEC, RETURNS_0, NULL},
   {__NR_pselect6, 4, TIMESPEC, RETURNS_0, NULL},
   {__NR_epoll_pwait, 3, MILLISECONDS, RETURNS_0, NULL},
   {__NR_futex, 3, TIMESPEC, FAILS_WITH_ETIMEDOUT, is_relative_futex},
   {__NR_rt_sigtimedwait, 2, TIMESPEC, FAILS_WITH_EAGAIN, NULL},
#if defined(__NR_poll)
   {__NR_poll, 2, MILLISECONDS, RETURNS_0, NULL},
#endif
#if defined(__NR_epoll_wait)
   {__NR_epoll_wait, 3, MILLISECONDS, RETURNS_0, NULL},
#endif
#if defined(__NR_epoll_pwait2)
   {__NR_epoll_pwait2, 3, TIMESPEC_64, RETURNS_0, NULL},
#endif
#if defined(__NR__newselect)
   {__NR__newselect, 4, TIMEVAL, RETURNS_0, NULL},
#elif defined(__NR_select)
   {__NR_select, 4, TIMEVAL, RETURNS_0, NULL},
#endif
#if defined(__NR_semtimedop)
   {__NR_semtimedop, 3, TIMESPEC, FAILS_WITH_EAGAIN, NULL},
#endif
#if defined(__NR_clock_nanosleep_time64)
   {__NR_clock_nanosleep_time64, 2, TIMESPEC_64, RETURNS_0, is_relative_sleep},
   {__NR_ppoll_time64, 2, TIMESPEC_64, RETURNS_0, NULL},
   {__NR_pselect6_time64, 4, TIMESPEC_64, RETURNS_0, NULL},
   {__NR_futex_time64, 3, TIMESPEC_64, FAILS_WITH_ETIMEDOUT, is_relative_futex},
   {__NR_rt_sigtimedwait_time64, 2, TIMESPEC_64, FAILS_WITH_EAGAIN, NULL},
   {__NR_semtimedop_time64, 3, TIMESPEC_64, FAILS_WITH_EAGAIN, NULL},
#endif
};

enum { WAITS = sizeof waits / sizeof *waits };

static Bool has_waited(enum waited waited, SysRes result)
{
   switch (waited) {
   case RETURNS_0:
      return !sr_isError(result) && sr_Res(result) == 0;
   case FAILS_WITH_EAGAIN:
      return sr_isError(result) && sr_Err(result) == VKI_EAGAIN;
   case FAILS_WITH_ETIMEDOUT:
      return sr_isError(result) && sr_Err(result) == ETIMEDOUT;
   case DOES_NOT_WAIT: case SETS_THE_CLOCK:
      break;
   }
   return False;
}

/* --- calls that set a deadline, or the clock ---------------------------------------- */

/* Each says whether a call has a deadline, and on which of the kernel's clocks. */

static Bool futex_deadline(const UWord *args, Int *clock)
{
   UWord command = args[1] & FUTEX_COMMAND;
   Bool realtime = command == FUTEX_LOCK_PI || (args[1] & FUTEX_CLOCK_REALTIME);
   *clock = realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
   return command == FUTEX_LOCK_PI || command == FUTEX_WAIT_BITSET ||
          command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_LOCK_PI2;
}

static Bool sleep_deadline(const UWord *args, Int *clock)
{
   *clock = (Int)args[0];
   return (args[1] & TIMER_ABSTIME) && !pmh_is_processor_use(pmh_clock_kind(*clock));
}

static Bool realtime_deadline(const UWord *args, Int *clock)
{
   *clock = CLOCK_REALTIME;
   return True;
}

static Bool clock_is_set(const UWord *args, Int *clock)
{
   *clock = (Int)args[0];
   return *clock == CLOCK_REALTIME;
}

static Bool timerfd_deadline(const UWord *args, Int *clock)
{
   if (!(args[1] & TIMER_ABSTIME))
      return False;
   *clock = pmh_timers_clock_of_descriptor((Int)args[0]);
   return *clock >= 0;
}

static Bool posix_timer_deadline(const UWord *args, Int *clock)
{
   *clock = pmh_timers_clock((Int)args[0]);
   return (args[1] & TIMER_ABSTIME) && !pmh_is_processor_use(pmh_clock_kind(*clock));
}

#if defined(__NR_futex_waitv)
static Bool futex_waitv_deadline(const UWord *args, Int *clock)
{
   *clock = (Int)args[4];
   return True;
}
#endif

static const struct deadline {
   UInt number;
   Int arg;               /* the pointer to it */
   enum pmh_layout layout;
   Bool in_itimerspec;    /* behind an interval */
   enum waited waited;    /* how it tells that the moment has come */
   Bool (*applies)(const UWord *args, Int *clock);
} deadlines[] = {
   {__NR_clock_settime, 1, TIMESPEC, False, SETS_THE_CLOCK, clock_is_set},
   {__NR_settimeofday, 0, TIMEVAL, False, SETS_THE_CLOCK, realtime_deadline},
   {__NR_futex, 3, TIMESPEC, False, FAILS_WITH_ETIMEDOUT, futex_deadline},
   {__NR_clock_nanosleep, 2, TIMESPEC, False, RETURNS_0, sleep_deadline},
   {__NR_timerfd_settime, 2, TIMESPEC, True, DOES_NOT_WAIT, timerfd_deadline},
   {__NR_timer_settime, 2, TIMESPEC, True, DOES_NOT_WAIT, posix_timer_deadline},
   {__NR_mq_timedsend, 4, TIMESPEC, False, FAILS_WITH_ETIMEDOUT, realtime_deadline},
   {__NR_mq_timedreceive, 4, TIMESPEC, False, FAILS_WITH_ETIMEDOUT, realtime_deadline},
#if defined(__NR_futex_waitv)
   {__NR_futex_waitv, 3, TIMESPEC_64, False, FAILS_WITH_ETIMEDOUT, futex_waitv_deadline},
#endif
#if defined(__NR_futex_time64)
   {__NR_clock_settime64, 1, TIMESPEC_64, False, SETS_THE_CLOCK, clock_is_set},
   {__NR_futex_time64, 3, TIMESPEC_64, False, FAILS_WITH_ETIMEDOUT, futex_deadline},
   {__NR_clock_nanosleep_time64, 2, TIMESPEC_64, False, RETURNS_0, sleep_deadline},
   {__NR_timerfd_settime64, 2, TIMESPEC_64, True, DOES_NOT_WAIT, timerfd_deadline},
   {__NR_timer_settime64, 2, TIMESPEC_64, True, DOES_NOT_WAIT, posix_timer_deadline},
   {__NR_mq_timedsend_time64, 4, TIMESPEC_64, False, FAILS_WITH_ETIMEDOUT, realtime_deadline},
   {__NR_mq_timedreceive_time64, 4, TIMESPEC_64, False, FAILS_WITH_ETIMEDOUT, realtime_deadline},
#endif
};

enum { DEADLINES = sizeof deadlines / sizeof *deadlines };

/* The kernel's present. A clock that wakes the system shows what the other one shows; where
   nothing can wake it, it can be slept by but not read. */
static ULong kernel_now(Int clock)
{
   struct vki_timespec shown;
   VG_(clock_gettime)(&shown, clock == CLOCK_REALTIME_ALARM   ? CLOCK_REALTIME
                              : clock == CLOCK_BOOTTIME_ALARM ? CLOCK_BOOTTIME
                                                              : clock);
   return (ULong)shown.tv_sec * NS_PER_S + (ULong)shown.tv_nsec;
}

static void exchange(ThreadId tid, const struct deadline *row, const UWord *args,
                     struct pmh_wait *wait)
{
   Int clock;
   Addr at = row->in_itimerspec ? pmh_value_of(args[row->arg], row->layout) : args[row->arg];
   if (!args[row->arg] || !row->applies(args, &clock) ||
       !pmh_read_ns(at, row->layout, &wait->deadline_ns))
      return;
   if (row->in_itimerspec && wait->deadline_ns == 0)
      return; /* the timer is stopped */
   enum pm_clock_kind kind = pmh_clock_kind(clock);
   ULong shown = row->waited == SETS_THE_CLOCK ? wait->deadline_ns : now(kind);
   ULong rest = wait->deadline_ns > shown ? wait->deadline_ns - shown : 0;
   ULong kernel = kernel_now(clock);
   Addr copy = (Addr)&wait->translated, value = copy;
   if (row->in_itimerspec) {
      VG_(memcpy)((void *)copy, (void *)args[row->arg], at - args[row->arg]);
      value = pmh_value_of(copy, row->layout);
   }
   pmh_write_ns(value, row->layout, kernel + rest < kernel ? UINT64_MAX / 2 : kernel + rest);
   wait->kind = kind;
   wait->row = (UInt)(row - deadlines);
   wait->original = args[row->arg];
   wait->register_offset = pmh_platform.syscall_args[row->arg];
   wait->exchanged = True;
   pmh_set_register(tid, wait->register_offset, copy);
}

/* At the instruction of a system call; called from translated code. */
static void on_syscall(void)
{
   ThreadId tid = VG_(get_running_tid)();
   struct pmh_wait *wait = &pmh_thread_now()->wait;
   /* A call that a signal has interrupted is made again, with what it had. */
   if (wait->exchanged && pmh_register(tid, wait->register_offset) == (Addr)&wait->translated)
      pmh_set_register(tid, wait->register_offset, wait->original);
   wait->exchanged = False;
   UWord number = pmh_register(tid, pmh_platform.syscall_number);
   for (Int d = 0; d < DEADLINES; d++) {
      if (deadlines[d].number != number)
         continue;
      UWord args[PMH_SYSCALL_ARGS];
      for (Int a = 0; a < PMH_SYSCALL_ARGS; a++)
         args[a] = pmh_register(tid, pmh_platform.syscall_args[a]);
      exchange(tid, &deadlines[d], args, wait);
      return;
   }
}

/* A deadline is the third, fourth or fifth argument, what the clock is set to the first or
   second. */
IRDirty *pmh_clock_at_syscall(void)
{
   if (!pmh_options.fixed_clock)
      return NULL;
   IRDirty *dirty = unsafeIRDirty_0_N(0, "on_syscall", VG_(fnptr_to_fnentry)(on_syscall),
                                      mkIRExprVec_0());
   pmh_emit_effect(dirty, Ifx_Read, pmh_platform.syscall_number, sizeof(UWord));
   for (Int a = 0; a < 5; a++)
      pmh_emit_effect(dirty, Ifx_Modify, pmh_platform.syscall_args[a], sizeof(UWord));
   return dirty;
}

/* --- every call --------------------------------------------------------------------- */

void pmh_clock_before(ThreadId tid, UInt number, UWord *args)
{
   struct pmh_wait *wait = &pmh_thread_now()->wait;
   wait->until_ns = 0;
   for (Int w = 0; w < WAITS; w++) {
      ULong asked;
      if (waits[w].number == number && (!waits[w].applies || waits[w].applies(args)) &&
          pmh_read_ns(args[waits[w].arg], waits[w].layout, &asked) && asked > 0 &&
          __builtin_add_overflow(now(PM_CLOCK_MONOTONIC), asked, &wait->until_ns))
         wait->until_ns = UINT64_MAX;
   }
}

/* A wait for descriptors has ended because some are ready. */
static Bool found_some(enum waited waited, SysRes result)
{
   return waited == RETURNS_0 && !sr_isError(result) && sr_Res(result) > 0;
}

static void end_of_deadline(ThreadId tid, struct pmh_wait *wait, SysRes result)
{
   struct pm_clock_work done = work();
   pmh_set_register(tid, wait->register_offset, wait->original);
   enum waited waited = deadlines[wait->row].waited;
   if (waited == SETS_THE_CLOCK && !sr_isError(result))
      pm_clock_set(&the_clock, wait->deadline_ns, &done);
   if (has_waited(waited, result))
      pm_clock_reached(&the_clock, wait->kind, wait->deadline_ns, &done);
   wait->exchanged = False;
}

void pmh_clock_after(ThreadId tid, UInt number, UWord *args, SysRes result)
{
   struct pmh_wait *wait = &pmh_thread_now()->wait;
   struct pm_clock_work done = work();
   for (UInt r = 0; r < sizeof rewritten / sizeof *rewritten && !sr_isError(result); r++)
      if (rewritten[r].number == number)
         rewritten[r].succeeded(tid, args, sr_Res(result));
   if (!sr_isError(result)) {
      const struct pmh_timer_call call = {
         .clock = &the_clock, .work = &done, .wait = wait, .args = args,
         .result = sr_Res(result)};
      pmh_timers_after(number, &call);
   }
   for (Int w = 0; w < WAITS; w++) {
      if (waits[w].number != number)
         continue;
      if (wait->until_ns > 0 && has_waited(waits[w].waited, result))
         pm_clock_reached(&the_clock, PM_CLOCK_MONOTONIC, wait->until_ns, &done);
      if (found_some(waits[w].waited, result))
         pmh_timers_ready(&the_clock, &done);
   }
   wait->until_ns = 0;
   if (wait->exchanged)
      end_of_deadline(tid, wait, result);
}

/* The call that the signal has interrupted may be made again behind the handler, which may
   make others: it is to have what the program gave it. */
void pmh_clock_before_handler(ThreadId tid, Int signal)
{
   struct pmh_wait *wait = &pmh_thread_now()->wait;
   struct pm_clock_work done = work();
   if (!pmh_options.fixed_clock)
      return;
   if (wait->exchanged && pmh_register(tid, wait->register_offset) == (Addr)&wait->translated) {
      pmh_set_register(tid, wait->register_offset, wait->original);
      wait->exchanged = False;
   }
   pmh_timers_signalled(&the_clock, signal, &done);
}

void pmh_clock_after_fork(void)
{
   pmh_timers_after_fork(&the_clock);
}
