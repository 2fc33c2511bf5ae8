/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.S: entry, exit and signal return of the freestanding programs.
 *
 * Three instructions before program(), three after it.  initial_stack_pointer
 * says where the arguments are.
 */
#include <asm/unistd.h>

	.text
	.globl	_start
	.type	_start, @function
_start:
	movq	%rsp, initial_stack_pointer(%rip)
	andq	$-16, %rsp
	call	program
	movl	%eax, %edi
	movl	$__NR_exit_group, %eax
	syscall
	hlt
	.size	_start, .-_start

	.globl	signal_restorer
	.type	signal_restorer, @function
signal_restorer:
	movl	$__NR_rt_sigreturn, %eax
	syscall
	hlt
	.size	signal_restorer, .-signal_restorer

	.bss
	.balign	8
	.globl	initial_stack_pointer
initial_stack_pointer: .skip 8

	.section .note.GNU-stack,"",@progbits
