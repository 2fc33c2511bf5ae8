/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_clock.c: tables of the calls that read clocks, wait, and set deadlines. */
#include "pmh_clock.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_platform.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"
#include "pm_clock.h"

enum {
   CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1, CLOCK_PROCESS = 2, CLOCK_THREAD = 3,
   CLOCK_REALTIME_COARSE = 5, CLOCK_REALTIME_ALARM = 8, CLOCK_TAI = 11,
};
enum { TIMER_ABSTIME = 1, ETIMEDOUT = 110 /* on all platforms of the table */ };

#define NS_PER_S UINT64_C(1000000000)

static struct pm_clock the_clock;
static Bool fixed;

static struct pm_clock_work work(void)
{
   return (struct pm_clock_work){pmh_counters.instrs, pmh_thread_instrs(pmh_thread_now())};
}

void pmh_clock_begin(void)
{
   fixed = pmh_options.fixed_clock;
   pm_clock_init(&the_clock, pmh_options.epoch_s * NS_PER_S, pmh_options.clock_passed_ns);
}

Bool pmh_clock_is_fixed(void)
{
   return fixed;
}

ULong pmh_clock_passed(void)
{
   struct pm_clock_work so_far = {.instrs = pmh_counters.instrs};
   return pm_clock_passed(&the_clock, &so_far);
}

ULong pmh_clock_ticks(void)
{
   return pmh_clock_passed();
}

/* --- numbers in the program's memory ------------------------------------------------ */

/* How a span or moment is written: two words, of seconds and of parts of one; or as a
   number in the register. */
enum layout { TIMESPEC, TIMEVAL, TIMESPEC_64, MILLISECONDS };

static Bool read_words(Addr at, Bool wide, Long *seconds, Long *parts)
{
   SizeT bytes = wide ? 2 * sizeof(Long) : 2 * sizeof(Word);
   if (!at || !VG_(am_is_valid_for_client)(at, bytes, VKI_PROT_READ))
      return False;
   *seconds = wide ? ((Long *)at)[0] : ((Word *)at)[0];
   *parts = wide ? ((Long *)at)[1] : ((Word *)at)[1];
   return True;
}

/* A span or moment; False: there is none, or the kernel refuses it. */
static Bool read_ns(UWord arg, enum layout layout, ULong *ns)
{
   if (layout == MILLISECONDS) {
      *ns = (ULong)(UInt)arg * 1000000;
      return (Int)arg >= 0;
   }
   Long seconds, parts, per_s = layout == TIMEVAL ? 1000000 : (Long)NS_PER_S;
   if (!read_words(arg, layout == TIMESPEC_64, &seconds, &parts) || seconds < 0 || parts < 0 ||
       parts >= per_s)
      return False;
   ULong of_seconds;
   if (__builtin_mul_overflow((ULong)seconds, NS_PER_S, &of_seconds) ||
       __builtin_add_overflow(of_seconds, (ULong)parts * (NS_PER_S / (ULong)per_s), ns))
      *ns = UINT64_MAX;
   return True;
}

static void write_ns(Addr at, enum layout layout, ULong ns)
{
   ULong seconds = ns / NS_PER_S, parts = ns % NS_PER_S;
   if (layout == TIMEVAL)
      parts /= 1000;
   if (layout == TIMESPEC_64) {
      ((ULong *)at)[0] = seconds;
      ((ULong *)at)[1] = parts;
   } else {
      ((UWord *)at)[0] = (UWord)seconds;
      ((UWord *)at)[1] = (UWord)parts;
   }
}

/* --- readings ------------------------------------------------------------------------- */

/* Clocks of other processes, and devices, are negative: those of processor use are taken
   for the process's own. */
static enum pm_clock_kind kind_of(Int clock)
{
   switch (clock) {
   case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM:
      return PM_CLOCK_REALTIME;
   case CLOCK_TAI:
      return PM_CLOCK_TAI;
   case CLOCK_PROCESS:
      return PM_CLOCK_PROCESS;
   case CLOCK_THREAD:
      return PM_CLOCK_THREAD;
   default:
      return clock < 0 ? PM_CLOCK_PROCESS : PM_CLOCK_MONOTONIC;
   }
}

static ULong now(enum pm_clock_kind kind)
{
   struct pm_clock_work done = work();
   return pm_clock_now(&the_clock, kind, &done);
}

static void set_result(ThreadId tid, UWord value)
{
   VG_(set_shadow_regs_area)(tid, 0, pmh_platform.syscall_result, sizeof value,
                             (const UChar *)&value);
}

static void after_clock_gettime(ThreadId tid, UWord *args, UWord result)
{
   if (args[1])
      write_ns(args[1], TIMESPEC, now(kind_of((Int)args[0])));
}

static void after_gettimeofday(ThreadId tid, UWord *args, UWord result)
{
   if (args[0])
      write_ns(args[0], TIMEVAL, now(PM_CLOCK_REALTIME));
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
   write_ns(args[1], TIMEVAL, used);
   write_ns(args[1] + 2 * sizeof(UWord), TIMEVAL, 0);
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
   write_ns(args[1], TIMESPEC_64, now(kind_of((Int)args[0])));
}
#endif

/* --- timers that are read ---------------------------------------------------------------- */

/* Of a struct itimerspec: what stands behind its interval. */
static Addr value_of(Addr itimerspec, enum layout layout)
{
   return itimerspec + 2 * (layout == TIMESPEC_64 ? sizeof(Long) : sizeof(Word));
}

static void timer_set(ThreadId tid, UWord *args, enum layout layout)
{
   const struct pmh_wait *wait = &pmh_thread_now()->wait;
   struct pm_clock_work done = work();
   Addr setting = wait->exchanged ? wait->original : args[2];
   ULong value = 0, interval = 0;
   read_ns(setting, layout, &interval);
   read_ns(value_of(setting, layout), layout, &value);
   if (value > 0 && wait->exchanged) {
      ULong shown = pm_clock_now(&the_clock, wait->kind, &done);
      value = wait->deadline_ns > shown ? wait->deadline_ns - shown : 1;
   }
   pm_clock_timer_set(&the_clock, (Int)args[0], value, interval, &done);
}

static void after_timerfd_settime(ThreadId tid, UWord *args, UWord result)
{
   timer_set(tid, args, TIMESPEC);
}

#if defined(__NR_timerfd_settime64)
static void after_timerfd_settime64(ThreadId tid, UWord *args, UWord result)
{
   timer_set(tid, args, TIMESPEC_64);
}
#endif

static void after_read(ThreadId tid, UWord *args, UWord result)
{
   struct pm_clock_work done = work();
   if (result == sizeof(ULong))
      pm_clock_timer_expired(&the_clock, (Int)args[0], *(ULong *)args[1], &done);
}

static void after_close(ThreadId tid, UWord *args, UWord result)
{
   pm_clock_timer_gone(&the_clock, (Int)args[0]);
}

static const struct {
   UInt number;
   void (*succeeded)(ThreadId tid, UWord *args, UWord result);
} rewritten[] = {
   {__NR_clock_gettime, after_clock_gettime},
   {__NR_gettimeofday, after_gettimeofday},
   {__NR_times, after_times},
   {__NR_getrusage, after_getrusage},
#if defined(__NR_time)
   {__NR_time, after_time},
#endif
#if defined(__NR_clock_gettime64)
   {__NR_clock_gettime64, after_clock_gettime64},
#endif
   {__NR_timerfd_settime, after_timerfd_settime},
#if defined(__NR_timerfd_settime64)
   {__NR_timerfd_settime64, after_timerfd_settime64},
#endif
   {__NR_read, after_read},
   {__NR_close, after_close},
};

/* --- calls that wait for a while ------------------------------------------------------------ */

/* How a call tells that all of the while has passed. */
enum waited { RETURNS_0, FAILS_WITH_EAGAIN, FAILS_WITH_ETIMEDOUT, DOES_NOT_WAIT,
              SETS_THE_CLOCK };

static Bool is_relative_sleep(const UWord *args)
{
   return !(args[1] & TIMER_ABSTIME) && kind_of((Int)args[0]) != PM_CLOCK_PROCESS &&
          kind_of((Int)args[0]) != PM_CLOCK_THREAD;
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
   enum layout layout;
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

/* --- calls that set a deadline, or the clock ---------------------------------------------------------------- */

static Bool futex_deadline(const UWord *args, enum pm_clock_kind *kind)
{
   UWord command = args[1] & FUTEX_COMMAND;
   Bool realtime = command == FUTEX_LOCK_PI || (args[1] & FUTEX_CLOCK_REALTIME);
   *kind = realtime ? PM_CLOCK_REALTIME : PM_CLOCK_MONOTONIC;
   return command == FUTEX_LOCK_PI || command == FUTEX_WAIT_BITSET ||
          command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_LOCK_PI2;
}

static Bool sleep_deadline(const UWord *args, enum pm_clock_kind *kind)
{
   *kind = kind_of((Int)args[0]);
   return (args[1] & TIMER_ABSTIME) && *kind != PM_CLOCK_PROCESS && *kind != PM_CLOCK_THREAD;
}

static Bool realtime_deadline(const UWord *args, enum pm_clock_kind *kind)
{
   *kind = PM_CLOCK_REALTIME;
   return True;
}

static Bool clock_is_set(const UWord *args, enum pm_clock_kind *kind)
{
   *kind = kind_of((Int)args[0]);
   return *kind == PM_CLOCK_REALTIME;
}

/* Which clock a timer goes by is said when it is created. */
enum { TIMER_CLOCKS = 256 };
static UChar clock_of_timerfd[TIMER_CLOCKS], clock_of_timer[TIMER_CLOCKS];

static Bool timer_deadline(const UChar *clocks, const UWord *args, enum pm_clock_kind *kind)
{
   *kind = args[0] < TIMER_CLOCKS ? clocks[args[0]] : PM_CLOCK_MONOTONIC;
   return (args[1] & TIMER_ABSTIME) && *kind != PM_CLOCK_PROCESS && *kind != PM_CLOCK_THREAD;
}

static Bool timerfd_deadline(const UWord *args, enum pm_clock_kind *kind)
{
   return timer_deadline(clock_of_timerfd, args, kind);
}

static Bool posix_timer_deadline(const UWord *args, enum pm_clock_kind *kind)
{
   return timer_deadline(clock_of_timer, args, kind);
}

static void remember_clock(UChar *clocks, ULong timer, Int clock)
{
   if (timer < TIMER_CLOCKS)
      clocks[timer] = (UChar)kind_of(clock);
}

#if defined(__NR_futex_waitv)
static Bool futex_waitv_deadline(const UWord *args, enum pm_clock_kind *kind)
{
   *kind = (Int)args[4] == CLOCK_REALTIME ? PM_CLOCK_REALTIME : PM_CLOCK_MONOTONIC;
   return True;
}
#endif

static const struct deadline {
   UInt number;
   Int arg;               /* the pointer to it */
   enum layout layout;
   Bool in_itimerspec;    /* behind an interval */
   enum waited waited;    /* how it tells that the moment has come */
   Bool (*applies)(const UWord *args, enum pm_clock_kind *kind);
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

static UWord guest_word(ThreadId tid, Int offset)
{
   UWord word = 0;
   VG_(get_shadow_regs_area)(tid, (UChar *)&word, 0, offset, sizeof word);
   return word;
}

static void set_guest_word(ThreadId tid, Int offset, UWord word)
{
   VG_(set_shadow_regs_area)(tid, 0, offset, sizeof word, (const UChar *)&word);
}

/* The kernel's present. */
static ULong kernel_now(enum pm_clock_kind kind)
{
   static const Int clocks[PM_CLOCK_KINDS] = {[PM_CLOCK_REALTIME] = CLOCK_REALTIME,
                                              [PM_CLOCK_MONOTONIC] = CLOCK_MONOTONIC,
                                              [PM_CLOCK_TAI] = CLOCK_TAI};
   struct vki_timespec shown;
   VG_(clock_gettime)(&shown, clocks[kind]);
   return (ULong)shown.tv_sec * NS_PER_S + (ULong)shown.tv_nsec;
}

static void exchange(ThreadId tid, const struct deadline *row, const UWord *args,
                     struct pmh_wait *wait)
{
   enum pm_clock_kind kind;
   Addr at = row->in_itimerspec ? value_of(args[row->arg], row->layout) : args[row->arg];
   if (!args[row->arg] || !row->applies(args, &kind) ||
       !read_ns(at, row->layout, &wait->deadline_ns))
      return;
   if (row->in_itimerspec && wait->deadline_ns == 0)
      return; /* the timer is stopped */
   ULong shown = row->waited == SETS_THE_CLOCK ? wait->deadline_ns : now(kind);
   ULong rest = wait->deadline_ns > shown ? wait->deadline_ns - shown : 0;
   ULong kernel = kernel_now(kind);
   Addr copy = (Addr)&wait->translated, value = copy;
   if (row->in_itimerspec) {
      VG_(memcpy)((void *)copy, (void *)args[row->arg], at - args[row->arg]);
      value = value_of(copy, row->layout);
   }
   write_ns(value, row->layout, kernel + rest < kernel ? UINT64_MAX / 2 : kernel + rest);
   wait->kind = kind;
   wait->row = (UInt)(row - deadlines);
   wait->original = args[row->arg];
   wait->register_offset = pmh_platform.syscall_args[row->arg];
   wait->exchanged = True;
   set_guest_word(tid, wait->register_offset, copy);
}

/* At the instruction of a system call; called from translated code. */
static void on_syscall(void)
{
   ThreadId tid = VG_(get_running_tid)();
   struct pmh_wait *wait = &pmh_thread_now()->wait;
   /* A call that a signal has interrupted is made again, with what it had. */
   if (wait->exchanged && guest_word(tid, wait->register_offset) == (Addr)&wait->translated)
      set_guest_word(tid, wait->register_offset, wait->original);
   wait->exchanged = False;
   UWord number = guest_word(tid, pmh_platform.syscall_number);
   for (Int d = 0; d < DEADLINES; d++) {
      if (deadlines[d].number != number)
         continue;
      UWord args[PMH_SYSCALL_ARGS];
      for (Int a = 0; a < PMH_SYSCALL_ARGS; a++)
         args[a] = guest_word(tid, pmh_platform.syscall_args[a]);
      exchange(tid, &deadlines[d], args, wait);
      return;
   }
}

/* A deadline is the third, fourth or fifth argument, what the clock is set to the first or
   second. */
IRDirty *pmh_clock_at_syscall(void)
{
   if (!fixed)
      return NULL;
   IRDirty *dirty = unsafeIRDirty_0_N(0, "on_syscall", VG_(fnptr_to_fnentry)(on_syscall),
                                      mkIRExprVec_0());
   VG_(memset)(dirty->fxState, 0, sizeof dirty->fxState);
   dirty->nFxState = 6;
   for (Int i = 0; i < 6; i++) {
      Int reg = i == 0 ? pmh_platform.syscall_number : pmh_platform.syscall_args[i - 1];
      dirty->fxState[i].fx = i == 0 ? Ifx_Read : Ifx_Modify;
      dirty->fxState[i].offset = (UShort)reg;
      dirty->fxState[i].size = (UShort)sizeof(UWord);
   }
   return dirty;
}

/* --- every call --------------------------------------------------------------------------------- */

void pmh_clock_before(ThreadId tid, UInt number, UWord *args)
{
   struct pmh_wait *wait = &pmh_thread_now()->wait;
   wait->asked_ns = 0;
   for (Int w = 0; w < WAITS; w++)
      if (waits[w].number == number && (!waits[w].applies || waits[w].applies(args)) &&
          !read_ns(args[waits[w].arg], waits[w].layout, &wait->asked_ns))
         wait->asked_ns = 0;
}

static void end_of_deadline(ThreadId tid, struct pmh_wait *wait, SysRes result)
{
   struct pm_clock_work done = work();
   set_guest_word(tid, wait->register_offset, wait->original);
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
   for (UInt r = 0; r < sizeof rewritten / sizeof *rewritten && !sr_isError(result); r++)
      if (rewritten[r].number == number)
         rewritten[r].succeeded(tid, args, sr_Res(result));
   if (number == __NR_timerfd_create && !sr_isError(result))
      remember_clock(clock_of_timerfd, sr_Res(result), (Int)args[0]);
   if (number == __NR_timer_create && !sr_isError(result))
      remember_clock(clock_of_timer, *(UInt *)args[2], (Int)args[0]);
   for (Int w = 0; w < WAITS && wait->asked_ns > 0; w++)
      if (waits[w].number == number && has_waited(waits[w].waited, result))
         pm_clock_slept(&the_clock, wait->asked_ns);
   wait->asked_ns = 0;
   if (wait->exchanged)
      end_of_deadline(tid, wait, result);
}
