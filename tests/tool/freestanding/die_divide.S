/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_divide.S: killed by SIGFPE, dividing by zero in the middle of a block.
 *
 * Known by construction: 3 of _start and 5 here; the division does not
 * retire: 8.
 */
	.text
	.globl	program
	.type	program, @function
program:
	movl	$50, %eax
	cltd
	xorl	%ecx, %ecx
	leaq	8(%rcx), %rsi
	addq	$8, %rsi
	idivl	%ecx
	addq	$8, %rsi
	addq	$8, %rsi
	ret
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
