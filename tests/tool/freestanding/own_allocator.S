/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_allocator.S: an allocator of a known number of instructions per call.
 *
 * For share.c.  From a function's first instruction to its return, inclusive,
 * whatever the arguments (inner calls are part of the outer one):
 *
 *   malloc            9 + 2 * (size & 15): a loop, so that blocks differ
 *   calloc           12 more than a malloc of the product
 *   realloc           5 more than a malloc: a block is never given back
 *   aligned_alloc     2 more than a malloc: it jumps into it
 *   memalign          3: it always fails
 *   free              3
 *   valloc            4 and the system call sched_yield, so that another
 *                     thread runs in the middle of the call: 7 in all
 *   pvalloc           4 more than a malloc, and a load from the address in
 *                     fault_at, which does not retire if the handler skips it
 *
 * Memory is one arena and one pointer that only goes up, by an atomic addition.
 */
#include <asm/unistd.h>

	.macro	function name:req
	.globl	\name
	.type	\name, @function
	.balign	16
\name:
	.endm

	.macro	function_end name:req
	.size	\name, .-\name
	.endm

	.text
	function malloc
	movl	%edi, %ecx
	andl	$15, %ecx
	incl	%ecx
1:	decl	%ecx				/* size & 15 rounds, and one */
	jnz	1b
	leaq	15(%rdi), %rax
	andq	$-16, %rax
	lock xaddq %rax, next(%rip)
	ret
	function_end malloc

	function calloc
	pushq	%rbx
	pushq	%r12
	pushq	%r13
	imulq	%rsi, %rdi
	movq	%rdi, %rbx
	call	malloc
	movq	%rax, %r12
	movq	%r12, %rax
	popq	%r13
	popq	%r12
	popq	%rbx
	ret
	function_end calloc

	function realloc
	subq	$8, %rsp
	movq	%rsi, %rdi
	call	malloc
	addq	$8, %rsp
	ret
	function_end realloc

	function aligned_alloc
	movq	%rsi, %rdi
	jmp	malloc
	function_end aligned_alloc

	function memalign
	xorl	%eax, %eax
	nop
	ret
	function_end memalign

	function free
	movq	%rdi, last(%rip)
	nop
	ret
	function_end free

	function valloc
	movl	$__NR_sched_yield, %eax
	syscall
	movl	$32, %eax
	movq	%rdi, %rdx
	nop
	lock xaddq %rax, next(%rip)
	ret
	function_end valloc

	function pvalloc
	movq	fault_at(%rip), %rdx
	.globl	pvalloc_fault
pvalloc_fault:
	movq	(%rdx), %rdx
	.globl	pvalloc_after
pvalloc_after:
	call	malloc
	nop
	ret
	function_end pvalloc

	.data
	.balign	64
next:	.quad	arena
last:	.quad	0
	.globl	fault_at
fault_at: .quad	last

	.bss
	.balign	64
arena:	.skip	64 << 20
	.section .note.GNU-stack,"",@progbits
