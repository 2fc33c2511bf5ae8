/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_translate.h: what is added to translated code, and what it calls.
 *
 * Added to every block: a count at the start of each stretch; at the entry of
 * each observed function a call of pmh_on_entry; at each return a call of
 * pmh_on_return, guarded by one comparison of the stack pointer with
 * pmh_counters->watch. Where functions are phases, also: at each jump to a computed
 * address a call of pmh_on_jump, guarded alike; at each call and return a note of how
 * control arrives, which tells calls from tail calls.
 */
#ifndef PMH_TRANSLATE_H
#define PMH_TRANSLATE_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Before the options are read: nothing. After: what the translator must do
   whatever the user asked for. function_phases: some functions are phases. */
void pmh_translate_begin(Bool profile, Bool function_phases);

IRSB *pmh_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                     const VexGuestExtents *extents, const VexArchInfo *host_arch,
                     IRType guest_word, IRType host_word);

/* The running stretch was left at guest address ip before the instruction there
   had retired: take back what was counted for it and the rest. */
void pmh_take_back(Addr ip);

/* The same for a stretch that ended in an exit to raise a fault, if that is how
   it ended. */
void pmh_take_back_exit(Addr ip);

#endif
