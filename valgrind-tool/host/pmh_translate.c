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
 * block is replaced by one that has itself translated again, shorter. So is one in
 * which an instruction is followed by others that leaves something else in a register
 * than the translator thinks.
 */
#include "pmh_translate.h"
#include "pmh_clock.h"
#include "pmh_code.h"
#include "pmh_core.h"
#include "pmh_emit.h"
#include "pmh_events.h"
#include "pmh_machine.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_platform.h"
#include "pmh_symbols.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_options.h"

static Bool with_profile, with_phases;

void pmh_translate_begin(Bool profile, Bool function_phases)
{
   with_profile = profile;
   with_phases = function_phases;
   /* Chasing executes instructions of branches not taken; unrolling hides the
      edges of rep instructions. */
   VG_(clo_vex_control).guest_chase = False;
   VG_(clo_vex_control).iropt_unroll_thresh = 0;
}

/* --- called from translated code --------------------------------------------- */

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

/* The instruction at ip is by `by` more in its classes, which are the result. */
static UInt count_classes(int8_t *mix, Addr ip, UInt length, Int by)
{
   UInt classes = pmh_platform.mix((const UChar *)ip, length);
   for (Int c = 0; classes >> c; c++)
      if (classes >> c & 1)
         mix[c] += (int8_t)by;
   return classes;
}

/* Count that the last instructions of the running stretch did not happen. */
static void profile_missing(UInt instrs)
{
   const struct pm_stretch *running = &pmh_stretches.table[pmh_counters->stretch];
   UInt first = running->instrs - instrs, at = running->lengths + first;
   struct pm_stretch missing = {.address = running->address,
                                .place = running->place,
                                .weight = (int16_t)-(Int)instrs,
                                .instrs = (uint8_t)instrs,
                                .calls = first == 0 ? (int8_t)-running->calls : 0};
   /* Of its own: the tables may move when it is filed. */
   UChar lengths[PM_STRETCH_INSTRS_MAX];
   struct pm_instr of_missing[PM_STRETCH_INSTRS_MAX];
   VG_(memcpy)(lengths, pmh_stretches.lengths + at, instrs);
   if (pmh_stretches.told)
      VG_(memcpy)(of_missing, pmh_stretches.told + at, instrs * sizeof *of_missing);
   for (UInt i = 0; i < first; i++)
      missing.address += pmh_stretches.lengths[running->lengths + i];
   Addr ip = (Addr)missing.address;
   for (UInt i = 0; i < instrs; ip += lengths[i++])
      count_classes(missing.mix, ip, lengths[i], -1);
   UInt id = pmh_stretch_id(&missing, lengths, of_missing);
   pmh_counters->executed[id]++;
}

/* The running stretch was counted, and its last instructions did not happen. */
static void take_back(UInt instrs)
{
   if (instrs > 0 && with_profile)
      profile_missing(instrs);
   pmh_counters->instrs -= instrs;
   pmh_counters->stretch = 0;
}

void pmh_take_back(Addr ip)
{
   take_back(pm_stretches_left(&pmh_stretches, (UInt)pmh_counters->stretch, ip));
}

void pmh_take_back_exit(Addr ip)
{
   UInt id = (UInt)pmh_counters->stretch;
   if (pmh_stretches.table[id].ends_in_fault_exit &&
       pm_stretches_last(&pmh_stretches, id) == ip)
      take_back(1);
}


/* --- one block ------------------------------------------------------------------ */

/* The instructions of the open stretch, with --instr=yes. */
static struct pm_instr told[PM_STRETCH_INSTRS_MAX];

struct block {
   IRSB *out;
   Addr ip;                       /* of the instruction at hand */
   UInt ip_length;
   struct pm_insn_traits traits;  /* of it */
   UInt ip_place;                 /* that it is counted for; 0 without profile */
   Bool one_place;             /* all of the block is counted for it */
   Bool may_be_entry;             /* the instruction at hand may start its function */
   Bool open;                     /* a stretch is */
   Addr address;                  /* of its first instruction */
   UInt place;                    /* that it is counted for; 0 without profile */
   Bool is_entry;                 /* it starts with its function's first instruction */
   UChar lengths[PM_STRETCH_INSTRS_MAX];
   int8_t mix[PM_MIX_CLASSES];    /* so far, instructions in each class */
   UInt instrs;                   /* so far, that are in lengths and count */
   IRConst *id, *weight_const, *offset; /* to be filled in; offset: NULL without profile */
   IRExpr *counters;              /* their address; NULL: not read yet */
};

/* The address of the counters, read once for all statements up to the next event. */
static IRExpr *counters(struct block *b)
{
   if (!b->counters)
      b->counters = pmh_counters_base(b->out);
   return b->counters;
}

/* Call a helper of pmh_events.h: it looks at the stack, and may begin or end phases, and with
   them put other counters in place of these. */
static void emit_event(struct block *b, IRDirty *dirty)
{
   SizeT bytes = (SizeT)sizeofIRType(pmh_platform.word);
   pmh_emit_effect(dirty, Ifx_Read, pmh_platform.sp, bytes);
   pmh_emit_effect(dirty, Ifx_Read, pmh_platform.fp, bytes);
   pmh_emit_effect(dirty, Ifx_Read, pmh_platform.result, bytes);
   pmh_emit_effect(dirty, Ifx_Modify, pmh_platform.ip, bytes);
   pmh_changes_counters(dirty);
   addStmtToIRSB(b->out, IRStmt_Dirty(dirty));
   b->counters = NULL;
}

static void store_counter(struct block *b, IRExpr *base, SizeT offset, IRExpr *value)
{
   addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, pmh_counter_at(b->out, base, offset), value));
}

static void add_to_counter(struct block *b, SizeT offset, IRExpr *amount)
{
   pmh_emit_add(b->out, counters(b), offset, amount);
}

static void open_stretch(struct block *b)
{
   IRExpr *id = pmh_u64(0), *weight = pmh_u64(0);
   b->open = True;
   b->address = b->ip;
   b->place = b->ip_place;
   b->is_entry = b->may_be_entry && pmh_code_is_entry(b->ip);
   b->instrs = 0;
   VG_(memset)(b->mix, 0, sizeof b->mix);
   b->id = id->Iex.Const.con;
   b->weight_const = weight->Iex.Const.con;
   IRExpr *base = counters(b);
   store_counter(b, base, offsetof(struct pm_counters, stretch), id);
   pmh_emit_instrs(b->out, weight);
   if (with_profile)
      pmh_emit_executed(b->out, base, pmh_u64(1), &b->offset);
}

static void close_stretch(struct block *b, Bool ends_in_fault_exit)
{
   if (!b->open)
      return;
   b->open = False;
   struct pm_stretch stretch = {
      .address = b->address,
      .place = b->place,
      .weight = (int16_t)b->instrs,
      .instrs = (uint8_t)b->instrs,
      .calls = b->is_entry,
      .ends_in_fault_exit = ends_in_fault_exit,
   };
   VG_(memcpy)(stretch.mix, b->mix, sizeof stretch.mix);
   UInt id = pmh_stretch_id(&stretch, b->lengths, told);
   b->id->Ico.U64 = id;
   b->weight_const->Ico.U64 = b->instrs;
   if (with_profile)
      pmh_set_executed(b->offset, id);
}

/* The instruction at ip, which weighs that much, is in the classes of mix. */
static struct pm_instr tell_instr(Addr ip, UInt length, Int weight, int8_t *mix)
{
   struct pm_instr instr = {.classes = count_classes(mix, ip, length, weight)};
   if (pmh_options.instr)
      instr.item = pmh_code_instr(ip);
   return instr;
}

/* executed[of a special stretch of the present instruction] += times. As often as it counts
   that instruction, that is in its classes and may enter its function. */
static void emit_special(struct block *b, Int weight, Bool iteration, IRExpr *times)
{
   Bool is_entry = weight && b->may_be_entry && pmh_code_is_entry(b->ip);
   struct pm_stretch special = {.address = b->ip,
                                .place = b->ip_place,
                                .weight = (int16_t)weight,
                                .instrs = 1,
                                .calls = is_entry ? (int8_t)weight : 0,
                                .iteration = iteration};
   UChar length = (UChar)b->ip_length;
   struct pm_instr instr = tell_instr(b->ip, length, weight, special.mix);
   IRConst *offset;
   pmh_emit_executed(b->out, counters(b), times, &offset);
   pmh_set_executed(offset, pmh_stretch_id(&special, &length, &instr));
}

/* value if guard (NULL: always) holds, else 0: what all hosts of VEX's can do in 64 bits */
static IRExpr *if_holds(IRSB *out, IRExpr *guard, Long value)
{
   IRExpr *number = pmh_u64((ULong)value);
   return guard ? pmh_assign(out, Ity_I64, IRExpr_ITE(guard, number, pmh_u64(0))) : number;
}

/* Count weight instructions at the present one, outside stretches, as often as
   guard holds (NULL: always). */
static void count_special(struct block *b, Int weight, IRExpr *guard)
{
   IRExpr *times = if_holds(b->out, guard, 1);
   IRExpr *amount = weight == 1 ? times : if_holds(b->out, guard, weight);
   pmh_emit_instrs(b->out, amount);
   if (with_profile)
      emit_special(b, weight, False, times);
}

static void count_iteration(struct block *b)
{
   add_to_counter(b, offsetof(struct pm_counters, rep_iterations), pmh_u64(1));
   if (with_profile)
      emit_special(b, 0, True, pmh_u64(1));
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

static IRExpr *get(struct block *b, Int offset)
{
   return pmh_assign(b->out, pmh_platform.word, IRExpr_Get(offset, pmh_platform.word));
}

/* The word that stands `words` words above the stack pointer. */
static IRExpr *stack_word(struct block *b, IRExpr *sp, UInt words)
{
   IRType word = pmh_platform.word;
   IRExpr *offset = pmh_guest_address(words * sizeofIRType(word));
   IRExpr *address =
      pmh_assign(b->out, word, IRExpr_Binop(word == Ity_I64 ? Iop_Add64 : Iop_Add32, sp, offset));
   return pmh_assign(b->out, word, IRExpr_Load(Iend_LE, word, address));
}

static IRExpr *wide(struct block *b, IRExpr *word)
{
   return pmh_platform.word == Ity_I64
             ? word
             : pmh_assign(b->out, Ity_I64, IRExpr_Unop(Iop_32Uto64, word));
}

/* pmh_entry.args[number] = that argument of the function which is entered */
static void store_argument(struct block *b, IRExpr *sp, Int number)
{
   if (number == PM_ARG_NONE)
      return;
   Int place = pmh_platform.args[number];
   IRExpr *argument = place == PMH_ON_STACK ? stack_word(b, sp, 1 + (UInt)number) : get(b, place);
   addStmtToIRSB(b->out, IRStmt_Store(Iend_LE, mkIRExpr_HWord((HWord)&pmh_entry.args[number]),
                                      wide(b, argument)));
}

static void emit_entry(struct block *b, const struct pmh_entry_point *point)
{
   addStmtToIRSB(b->out, IRStmt_Put(pmh_platform.ip, pmh_guest_address(b->ip)));
   IRExpr *sp = get(b, pmh_platform.sp);
   IRExpr *ret = pmh_platform.return_address == PMH_ON_STACK
                    ? stack_word(b, sp, 0)
                    : get(b, pmh_platform.return_address);
   if (point->function) {
      const struct pm_allockind *kind = &pm_allockinds[point->function->kind];
      store_argument(b, sp, kind->old);
      store_argument(b, sp, kind->count);
      store_argument(b, sp, kind->size);
      store_argument(b, sp, kind->out);
   }
   IRExpr *guest = pmh_platform.hands_over_guest ? IRExpr_GSPTR() : mkIRExpr_HWord(0);
   IRDirty *dirty =
      unsafeIRDirty_0_N(0, "pmh_on_entry", VG_(fnptr_to_fnentry)(pmh_on_entry),
                        mkIRExprVec_4(guest, mkIRExpr_HWord((HWord)point), sp, ret));
   emit_event(b, dirty);
}

/* Call the helper for a jump to target if the stack pointer is one that is watched for. */
static void emit_if_watched(struct block *b, const HChar *name, void (*helper)(Addr),
                            IRExpr *target)
{
   IRDirty *dirty =
      unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(helper), mkIRExprVec_1(target));
   /* Of 32 bits, the low half: all ones if none is watched for. */
   IRType word = pmh_platform.word;
   IRExpr *address = pmh_counter_at(b->out, counters(b), offsetof(struct pm_counters, watch));
   IRExpr *watch = pmh_assign(b->out, word, IRExpr_Load(Iend_LE, word, address));
   IRExpr *sp = get(b, pmh_platform.sp);
   dirty->guard = pmh_assign(
      b->out, Ity_I1, IRExpr_Binop(word == Ity_I64 ? Iop_CmpLE64U : Iop_CmpLE32U, watch, sp));
   emit_event(b, dirty);
}

static void emit_arrived(struct block *b, IRExpr *where)
{
   store_counter(b, counters(b), offsetof(struct pm_counters, arrived), wide(b, where));
}

static Bool is_syscall(IRJumpKind kind)
{
   return kind == Ijk_Sys_syscall || kind == Ijk_Sys_int128 || kind == Ijk_Sys_sysenter;
}

/* Is the instruction at hand one? VEX takes each jump of arm64 to a place that is known,
   b, for a call. */
static Bool is_call(const struct block *b)
{
   return (pmh_platform.mix((const UChar *)b->ip, b->ip_length) & PM_MIX_CALL) != 0;
}

/* The block ends by going to `next`. */
static void emit_end(struct block *b, const IRSB *in)
{
   if (in->jumpkind == Ijk_Ret)
      emit_if_watched(b, "pmh_on_return", pmh_on_return, in->next);
   IRDirty *at_syscall = is_syscall(in->jumpkind) ? pmh_clock_at_syscall() : NULL;
   if (at_syscall)
      addStmtToIRSB(b->out, IRStmt_Dirty(at_syscall));
   if (!with_phases)
      return;
   if (in->jumpkind == Ijk_Call && is_call(b))
      emit_arrived(b, pmh_guest_address(b->ip + b->ip_length));
   else if (in->jumpkind == Ijk_Ret)
      emit_arrived(b, in->next);
   else if (in->jumpkind == Ijk_Boring && in->next->tag != Iex_Const)
      emit_if_watched(b, "pmh_on_jump", pmh_on_jump, in->next);
}

static void begin_insn(struct block *b, const IRSB *in, const IRStmt *mark)
{
   b->ip = mark->Ist.IMark.addr;
   b->ip_length = mark->Ist.IMark.len;
   if (in->jumpkind == Ijk_ClientReq && pmh_platform.request_bytes &&
       ends_at(in, b->ip + pmh_platform.request_bytes))
      b->ip_length = pmh_platform.request_bytes;
   b->traits = pmh_platform.traits((const UChar *)b->ip, b->ip_length);
   if (with_profile && !b->one_place) {
      UInt place = pmh_code_place(b->ip);
      b->may_be_entry = place != b->ip_place;
      b->ip_place = place;
   } else {
      b->may_be_entry = False;
   }
}

/* Straight code whose ends are in one function is in it as a whole: two lookups
   instead of one for each instruction. Of lines that is not true, and instructions are
   looked up anyway. */
static void find_place(struct block *b, const IRSB *in)
{
   if (pmh_options.lines || pmh_options.instr)
      return;
   Int first = 0, last = in->stmts_used - 1;
   while (first <= last && in->stmts[first]->tag != Ist_IMark)
      first++;
   while (last > first && in->stmts[last]->tag != Ist_IMark)
      last--;
   if (first >= last)
      return;
   b->ip_place = pmh_code_place(in->stmts[last]->Ist.IMark.addr);
   b->one_place = b->ip_place == pmh_code_place(in->stmts[first]->Ist.IMark.addr);
   if (!b->one_place)
      b->ip_place = 0;
}

/* One more instruction, so many bytes behind the one at hand, is in the open stretch. */
static void add_insn(struct block *b, UInt behind, UInt length)
{
   if (with_profile)
      told[b->instrs] = tell_instr(b->ip + behind, length, 1, b->mix);
   b->lengths[b->instrs++] = (UChar)length;
}

/* The instruction at hand joins the open stretch, if that is of its place. What the
   translator took for one may be several. */
static void count_insn(struct block *b)
{
   if (b->open && (b->place != b->ip_place ||
                   b->instrs + b->traits.instrs > PM_STRETCH_INSTRS_MAX))
      close_stretch(b, False);
   if (!b->open)
      open_stretch(b);
   UInt behind = 0;
   for (UInt i = 1; i < b->traits.instrs; i++, behind += b->traits.first_bytes)
      add_insn(b, behind, b->traits.first_bytes);
   add_insn(b, behind, b->ip_length - behind);
   if (b->traits.request)
      add_to_counter(b, offsetof(struct pm_counters, client_requests), pmh_u64(1));
   if (b->traits.may_divide)
      addStmtToIRSB(b->out, IRStmt_Put(pmh_platform.ip, pmh_guest_address(b->ip)));
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

/* Has the translator made a loop of the rep instruction whose mark is before `at`? It
   does not for all of them (lods); such a one is an ordinary instruction, and others
   may follow. */
static Bool is_loop(const struct block *b, const IRSB *in, Int at)
{
   for (Int i = at; i < in->stmts_used; i++)
      if (in->stmts[i]->tag == Ist_IMark)
         return False;
   return b->traits.rep;
}

static Bool goes_to(const IRStmt *s, Addr address)
{
   return s->tag == Ist_Exit && s->Ist.Exit.jk == Ijk_Boring &&
          constant(s->Ist.Exit.dst) == address;
}

/* Copy what is left of a block from the mark of a rep instruction on; it is the
   last one. Its exits: to the next instruction when its counter is 0, before the
   body; to itself when its condition lets it go on, after the body. An
   unconditional one ends by going to itself, a conditional one by leaving. The
   iteration counts after the body, which may fault. */
static void copy_rep(struct block *b, const IRSB *in, Int at)
{
   Addr next = b->ip + b->ip_length;
   Bool conditional = False;
   for (Int i = at; i < in->stmts_used; i++)
      conditional = conditional || goes_to(in->stmts[i], b->ip);
   Bool has_body = conditional || !ends_at(in, next);

   for (Int i = at; i < in->stmts_used; i++) {
      IRStmt *s = in->stmts[i];
      if (goes_to(s, next))
         count_special(b, 1, s->Ist.Exit.guard);
      if (goes_to(s, b->ip))
         count_iteration(b);
      addStmtToIRSB(b->out, s);
   }
   if (has_body && !conditional)
      count_iteration(b);
   if (ends_at(in, next)) {
      count_special(b, 1, NULL);
      if (conditional)
         add_to_counter(b, offsetof(struct pm_counters, rep_ended_by_condition), pmh_u64(1));
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
   addStmtToIRSB(out, IRStmt_Put(pmh_platform.invalidate_start, pmh_guest_address(block)));
   addStmtToIRSB(out, IRStmt_Put(pmh_platform.invalidate_length, pmh_guest_address(1)));
   out->next = pmh_guest_address(block);
   out->jumpkind = Ijk_InvalICache;
   return out;
}

/* The number of instructions before one that must start a block of its own: an observed
   function's entry, or what follows one that is corrected. 0: there is none but the
   first. */
static UInt insns_before_start(const IRSB *in)
{
   UInt insns = 0;
   Bool corrected = False;
   for (Int i = 0; i < in->stmts_used; i++) {
      const IRStmt *s = in->stmts[i];
      if (s->tag != Ist_IMark)
         continue;
      if (corrected || (insns > 0 && pmh_symbols_at(s->Ist.IMark.addr, False)))
         return insns;
      corrected = pmh_machine_corrects(s->Ist.IMark.addr, s->Ist.IMark.len);
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
   UInt insns = insns_before_start(in);
   if (insns > 0)
      return split_block(in, start, insns);

   pmh_emit_begin(layout);
   struct block b = {.out = deepCopyIRSBExceptStmts(in)};
   if (with_profile)
      find_place(&b, in);
   Bool first = True;
   for (Int i = 0; i < in->stmts_used; i++) {
      IRStmt *s = in->stmts[i];
      if (s->tag == Ist_NoOp)
         continue;
      if (s->tag == Ist_Exit && !first) {
         copy_exit(&b, s);
         continue;
      }
      if (s->tag == Ist_Dirty) {
         pmh_machine_helper(s->Ist.Dirty.details);
         b.counters = NULL; /* at a breakpoint, a debugger may begin and end phases */
      }
      addStmtToIRSB(b.out, s);
      if (s->tag != Ist_IMark)
         continue;
      begin_insn(&b, in, s);
      b.may_be_entry = b.may_be_entry || (first && with_profile);
      const struct pmh_entry_point *point = first ? pmh_symbols_at(b.ip, True) : NULL;
      first = False;
      if (point)
         emit_entry(&b, point);
      if (is_loop(&b, in, i + 1)) {
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
   if (!first && pmh_machine_corrects(b.ip, b.ip_length))
      pmh_machine_correct(b.out);
   emit_end(&b, in);
   return b.out;
}
