/* SPDX-License-Identifier: GPL-2.0-or-later */
/* self_loops_arm64.S: blocks that jump to their own start, by each kind of branch.
 *
 * Known by construction: the loops below make 11089 instructions, what sets them
 * up 6, and 8 more are _start's four, the two of the result and the return, and
 * the two of the exit: 11103.
 */
	.text
	.globl	program
	.type	program, %function
program:
	mov	x9, #3000
1:	subs	x9, x9, #1			/* 6000 */
	b.ne	1b

	mov	x9, #200
2:	sub	x9, x9, #1			/* 400 */
	cbnz	x9, 2b

	mov	x9, #1
3:	sub	x9, x9, #1			/* 2 */
	cbnz	x9, 3b

	mov	x9, #64
4:	sub	x9, x9, #1			/* 64 down to 31: 33 rounds, 66 */
	tbnz	x9, #5, 4b

	mov	x9, #40
5:	cbz	x9, 6f				/* 40 rounds of 3, then 1: 121 */
	sub	x9, x9, #1
	b	5b
6:
	mov	x9, #1000
7:	sub	x9, x9, #1			/* 500 odd rounds of 4, 500 even of 5 */
	tst	x9, #1
	b.eq	8f
	b	7b
8:	nop
	cbnz	x9, 7b

	mov	x0, xzr
	ret
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
