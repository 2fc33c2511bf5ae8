/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overlap_arm64.S: code entered at more than one place.
 *
 * A jump into the middle of a block that has run from its start, and a computed
 * one to what follows a return.
 */
	.text
	.globl	program
	.type	program, %function
program:
	mov	x14, x30
	mov	x9, xzr
	mov	x10, #60
1:	tbnz	x10, #0, 3f
2:	add	x9, x9, #1			/* even rounds begin here, */
	add	x9, x9, #1
	add	x9, x9, #1
3:	add	x9, x9, #16			/* odd rounds here, */
	add	x9, x9, #16
	tst	x10, #3
	b.eq	5f
	bl	6f
5:	subs	x10, x10, #1
	b.ne	1b
	sub	x0, x9, #(30 * 3 + 60 * 32)
	ret	x14
4:	add	x11, x11, #1
	mov	x12, x11
	ret
6:	adr	x13, 4b
	add	x13, x13, #4
	br	x13
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
