/* SPDX-License-Identifier: GPL-2.0-or-later */
/* string_condition.S: repe and repne cmps and scas.
 *
 * Ended by the condition in the first, a middle and the last pass (there
 * together with the count), by the count alone, and not begun (count 0) with
 * the zero flag either way.  instructions.bats knows by construction the number
 * of passes and of executions ended by the condition: see program.
 *
 * Without repne cmps, which Valgrind 3.19 does not know.
 */
	.macro	scan prefix:req, width:req, count:req, from:req, value:req
	leaq	\from(%rip), %rdi
	movl	$\value, %eax
	movl	$\count, %ecx
	testl	%edi, %edi
	\prefix scas\width
	.endm

	.macro	compare prefix:req, width:req, count:req, left:req, right:req
	leaq	\left(%rip), %rsi
	leaq	\right(%rip), %rdi
	movl	$\count, %ecx
	\prefix cmps\width
	.endm

	.text
	.globl	program
	.type	program, @function
program:					/* passes  ended by condition */
	xorl	%ebx, %ebx
1:	/* eight rounds of: */

	/* strlen and memchr: zeros.  text is 16 times 'a', then 'b', zeros */
	scan	repne, b, 100, text, 0		/* 18  1 */
	scan	repne, b, 100, text, 'a'	/*  1  1 */
	scan	repne, b, 17, text, 'b'		/* 17  1  with the count */
	scan	repne, b, 16, text, 'b'		/* 16  0 */
	scan	repne, b, 0, text, 'a'		/*  0  0 */
	scan	repne, b, 1, text, 'a'		/*  1  1 */
	scan	repne, b, 1, text, 'b'		/*  1  0 */
	scan	repe, b, 100, text, 'a'		/* 17  1 */
	scan	repe, b, 16, text, 'a'		/* 16  0 */
	scan	repe, b, 0, text, 'b'		/*  0  0 */
	scan	repne, w, 20, text, 0		/* 10  1 */
	scan	repne, l, 20, text, 0		/*  6  1 */
	scan	repe, q, 20, zeros, 0		/* 20  0 */
						/* 123  7 */
	/* same is like text, other differs in its ninth byte */
	compare	repe, b, 32, text, same		/* 32  0 */
	compare	repe, b, 32, text, other	/*  9  1 */
	compare	repe, b, 9, text, other		/*  9  1  with the count */
	compare	repe, b, 8, text, other		/*  8  0 */
	compare	repe, b, 0, text, other		/*  0  0 */
	compare	repe, w, 16, text, other	/*  5  1 */
	compare	repe, l, 8, text, other		/*  3  1 */
	compare	repe, q, 4, text, other		/*  2  1 */
	compare	repe, q, 1, text, same		/*  1  0 */
						/* 69  5 */
	incl	%ebx
	cmpl	$8, %ebx
	jb	1b				/* 8 * (123 + 69) = 1536, 8 * (7 + 5) = 96 */
	xorl	%eax, %eax
	ret
	.size	program, .-program

	.section .rodata
	.balign	64
text:	.ascii	"aaaaaaaaaaaaaaaab"
	.skip	64
	.balign	64
same:	.ascii	"aaaaaaaaaaaaaaaab"
	.skip	64
	.balign	64
other:	.ascii	"aaaaaaaaxaaaaaaab"
	.skip	64
	.balign	64
zeros:	.skip	256
	.section .note.GNU-stack,"",@progbits
