/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_speculated.S: two conditions that both have to hold, in a loop.
 *
 * A translator that makes straight code of both executes the second one always, also
 * where the first one does not hold. Known by construction: 500 odd numbers take 4
 * instructions, 250 even ones that 4 does not divide take 6, the other 250 take 7; with
 * the first instruction and the three of the exit, 5254.
 */
#include <asm/unistd.h>

	.text
	.globl	_start
_start:	movl	$1000, %ecx
1:	testl	$1, %ecx
	jnz	2f
	testl	$2, %ecx
	jnz	2f
	incl	%ebx
2:	decl	%ecx
	jnz	1b
	xorl	%edi, %edi
	movl	$__NR_exit, %eax
	syscall
	hlt
	.section .note.GNU-stack,"",@progbits
