/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_emit.c: statements that count; pmh_emit.h has the terms. */
#include "pmh_emit.h"
#include "pmh_measure.h"
#include "pmh_platform.h"

IRExpr *pmh_assign(IRSB *out, IRType type, IRExpr *value)
{
   IRTemp temp = newIRTemp(out->tyenv, type);
   addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
   return IRExpr_RdTmp(temp);
}

IRExpr *pmh_u64(ULong value)
{
   return IRExpr_Const(IRConst_U64(value));
}

IRExpr *pmh_guest_address(Addr value)
{
   return pmh_platform.word == Ity_I64 ? pmh_u64(value) : IRExpr_Const(IRConst_U32((UInt)value));
}

/* Of the first of the shadow registers: struct pmh_shown is there. */
static Int shown_register;

void pmh_emit_begin(const VexGuestLayout *layout)
{
   shown_register = layout->total_sizeB;
}

/* The type of a host address. */
static IRType host_word(void)
{
   return sizeof(HWord) == sizeof(ULong) ? Ity_I64 : Ity_I32;
}

static IRExpr *shown(IRSB *out, SizeT member)
{
   return pmh_assign(out, host_word(), IRExpr_Get(shown_register + (Int)member, host_word()));
}

IRExpr *pmh_counters_base(IRSB *out)
{
   return shown(out, offsetof(struct pmh_shown, counters));
}

static IRExpr *host_sum(IRSB *out, IRExpr *base, IRExpr *offset)
{
   IROp add = host_word() == Ity_I64 ? Iop_Add64 : Iop_Add32;
   return pmh_assign(out, host_word(), IRExpr_Binop(add, base, offset));
}

IRExpr *pmh_counter_at(IRSB *out, IRExpr *base, const void *counter)
{
   HWord offset = (HWord)counter - (HWord)&pmh_counters;
   return offset ? host_sum(out, base, mkIRExpr_HWord(offset)) : base;
}

void pmh_emit_add_at(IRSB *out, IRExpr *address, IRExpr *amount)
{
   IRExpr *old = pmh_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
   IRExpr *new = pmh_assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
   addStmtToIRSB(out, IRStmt_Store(Iend_LE, address, new));
}

void pmh_emit_add(IRSB *out, const void *counter, IRExpr *amount)
{
   pmh_emit_add_at(out, pmh_counter_at(out, pmh_counters_base(out), counter), amount);
}

void pmh_emit_executed(IRSB *out, IRExpr *amount, IRConst **filled_in)
{
   IRExpr *executed = shown(out, offsetof(struct pmh_shown, executed));
   IRExpr *offset = mkIRExpr_HWord(0);
   *filled_in = offset->Iex.Const.con;
   /* One address for each use: they become operands of the load and the store, where one
      that is used twice would be an addition of its own. */
   IRExpr *old = pmh_assign(out, Ity_I64,
                            IRExpr_Load(Iend_LE, Ity_I64, host_sum(out, executed, offset)));
   IRExpr *new = pmh_assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
   addStmtToIRSB(out, IRStmt_Store(Iend_LE, host_sum(out, executed, offset), new));
}

void pmh_set_executed(IRConst *filled_in, UInt id)
{
   HWord offset = id * sizeof *pmh_counters.executed;
   if (filled_in->tag == Ico_U64)
      filled_in->Ico.U64 = offset;
   else
      filled_in->Ico.U32 = (UInt)offset;
}
