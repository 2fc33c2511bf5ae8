/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_translate.c: instrumentation of one block.
 *
 * A block is copied statement by statement. A stretch opens at the first
 * instruction after its predecessor closed, and closes at the next exit or at
 * the end; its count is emitted when it opens, with constants that are filled
 * in when it closes and its length is known.
 *
 * Not all exits are ways out of a complete instruction:
 *   - A repeated string instruction is a loop through itself. It is no part of
 *     a stretch; it counts once, on the edges that leave it, and its iterations
 *     are counted apart. Constant folding can remove either of its exits, so
 *     its shape is read from what is left.
 *   - A locked instruction may exit to itself to try again: that try is counted
 *     by -1.
 *   - An exit that raises a fault leaves before the instruction has retired.
 *     The stretch ends there, and the signal that follows takes it back.
 *   - A block that ends by raising a fault ends before its last instruction.
 *
 * An entry that control falls into in the middle of a block cannot be helped
 * there: register writes before it may have been optimised away already. Such a
 * block is replaced by one that has itself translated again, shorter.
 */
#include "pmh_translate.h"
#include "pmh_core.h"
#include "pmh_measure.h"
#include "pmh_platform.h"
#include "pmh_symbols.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"

static Bool with_profile;

void pmh_translate_begin(Bool profile)
{
   with_profile = profile;
   /* Chasing executes instructions of branches not taken; unrolling hides the
      edges of rep instructions. */
   VG_(clo_vex_control).guest_chase = False;
   VG_(clo_vex_control).iropt_unroll_thresh = 0;
}

/* --- called from translated code --------------------------------------------- */

static void on_entry(UChar *guest_state, struct pm_function *function, Addr return_address)
{
   struct pm_entry entry = {
      .function = function,
      .stack_pointer = *(Addr *)(guest_state + pmh_platform.sp),
      .return_address = return_address,
      .came_from = pmh_stretches.table[pmh_counters.stretch].address,
   };
   for (Int a = 0; a < PM_ARGS; a++)
      entry.args[a] = pmh_platform.args[a] == PMH_ON_STACK
                         ? *((Addr *)(Addr)entry.stack_pointer + 1 + a)
                         : *(Addr *)(guest_state + pmh_platform.args[a]);
   pm_calls_enter(&pmh_calls, &pmh_thread_now()->calls, &entry);
   pmh_watch_returns();
}

static void on_return(UChar *guest_state, Addr target)
{
   pm_calls_return(&pmh_calls, &pmh_thread_now()->calls,
                   *(Addr *)(guest_state + pmh_platform.sp), target,
                   *(Addr *)(guest_state + pmh_platform.result));
   pmh_watch_returns();
}

/* The block that is to be translated again with fewer instructions. */
static struct {
   Addr block;
   Int saved_max_insns;
   Bool pending;
} split;

static void on_split(Addr block, UWord insns)
{
   if (!split.pending)
      split.saved_max_insns = vex_control.guest_max_insns;
   split.block = block;
   split.pending = True;
   vex_control.guest_max_insns = (Int)insns;
}

static void take_back(UInt instrs)
{
   pmh_counters.instrs -= instrs;
   pmh_stretches.table[pmh_counters.stretch].taken_back += instrs;
   pmh_counters.stretch = 0;
}

void pmh_take_back(Addr ip)
{
   take_back(pm_stretches_left(&pmh_stretches, (UInt)pmh_counters.stretch, ip));
}

void pmh_take_back_exit(Addr ip)
{
   UInt id = (UInt)pmh_counters.stretch;
   if (pmh_stretches.table[id].ends_in_fault_exit &&
       pm_stretches_last(&pmh_stretches, id) == ip)
      take_back(1);
}

/* --- building blocks ----------------------------------------------------------- */

static IRExpr *assign(IRSB *out, IRType type, IRExpr *value)
{
   IRTemp temp = newIRTemp(out->tyenv, type);
   addStmtToIRSB(out, IRStmt_WrTmp(temp, value));
   return IRExpr_RdTmp(temp);
}

static IRExpr *u64(ULong value)
{
   return IRExpr_Const(IRConst_U64(value));
}

static IRExpr *guest_address(Addr value)
{
   return pmh_platform.word == Ity_I64 ? u64(value) : IRExpr_Const(IRConst_U32((UInt)value));
}

/* host address holds a 64-bit number: add amount to it */
static void emit_add_at(IRSB *out, IRExpr *address, IRExpr *amount)
{
   IRExpr *old = assign(out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
   IRExpr *new = assign(out, Ity_I64, IRExpr_Binop(Iop_Add64, old, amount));
   addStmtToIRSB(out, IRStmt_Store(Iend_LE, address, new));
}

static void emit_add(IRSB *out, uint64_t *counter, IRExpr *amount)
{
   emit_add_at(out, mkIRExpr_HWord((HWord)counter), amount);
}

/* executed[id] += amount; the id's place is filled in later through *place */
static void emit_executed(IRSB *out, IRType host_word, IRExpr *amount, IRConst **place)
{
   IRExpr *base = assign(out, host_word, IRExpr_Load(Iend_LE, host_word,
                                                     mkIRExpr_HWord((HWord)&pmh_counters.executed)));
   IRExpr *offset = mkIRExpr_HWord(0);
   *place = offset->Iex.Const.con;
   IRExpr *address = assign(out, host_word,
                            IRExpr_Binop(host_word == Ity_I64 ? Iop_Add64 : Iop_Add32, base, offset));
   emit_add_at(out, address, amount);
}

static void set_place(IRConst *place, UInt id)
{
   HWord offset = id * sizeof *pmh_counters.executed;
   if (place->tag == Ico_U64)
      place->Ico.U64 = offset;
   else
      place->Ico.U32 = (UInt)offset;
}

static void reads_guest_state(IRDirty *dirty, const Int *offsets, Int count)
{
   dirty->nFxState = 0;
   for (Int i = 0; i < count; i++) {
      if (offsets[i] == PMH_ON_STACK)
         continue;
      tl_assert(dirty->nFxState < VEX_N_FXSTATE);
      Int at = dirty->nFxState++;
      VG_(memset)(&dirty->fxState[at], 0, sizeof dirty->fxState[at]);
      dirty->fxState[at].fx = Ifx_Read;
      dirty->fxState[at].offset = (UShort)offsets[i];
      dirty->fxState[at].size = (UShort)sizeofIRType(pmh_platform.word);
   }
}

/* --- one block ------------------------------------------------------------------ */

struct block {
   IRSB *out;
   IRType host_word;
   Addr ip;                       /* of the instruction at hand */
   UInt ip_length;
   struct pm_insn_traits traits;  /* of it */
   Bool open;                     /* a stretch is */
   Addr address;                  /* of its first instruction */
   UChar lengths[PM_STRETCH_INSTRS_MAX];
   UInt instrs;                   /* so far, bytes in lengths */
   Int weight;                    /* so far, instructions to count */
   IRConst *id, *weight_const, *place; /* to be filled in; place: NULL without profile */
};

static void open_stretch(struct block *b)
{
   IRExpr *id = u64(0), *weight = u64(0);
   b->open = True;
   b->address = b->ip;
   b->instrs = 0;
   b->weight = 0;
   b->id = id->Iex.Const.con;
   b->weight_const = weight->Iex.Const.con;
   addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, mkIRExpr_HWord((HWord)&pmh_counters.stretch), id));
   emit_add(b->out, &pmh_counters.instrs, weight);
   if (with_profile)
      emit_executed(b->out, b->host_word, u64(1), &b->place);
}

static void close_stretch(struct block *b, Bool ends_in_fault_exit)
{
   if (!b->open)
      return;
   b->open = False;
   UInt id = pm_stretches_id(&pmh_stretches, b->address, b->weight, b->lengths, b->instrs,
                             ends_in_fault_exit);
   b->id->Ico.U64 = id;
   b->weight_const->Ico.U64 = (ULong)(Long)b->weight;
   if (with_profile)
      set_place(b->place, id);
}

/* Count weight instructions at the present one, outside stretches, as often as
   guard holds (NULL: always). */
static void count_special(struct block *b, Int weight, IRExpr *guard)
{
   IRExpr *times = guard ? assign(b->out, Ity_I64, IRExpr_Unop(Iop_1Uto64, guard)) : u64(1);
   IRExpr *amount = weight == 1
                       ? times
                       : assign(b->out, Ity_I64, IRExpr_Binop(Iop_Mul64, times, u64((ULong)(Long)weight)));
   emit_add(b->out, &pmh_counters.instrs, amount);
   if (with_profile) {
      IRConst *place;
      emit_executed(b->out, b->host_word, times, &place);
      set_place(place, pm_stretches_id(&pmh_stretches, b->ip, weight, NULL, 0, False));
   }
}

static Bool raises_fault(IRJumpKind kind)
{
   switch (kind) {
   case Ijk_SigILL: case Ijk_SigSEGV: case Ijk_SigBUS:
   case Ijk_SigFPE_IntDiv: case Ijk_SigFPE_IntOvf:
   case Ijk_NoDecode: case Ijk_MapFail: case Ijk_EmFail:
      return True;
   default:
      return False;
   }
}

static Addr constant(const IRConst *con)
{
   return con->tag == Ico_U64 ? (Addr)con->Ico.U64 : (Addr)con->Ico.U32;
}

static Bool ends_at(const IRSB *in, Addr address)
{
   return in->next->tag == Iex_Const && constant(in->next->Iex.Const.con) == address;
}

static void emit_entry(struct block *b, struct pm_function *function)
{
   addStmtToIRSB(b->out, IRStmt_Put(pmh_platform.ip, guest_address(b->ip)));
   IRType word = pmh_platform.word;
   IRExpr *ret;
   if (pmh_platform.return_address == PMH_ON_STACK) {
      IRExpr *sp = assign(b->out, word, IRExpr_Get(pmh_platform.sp, word));
      ret = assign(b->out, word, IRExpr_Load(Iend_LE, word, sp));
   } else {
      ret = assign(b->out, word, IRExpr_Get(pmh_platform.return_address, word));
   }
   IRDirty *dirty = unsafeIRDirty_0_N(
      0, "on_entry", VG_(fnptr_to_fnentry)(on_entry),
      mkIRExprVec_3(IRExpr_GSPTR(), mkIRExpr_HWord((HWord)function), ret));
   Int reads[] = {pmh_platform.sp, pmh_platform.fp, pmh_platform.ip, pmh_platform.args[0],
                  pmh_platform.args[1], pmh_platform.args[2], pmh_platform.args[3]};
   reads_guest_state(dirty, reads, sizeof reads / sizeof *reads);
   addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
}

static void emit_return(struct block *b, IRExpr *target)
{
   IRType word = pmh_platform.word;
   IRExpr *sp = assign(b->out, word, IRExpr_Get(pmh_platform.sp, word));
   IRExpr *wide = word == Ity_I64 ? sp : assign(b->out, Ity_I64, IRExpr_Unop(Iop_32Uto64, sp));
   IRExpr *watch = assign(b->out, Ity_I64,
                          IRExpr_Load(Iend_LE, Ity_I64, mkIRExpr_HWord((HWord)&pmh_counters.watch)));
   IRDirty *dirty = unsafeIRDirty_0_N(0, "on_return", VG_(fnptr_to_fnentry)(on_return),
                                      mkIRExprVec_2(IRExpr_GSPTR(), target));
   dirty->guard = assign(b->out, Ity_I1, IRExpr_Binop(Iop_CmpLE64U, watch, wide));
   Int reads[] = {pmh_platform.sp, pmh_platform.fp, pmh_platform.ip, pmh_platform.result};
   reads_guest_state(dirty, reads, sizeof reads / sizeof *reads);
   addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
}

static void begin_insn(struct block *b, const IRStmt *mark)
{
   b->ip = mark->Ist.IMark.addr;
   b->ip_length = mark->Ist.IMark.len;
   b->traits = pmh_platform.traits((const UChar *)b->ip, b->ip_length);
}

/* The instruction at hand joins the open stretch. */
static void count_insn(struct block *b)
{
   if (!b->open)
      open_stretch(b);
   b->lengths[b->instrs++] = (UChar)b->ip_length;
   b->weight += b->traits.instrs;
   if (b->traits.request)
      emit_add(b->out, &pmh_counters.client_requests, u64(1));
   if (b->traits.may_divide)
      addStmtToIRSB(b->out, IRStmt_Put(pmh_platform.ip, guest_address(b->ip)));
}

/* Copy an exit of an ordinary instruction. */
static void copy_exit(struct block *b, IRStmt *exit)
{
   Bool to_itself = constant(exit->Ist.Exit.dst) == b->ip;
   Bool fault = to_itself && raises_fault(exit->Ist.Exit.jk);
   if (to_itself && b->traits.may_retry && exit->Ist.Exit.jk == Ijk_Boring)
      count_special(b, -1, exit->Ist.Exit.guard);
   addStmtToIRSB(b->out, exit);
   close_stretch(b, fault);
}

/* Copy what is left of a block from the mark of a rep instruction on; it is the
   last one. Its exits: to the next instruction when its counter is 0, before the
   body; to itself when its condition lets it go on, after the body. An
   unconditional one ends by going to itself, a conditional one by leaving. */
static void copy_rep(struct block *b, const IRSB *in, Int at)
{
   Addr next = b->ip + b->ip_length;
   Bool has_body = !ends_at(in, next); /* goes to itself */
   Bool counted_body = False, conditional = False;
   for (Int i = at; i < in->stmts_used; i++) {
      const IRStmt *s = in->stmts[i];
      if (s->tag == Ist_Exit && s->Ist.Exit.jk == Ijk_Boring &&
          constant(s->Ist.Exit.dst) == b->ip)
         has_body = conditional = True;
   }
   Bool counter_exit_left = False;
   for (Int i = at; i < in->stmts_used; i++)
      if (in->stmts[i]->tag == Ist_Exit && constant(in->stmts[i]->Ist.Exit.dst) == next)
         counter_exit_left = True;

   if (has_body && !counter_exit_left) {
      emit_add(b->out, &pmh_counters.rep_iterations, u64(1));
      counted_body = True;
   }
   for (Int i = at; i < in->stmts_used; i++) {
      IRStmt *s = in->stmts[i];
      Bool leaves = s->tag == Ist_Exit && s->Ist.Exit.jk == Ijk_Boring &&
                    constant(s->Ist.Exit.dst) == next;
      if (leaves)
         count_special(b, 1, s->Ist.Exit.guard);
      addStmtToIRSB(b->out, s);
      if (leaves && !counted_body) {
         emit_add(b->out, &pmh_counters.rep_iterations, u64(1));
         counted_body = True;
      }
   }
   if (ends_at(in, next)) {
      count_special(b, 1, NULL);
      if (conditional)
         emit_add(b->out, &pmh_counters.rep_ended_by_condition, u64(1));
   }
}

/* A block that does nothing but have `block` translated again, with `insns`
   instructions at most. */
static IRSB *split_block(const IRSB *in, Addr block, UInt insns)
{
   IRSB *out = deepCopyIRSBExceptStmts(in);
   IRDirty *dirty = unsafeIRDirty_0_N(0, "on_split", VG_(fnptr_to_fnentry)(on_split),
                                      mkIRExprVec_2(mkIRExpr_HWord(block), mkIRExpr_HWord(insns)));
   addStmtToIRSB(out, IRStmt_Dirty(dirty));
   addStmtToIRSB(out, IRStmt_Put(pmh_platform.invalidate_start, guest_address(block)));
   addStmtToIRSB(out, IRStmt_Put(pmh_platform.invalidate_length, guest_address(1)));
   out->next = guest_address(block);
   out->jumpkind = Ijk_InvalICache;
   return out;
}

/* The number of instructions before one that is an allocation function's entry,
   not counting an entry that starts the block; 0: there is none. */
static UInt insns_before_entry(const IRSB *in)
{
   UInt insns = 0;
   for (Int i = 0; i < in->stmts_used; i++) {
      const IRStmt *s = in->stmts[i];
      if (s->tag != Ist_IMark)
         continue;
      if (insns > 0 && pmh_symbols_at(s->Ist.IMark.addr, False))
         return insns;
      insns++;
   }
   return 0;
}

IRSB *pmh_instrument(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
                     const VexGuestExtents *extents, const VexArchInfo *host_arch,
                     IRType guest_word, IRType host_word)
{
   Addr start = extents->base[0];
   if (split.pending && split.block == start) {
      vex_control.guest_max_insns = split.saved_max_insns;
      split.pending = False;
   }
   UInt insns = insns_before_entry(in);
   if (insns > 0)
      return split_block(in, start, insns);

   struct block b = {.out = deepCopyIRSBExceptStmts(in), .host_word = host_word};
   Bool first = True;
   for (Int i = 0; i < in->stmts_used; i++) {
      IRStmt *s = in->stmts[i];
      if (s->tag == Ist_NoOp)
         continue;
      if (s->tag == Ist_Exit && !first) {
         copy_exit(&b, s);
         continue;
      }
      addStmtToIRSB(b.out, s);
      if (s->tag != Ist_IMark)
         continue;
      begin_insn(&b, s);
      struct pm_function *function = first ? pmh_symbols_at(b.ip, True) : NULL;
      first = False;
      if (function)
         emit_entry(&b, function);
      if (b.traits.rep) {
         close_stretch(&b, False);
         copy_rep(&b, in, i + 1);
         break;
      }
      if (raises_fault(in->jumpkind) && ends_at(in, b.ip)) {
         /* The last instruction of a block that ends without executing it. */
         close_stretch(&b, False);
         b.traits.instrs = 0;
         continue;
      }
      count_insn(&b);
   }
   close_stretch(&b, False);
   if (in->jumpkind == Ijk_Ret)
      emit_return(&b, in->next);
   return b.out;
}
