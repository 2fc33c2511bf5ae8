/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_core.h: what the tool takes from Valgrind's core without a public header.
 *
 * Each of these is a symbol of the installed archives since at least Valgrind
 * 3.19; the link and the test suite on every supported version check that they
 * still mean the same. Add to this list only what the public interface cannot
 * say at all.
 */
#ifndef PMH_CORE_H
#define PMH_CORE_H

#include "pub_tool_basics.h"
#include "libvex.h"

/* The translator's live settings. VG_(clo_vex_control) is only copied into them
   once, and guest_max_insns must change for a single translation. */
extern VexControl vex_control;

/* Move a descriptor above those that the program can see, close-on-exec. */
extern Int VG_(safe_fd)(Int oldfd);

/* Read from a place in a file, whose position stays. */
extern SysRes VG_(pread)(Int fd, void *buffer, Int bytes, OffT offset);

/* What an error number means, in words. */
extern const HChar *VG_(strerror)(UWord errnum);

/* --max-stackframe: a larger step of the stack pointer is a change of stacks. */
extern Word VG_(clo_max_stackframe);

/* --read-inline-info: debug information on inlined calls is read. */
extern Bool VG_(clo_read_inline_info);

/* The name of a symbol in its language: C++, Rust, D. *result stays valid until the
   next call. */
extern void VG_(demangle)(Bool do_cxx_demangling, Bool do_z_demangling, const HChar *orig,
                          const HChar **result);

/* The processors that the translator can show: its helpers for CPUID. They take the
   guest state and, those with AVX, whether there are half-precision conversions, RDRAND
   and RDSEED. */
extern void amd64g_dirtyhelper_CPUID_baseline(void), amd64g_dirtyhelper_CPUID_sse42_and_cx16(void),
   amd64g_dirtyhelper_CPUID_avx_and_cx16(void), amd64g_dirtyhelper_CPUID_avx2(void),
   x86g_dirtyhelper_CPUID_sse2(void);

/* Functions of the core that are wrapped at link time (--wrap), because nothing
   else tells a tool that a signal kills the process, and which one:
   nuke_all_threads_except is called when the signal is taken, with the guest
   state still as the fault left it; kill_self with the signal's number after
   the tool's fini. And exit, which ends the process when Valgrind itself cannot go
   on, for want of memory or after a broken invariant, without asking the tool. */
extern void __real_vgPlain_nuke_all_threads_except(ThreadId me, UInt reason);
extern void __real_vgPlain_kill_self(Int signal);
extern void __real_vgPlain_exit(Int status) __attribute__((noreturn));
enum { PMH_DEATH_BY_SIGNAL = 3 /* VgSrc_FatalSig */ };

#endif
