/* SPDX-License-Identifier: GPL-2.0-or-later */
/* named.S: writable data: of a program without any, Valgrind reads no symbols. */
	.data
	.long	1
	.section .note.GNU-stack, "", @progbits
