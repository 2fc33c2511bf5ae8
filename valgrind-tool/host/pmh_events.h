/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_events.h: what translated code calls: entries of observed functions, and returns and
 * jumps that leave the stack pointer where pmh_counters->watch says or above.
 *
 * Each finds the running thread where the last switch has left it. The registers that stacks
 * are unwound with are up to date. Only the entry is told where the guest state is, if anybody
 * is, which is the thread's for good: what returns do not hand over is less to execute for
 * those that are not reported.
 */
#ifndef PMH_EVENTS_H
#define PMH_EVENTS_H

#include "pm_calls.h"
#include "pmh_symbols.h"
#include "pub_tool_basics.h"

/* Translated code stores the arguments that matter before it calls pmh_on_entry(), which
   fills in the rest. */
extern struct pm_entry pmh_entry;

/* The first instruction of an observed function is next. stack_pointer: before it. guest: the
   guest state; NULL: not known. */
void pmh_on_entry(UChar *guest, const struct pmh_entry_point *point, Addr stack_pointer,
                  Addr return_address);

/* A return to target, behind it. */
void pmh_on_return(Addr target);

/* A jump to a computed address: longjmp, for one, leaves functions by it. */
void pmh_on_jump(Addr target);

#endif
