/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork_steps.S: a parent and two children of a known number of instructions.
 *
 * The forks' system calls are the parent's. On amd64, where the first fork is the system
 * call fork and the second one clone:
 *   a child     2 + 1 + 2 x 2000 + 3
 *   the parent  1 + 2 x 1000 + 2 + 2 + 7 + 2 + 2 x 6 + 3
 * On arm64, where both are clone:
 *   a child     1 + 1 + 2 x 2000 + 3
 *   the parent  1 + 2 x 1000 + 2 x (7 + 1) + 2 x 6 + 3
 */
#include <asm/unistd.h>

#if defined(__x86_64__)
	.text
	.globl	_start
	.type	_start, @function
_start:	movl	$1000, %ecx
1:	decl	%ecx
	jnz	1b
	movl	$__NR_fork, %eax
	syscall
	testl	%eax, %eax
	jz	child
	movl	$__NR_clone, %eax
	movl	$17, %edi		/* SIGCHLD */
	xorl	%esi, %esi
	xorl	%edx, %edx
	xorl	%r10d, %r10d
	xorl	%r8d, %r8d
	syscall
	testl	%eax, %eax
	jz	child
	.rept	2
	movl	$__NR_wait4, %eax
	movq	$-1, %rdi
	xorl	%esi, %esi
	xorl	%edx, %edx
	xorl	%r10d, %r10d
	syscall
	.endr
	movl	$__NR_exit, %eax
	xorl	%edi, %edi
	syscall

child:	movl	$2000, %ecx
1:	decl	%ecx
	jnz	1b
	movl	$__NR_exit, %eax
	xorl	%edi, %edi
	syscall
#else
	.text
	.globl	_start
	.type	_start, %function
_start:	mov	x9, #1000
1:	subs	x9, x9, #1
	b.ne	1b
	.rept	2
	mov	x0, #17			/* SIGCHLD */
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #__NR_clone
	svc	#0
	cbz	x0, child
	.endr
	.rept	2
	mov	x0, #-1
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x8, #__NR_wait4
	svc	#0
	.endr
	mov	x0, #0
	mov	x8, #__NR_exit
	svc	#0

child:	mov	x9, #2000
1:	subs	x9, x9, #1
	b.ne	1b
	mov	x0, #0
	mov	x8, #__NR_exit
	svc	#0
#endif
	.size	_start, .-_start
	.section .note.GNU-stack,"",%progbits
