/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults_arm64.S: functions with one instruction each that may fault; see faults.h.
 *
 * The instructions around it write registers that nobody reads later, so that
 * a resumed program does not depend on what Valgrind knows of them.  Integer
 * divisions do not fault on this machine, and there are no repeated string
 * instructions.
 */
	.macro	function name:req
	.text
	.globl	\name
	.type	\name, %function
\name:
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
	add	x10, x0, #1
	add	x10, x10, #7
	faulting load_word, ldr x9, [x0]
	add	x11, x0, #2
	mov	x0, x9
	function_end load_word

	function store_word
	add	x10, x0, #1
	mov	x9, #77
	faulting store_word, str x9, [x0]
	add	x11, x0, #2
	function_end store_word

	/* Reads, then writes. */
	.arch_extension lse
	function add_word
	add	x10, x0, #1
	mov	x9, #3
	faulting add_word, ldaddal x9, x11, [x0]
	add	x12, x0, #2
	function_end add_word

	function load_aligned
	add	x10, x0, #1
	faulting load_aligned, ldr q0, [x0]
	add	x11, x0, #2
	function_end load_aligned

	function illegal
	add	x10, x0, #1
	add	x10, x10, #9
	faulting illegal, udf #0
	add	x11, x0, #2
	function_end illegal

	function call_through
	stp	x29, x30, [sp, #-16]!
	add	x10, x0, #1
	faulting call_through, ldr x9, [x0]
	blr	x9
	ldp	x29, x30, [sp], #16
	function_end call_through

	function push_onto
	mov	x9, sp
	mov	sp, x0
	add	x10, x0, #1
	faulting push_onto, str x0, [sp, #-16]!
	mov	sp, x9
	function_end push_onto

	.section .note.GNU-stack,"",@progbits
