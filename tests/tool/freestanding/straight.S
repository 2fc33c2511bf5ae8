/* SPDX-License-Identifier: GPL-2.0-or-later */
/* straight.S: more straight code than fits one of VEX's blocks.
 *
 * Known by construction: 20 * (4 * 300 + 2) + 2 for the loop and its start,
 * 3 for the exit, which is exit and not exit_group here, and 3 of _start:
 * 24048 instructions.
 */
#include <asm/unistd.h>

	.text
	.globl	program
	.type	program, @function
program:
	movl	$20, %ecx
	xorl	%eax, %eax
1:	.rept	300
	addl	$3, %eax
	leaq	(%rax,%rcx), %rdx
	movq	%rdx, cell(%rip)
	xorq	cell(%rip), %rdx
	.endr
	decl	%ecx
	jnz	1b
	movl	%edx, %edi			/* zero, if all went well */
	movl	$__NR_exit, %eax
	syscall
	hlt
	.size	program, .-program

	.bss
	.balign	8
cell:	.skip	8
	.section .note.GNU-stack,"",@progbits
