/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_requests.S: a thousand client requests that no tool knows.
 *
 * A request is four rotations and an exchange of a register with itself, which do nothing
 * natively. Known by construction: 1,000 times three instructions before it, its own five,
 * and the two of the loop; with the first one and the three of the exit, 10,004.
 */
#include <asm/unistd.h>

	.text
	.globl	_start
_start:	movl	$1000, %ecx
1:	leaq	arguments(%rip), %rax
	xorl	%edx, %edx
	nop
	rolq	$3, %rdi
	rolq	$13, %rdi
	rolq	$61, %rdi
	rolq	$51, %rdi
	xchgq	%rbx, %rbx
	decl	%ecx
	jnz	1b
	xorl	%edi, %edi
	movl	$__NR_exit, %eax
	syscall
	hlt

	.bss
	.balign	8
arguments:
	.skip	48				/* number 0 of no tool's, and its five words */
	.section .note.GNU-stack,"",@progbits
