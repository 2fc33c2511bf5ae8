/* SPDX-License-Identifier: GPL-2.0-or-later */
/* string_count.S: rep movs and stos, ended by their count.
 *
 * Counts 0, 1, 2 and 1000, each width, both directions, 32-bit counts, and a
 * rep whose block is entered in the middle.  instructions.bats knows the
 * number of passes by construction: PASSES below, kept beside the code.
 *
 * Without rep lods: Valgrind 3.19 makes one pass of it, whatever the count.
 */
	.macro	repeated count:req, instruction:vararg
	movl	$\count, %ecx
	leaq	source(%rip), %rsi
	leaq	target(%rip), %rdi
	rep \instruction
	.endm

	.macro	all_forms count:req		/* 8 * count passes */
	repeated \count, movsb
	repeated \count, movsw
	repeated \count, movsl
	repeated \count, movsq
	repeated \count, stosb
	repeated \count, stosw
	repeated \count, stosl
	repeated \count, stosq
	.endm

	.text
	.globl	program
	.type	program, @function
program:					/* PASSES = 8 * 1003 + 100 + 7 + 5 + 30 = 8166 */
	all_forms 0
	all_forms 1
	all_forms 2
	all_forms 1000

	/* Downwards. */
	std
	movl	$100, %ecx
	leaq	source+800(%rip), %rsi
	leaq	target+800(%rip), %rdi
	rep movsq
	cld

	/* A 32-bit count: the upper half of rcx is not part of it. */
	movabsq	$0x100000007, %rcx
	leaq	target(%rip), %rdi
	addr32 rep stosb

	/* Entered by a jump, in a block of its own, five times with one pass
	 * and five times with none. */
	movl	$10, %edx
1:	movl	%edx, %ecx
	andl	$1, %ecx
	leaq	target(%rip), %rdi
	jmp	2f
	ud2
2:	rep stosq
	decl	%edx
	jnz	1b

	/* Two in a row, in one block: six times three and two passes. */
	movl	$6, %edx
3:	leaq	source(%rip), %rsi
	leaq	target(%rip), %rdi
	movl	$3, %ecx
	rep movsb
	movl	$2, %ecx
	rep stosb
	decl	%edx
	jnz	3b

	xorl	%eax, %eax
	ret
	.size	program, .-program

	.bss
	.balign	64
source:	.skip	8192
target:	.skip	8192
	.section .note.GNU-stack,"",@progbits
