/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_monitor.h: commands from gdb or vgdb to a running program:
 *
 *    phase begin NAME    phase end NAME    phases    snapshot FILE
 *
 * They act as a thread of their own, which has no instructions.
 */
#ifndef PMH_MONITOR_H
#define PMH_MONITOR_H

#include "pub_tool_basics.h"

/* Carry out a command; False when it is not one of ours. */
Bool pmh_monitor(const HChar *command);

#endif
