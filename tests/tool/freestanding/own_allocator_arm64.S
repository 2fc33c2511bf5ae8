/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_allocator_arm64.S: an allocator of a known number of instructions per call.
 *
 * The numbers are those of own_allocator.S, whose head has them.  pvalloc jumps
 * into malloc here.
 */
#include <asm/unistd.h>

	.arch_extension lse

	.macro	function name:req
	.globl	\name
	.type	\name, %function
	.balign	16
\name:
	.endm

	.macro	function_end name:req
	.size	\name, .-\name
	.endm

	.text
	function malloc
	and	x9, x0, #15
	add	x9, x9, #1
1:	subs	x9, x9, #1			/* size & 15 rounds, and one */
	b.ne	1b
	add	x0, x0, #15
	and	x0, x0, #-16
	adr	x10, next
	ldaddal	x0, x0, [x10]
	ret
	function_end malloc

	function calloc
	stp	x29, x30, [sp, #-32]!
	stp	x19, x20, [sp, #16]
	mul	x0, x0, x1
	mov	x19, x0
	mov	x20, x1
	bl	malloc
	mov	x20, x0
	mov	x0, x20
	nop
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
	function_end calloc

	function realloc
	stp	x29, x30, [sp, #-16]!
	mov	x0, x1
	bl	malloc
	ldp	x29, x30, [sp], #16
	ret
	function_end realloc

	function aligned_alloc
	mov	x0, x1
	b	malloc
	function_end aligned_alloc

	function memalign
	mov	x0, xzr
	nop
	ret
	function_end memalign

	function free
	adr	x9, last
	str	x0, [x9]
	ret
	function_end free

	function valloc
	mov	x8, #__NR_sched_yield
	svc	#0
	mov	x9, #32
	adr	x10, next
	nop
	ldaddal	x9, x0, [x10]
	ret
	function_end valloc

	function pvalloc
	ldr	x9, fault_at
	.globl	pvalloc_fault
pvalloc_fault:
	ldr	x9, [x9]
	.globl	pvalloc_after
pvalloc_after:
	nop
	nop
	b	malloc
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
