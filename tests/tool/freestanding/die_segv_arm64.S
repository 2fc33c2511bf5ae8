/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_segv_arm64.S: killed by SIGSEGV in the middle of a block.
 *
 * Known by construction: 4 of _start, 1 + 2 * 50 + 4 here; the load itself
 * does not retire: 109.
 */
	.text
	.globl	program
	.type	program, %function
program:
	mov	x9, #50
1:	subs	x9, x9, #1
	b.ne	1b
	add	x10, x9, #8
	add	x10, x10, #8
	add	x10, x10, #8
	add	x10, x10, #8
	ldr	x11, [x10]
	add	x10, x10, #8
	add	x10, x10, #8
	ret
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
