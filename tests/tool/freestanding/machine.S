/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine.S: instructions that VEX executes by helper functions.
 *
 * cpuid, rdtsc, fxsave, x87, SSE and flag-computing instructions; their
 * results are not looked at, since they are the machine's.
 */
	.text
	.globl	program
	.type	program, @function
program:
	pushq	%rbx
	movl	$50, %ebp
1:	movl	$1, %eax
	xorl	%ecx, %ecx
	cpuid
	rdtsc
	fninit
	fldpi
	fld1
	faddp
	fsqrt
	fstpl	cell(%rip)
	fxsave	area(%rip)
	fxrstor	area(%rip)
	cvtsi2sd %ebp, %xmm0
	sqrtsd	%xmm0, %xmm1
	mulsd	%xmm1, %xmm0
	pcmpeqb	%xmm2, %xmm2
	pmovmskb %xmm2, %edx
	bsfl	%edx, %ecx
	rcll	$3, %edx
	cmovcl	%edx, %ecx
	setp	%dl
	bswap	%rdx
	cld
	pushfq
	popq	%rax
	mfence
	nopl	8(%rax,%rax)
	decl	%ebp
	jnz	1b
	popq	%rbx
	xorl	%eax, %eax
	ret
	.size	program, .-program

	.bss
	.balign	64
area:	.skip	512
cell:	.skip	8
	.section .note.GNU-stack,"",@progbits
