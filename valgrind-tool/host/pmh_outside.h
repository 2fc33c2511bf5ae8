/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_outside.h: what the program takes in from outside: clocks, random numbers, numbers
 * of processes, files, the network, other processes.
 *
 * It is what makes numbers differ from run to run, and is counted per phase, so that a
 * report says which of it there was. With --fixed-random the random numbers are those
 * of the core's generator (pm_random.h), however they were asked for: sizes, errors and
 * partial reads stay as the kernel gave them.
 */
#ifndef PMH_OUTSIDE_H
#define PMH_OUTSIDE_H

#include "pub_tool_basics.h"

void pmh_outside_begin(void);

/* After every system call that has succeeded. */
void pmh_outside_after(ThreadId tid, UInt number, UWord *args, UWord result);

/* An instruction has read the clock, or random numbers. */
void pmh_outside_clock_read(void);
void pmh_outside_random_read(void);

/* With --fixed-random: fill memory with the next random bytes. */
void pmh_random_take(void *to, SizeT bytes);

/* In a forked child, the number-th of its parent. */
void pmh_outside_after_fork(UInt number);

#endif
