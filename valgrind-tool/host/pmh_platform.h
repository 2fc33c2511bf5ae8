/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_platform.h: where a platform keeps what the tool looks at.
 *
 * One row per platform in pmh_platform.c: guest registers by offset into the
 * guest state, the calling convention, and the decoder. Nothing else in host/
 * asks which platform it is on.
 */
#ifndef PMH_PLATFORM_H
#define PMH_PLATFORM_H

#include "pub_tool_basics.h"
#include "libvex_ir.h"
#include "pm_allocfns.h"
#include "pm_insns.h"
#include "pm_mix.h"

enum { PMH_ON_STACK = -1, PMH_SYSCALL_ARGS = 6 };

struct pmh_platform {
   const HChar *name;            /* as in the names of Valgrind's tools */
   pm_insn_traits_fn *traits;
   pm_mix_fn *mix;
   IRType word;                  /* of a guest address */
   Int sp, fp, ip;               /* guest state offsets */
   Int return_address;           /* at a function's entry; PMH_ON_STACK: pushed */
   Int result;                   /* of a function, when it has returned */
   Int args[PM_ARGS];            /* at a function's entry; PMH_ON_STACK: argument i
                                    is word i + 1 above the return address */
   Int syscall_number, syscall_result;
   Int syscall_args[PMH_SYSCALL_ARGS];
   UInt return_pops_bytes;       /* what a return adds to the stack pointer */
   UInt call_bytes;              /* of every call; 0: calls are of several lengths */
   UInt request_bytes;           /* of a client request, where the translator says the
                                    length of its first instruction alone; else 0 */
   Int invalidate_start, invalidate_length; /* which translations Ijk_InvalICache
                                               discards */
   Bool has_rep;                 /* repeated string instructions exist */
   Bool hands_over_guest;        /* the translator can give a helper the guest state's address;
                                    that for arm64 stops at an assertion instead */
};

extern const struct pmh_platform pmh_platform;

/* A word of the guest state of a thread that does not run translated code just now, by its
   offset. */
UWord pmh_register(ThreadId tid, Int offset);
void pmh_set_register(ThreadId tid, Int offset, UWord value);

#endif
