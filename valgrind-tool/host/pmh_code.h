/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_code.h: functions of the program's code, by number.
 *
 * A function is a name in an object, as Valgrind's debug information has it,
 * demangled; code without a name is "???" of its object, code outside every object
 * "???" of "???". Names are taken when the code is translated: they are gone when
 * the object is unmapped.
 *
 * Cost: one lookup in Valgrind's symbol table per translated instruction.
 */
#ifndef PMH_CODE_H
#define PMH_CODE_H

#include "pub_tool_basics.h"
#include "pm_report.h"

/* The number of the function that the instruction at ip is in; from 1. */
UInt pmh_code_function(Addr ip);

/* Is ip the first instruction of its function? */
Bool pmh_code_is_entry(Addr ip);

/* All functions so far, by number; [0] stands for code that could not be told
   apart. */
UInt pmh_code_functions(const struct pm_report_function **functions);

#endif
