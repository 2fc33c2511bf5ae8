/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fall_into.S: entries of malloc and free that code falls into or jumps to.
 *
 * The argument is set by the instruction before the entry, in the same run of
 * straight code.  A tool that looks at the registers too late, or at values
 * from before the block, sees another size.
 *
 * By construction: 10 rounds of blocks of 64 (fallen into), 100 + round
 * (fallen into, computed), 24 (tail call) and 7777 (ordinary call): four
 * blocks and 64 + 24 + 7777 + 100 + round bytes a round, the round from 10
 * to 1: 40 blocks, 79705 bytes; of these the 64 and the 24 are given back, once through an
 * entry fallen into and once by an ordinary call: 20 blocks, 880 bytes.
 * Peak: all but the 64s and 24s of earlier rounds, in round 1, before the
 * first free: 10 * 7777 + 1055 + 64 + 24.  instructions.allocator: 4 a malloc
 * and 2 a free.
 */
	.text
	.globl	program
	.type	program, @function
program:
	pushq	%rbx
	pushq	%r12
	movl	$10, %ebx
1:	movl	$7777, %edi
	call	malloc
	call	allocate_64
	movq	%rax, %r12
	movl	%ebx, %esi
	call	allocate_100_and
	call	allocate_24
	movq	%rax, %rsi
	call	release_second
	movq	%r12, %rdi
	call	free
	decl	%ebx
	jnz	1b
	popq	%r12
	popq	%rbx
	xorl	%eax, %eax
	ret
	.size	program, .-program

	.type	allocate_100_and, @function
allocate_100_and:
	leaq	100(%rsi), %rdi
	testl	%edi, %edi
	jnz	malloc
	ud2

	.type	allocate_24, @function
allocate_24:
	movl	$24, %edi
	jmp	malloc

	.type	allocate_64, @function
allocate_64:
	movl	$7777, %edi
	nop
	movl	$64, %edi
	.globl	malloc
	.type	malloc, @function
malloc:
	movq	next(%rip), %rax
	leaq	16(%rax,%rdi), %rdi
	movq	%rdi, next(%rip)
	ret
	.size	malloc, .-malloc

	.type	release_second, @function
release_second:
	xorl	%edi, %edi
	movq	%rsi, %rdi
	.globl	free
	.type	free, @function
free:
	movq	%rdi, last(%rip)
	ret
	.size	free, .-free

	.data
	.balign	16
next:	.quad	arena
last:	.quad	0
	.bss
	.balign	64
arena:	.skip	1 << 20
	.section .note.GNU-stack,"",@progbits
