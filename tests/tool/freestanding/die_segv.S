/* SPDX-License-Identifier: GPL-2.0-or-later */
/* die_segv.S: killed by SIGSEGV in the middle of a block.
 *
 * Known by construction: 3 of _start, 1 + 2 * 50 + 4 here; the load itself
 * does not retire: 108.
 */
	.text
	.globl	program
	.type	program, @function
program:
	movl	$50, %ecx
1:	decl	%ecx
	jnz	1b
	leaq	8(%rcx), %rsi
	addq	$8, %rsi
	addq	$8, %rsi
	addq	$8, %rsi
	movq	(%rsi), %rax
	addq	$8, %rsi
	addq	$8, %rsi
	ret
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
