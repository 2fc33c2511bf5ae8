/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_counters.h: the words that translated code reads and writes.
 *
 * Every stretch (pm_stretches.h) does, before its first instruction:
 *
 *    stretch = its id                 so that a fault can take back the rest
 *    instrs += its instructions       the clock: stamps are values of it
 *    executed[its id] += 1            the profile; left out where there is none
 *
 * One struct at a time is in use: without a profile the only one, with a profile that of
 * the phases that are open, whose executions are told apart (pm_profile.h). All of it is
 * found from one address, which translated code has in a register, and when another one
 * comes into use it takes over what stands before its executions. The host may have
 * translated code keep instrs elsewhere while it runs; here it is as of the last event.
 *
 * Cost: eight host instructions per stretch.
 */
#ifndef PM_COUNTERS_H
#define PM_COUNTERS_H

#include "pm_host.h"

struct pm_counters {
   uint64_t instrs;                 /* user-mode instructions retired so far */
   uint64_t rep_iterations;         /* executions of the body of a rep instruction */
   uint64_t rep_ended_by_condition; /* repe/repne executions their condition ended */
   uint64_t client_requests;        /* client requests made */
   uint64_t stretch;                /* id of the stretch that runs or ran last, 0 none */
   uint64_t watch;                  /* a return that leaves the stack pointer here or
                                       above is reported, and where functions are
                                       phases a jump; UINT64_MAX: none is */
   uint64_t arrived;                /* kept only where functions are phases: the return
                                       address that the last call left, or the target of
                                       a later return; 0: seen by pmh_on_entry */
   uint64_t executed[];             /* executions by stretch id */
};

#endif
