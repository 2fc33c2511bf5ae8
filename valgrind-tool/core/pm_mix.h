/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_mix.h: what kind of instruction it is, from its bytes.
 *
 * The mix of a program tells whether vector code turned into scalar calls, or whether
 * more memory is read than before. Classes are those of instructions as the processor
 * executes them: decided from the guest's bytes, never from a translation, in which dead
 * loads are gone and one instruction is many operations.
 *
 * Classes overlap: an instruction is in each one that fits it, and at most once in each,
 * also if it is repeated (`rep movsb` is one load and one store) or moves two registers
 * (`ldp`, `push` of memory).
 *
 *    class          is an instruction that                           examples
 *    ------------   ----------------------------------------------   --------------------------
 *    load           reads data memory, by an operand or by itself    mov (%rdi),%eax; pop; ret;
 *                                                                    leave; lods; fldcw; ldp
 *    store          writes data memory, by an operand or by itself   movaps %xmm0,(%rdi); push;
 *                                                                    call; stos; sete (%rdi)
 *    load + store   does both: read-modify-write, too                add %eax,(%rdi); xchg; movs;
 *                                                                    push (%rdi); call *(%rdi);
 *                                                                    lock cmpxchg; cas
 *    neither        computes an address, does nothing, or is about   lea; nop; prefetcht0; mfence;
 *                   caches and order; system calls                   clflush; syscall; dmb
 *    branch         can go elsewhere: jump, loop, call, return       jne; loop; jrcxz; call; ret;
 *                                                                    jmp *(%rdi); cbz; tbz; blr
 *    call           calls                                            call; call *%rax; bl; blr
 *    syscall        calls the system                                 syscall; int $0x80;
 *                                                                    sysenter; svc
 *    scalar-float   computes with, converts, compares or moves one   addss; movsd (%rdi),%xmm0;
 *                   floating-point number: x87, and SSE, AVX and     cvtsi2sd %eax,%xmm0; comiss;
 *                   FMA on the lowest element alone                  vfmadd213sd; fld; fxch; fadd
 *    vector         is another one with an mm, xmm, ymm operand      addps; paddd; vbroadcastss;
 *                                                                    movups (%rdi),%xmm0; pextrq;
 *                                                                    movq (%rdi),%xmm0; aesenc
 *
 * What decides the doubtful ones. x86:
 *
 *    neither vector nor scalar-float, because compilers write them into any code:
 *       copies of a whole register              movaps, movups, movdqa, movq %mm0,%mm1, ...
 *       movd and movq from or to a general one  movq %rax,%xmm0; not pinsrq, pextrq
 *       zeroing of a register with itself:      xor, and-not, integer subtraction and
 *       zero whatever it held                   greater-than of one register, as
 *                                               pxor %xmm1,%xmm1, vpxor %xmm2,%xmm2,%xmm0
 *       no such operand                         vzeroupper, emms, crc32, movnti, andn, fxsave
 *    not scalar-float, state control of x87     what Intel's manual lists as control: fldcw,
 *                                               fnstcw, fnstsw, fldenv, fnstenv, frstor, fnsave,
 *                                               fninit, fnclex, fincstp, fdecstp, ffree, fnop,
 *                                               fwait. Those of memory are loads or stores;
 *                                               ldmxcsr and stmxcsr too.
 *    vector, although it touches one element    movq (%rdi),%xmm0 and movq %xmm0,%xmm1, movd of
 *                                               memory, movlpd, movhps, pinsrw, insertps
 *    scalar-float, although it only moves       movss and movsd of SSE in all their forms
 *    load or store, also if nothing is moved    cmov, masked and gathering moves, rep with 0,
 *                                               cmpxchg, stxr
 *    fxsave, xsave: store; fxrstor, xrstor: load; enter: store; bt of memory: load.
 *
 * arm64: the same words.
 *
 *    load, store    ldr, ldp, ldxr, ld1: load. str, stp, stxr, st1, dc zva (it writes zeros):
 *                   store. cas, swp, ldadd, stadd: both. prfm and all other dc: neither. ret
 *                   reads no memory, bl writes none.
 *    scalar-float   the h, s, d forms of floating-point instructions, and of loads and stores:
 *                   fadd d0,d1,d2; fmov s0,s1; fcvtzs w0,s0; fmla s0,s1,v2.s[0]; ldr d0,[x0];
 *                   ldp s0,s1,[x0].
 *    vector         all others with an operand in a vector register: arranged forms, b and q
 *                   forms, integer ones on one element: fadd v0.4s,v1.4s,v2.4s; ldr q0,[x0];
 *                   ld1 {v0.d}[0],[x0]; dup, ins and umov; add d0,d1,d2; faddp d0,v1.2d; aese.
 *    neither        fmov from or to a general register; mov v0.16b,v1.16b; eor, bic, sub and
 *                   greater-than of one register; movi of 0, which is how zero is written there.
 *
 * Covered is what Valgrind executes: on x86 up to AVX2, FMA3, FMA4, BMI, AES, and SHA; on arm64
 * ARMv8 with its optional instructions up to 8.2. What it refuses (EVEX, XOP, SVE) is mostly in
 * no class, and never counted. Known limit: REX before MMX, which no compiler writes, makes two
 * names of one register unlike, so that zeroing by them counts as vector.
 */
#ifndef PM_MIX_H
#define PM_MIX_H

#include <stdint.h>

/* A set of classes, in the order in which reports list them. */
enum pm_mix {
   PM_MIX_VECTOR = 1 << 0,
   PM_MIX_SCALAR_FLOAT = 1 << 1,
   PM_MIX_LOAD = 1 << 2,
   PM_MIX_STORE = 1 << 3,
   PM_MIX_BRANCH = 1 << 4,
   PM_MIX_CALL = 1 << 5,
   PM_MIX_SYSCALL = 1 << 6
};
enum { PM_MIX_CLASSES = 7 };

/* The classes of the instruction of `length` bytes at `bytes`. The special sequence of a
   client request, which a translator takes as one, is in none, as its parts are. Bytes that
   are no whole instruction are read as far as they go and may be in any class. */
typedef unsigned pm_mix_fn(const uint8_t *bytes, unsigned length);

pm_mix_fn pm_mix_x86_64;
pm_mix_fn pm_mix_x86_32;
pm_mix_fn pm_mix_arm64;

#endif
