/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_process.c: from Valgrind's events to the measured process.
 *
 * Faults: the counters have counted the whole of the running stretch when one of
 * its instructions faults. Valgrind tells the tool of a signal before it builds
 * the handler's frame, with the guest's IP still at the fault; while client code
 * was running, that is a fault of it, else a signal from outside, and the last
 * stretch was complete.
 *
 * Death by a signal has no event; pmh_core.h says which functions are wrapped to
 * see it. The report is written when the number is known, after fini.
 */
#include "pmh_process.h"
#include "pmh_clock.h"
#include "pmh_core.h"
#include "pmh_machine.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_output.h"
#include "pmh_outside.h"
#include "pmh_report.h"
#include "pmh_sites.h"
#include "pmh_stacks.h"
#include "pmh_symbols.h"
#include "pmh_translate.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pm_text.h"

static Bool first_process; /* not forked; perhaps another image than at the start */
static Bool first_image;   /* nor the image of an exec */
static UInt children;             /* forks and traced execs so far */
static struct pmh_end end;
static Bool dying;                /* by a signal, whose number is not known yet */
static Bool reported;

/* --- threads ------------------------------------------------------------------ */

static void start_client_code(ThreadId tid, ULong blocks)
{
   static Bool started;
   pmh_thread_switch(tid);
   if (!started)
      pmh_machine_start(tid);
   started = True;
   pmh_client_code_starts(tid);
}

static void stop_client_code(ThreadId tid, ULong blocks)
{
   pmh_client_code_stops();
}

static void thread_created(ThreadId parent, ThreadId child)
{
   pmh_thread_created(child);
}

/* --- signals ------------------------------------------------------------------- */

static void take_back_fault(ThreadId tid, Bool ran)
{
   if (ran)
      pmh_take_back(VG_(get_IP)(tid));
   else
      pmh_take_back_exit(VG_(get_IP)(tid));
}

static void before_handler(ThreadId tid, Int signal, Bool alternate_stack)
{
   Bool ran = pmh_client_code_stops();
   pmh_thread_switch(tid);
   pmh_clock_before_handler(tid, signal);
   take_back_fault(tid, ran);
   struct pmh_thread *thread = pmh_thread_now();
   pm_calls_signal_begin(&pmh_calls, &thread->calls, VG_(get_SP)(tid));
   if (pmh_options.phase_fn_count > 0)
      pm_activations_signal_begin(&pmh_activations, &thread->activations, VG_(get_SP)(tid));
   pmh_watch_returns(thread);
}

static void after_handler(ThreadId tid, Int signal)
{
   pmh_thread_switch(tid);
   struct pmh_thread *thread = pmh_thread_now();
   pm_calls_signal_end(&pmh_calls, &thread->calls);
   pm_activations_signal_end(&thread->activations);
   pmh_watch_returns(thread);
}

/* --- the end -------------------------------------------------------------------- */

static void report_end(void)
{
   if (reported)
      return;
   reported = True;
   pmh_measure_end();
   if (first_image || (pmh_options.report_children != PMH_REPORT_NO && pmh_output_is_own()))
      pmh_report(&end);
   else
      pmh_output_abandon();
}

void pmh_process_exits(ThreadId tid, Int status, Bool whole_group)
{
   /* The last thread to leave decides; an exit of the group is always last. */
   end = (struct pmh_end){.kind = PMH_END_EXIT, .status = status & 0xff};
}

void pmh_process_fini(Int unused)
{
   if (!dying)
      report_end();
}

void __wrap_vgPlain_nuke_all_threads_except(ThreadId me, UInt reason);
void __wrap_vgPlain_nuke_all_threads_except(ThreadId me, UInt reason)
{
   if (reason == PMH_DEATH_BY_SIGNAL && !dying) {
      dying = True;
      Bool ran = pmh_client_code_stops();
      pmh_thread_switch(me);
      take_back_fault(me, ran);
   }
   __real_vgPlain_nuke_all_threads_except(me, reason);
}

void __wrap_vgPlain_kill_self(Int signal);
void __wrap_vgPlain_kill_self(Int signal)
{
   if (dying) {
      end = (struct pmh_end){.kind = PMH_END_SIGNAL, .status = signal};
      report_end();
   }
   __real_vgPlain_kill_self(signal);
}

/* After the report nothing is left to abandon. Before it the process ends with none, and
   leaves no half one. */
void __wrap_vgPlain_exit(Int status) __attribute__((noreturn));
void __wrap_vgPlain_exit(Int status)
{
   pmh_output_abandon();
   __real_vgPlain_exit(status);
}

/* --- fork and exec --------------------------------------------------------------- */

static void before_fork(ThreadId tid)
{
   pmh_heap.state.counter[PM_COUNT_PROCESSES]++;
   children++; /* both sides see the number; a failed fork uses it up */
}

static void in_forked_child(ThreadId tid)
{
   pmh_output_after_fork(children);
   pmh_outside_after_fork(children);
   pmh_clock_after_fork();
   children = 0;
   first_process = first_image = False;
   struct pm_function **functions;
   UInt count = pmh_functions(&functions);
   for (UInt f = 0; f < count; f++)
      functions[f]->calls = 0;
   pmh_measure_after_fork(tid);
}

/* The image that a traced exec starts is told where it reports, what its clock shows, and
   whose image it is, by more options on its command line. */
static HChar *added_options[4];
enum { ADDED = sizeof added_options / sizeof *added_options };

static HChar *option(const HChar *name, const HChar *value)
{
   SizeT bytes = VG_(strlen)(name) + VG_(strlen)(value) + 2;
   HChar *text = VG_(malloc)("profmem.exec", bytes);
   VG_(snprintf)(text, (Int)bytes, "%s=%s", name, value);
   return text;
}

static void add_image_options(void)
{
   const HChar *directory = pmh_output_directory();
   HChar *name = pmh_output_image_name(++children);
   added_options[0] = option(pmh_image_report_option, name);
   added_options[1] = option(pmh_directory_option, directory ? directory : "/");
   VG_(free)(name);
   HChar passed[PM_U64_TEXT];
   pm_u64_text(passed, pmh_clock_passed());
   added_options[2] = option(pmh_clock_passed_option, passed);
   added_options[3] = option(pmh_of_first_process_option, first_process ? "yes" : "no");
   for (UInt o = 0; o < ADDED; o++)
      VG_(addToXA)(VG_(args_for_valgrind), &added_options[o]);
}

/* The exec has failed: there was no such child. */
static void remove_image_options(void)
{
   XArray *args = VG_(args_for_valgrind);
   if (added_options[0])
      children--;
   for (UInt o = 0; o < ADDED && added_options[o]; o++) {
      VG_(removeIndexXA)(args, VG_(sizeXA)(args) - 1);
      VG_(free)(added_options[o]);
      added_options[o] = NULL;
   }
}

/* May an exec of that file succeed? A search along PATH tries many that are not
   there. */
static Bool may_be_executed(const HChar *path)
{
   HChar start[4];
   Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
   if (fd < 0) { /* executable files need not be readable */
      struct vg_stat there;
      return !sr_isError(VG_(stat)(path, &there)) && VKI_S_ISREG(there.mode) &&
             (there.mode & 0111);
   }
   struct vg_stat there;
   Bool executable = VG_(fstat)(fd, &there) == 0 && VKI_S_ISREG(there.mode) &&
                     (there.mode & 0111) && VG_(read)(fd, start, sizeof start) == sizeof start &&
                     (VG_(memcmp)(start, "\177ELF", 4) == 0 || VG_(memcmp)(start, "#!", 2) == 0);
   VG_(close)(fd);
   return executable;
}

static Bool exec_reports;

static Bool reports_before_exec(void)
{
   switch (pmh_options.report_children) {
   case PMH_REPORT_ALL:
      return True;
   case PMH_REPORT_EXEC:
      return first_process;
   default:
      return first_image;
   }
}

void pmh_process_before_exec(ThreadId tid, const HChar *path)
{
   pmh_thread_switch(tid);
   exec_reports = False;
   if (!path || !may_be_executed(path))
      return;
   add_image_options();
   exec_reports = reports_before_exec() && pmh_output_is_own();
   if (!exec_reports) {
      pmh_output_abandon();
      return;
   }
   const struct pmh_end at_exec = {.kind = PMH_END_EXEC, .path = path};
   exec_reports = pmh_report_so_far(&at_exec);
}

void pmh_process_exec_failed(ThreadId tid)
{
   remove_image_options();
   if (exec_reports)
      pmh_output_withdraw();
   exec_reports = False;
}

/* --- objects ---------------------------------------------------------------------- */

static void mapped(Addr a, SizeT bytes, Bool r, Bool w, Bool x, ULong handle)
{
   pmh_sites_mappings_changed();
   if (x)
      pmh_symbols_changed();
}

static void newly_mapped(Addr a, SizeT bytes, Bool r, Bool w, Bool x, ULong handle)
{
   pmh_stacks_mapped(a, bytes);
   mapped(a, bytes, r, w, x, handle);
}

static void protected(Addr a, SizeT bytes, Bool r, Bool w, Bool x)
{
   mapped(a, bytes, r, w, x, 0);
}

static void unmapped(Addr a, SizeT bytes)
{
   pmh_stacks_unmapped(a, bytes);
   pmh_sites_mappings_changed();
   const struct pmh_object **objects;
   UInt count = pmh_objects(&objects);
   for (UInt o = 0; o < count; o++)
      if (objects[o]->mapped && a < objects[o]->end && objects[o]->start < a + bytes) {
         pmh_symbols_unmapped(o);
         pmh_sites_code_gone();
      }
}

void pmh_process_begin(void)
{
   first_image = pmh_options.image_report == NULL;
   first_process = first_image || pmh_options.of_first_process;
}

void pmh_process_register(void)
{
   VG_(track_start_client_code)(start_client_code);
   VG_(track_stop_client_code)(stop_client_code);
   VG_(track_pre_thread_ll_create)(thread_created);
   VG_(track_pre_thread_ll_exit)(pmh_thread_gone);
   VG_(track_pre_deliver_signal)(before_handler);
   VG_(track_post_deliver_signal)(after_handler);
   VG_(track_new_mem_startup)(mapped);
   VG_(track_new_mem_mmap)(newly_mapped);
   VG_(track_change_mem_mprotect)(protected);
   VG_(track_die_mem_munmap)(unmapped);
   VG_(atfork)(before_fork, NULL, in_forked_child);
}
