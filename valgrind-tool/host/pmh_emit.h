/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_emit.h: statements that count, for translated code.
 *
 * Translated code has the address of *pmh_counters in a shadow register of the guest
 * (struct pmh_registers), and reads it from there in one instruction, once for a block; as a
 * constant an address would take ten bytes for each counter.
 */
#ifndef PMH_EMIT_H
#define PMH_EMIT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* The place of struct pmh_registers in a guest state; 0 before the first block. */
extern Int pmh_registers_at;

/* Before the statements of a block. */
void pmh_emit_begin(const VexGuestLayout *layout);

/* A new temporary with that value. */
IRExpr *pmh_assign(IRSB *out, IRType type, IRExpr *value);

/* Constants: a 64-bit number, an address of the guest's width. */
IRExpr *pmh_u64(ULong value);
IRExpr *pmh_guest_address(Addr value);

/* The address of *pmh_counters, until a helper runs that pmh_changes_counters(). */
IRExpr *pmh_counters_base(IRSB *out);

/* The address of the counter at an offset in it, for one use: as an operand of a load or a
   store it costs nothing, where one that is used twice would be an addition of its own. */
IRExpr *pmh_counter_at(IRSB *out, IRExpr *base, SizeT offset);

/* The helper has that effect on the guest state. */
void pmh_emit_effect(IRDirty *dirty, IREffect effect, Int offset, SizeT bytes);

/* The helper may put other counters in their place. */
void pmh_changes_counters(IRDirty *dirty);

/* Add to the instructions executed. */
void pmh_emit_instrs(IRSB *out, IRExpr *amount);

/* Add to that counter. */
void pmh_emit_add(IRSB *out, IRExpr *base, SizeT offset, IRExpr *amount);

/* executed[id] += amount. The id is set later by pmh_set_executed(). */
void pmh_emit_executed(IRSB *out, IRExpr *base, IRExpr *amount, IRConst **filled_in);
void pmh_set_executed(IRConst *filled_in, UInt id);

#endif
