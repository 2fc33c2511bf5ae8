/* SPDX-License-Identifier: GPL-2.0-or-later */
/* straight_arm64.S: more straight code than fits one of VEX's blocks.
 *
 * Known by construction: 20 * (4 * 300 + 2) + 3 for the loop and its start,
 * 3 for the exit, which is exit and not exit_group here, and 4 of _start:
 * 24050 instructions.
 */
#include <asm/unistd.h>

	.text
	.globl	program
	.type	program, %function
program:
	mov	x9, #20
	mov	x10, xzr
	adr	x12, cell
1:	.rept	300
	add	x10, x10, #3
	add	x11, x10, x9
	str	x11, [x12]
	ldr	x13, [x12]
	.endr
	subs	x9, x9, #1
	b.ne	1b
	sub	x0, x13, x11			/* zero, if all went well */
	mov	x8, #__NR_exit
	svc	#0
	udf	#0
	.size	program, .-program

	.data
	.balign	8
cell:	.quad	0
	.section .note.GNU-stack,"",@progbits
