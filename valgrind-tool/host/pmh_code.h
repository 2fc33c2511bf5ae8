/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_code.h: what the executions of code are summed up for, by number.
 *
 * A function is a name in an object, as Valgrind's debug information has it,
 * demangled; code without a name is "???" of its object, code outside every object
 * "???" of "???". With --lines=yes a place is a source line in a function (a line
 * that was inlined into several is a place in each), without it a function. Names are
 * taken when the code is translated: they are gone when the object is unmapped.
 *
 * With --instr=yes also each instruction is told apart, by its line and its address as the
 * object's file has it, which is the same wherever the object is mapped. Code without such
 * an address, which is outside every object or in a file that is none, is one instruction for
 * each of its lines.
 *
 * Cost: one or, with lines, two lookups in Valgrind's tables per translated
 * instruction; with instructions three and one here. Memory: with instructions 32 to 48
 * bytes for each.
 */
#ifndef PMH_CODE_H
#define PMH_CODE_H

#include "pub_tool_basics.h"
#include "pm_report.h"

/* The number of the place that the instruction at ip is counted for; from 1. */
UInt pmh_code_place(Addr ip);

/* Is ip the first instruction of its function? */
Bool pmh_code_is_entry(Addr ip);

/* With --instr=yes, the number of the instruction at ip; from 1. */
UInt pmh_code_instr(Addr ip);

/* All functions so far, by number; [0] stands for code that could not be told
   apart. */
UInt pmh_code_functions(const struct pm_report_function **functions);

/* With --lines=yes, all places, by number; the same for [0]. */
UInt pmh_code_lines(const struct pm_report_line **lines);

/* With --instr=yes, all instructions, by number, which are of the places that
   pmh_code_lines() says; the same for [0]. */
UInt pmh_code_instrs(const struct pm_report_instr **instrs);

#endif
