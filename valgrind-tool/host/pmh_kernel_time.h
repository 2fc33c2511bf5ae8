/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_kernel_time.h: how the kernel and the program write clocks, spans and moments. */
#ifndef PMH_KERNEL_TIME_H
#define PMH_KERNEL_TIME_H

#include "pub_tool_basics.h"
#include "pm_clock.h"

#define NS_PER_S UINT64_C(1000000000)

enum {
   CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1, CLOCK_PROCESS = 2, CLOCK_THREAD = 3,
   CLOCK_REALTIME_COARSE = 5, CLOCK_BOOTTIME = 7, CLOCK_REALTIME_ALARM = 8,
   CLOCK_BOOTTIME_ALARM = 9, CLOCK_TAI = 11,
};
enum { TIMER_ABSTIME = 1 };

/* The view of the fixed clock that one of the kernel's clocks is. Clocks of other processes,
   and devices, are negative: those of processor use are taken for the process's own. */
enum pm_clock_kind pmh_clock_kind(Int clock);

/* Of a process or thread: it stands still while that sleeps. */
Bool pmh_is_processor_use(enum pm_clock_kind kind);

/* How a span or moment is written: two words, of seconds and of parts of one; or as a
   number in the register. */
enum pmh_layout { TIMESPEC, TIMEVAL, TIMESPEC_64, MILLISECONDS };

/* A span or moment; False: there is none, or the kernel refuses it. */
Bool pmh_read_ns(UWord arg, enum pmh_layout layout, ULong *ns);

void pmh_write_ns(Addr at, enum pmh_layout layout, ULong ns);

/* Of a struct itimerspec or itimerval: what stands behind its interval. */
Addr pmh_value_of(Addr setting, enum pmh_layout layout);

#endif
