/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_avx.S: instructions of every class, executed: those of a processor with AVX2, FMA3,
 * F16C, BMI1, BMI2, LZCNT, MOVBE, AES, PCLMULQDQ, POPCNT and SSE4.2.
 */
#include "mix_kinds.h"

	.text
	.globl	program
	.type	program, @function
program:
	pushq	%rbx
	pushq	%rbp
	call	sse4
	call	avx_scalar
	call	fma_scalar
	call	avx_vector
	call	fma_vector
	call	avx2_integers
	call	avx_neither
	call	masked
	call	bits
	call	text_and_secrets
	popq	%rbp
	popq	%rbx
	xorl	%eax, %eax
	ret
	.size	program, . - program

KIND(sse4, 3)
	pshufb	%xmm1, %xmm2
	pabsd	(%rdi), %xmm2
	phaddw	%xmm1, %xmm2
	palignr	$3, %xmm1, %xmm2
	pmulld	%xmm1, %xmm2
	blendps	$5, %xmm1, %xmm2
	dpps	$0xff, %xmm1, %xmm2
	insertps $1, (%rdi), %xmm2
	extractps $1, %xmm2, (%rdi)
	pinsrd	$1, (%rdi), %xmm2
	pinsrq	$1, %rax, %xmm2
	pextrb	$1, %xmm2, (%rdi)
	pextrq	$1, %xmm2, %rax
	pmovzxbw (%rdi), %xmm2
	ptest	%xmm1, %xmm2
	roundps	$3, %xmm1, %xmm2
	roundsd	$3, %xmm1, %xmm2
	roundss	$3, (%rdi), %xmm2
	movntdqa (%rdi), %xmm2
	lddqu	(%rdi), %xmm2
	haddpd	%xmm1, %xmm2
	movddup	(%rdi), %xmm2
END(sse4)

KIND(avx_scalar, 5)
	vmovss	(%rdi), %xmm0
	vmovss	%xmm0, %xmm1, %xmm2
	vmovsd	%xmm0, (%rdi)
	vaddss	%xmm0, %xmm1, %xmm2
	vmulsd	(%rsi), %xmm1, %xmm2
	vdivss	(%rsi), %xmm1, %xmm2
	vsqrtsd	%xmm1, %xmm2, %xmm3
	vcmpltsd %xmm1, %xmm2, %xmm3
	vucomisd (%rdi), %xmm2
	vcomiss	%xmm1, %xmm2
	vcvtsi2sdl %eax, %xmm1, %xmm2
	vcvttsd2si %xmm2, %rax
	vcvtss2sd (%rdi), %xmm1, %xmm2
	vroundsd $3, %xmm1, %xmm2, %xmm3
END(avx_scalar)

KIND(fma_scalar, 7)
	vfmadd132ss %xmm1, %xmm2, %xmm3
	vfmadd213sd (%rsi), %xmm2, %xmm3
	vfnmadd231ss (%rsi), %xmm2, %xmm3
	vfmsub231sd %xmm1, %xmm2, %xmm3
END(fma_scalar)

KIND(avx_vector, 11)
	vmovaps	(%rdi), %ymm0
	vmovups	%ymm0, 1(%rdi)
	vmovdqu	(%rdi), %xmm1
	vmovntdq %ymm0, (%rdi)
	vaddps	%ymm0, %ymm1, %ymm2
	vmulpd	(%rsi), %ymm1, %ymm2
	vxorps	%ymm0, %ymm1, %ymm2
	vshufps	$0x1b, %ymm0, %ymm1, %ymm2
	vperm2f128 $1, (%rsi), %ymm1, %ymm2
	vbroadcastss (%rdi), %ymm3
	vbroadcastsd (%rdi), %ymm3
	vbroadcastf128 (%rdi), %ymm3
	vinsertf128 $1, (%rdi), %ymm2, %ymm3
	vextractf128 $1, %ymm3, (%rdi)
	vextractf128 $1, %ymm3, %xmm4
	vhaddps	%ymm1, %ymm2, %ymm3
	vcvtps2pd (%rdi), %ymm2
	vcvtpd2psy (%rdi), %xmm2
	vcvtph2ps (%rdi), %xmm2
	vcvtps2ph $0, %xmm2, (%rdi)
	vmovmskps %ymm2, %eax
	vtestps	%ymm1, %ymm2
	vpermilpd $1, (%rdi), %ymm2
	vblendvps %ymm1, %ymm2, %ymm3, %ymm4
	vmovlhps %xmm1, %xmm2, %xmm3
	vmovq	(%rdi), %xmm2
	vpextrq	$1, %xmm2, (%rdi)
END(avx_vector)

KIND(fma_vector, 13)
	vfmadd132ps %ymm1, %ymm2, %ymm3
	vfmadd213pd (%rsi), %xmm2, %xmm3
	vfnmsub231ps (%rsi), %ymm2, %ymm3
	vfmaddsub231pd %ymm1, %ymm2, %ymm3
END(fma_vector)

KIND(avx2_integers, 17)
	vpaddd	%ymm0, %ymm1, %ymm2
	vpsubq	(%rdi), %ymm1, %ymm2
	vpmulld	%ymm0, %ymm1, %ymm2
	vpand	%ymm0, %ymm1, %ymm2
	vpcmpeqb (%rdi), %ymm1, %ymm2
	vpshufb	%ymm0, %ymm1, %ymm2
	vpsllvd	%ymm0, %ymm1, %ymm2
	vpsrlq	$3, %ymm1, %ymm2
	vpermd	(%rdi), %ymm1, %ymm2
	vpermq	$0x1b, %ymm1, %ymm2
	vpbroadcastb (%rdi), %ymm2
	vpbroadcastd %xmm1, %ymm2
	vpmovmskb %ymm2, %eax
	vpmovsxbd (%rdi), %ymm2
	vinserti128 $1, %xmm1, %ymm2, %ymm3
	vextracti128 $1, %ymm3, (%rdi)
	vpblendd $5, %ymm0, %ymm1, %ymm2
	vpalignr $3, %ymm0, %ymm1, %ymm2
END(avx2_integers)

KIND(avx_neither, 19)
	vmovaps	%ymm0, %ymm1
	vmovdqa	%xmm1, %xmm2
	vxorps	%ymm3, %ymm3, %ymm4
	vpxor	%xmm2, %xmm2, %xmm0
	vpsubd	%ymm2, %ymm2, %ymm5
	vmovd	%eax, %xmm3
	vmovq	%xmm3, %rax
	vldmxcsr control(%rip)
	vstmxcsr (%rdi)
	vzeroupper
	vzeroall
END(avx_neither)

/* They read and write memory also when the mask lets nothing through. */
KIND(masked, 23)
	vpxor	%xmm1, %xmm1, %xmm1
	vmaskmovps (%rdi), %ymm1, %ymm2
	vmaskmovpd %ymm2, %ymm1, (%rdi)
	vpmaskmovd (%rdi), %ymm1, %ymm2
	vpmaskmovq %ymm2, %ymm1, (%rdi)
	vpcmpeqd %ymm1, %ymm1, %ymm1
	vpxor	%xmm3, %xmm3, %xmm3
	vgatherdps %ymm1, (%rdi, %ymm3, 4), %ymm2
	vpcmpeqd %xmm1, %xmm1, %xmm1
	vpgatherqq %xmm1, (%rdi, %xmm3, 8), %xmm2
END(masked)

KIND(bits, 29)
	andn	(%rdi), %eax, %ebx
	andn	%ecx, %eax, %ebx
	bextr	%eax, (%rdi), %ebx
	blsr	(%rdi), %eax
	blsi	%ecx, %eax
	blsmsk	%rcx, %rax
	bzhi	%eax, (%rdi), %ebx
	pdep	(%rdi), %eax, %ebx
	pext	%ecx, %eax, %ebx
	rorx	$3, (%rdi), %eax
	sarx	%eax, %ecx, %ebx
	shlx	%eax, (%rdi), %ebx
	mulx	(%rdi), %eax, %ebx
	tzcnt	(%rdi), %eax
	lzcnt	%ecx, %eax
	popcnt	(%rdi), %rax
	movbe	(%rdi), %eax
	movbe	%eax, (%rdi)
END(bits)

KIND(text_and_secrets, 31)
	crc32b	(%rdi), %eax
	crc32q	%rcx, %rax
	aesenc	%xmm1, %xmm2
	aesdeclast (%rdi), %xmm2
	aesimc	%xmm1, %xmm2
	aeskeygenassist $1, %xmm1, %xmm2
	vaesenc	(%rdi), %xmm1, %xmm2
	pclmulqdq $1, (%rdi), %xmm2
	pcmpistri $0, (%rdi), %xmm1
	pcmpistrm $0, %xmm1, %xmm2
END(text_and_secrets)

	.section .rodata
	.balign 4
control: .long	0x1f80

	AREAS
