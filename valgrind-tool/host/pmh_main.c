/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_main.c: profmem as a Valgrind tool: registration and start.
 *
 * profmem counts instructions and requested heap of a program that runs with its
 * own allocator: it replaces nothing. How the parts work together:
 *
 *    pmh_translate   adds counts and two kinds of calls to translated code
 *    pmh_symbols     knows which addresses are allocation functions
 *    pmh_process     threads, signals, fork, exec, end
 *    pmh_stacks      which addresses are one stack
 *    pmh_syscalls    system calls that change mappings or end the image
 *    pmh_inlines     of which objects inlined calls are read
 *    pmh_outside,    what the program takes in from outside, and where that is fixed
 *    pmh_clock,      for every run to be the same: random numbers, clock, processor
 *    pmh_machine
 *    pmh_requests    client requests
 *    pmh_measure     the measured process: all of the above report to it, and
 *                    through it to the core (../core), which knows the rules
 *    pmh_report,     the report and its file
 *    pmh_output
 *
 * What it cannot know stands in the report as unavailable, with the reason.
 */
#include "pmh_clock.h"
#include "pmh_core.h"
#include "pmh_inlines.h"
#include "pmh_machine.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_output.h"
#include "pmh_outside.h"
#include "pmh_patterns.h"
#include "pmh_process.h"
#include "pmh_requests.h"
#include "pmh_services.h"
#include "pmh_stacks.h"
#include "pmh_symbols.h"
#include "pmh_syscalls.h"
#include "pmh_translate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_tooliface.h"

/* What one option asks for and another has turned off. */
static void refuse_contradictions(void)
{
   const HChar *wants = pmh_options.lines && !pmh_options.functions
                           ? "--lines=yes needs --functions=yes"
                        : pmh_options.instr && !pmh_options.functions
                           ? "--instr=yes needs --functions=yes"
                        : pmh_options.free_stacks && !pmh_options.stacks
                           ? "--free-stacks=yes needs --stacks=yes"
                           : NULL;
   if (!wants)
      return;
   VG_(umsg)("profmem: error: %s\n", wants);
   VG_(exit)(1);
}

static void post_clo_init(void)
{
   static struct pm_allocfns fns;
   if (!pm_allocfns_init(&fns, &pmh_host))
      pmh_out_of_memory("the tables at the start");
   refuse_contradictions();
   pmh_inlines_begin(pmh_options.stacks);
   pmh_add_alloc_fns(&fns);
   pmh_translate_begin(pmh_options.functions, pmh_options.phase_fn_count > 0);
   pmh_machine_begin();
   pmh_outside_begin();
   pmh_clock_begin();
   pmh_measure_begin();
   struct pmh_phase_pattern *patterns;
   UInt pattern_count;
   pmh_patterns_begin(&patterns, &pattern_count);
   pmh_symbols_begin(&fns, patterns, pattern_count);
   pmh_requests_begin();
   pmh_stacks_begin();
   pmh_process_begin();
   pmh_output_begin();
}

static void pre_clo_init(void)
{
   VG_(details_name)("profmem");
   VG_(details_version)(PROFMEM_VERSION);
   VG_(details_description)("exact requested heap and instructions, by observation");
   VG_(details_copyright_author)("Copyright (C) 2026, and GNU GPL'd, by the profmem authors.");
   VG_(details_bug_reports_to)("the profmem authors");

   VG_(basic_tool_funcs)(post_clo_init, pmh_instrument, pmh_process_fini);
   pmh_inlines_default();
   VG_(needs_command_line_options)(pmh_option, pmh_print_usage, pmh_print_debug_usage);
   pmh_stacks_register();
   pmh_process_register();
   pmh_syscalls_register();
   pmh_requests_register();
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
