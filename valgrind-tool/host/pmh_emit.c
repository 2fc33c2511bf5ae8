/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_emit.c: statements that count; pmh_emit.h has the terms. */
#include "pmh_emit.h"
#include "pmh_measure.h"
#include "pmh_platform.h"
#include "pub_tool_libcbase.h"

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

Int pmh_registers_at;

void pmh_emit_begin(const VexGuestLayout *layout)
{
   pmh_registers_at = layout->total_sizeB;
}

/* The type of a host address. */
static IRType host_word(void)
{
   return sizeof(HWord) == sizeof(ULong) ? Ity_I64 : Ity_I32;
}

IRExpr *pmh_counters_base(IRSB *out)
{
   Int at = pmh_registers_at + (Int)offsetof(struct pmh_registers, counters);
   return pmh_assign(out, host_word(), IRExpr_Get(at, host_word()));
}

void pmh_emit_effect(IRDirty *dirty, IREffect effect, Int offset, SizeT bytes)
{
   Int i = dirty->nFxState++;
   VG_(memset)(&dirty->fxState[i], 0, sizeof dirty->fxState[i]);
   dirty->fxState[i].fx = effect;
   dirty->fxState[i].offset = (UShort)offset;
   dirty->fxState[i].size = (UShort)bytes;
}

void pmh_changes_counters(IRDirty *dirty)
{
   pmh_emit_effect(dirty, Ifx_Modify, pmh_registers_at, sizeof(struct pmh_registers));
}

void pmh_emit_instrs(IRSB *out, IRExpr *amount)
{
   Int at = pmh_registers_at + (Int)offsetof(struct pmh_registers, instrs);
   IRExpr *old = pmh_assign(out, Ity_I64, IRExpr_Get(at, Ity_I64));
   IRExpr *new = pmh_assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
   addStmtToIRSB(out, IRStmt_Put(at, new));
}

static IRExpr *host_sum(IRSB *out, IRExpr *base, IRExpr *offset)
{
   IROp add = host_word() == Ity_I64 ? Iop_Add64 : Iop_Add32;
   return pmh_assign(out, host_word(), IRExpr_Binop(add, base, offset));
}

IRExpr *pmh_counter_at(IRSB *out, IRExpr *base, SizeT offset)
{
   return offset ? host_sum(out, base, mkIRExpr_HWord(offset)) : base;
}

/* The addresses are the same, and one for each use. */
static void add_at(IRSB *out, IRExpr *load_from, IRExpr *store_to, IRExpr *amount)
{
   IRExpr *old = pmh_assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, load_from));
   IRExpr *new = pmh_assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
   addStmtToIRSB(out, IRStmt_Store(Iend_LE, store_to, new));
}

void pmh_emit_add(IRSB *out, IRExpr *base, SizeT offset, IRExpr *amount)
{
   add_at(out, pmh_counter_at(out, base, offset), pmh_counter_at(out, base, offset), amount);
}

void pmh_emit_executed(IRSB *out, IRExpr *base, IRExpr *amount, IRConst **filled_in)
{
   IRExpr *offset = mkIRExpr_HWord(0);
   *filled_in = offset->Iex.Const.con;
   add_at(out, host_sum(out, base, offset), host_sum(out, base, offset), amount);
}

void pmh_set_executed(IRConst *filled_in, UInt id)
{
   HWord offset = offsetof(struct pm_counters, executed) + id * sizeof(uint64_t);
   if (filled_in->tag == Ico_U64)
      filled_in->Ico.U64 = offset;
   else
      filled_in->Ico.U32 = (UInt)offset;
}
