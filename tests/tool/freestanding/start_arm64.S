/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start_arm64.S: entry, exit and signal return of the freestanding programs.
 *
 * Four instructions before program(), two after it.  initial_stack_pointer
 * says where the arguments are.
 */
#include <asm/unistd.h>

	.text
	.globl	_start
	.type	_start, %function
_start:
	mov	x10, sp
	adr	x9, initial_stack_pointer
	str	x10, [x9]
	bl	program
	mov	x8, #__NR_exit_group
	svc	#0
	udf	#0
	.size	_start, .-_start

	.globl	signal_restorer
	.type	signal_restorer, %function
signal_restorer:
	mov	x8, #__NR_rt_sigreturn
	svc	#0
	udf	#0
	.size	signal_restorer, .-signal_restorer

	.data
	.balign	8
	.globl	initial_stack_pointer
initial_stack_pointer: .quad 0

	.section .note.GNU-stack,"",@progbits
