/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_repeated.S: a copy of 10,000 bytes in one instruction.
 *
 * Known by construction: three moves, the copy, three of the exit: 7 instructions.
 */
#include <asm/unistd.h>

	.text
	.globl	_start
_start:	movl	$10000, %ecx
	movl	$from, %esi
	movl	$to, %edi
	rep movsb
	xorl	%edi, %edi
	movl	$__NR_exit, %eax
	syscall
	hlt

	.bss
from:	.skip	10000
to:	.skip	10000
	.section .note.GNU-stack,"",@progbits
