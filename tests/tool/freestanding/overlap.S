/* SPDX-License-Identifier: GPL-2.0-or-later */
/* overlap.S: code entered at more than one place.
 *
 * A jump into the middle of a block that has run from its start, and into the
 * middle of an instruction, whose bytes there are instructions too.
 */
	.text
	.globl	program
	.type	program, @function
program:
	xorl	%ebx, %ebx
	movl	$60, %ecx
1:	testb	$1, %cl
	jnz	3f
2:	addl	$1, %ebx			/* even rounds begin here, */
	addl	$1, %ebx
	addl	$1, %ebx
3:	addl	$16, %ebx			/* odd rounds here, */
	addl	$16, %ebx
	testb	$3, %cl
	jz	5f
4:	.byte	0xb8				/* mov $0xc3ff3148, %eax: or, one byte on, */
	.byte	0x48, 0x31, 0xff, 0xc3		/* xor %rdi, %rdi; ret */
	call	6f
5:	decl	%ecx
	jnz	1b
	cmpl	$(30 * 3 + 60 * 32), %ebx
	setne	%al
	movzbl	%al, %eax
	ret
6:	leaq	4b(%rip), %rax
	incq	%rax
	jmp	*%rax
	.size	program, .-program
	.section .note.GNU-stack,"",@progbits
