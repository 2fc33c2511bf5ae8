/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_illegal.S: killed by SIGILL, at a ud2 after straight code.
 *
 * Known by construction: 3 of _start and 4 here, 7.
 */
	.text
	.globl	program
	.type	program, @function
program:
	movl	$50, %ecx
	leaq	8(%rcx), %rsi
	addq	$8, %rsi
	addq	$8, %rsi
	ud2
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
