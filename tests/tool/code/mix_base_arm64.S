/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_base_arm64.S: instructions of every class, executed: of ARMv8 with what Valgrind knows of
 * its extensions.
 *
 * Results are not looked at: what counts is which instructions ran.
 */
#include <asm/unistd.h>
#include "mix_kinds.h"

	.arch	armv8.2-a+crypto+crc+lse
	.text
	.globl	program
	.type	program, %function
program:
	stp	x29, x30, [sp, #-16]!
	bl	dead_loads
	bl	loads
	bl	stores
	bl	read_modify_write
	bl	exclusives
	bl	stack
	bl	no_memory
	bl	branches
	bl	calls
	bl	falls
	bl	system_calls
	bl	scalar_float
	bl	vectors
	bl	structures
	bl	neither
	bl	one_element
	ldp	x29, x30, [sp], #16
	mov	x0, xzr
	ret
	.size	program, . - program

/* What is loaded is not used, or overwritten: a translator drops such loads. */
KIND(dead_loads, 3)
	ldr	w9, [x0]
	ldr	w9, [x0, #4]
	ldr	x9, [x0, #8]
	ldrb	w9, [x1]
	ldp	x9, x10, [x0]
	ldr	xzr, [x0]
	ldr	d0, [x0]
	ldr	q0, [x0]
	mov	x9, xzr
END(dead_loads)

KIND(loads, 5)
	ldr	x9, other
	ldrsh	w9, [x0]
	ldrsw	x9, [x0]
	ldrsb	x9, [x0, #1]
	ldur	x9, [x0, #3]
	ldr	x9, [x0, x28, lsl #3]
	ldp	w9, w10, [x0], #8
	ldpsw	x9, x10, [x0, #8]!
	ldar	x9, [x1]
	ldarb	w9, [x1]
	ldr	s0, [x0]
	ldr	h0, [x0]
	ldp	d0, d1, [x0]
	ldur	d0, [x0, #3]
END(loads)

KIND(stores, 7)
	strb	w9, [x0]
	str	wzr, [x0]
	str	x9, [x0, #8]!
	sturh	w9, [x0, #3]
	stp	x9, x10, [x0], #16
	str	x9, [x0, x28, lsl #3]
	stlr	x9, [x1]
	stlrb	w9, [x1]
	str	d0, [x0]
	stp	s0, s1, [x0]
	str	h0, [x0]
END(stores)

KIND(read_modify_write, 11)
	ldadd	x9, x10, [x0]
	ldaddal	w9, w10, [x0]
	stadd	x9, [x0]
	ldclrb	w9, w10, [x0]
	ldset	x9, x10, [x0]
	swpal	x9, x10, [x0]
	cas	x9, x10, [x0]
	casalb	w9, w10, [x0]
END(read_modify_write)

KIND(exclusives, 13)
	ldxr	x9, [x0]
	stxr	w10, x9, [x0]
	ldaxrb	w9, [x0]
	stlxrb	w10, w9, [x0]
	ldxp	x9, x10, [x0]
	stxp	w11, x9, x10, [x0]
	clrex
END(exclusives)

KIND(stack, 17)
	stp	x29, x30, [sp, #-32]!
	str	x9, [sp, #16]
	ldr	x9, [sp, #16]
	ldp	x29, x30, [sp], #32
END(stack)

KIND(no_memory, 23)
	adr	x9, area
	adrp	x9, area
	nop
	yield
	prfm	pldl1keep, [x0]
	prfum	pstl1strm, [x0, #1]
	dc	cvau, x0
	dmb	ish
	dsb	ishst
	isb
	csel	x9, x10, x11, ne
	cset	w9, gt
	rev	x9, x9
	mul	x9, x9, x10
	madd	x9, x9, x10, x11
	udiv	x9, x9, x10
	bfxil	x9, x10, #3, #5
	clz	x9, x9
	crc32b	w9, w9, w10
	mrs	x9, tpidr_el0
	ccmp	x9, x10, #0, eq
END(no_memory)

KIND(branches, 29)
	mov	x9, #3
1:	subs	x9, x9, #1
	b.ne	1b
	cbz	x9, 2f
	nop
2:	adr	x10, 3f
	br	x10
	nop
3:	tst	x10, x10
	b.eq	4f
	b.ne	4f
	nop
4:	tbz	x28, #63, 5f
	nop
5:	tbnz	x28, #63, 6f
	cbnz	x28, 6f
	nop
6:	b	7f
	nop
7:
END(branches)

KIND(calls, 31)
	mov	x27, x30
	bl	returns
	adr	x9, returns
	blr	x9
	bl	returns_elsewhere
	mov	x30, x27
END(calls)

	.type	returns, %function
returns:
	ret
	.size	returns, . - returns

	.type	returns_elsewhere, %function
returns_elsewhere:
	mov	x9, x30
	ret	x9
	.size	returns_elsewhere, . - returns_elsewhere

/* Straight code that is three functions, the second of a single instruction. */
KIND(falls, 71)
	mov	x27, x30
	bl	first_of_three
	bl	second_of_three
	bl	third_of_three
	mov	x30, x27
END(falls)

	.type	first_of_three, %function
first_of_three:
	ldr	w9, [x0]
	str	w9, [x0]
	.size	first_of_three, . - first_of_three
	.type	second_of_three, %function
second_of_three:
	fadd	s0, s0, s1
	.size	second_of_three, . - second_of_three
	.type	third_of_three, %function
third_of_three:
	add	v0.4s, v0.4s, v1.4s
	ret
	.size	third_of_three, . - third_of_three

KIND(system_calls, 37)
	mov	x8, #__NR_getppid
	svc	#0
	mov	x8, #__NR_getuid
	svc	#0
END(system_calls)

KIND(scalar_float, 41)
	fmov	s0, #1.0
	fmov	d1, d0
	fadd	d0, d1, d2
	fsub	s0, s1, s2
	fmul	d0, d1, d2
	fnmul	s0, s1, s2
	fdiv	d0, d1, d2
	fmadd	d0, d1, d2, d3
	fnmsub	s0, s1, s2, s3
	fmla	s0, s1, v2.s[1]
	fsqrt	d0, d1
	fabs	s0, s1
	fneg	d0, d1
	fmax	s0, s1, s2
	fminnm	d0, d1, d2
	fcmp	d0, d1
	fcmpe	s0, #0.0
	fccmp	d0, d1, #0, eq
	fcsel	d0, d1, d2, gt
	fcvt	s0, d1
	fcvtzs	w9, s0
	fcvtau	x9, d0
	scvtf	d0, x9
	ucvtf	s0, w9
	frintz	d0, d1
	frecpe	s0, s1
END(scalar_float)

KIND(vectors, 43)
	ldr	q0, [x0]
	ldur	q1, [x0, #1]
	ldp	q0, q1, [x0]
	str	q0, [x0]
	stp	q0, q1, [x0]
	ldr	b0, [x0]
	add	v0.4s, v1.4s, v2.4s
	sub	v0.2d, v1.2d, v2.2d
	mul	v0.8h, v1.8h, v2.8h
	mla	v0.4s, v1.4s, v2.4s
	fadd	v0.4s, v1.4s, v2.4s
	fmul	v0.2d, v1.2d, v2.2d
	fmla	v0.4s, v1.4s, v2.4s
	fdiv	v0.2d, v1.2d, v2.2d
	fsqrt	v0.4s, v1.4s
	fcmgt	v0.4s, v1.4s, v2.4s
	and	v0.16b, v1.16b, v2.16b
	orr	v0.16b, v1.16b, v2.16b
	eor	v0.16b, v1.16b, v2.16b
	cmeq	v0.16b, v1.16b, v2.16b
	shl	v0.4s, v1.4s, #3
	sshr	v0.2d, v1.2d, #5
	zip1	v0.16b, v1.16b, v2.16b
	tbl	v0.16b, {v1.16b}, v2.16b
	ext	v0.16b, v1.16b, v2.16b, #4
	uaddlv	h0, v1.16b
	addv	s0, v1.4s
	faddp	d0, v1.2d
	scvtf	v0.4s, v1.4s
	fcvtzs	v0.2d, v1.2d
	xtn	v0.4h, v1.4s
	movi	v0.4s, #7
	mvni	v0.4s, #7
	fmov	v0.4s, #1.0
	aese	v0.16b, v1.16b
	pmull	v0.1q, v1.1d, v2.1d
END(vectors)

KIND(structures, 47)
	ld1	{v0.16b}, [x0]
	ld1	{v0.2d, v1.2d}, [x0]
	ld1	{v0.s}[1], [x0]
	ld1r	{v0.4s}, [x0]
	ld2	{v0.4s, v1.4s}, [x0]
	ld3	{v0.8b, v1.8b, v2.8b}, [x0]
	ld4	{v0.8h - v3.8h}, [x0]
	st1	{v0.16b}, [x0]
	st1	{v0.d}[1], [x0]
	st2	{v0.4s, v1.4s}, [x0]
	st4	{v0.8h - v3.8h}, [x0]
END(structures)

/* Which compilers put into any code. */
KIND(neither, 53)
	mov	v0.16b, v1.16b
	eor	v2.16b, v1.16b, v1.16b
	movi	v2.2d, #0
	movi	d2, #0
	fmov	d0, x9
	fmov	x9, d0
	fmov	w9, s0
	fmov	s0, wzr
END(neither)

KIND(one_element, 59)
	add	d0, d1, d2
	sqadd	s0, s1, s2
	dup	v0.4s, w9
	dup	d0, v1.d[1]
	ins	v0.s[1], w9
	umov	w9, v0.s[1]
	smov	x9, v0.h[3]
	cmgt	d0, d1, d2
	ushr	d0, d1, #3
END(one_element)

	AREAS
