/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_kinds.h: what the programs of hand-written instructions share.
 *
 * Each kind of instruction is a function of its own, and runs a number of times that no
 * other kind has, so that no two mistakes make up for each other. %rdi and %rsi, x0 and x1,
 * point to memory, 64 bytes aligned, that may be changed; %ebp, x28, counts.
 */
#if defined(__x86_64__)

#define KIND(name, times)                                                                  \
	.type name, @function ;                                                            \
name:	movl $times, %ebp ;                                                                \
9:	leaq area(%rip), %rdi ;                                                            \
	leaq other(%rip), %rsi

#define END(name)                                                                          \
	decl %ebp ;                                                                        \
	jnz 9b ;                                                                           \
	ret ;                                                                              \
	.size name, . - name

#elif defined(__aarch64__)

#define KIND(name, times)                                                                  \
	.type name, %function ;                                                            \
name:	mov x28, times ;                                                                   \
9:	adr x0, area ;                                                                     \
	adr x1, other

#define END(name)                                                                          \
	sub x28, x28, 1 ;                                                                  \
	cbnz x28, 9b ;                                                                     \
	ret ;                                                                              \
	.size name, . - name

#endif

#define AREAS                                                                              \
	.data ;                                                                            \
	.balign 64 ;                                                                       \
other:	.fill 512, 1, 0x3f ;                                                               \
	.balign 64 ;                                                                       \
area:	.fill 1024, 1, 0x3e ;                                                              \
	.section .note.GNU-stack, "", @progbits
