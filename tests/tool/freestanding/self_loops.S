/* SPDX-License-Identifier: GPL-2.0-or-later */
/* self_loops.S: blocks that jump to their own start.
 *
 * One-instruction loops, two-instruction loops, and the loop family.  Known by
 * construction: the loops below make 11624 instructions, what sets them up 8,
 * and 8 more are _start, the return and the exit: 11640.
 */
	.text
	.globl	program
	.type	program, @function
program:
	movl	$3000, %ecx
1:	decl	%ecx				/* 6000 */
	jnz	1b

	movl	$500, %ecx
2:	loop	2b				/* 500 */

	movl	$1, %ecx
3:	loop	3b				/* 1 */

	movl	$200, %ecx
	cmpl	%ecx, %ecx
4:	loope	4b				/* 200: the flag stays set */

	movl	$200, %ecx
5:	cmpl	$50, %ecx			/* 200 down to 50: 151 rounds, 302 */
	loopne	5b

	movl	$40, %ecx
6:	jrcxz	7f				/* 40 rounds of 3, then 1: 121 */
	leaq	-1(%rcx), %rcx
	jmp	6b
7:
	movl	$1000, %eax
8:	subl	$1, %eax			/* 500 odd rounds of 4, 500 even of 5 */
	testb	$1, %al
	jz	9f
	jmp	8b
9:	testl	%eax, %eax
	jnz	8b

	xorl	%eax, %eax
	ret
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
