/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_emit.h: statements that count, for translated code.
 *
 * Translated code has two addresses in shadow registers of the guest, struct pmh_shown of
 * pmh_measure.h, and reads them from there in one instruction each; as a constant an address
 * would take ten bytes for each counter.
 */
#ifndef PMH_EMIT_H
#define PMH_EMIT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Before the statements of a block. */
void pmh_emit_begin(const VexGuestLayout *layout);

/* A new temporary with that value. */
IRExpr *pmh_assign(IRSB *out, IRType type, IRExpr *value);

/* Constants: a 64-bit number, an address of the guest's width. */
IRExpr *pmh_u64(ULong value);
IRExpr *pmh_guest_address(Addr value);

/* The address of pmh_counters, and that of one of them. */
IRExpr *pmh_counters_base(IRSB *out);
IRExpr *pmh_counter_at(IRSB *out, IRExpr *base, const void *counter);

/* Add to the 64-bit number at a host address; to one of pmh_counters. */
void pmh_emit_add_at(IRSB *out, IRExpr *address, IRExpr *amount);
void pmh_emit_add(IRSB *out, const void *counter, IRExpr *amount);

/* pmh_counters.executed[id] += amount. The id is set later by pmh_set_executed(). What
   changes which array that is, runs before the first or after the last such statement of a
   block: a block reads the register once. */
void pmh_emit_executed(IRSB *out, IRExpr *amount, IRConst **filled_in);
void pmh_set_executed(IRConst *filled_in, UInt id);

#endif
