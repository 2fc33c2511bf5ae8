/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_base.S: instructions of every class, executed: those that every x86-64 has.
 *
 * Results are not looked at: what counts is which instructions ran.
 */
#include <asm/unistd.h>
#include "mix_kinds.h"

	.text
	.globl	program
	.type	program, @function
program:
	pushq	%rbx
	pushq	%rbp
	call	dead_loads
	call	loads
	call	stores
	call	read_modify_write
	call	stack
	call	strings
	call	string_counts
	call	no_memory
	call	branches
	call	calls
	call	falls
	call	system_calls
	call	sse_scalar
	call	sse_vector
	call	sse_neither
	call	sse_half
	call	mmx
	call	x87
	call	x87_control
	popq	%rbp
	popq	%rbx
	xorl	%eax, %eax
	ret
	.size	program, . - program

/* What is loaded is not used, or overwritten: a translator drops such loads. */
KIND(dead_loads, 3)
	movl	(%rdi), %eax
	movl	4(%rdi), %eax
	movq	8(%rdi), %rax
	movzbl	(%rsi), %eax
	cmpl	%eax, (%rdi)
	testl	$1, (%rdi)
	movsd	(%rdi), %xmm0
	movaps	(%rdi), %xmm0
	xorl	%eax, %eax
END(dead_loads)

KIND(loads, 5)
	movabsq	other, %rax
	movsbw	(%rdi), %ax
	movslq	(%rdi), %rax
	addl	(%rdi), %eax
	cmpb	$1, (%rdi)
	imull	$700, (%rdi), %eax
	movl	$0, %edx
	movl	$7, %eax
	divl	(%rsi)
	btl	$3, (%rdi)
	cmovel	(%rdi), %eax
	bsfl	(%rsi), %ecx
	ldmxcsr	control(%rip)
	fxsave	512(%rdi)
	fxrstor	512(%rdi)
END(loads)

KIND(stores, 7)
	movb	%al, (%rdi)
	movl	$1, (%rdi)
	movq	$1, 8(%rdi)
	movntil	%eax, (%rdi)
	sete	(%rdi)
	stmxcsr	(%rdi)
	fxsave	512(%rdi)
END(stores)

KIND(read_modify_write, 11)
	addl	%eax, (%rdi)
	lock addl $1, (%rdi)
	incq	(%rdi)
	notb	(%rdi)
	shll	$3, (%rdi)
	rolq	%cl, (%rdi)
	shldl	$3, %eax, (%rdi)
	btsl	$3, (%rdi)
	xchgl	%eax, (%rdi)
	lock xaddq %rax, (%rdi)
	movl	(%rdi), %eax
	lock cmpxchgl %ecx, (%rdi)
	cmpxchgb %ah, (%rdi)
	cmpxchg8b (%rdi)
	sbbq	$3, (%rdi)
END(read_modify_write)

KIND(stack, 13)
	pushq	%rax
	pushq	(%rdi)
	pushq	$1000
	pushfq
	popfq
	popq	%rax
	popq	(%rdi)
	popq	%rcx
	pushq	%rbp
	movq	%rsp, %rbp
	leave
	enter	$16, $0
	leave
END(stack)

KIND(strings, 17)
	cld
	movsb
	movsq
	lodsl
	stosb
	stosq
	leaq	area(%rip), %rdi
	leaq	other(%rip), %rsi
	scasl
	scasb
END(strings)

/* A rep counts once, however many passes it makes: none, too. */
KIND(string_counts, 19)
	cld
	leal	-1(%rbp), %ecx
	rep movsb
	leal	-1(%rbp), %ecx
	rep stosl
	xorl	%ecx, %ecx
	rep movsq
	xorl	%ecx, %ecx
	repe cmpsb
	leaq	area(%rip), %rdi
	leaq	other(%rip), %rsi
	movl	$30, %ecx
	repe cmpsb
	movl	$30, %ecx
	movb	$0x3f, %al
	repne scasb
	movl	$3, %ecx
	repne scasl
END(string_counts)

KIND(no_memory, 23)
	leaq	8(%rdi, %rax, 4), %rdx
	nop
	nopl	8(%rax, %rax)
	nopw	%cs:0(%rax, %rax)
	pause
	prefetcht0 (%rdi)
	prefetchnta (%rdi)
	clflush	(%rdi)
	mfence
	lfence
	sfence
	cpuid
	rdtsc
	cmovnel	%eax, %ebx
	setg	%al
	bswapq	%rax
	cqto
	imulq	%rax, %rdx
	xchgl	%eax, %ecx
	.byte	0xf3, 0x0f, 0x1e, 0xfa		/* endbr64 */
END(no_memory)

KIND(branches, 29)
	movl	$3, %ecx
1:	loop	1b
	jrcxz	2f
	nop
2:	leaq	3f(%rip), %rax
	jmp	*%rax
	nop
3:	leaq	4f(%rip), %rax
	movq	%rax, (%rdi)
	jmp	*(%rdi)
	nop
4:	testl	%eax, %eax
	je	5f
	jne	5f
	nop
5:	testl	%ebp, %ebp
	js	6f
6:
END(branches)

KIND(calls, 31)
	call	returns
	leaq	returns(%rip), %rax
	call	*%rax
	movq	%rax, (%rdi)
	call	*(%rdi)
	pushq	$1
	call	returns_more
END(calls)

	.type	returns, @function
returns:
	rep ret
	.size	returns, . - returns

	.type	returns_more, @function
returns_more:
	ret	$8
	.size	returns_more, . - returns_more

/* Straight code that is three functions, the second of a single instruction. */
KIND(falls, 71)
	call	first_of_three
	call	second_of_three
	call	third_of_three
	movl	$3, %ecx
	call	begins_with_rep
	xorl	%ecx, %ecx
	call	begins_with_rep
	call	begins_with_rep_that_ends
END(falls)

	.type	first_of_three, @function
first_of_three:
	addl	$1, (%rdi)
	movl	(%rdi), %eax
	.size	first_of_three, . - first_of_three
	.type	second_of_three, @function
second_of_three:
	addss	%xmm0, %xmm1
	.size	second_of_three, . - second_of_three
	.type	third_of_three, @function
third_of_three:
	paddd	%xmm0, %xmm1
	ret
	.size	third_of_three, . - third_of_three

/* The first instruction, once a call however many passes it makes. */
	.type	begins_with_rep, @function
begins_with_rep:
	rep stosb
	ret
	.size	begins_with_rep, . - begins_with_rep
	.type	begins_with_rep_that_ends, @function
begins_with_rep_that_ends:
	repne scasb
	ret
	.size	begins_with_rep_that_ends, . - begins_with_rep_that_ends

KIND(system_calls, 37)
	movl	$__NR_getppid, %eax
	syscall
	movl	$__NR_getuid, %eax
	syscall
END(system_calls)

KIND(sse_scalar, 41)
	movss	(%rdi), %xmm0
	movss	%xmm0, %xmm1
	movss	%xmm0, (%rdi)
	movsd	(%rdi), %xmm2
	movsd	%xmm2, (%rdi)
	movsd	%xmm2, %xmm3
	addss	%xmm0, %xmm1
	subsd	(%rdi), %xmm2
	mulss	(%rsi), %xmm1
	divsd	%xmm2, %xmm3
	sqrtss	%xmm1, %xmm1
	sqrtsd	(%rdi), %xmm2
	minss	%xmm1, %xmm0
	maxsd	%xmm2, %xmm3
	rcpss	%xmm1, %xmm4
	rsqrtss	%xmm1, %xmm4
	cmpltsd	%xmm2, %xmm3
	cmpeqss	(%rdi), %xmm3
	comiss	%xmm1, %xmm2
	ucomisd	(%rdi), %xmm2
	cvtsi2sdl %eax, %xmm5
	cvtsi2ssq (%rdi), %xmm5
	cvttss2si %xmm1, %eax
	cvtsd2si (%rdi), %rax
	cvtss2sd %xmm1, %xmm6
	cvtsd2ss (%rdi), %xmm6
END(sse_scalar)

KIND(sse_vector, 43)
	movaps	(%rdi), %xmm0
	movups	1(%rdi), %xmm1
	movapd	%xmm1, (%rdi)
	movntps	%xmm1, (%rdi)
	movdqu	%xmm1, 16(%rdi)
	addps	%xmm0, %xmm1
	mulpd	(%rsi), %xmm1
	subps	%xmm1, %xmm2
	divpd	(%rsi), %xmm2
	sqrtps	%xmm1, %xmm2
	andps	%xmm1, %xmm2
	xorps	%xmm1, %xmm2
	cmpleps	%xmm1, %xmm2
	shufps	$0x1b, %xmm1, %xmm2
	unpcklpd %xmm1, %xmm2
	cvtdq2ps %xmm1, %xmm2
	cvttps2dq %xmm2, %xmm3
	cvtps2pd %xmm2, %xmm3
	paddd	%xmm1, %xmm2
	psubq	(%rdi), %xmm2
	pmullw	%xmm1, %xmm2
	pmuludq	%xmm1, %xmm2
	pand	%xmm1, %xmm2
	pcmpeqb	%xmm1, %xmm2
	psrldq	$4, %xmm2
	psllq	%xmm1, %xmm2
	pshufd	$0x1b, %xmm1, %xmm2
	punpckhbw %xmm1, %xmm2
	packssdw %xmm1, %xmm2
	pmovmskb %xmm2, %eax
	movmskps %xmm2, %eax
	pinsrw	$3, %eax, %xmm2
	pextrw	$3, %xmm2, %eax
	psadbw	(%rdi), %xmm2
	maskmovdqu %xmm1, %xmm2
END(sse_vector)

/* Which compilers put into any code. */
KIND(sse_neither, 47)
	movaps	%xmm0, %xmm1
	movdqa	%xmm1, %xmm2
	movupd	%xmm1, %xmm2
	xorps	%xmm0, %xmm0
	pxor	%xmm1, %xmm1
	psubd	%xmm2, %xmm2
	pcmpgtb	%xmm2, %xmm2
	movd	%eax, %xmm3
	movq	%rax, %xmm3
	movq	%xmm3, %rax
	movd	%xmm3, %eax
END(sse_neither)

KIND(sse_half, 53)
	movlps	(%rdi), %xmm0
	movhpd	(%rdi), %xmm0
	movlpd	%xmm0, (%rdi)
	movhps	%xmm0, (%rdi)
	movhlps	%xmm0, %xmm1
	movq	(%rdi), %xmm1
	movq	%xmm1, %xmm2
	movq	%xmm1, (%rdi)
	movd	(%rdi), %xmm1
	movd	%xmm1, (%rdi)
END(sse_half)

KIND(mmx, 59)
	movq	(%rdi), %mm0
	movq	%mm0, %mm1
	movd	%eax, %mm2
	movd	%mm2, %eax
	movq	%mm0, (%rdi)
	paddb	%mm0, %mm1
	pmaddwd	(%rdi), %mm1
	pxor	%mm3, %mm3
	pxor	%mm2, %mm3
	pshufw	$0x1b, %mm1, %mm2
	pavgb	%mm1, %mm2
	psrlq	$3, %mm2
	movntq	%mm2, (%rdi)
	pmovmskb %mm2, %eax
	cvtpi2ps %mm2, %xmm0
	movq2dq	%mm2, %xmm1
	emms
END(mmx)

KIND(x87, 61)
	fninit
	fld1
	fldpi
	flds	(%rsi)
	fldl	(%rsi)
	fldt	(%rsi)
	fildl	(%rsi)
	filds	(%rsi)
	fildll	(%rsi)
	fstp	%st(3)
	fsts	(%rdi)
	fstpl	(%rdi)
	fstpt	(%rdi)
	fistl	(%rdi)
	fistps	(%rdi)
	fld1
	fld	%st(1)
	fadd	%st(1), %st
	faddp
	fadds	(%rsi)
	fsubl	(%rsi)
	fiadds	(%rsi)
	fimull	(%rsi)
	fmul	%st, %st(1)
	fdivr	%st(1), %st
	fcoms	(%rsi)
	fucom	%st(1)
	fcomi	%st(1), %st
	fxch	%st(1)
	fchs
	fabs
	fsqrt
	fsin
	f2xm1
	frndint
	fscale
	fld1
	fyl2x
	fxam
	fcmove	%st(1), %st
	fstp	%st
	fstp	%st
END(x87)

KIND(x87_control, 67)
	fninit
	fnstcw	(%rdi)
	fldcw	(%rdi)
	fnstsw	(%rdi)
	fnstsw	%ax
	fnstenv	(%rdi)
	fldenv	(%rdi)
	fnclex
	fincstp
	ffree	%st(3)
	fnsave	(%rdi)
	frstor	(%rdi)
	fwait
END(x87_control)

	.section .rodata
	.balign 4
control: .long	0x1f80

	AREAS
