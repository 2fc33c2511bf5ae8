/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_illegal_arm64.S: killed by SIGILL, at a udf after straight code.
 *
 * Known by construction: 4 of _start and 4 here, 8.
 */
	.text
	.globl	program
	.type	program, %function
program:
	mov	x9, #50
	add	x10, x9, #8
	add	x10, x10, #8
	add	x10, x10, #8
	udf	#0
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
