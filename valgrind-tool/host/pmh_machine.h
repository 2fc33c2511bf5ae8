/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_machine.h: the machine that the program sees: --cpu, and what instructions say of
 * clocks and chance.
 *
 * Valgrind shows one of a few fixed processors, the best that the host can stand in for,
 * by helpers that it calls for CPUID. With --cpu=CLASS the helper of a lesser one is
 * called instead, so that programs choose the same code on every host. The same is done
 * with the helpers for time-stamp counters and random instructions, which are counted and
 * answered from the fixed clock and generator.
 *
 * The vector that the kernel hands over at the start is made to agree: AT_HWCAP with the
 * processor, AT_RANDOM with the generator.
 */
#ifndef PMH_MACHINE_H
#define PMH_MACHINE_H

#include "pub_tool_basics.h"
#include "libvex_ir.h"

/* Say what is wrong with --cpu and exit, if the host cannot stand in for that class. */
void pmh_machine_begin(void);

/* Call the right helper. May change the statement. */
void pmh_machine_helper(IRDirty *dirty);

/* Does the instruction at ip leave something else in its register than the translator
   thinks? It must be the last one of its block, since what follows in the block is made
   from what the translator thinks. */
Bool pmh_machine_corrects(Addr ip, UInt length);

/* Behind such an instruction: what it does leave. */
void pmh_machine_correct(IRSB *out);

/* Before the first instruction of the image. */
void pmh_machine_start(ThreadId tid);

#endif
