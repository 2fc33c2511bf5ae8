/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fall_into_arm64.S: entries of malloc and free that code falls into or jumps to.
 *
 * As in fall_into.S, with the same numbers but for instructions.allocator, which
 * is 7 a malloc and 3 a free here: 40 * 7 + 20 * 3.
 */
	.text
	.globl	program
	.type	program, %function
program:
	stp	x29, x30, [sp, #-32]!
	stp	x19, x20, [sp, #16]
	mov	x19, #10
1:	mov	x0, #7777
	bl	malloc
	bl	allocate_64
	mov	x20, x0
	mov	x1, x19
	bl	allocate_100_and
	bl	allocate_24
	mov	x1, x0
	bl	release_second
	mov	x0, x20
	bl	free
	subs	x19, x19, #1
	b.ne	1b
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #32
	mov	x0, xzr
	ret
	.size	program, .-program

	.type	allocate_100_and, %function
allocate_100_and:
	add	x0, x1, #100
	cbnz	x0, malloc
	udf	#0

	.type	allocate_24, %function
allocate_24:
	mov	x0, #24
	b	malloc

	.type	allocate_64, %function
allocate_64:
	mov	x0, #7777
	nop
	mov	x0, #64
	.globl	malloc
	.type	malloc, %function
malloc:
	adr	x10, next
	ldr	x9, [x10]
	add	x11, x9, x0
	add	x11, x11, #16
	str	x11, [x10]
	mov	x0, x9
	ret
	.size	malloc, .-malloc

	.type	release_second, %function
release_second:
	mov	x0, xzr
	mov	x0, x1
	.globl	free
	.type	free, %function
free:
	adr	x10, last
	str	x0, [x10]
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
