/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_syscalls.h: system calls that the numbers depend on.
 *
 * All are counted. Those that change the anonymous address range feed the
 * metrics mapped and allocator-mapped; exits and execs go to pmh_process.h.
 */
#ifndef PMH_SYSCALLS_H
#define PMH_SYSCALLS_H

void pmh_syscalls_register(void);

#endif
