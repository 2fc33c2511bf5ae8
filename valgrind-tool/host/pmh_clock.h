/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_clock.h: --fixed-clock: the program's clock is the core's (pm_clock.h).
 *
 * Calls that read a clock get their result rewritten after they have succeeded. Calls
 * that wait for a while do wait; when they have waited in vain, the clock shows at least
 * what it showed and that while: threads that wait at the same time move it once. Calls
 * that hand the kernel a deadline, a reading of the clock to come, get another one for the
 * length of the call: as far from the kernel's present as the program's deadline is from
 * the program's. Their pointer is exchanged in the guest's
 * register just before the call, by a helper at the system call's instruction, so that
 * the program's memory, which other threads may read, is left alone.
 *
 * A program that sets the clock sets this one: the kernel is handed its own present, and
 * says whether the program may.
 *
 * File times stay real, and so do the limits of resources, what is left of a timer or of
 * a sleep that was cut short, and what only shows up in files of /proc. What an end of
 * patience of a socket (SO_RCVTIMEO) took does not move the clock.
 */
#ifndef PMH_CLOCK_H
#define PMH_CLOCK_H

#include "pub_tool_basics.h"
#include "libvex_ir.h"
#include "pub_tool_vki.h"

/* What a thread waits for. */
struct pmh_wait {
   ULong until_ns;      /* of the call at hand: when its while is over, a reading of the
                           program's CLOCK_MONOTONIC; 0: there is no end */
   Bool exchanged;      /* the pointer to its deadline */
   Int register_offset; /* of that pointer in the guest state */
   Addr original;       /* what the program had there */
   ULong deadline_ns;   /* as the program says it */
   UInt kind;           /* enum pm_clock_kind */
   UInt row;            /* of the table of deadlines */
   struct vki_itimerspec translated; /* or its it_value alone: what the kernel reads */
};

void pmh_clock_begin(void);

/* Before and after every system call, after also when it has failed. */
void pmh_clock_before(ThreadId tid, UInt number, UWord *args);
void pmh_clock_after(ThreadId tid, UInt number, UWord *args, SysRes result);

/* Before a handler of the program runs. */
void pmh_clock_before_handler(ThreadId tid, Int signal);

void pmh_clock_after_fork(void);

/* The helper to be called before a system call is made; NULL: the clock is not fixed. */
IRDirty *pmh_clock_at_syscall(void);

/* Nanoseconds since the epoch: what the processor's own clock shows, and what the image that
   an exec starts goes on from. */
ULong pmh_clock_passed(void);

#endif
