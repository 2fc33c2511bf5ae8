/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults.S: functions with one instruction each that may fault; see faults.h.
 *
 * The instructions around it write registers that nobody reads later, so that
 * a resumed program does not depend on what Valgrind knows of them.
 */
	.macro	function name:req
	.text
	.globl	\name
	.type	\name, @function
\name:
	endbr64
	.endm

	.macro	faulting name:req, instruction:vararg
	.globl	\name\()_fault
	.globl	\name\()_after
\name\()_fault:
	\instruction
\name\()_after:
	.endm

	.macro	function_end name:req
	ret
	.size	\name, .-\name
	.endm

	function load_word
	leaq	1(%rdi), %r10
	addq	$7, %r10
	faulting load_word, movq (%rdi), %rax
	leaq	2(%rdi), %r11
	addq	$5, %r11
	function_end load_word

	function store_word
	leaq	1(%rdi), %r10
	movl	$77, %esi
	faulting store_word, movq %rsi, (%rdi)
	leaq	2(%rdi), %r11
	function_end store_word

	function add_word
	leaq	1(%rdi), %r10
	faulting add_word, addq $3, (%rdi)
	leaq	2(%rdi), %r11
	function_end add_word

	function load_aligned
	leaq	1(%rdi), %r10
	pxor	%xmm1, %xmm1
	faulting load_aligned, movaps (%rdi), %xmm0
	leaq	2(%rdi), %r11
	paddd	%xmm1, %xmm1
	function_end load_aligned

	/* The registers of the division are set by a block of their own. */
	function divide
	movl	%edi, %eax
	movl	%esi, %ecx
	cltd
	jmp	1f
1:	leaq	3(%rdi), %r10
	addq	$9, %r10
	faulting divide, idivl %ecx
	leaq	1(%rax), %rax
	function_end divide

	function illegal
	leaq	1(%rdi), %r10
	addq	$9, %r10
	faulting illegal, ud2
	leaq	2(%rdi), %r11
	function_end illegal

	function copy_words
	movq	%rdx, %rcx
	leaq	1(%rdi), %r10
	faulting copy_words, rep movsq
	leaq	2(%rdi), %r11
	function_end copy_words

	function fill_bytes
	movl	%esi, %eax
	movq	%rdx, %rcx
	leaq	1(%rdi), %r10
	faulting fill_bytes, rep stosb
	leaq	2(%rdi), %r11
	function_end fill_bytes

	function compare_bytes
	movq	%rdx, %rcx
	cmpq	%rcx, %rcx
	faulting compare_bytes, repe cmpsb
	movq	%rcx, %rax
	function_end compare_bytes

	function call_through
	leaq	1(%rdi), %r10
	faulting call_through, call *(%rdi)
	leaq	2(%rdi), %r11
	function_end call_through

	function push_onto
	movq	%rsp, %r8
	movq	%rdi, %rsp
	leaq	1(%rdi), %r10
	faulting push_onto, pushq %rdi
	movq	%r8, %rsp
	function_end push_onto

	.section .note.GNU-stack,"",@progbits
