/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine_arm64.S: instructions that VEX executes by helper functions.
 *
 * Of the clock, of flags that are computed late, cryptography, checksums and
 * square roots; their results are not looked at, since they are the machine's.
 */
	.arch	armv8-a+crypto+crc
	.text
	.globl	program
	.type	program, %function
program:
	mov	x9, #50
	adr	x12, cell
1:	mrs	x10, cntvct_el0
	mrs	x11, tpidr_el0
	mrs	x11, fpcr
	msr	fpcr, x11
	mrs	x11, nzcv
	msr	nzcv, x11
	scvtf	d0, x9
	fsqrt	d1, d0
	fmul	d0, d0, d1
	fcmp	d0, d1
	csel	x10, x10, x11, gt
	ldr	q2, [x12]
	aese	v2.16b, v0.16b
	aesmc	v2.16b, v2.16b
	sha256su0 v2.4s, v0.4s
	pmull	v3.1q, v2.1d, v0.1d
	crc32x	w11, w11, x10
	clz	x11, x11
	rbit	x11, x11
	udiv	x10, x10, x9
	dmb	ish
	prfm	pldl1keep, [x12]
	str	q2, [x12]
	subs	x9, x9, #1
	b.ne	1b
	mov	x0, xzr
	ret
	.size	program, .-program

	.data
	.balign	16
cell:	.skip	16
	.section .note.GNU-stack,"",@progbits
