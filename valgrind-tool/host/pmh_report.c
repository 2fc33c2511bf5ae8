/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_report.c: fills in the core's struct pm_report from Valgrind. */
#include "pmh_report.h"
#include "pmh_code.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_output.h"
#include "pmh_patterns.h"
#include "pmh_platform.h"
#include "pmh_services.h"
#include "pmh_sites.h"
#include "pmh_symbols.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pub_tool_xarray.h"
#include "pm_report.h"
#include "pm_signals.h"

enum { OPTIONS_MAX = 256 };

static struct pm_report_option options[OPTIONS_MAX];
static struct pm_report_option fixes[4];
static struct pm_report_object *report_objects; /* what report->objects points to */

/* --- identity ------------------------------------------------------------------- */

static void add_option(void *ctx, const HChar *name, const HChar *value)
{
   struct pm_report *report = ctx;
   if (report->option_count < OPTIONS_MAX)
      options[report->option_count++] = (struct pm_report_option){name, value};
}

/* Core options that say where output goes, or repeat what is said elsewhere. */
static Bool is_left_out(const HChar *option, SizeT length)
{
   static const HChar *const names[] = {"--tool", "--log-file", "--log-fd", "--log-socket",
                                        "--verbose", "--quiet"};
   for (UInt n = 0; n < sizeof names / sizeof *names; n++)
      if (length == VG_(strlen)(names[n]) && VG_(strncmp)(option, names[n], length) == 0)
         return True;
   return pmh_is_own_option(option);
}

static void add_core_options(struct pm_report *report)
{
   XArray *args = VG_(args_for_valgrind);
   for (Word a = 0; a < VG_(sizeXA)(args); a++) {
      const HChar *arg = *(HChar **)VG_(indexXA)(args, a);
      const HChar *equals = VG_(strchr)(arg, '=');
      SizeT length = equals ? (SizeT)(equals - arg) : VG_(strlen)(arg);
      if (VG_(strncmp)(arg, "--", 2) != 0 || is_left_out(arg, length))
         continue;
      HChar *name = pmh_keep(arg);
      name[length] = '\0';
      add_option(report, name, equals ? equals + 1 : "");
   }
}

static void add_fix(void *ctx, const HChar *name, const HChar *value)
{
   struct pm_report *report = ctx;
   tl_assert(report->fix_count < sizeof fixes / sizeof *fixes);
   fixes[report->fix_count++] = (struct pm_report_option){name, value};
}

static void add_command(struct pm_report *report)
{
   XArray *args = VG_(args_for_client);
   Word count = VG_(sizeXA)(args);
   const HChar **list = VG_(malloc)("profmem.report", (count + 1) * sizeof *list);
   list[0] = VG_(args_the_exename);
   for (Word a = 0; a < count; a++)
      list[a + 1] = *(HChar **)VG_(indexXA)(args, a);
   report->args = list;
   report->arg_count = (UInt)count + 1;
}

/* A command without a slash was found along PATH: then its name is that of the mapping
   at the lowest address, where Valgrind puts the program. */
static void add_executable(struct pm_report *report)
{
   struct vg_stat there;
   const struct pmh_object **objects;
   UInt count = pmh_objects(&objects);
   report->executable_path = VG_(args_the_exename);
   if (!VG_(strchr)(report->executable_path, '/') && count > 0)
      report->executable_path = objects[0]->path;
   if (sr_isError(VG_(stat)(report->executable_path, &there)))
      return;
   report->executable_bytes = (ULong)there.size;
   for (UInt o = 0; o < count; o++)
      if (objects[o]->device == there.dev && objects[o]->inode == there.ino)
         report->executable_build_id = objects[o]->build_id;
}

static void add_objects(struct pm_report *report)
{
   const struct pmh_object **objects;
   UInt count = pmh_objects(&objects);
   struct pm_report_object *shown =
      VG_(malloc)("profmem.report", (count + 1) * sizeof *shown);
   report->objects = VG_(malloc)("profmem.report", (count + 1) * sizeof *report->objects);
   for (UInt o = 0; o < count; o++) {
      const HChar *path = pmh_options.object_paths ? objects[o]->path : NULL;
      shown[o] = (struct pm_report_object){objects[o]->name, objects[o]->build_id, path};
      report->objects[o] = &shown[o];
   }
   report->object_count = count;
   report_objects = shown;
}

/* What `profmem run` adds to the environment: it differs between equal runs. */
static Bool is_of_run(const HChar *variable)
{
   static const HChar *const starts[] = {"PROFMEM_PADDING_1=", "PROFMEM_PADDING_2=",
                                         "VALGRIND_LIB=//"};
   for (UInt s = 0; s < sizeof starts / sizeof *starts; s++)
      if (VG_(strncmp)(variable, starts[s], VG_(strlen)(starts[s])) == 0)
         return True;
   return False;
}

/* The program's environment, without the preloads that Valgrind added to it. */
static void add_environment(struct pm_report *report)
{
   static const HChar preload[] = "LD_PRELOAD=";
   uint64_t hash = PM_FNV1A64_START;
   for (HChar **variable = VG_(client_envp); *variable; variable++) {
      const HChar *text = *variable;
      if (is_of_run(text))
         continue;
      if (VG_(strncmp)(text, preload, sizeof preload - 1) == 0) {
         const HChar *last = VG_(strstr)(text, "/vgpreload_");
         for (const HChar *next = last; next; next = VG_(strstr)(next + 1, "/vgpreload_"))
            last = next;
         const HChar *rest = last ? VG_(strchr)(last, ':') : text + sizeof preload - 1;
         if (!rest)
            continue; /* nothing but Valgrind's */
         text = last ? rest + 1 : rest;
         hash = pm_fnv1a64(hash, preload, sizeof preload - 1);
      }
      hash = pm_fnv1a64(hash, text, VG_(strlen)(text) + 1);
      report->environment_variables++;
   }
   report->environment_fnv1a64 = hash;
}

/* --- what is missing or wrong ------------------------------------------------------ */

/* Numbers that the stretches' places are below. */
static UInt place_count(const struct pm_report *report)
{
   return report->lines ? report->line_count : report->code_count;
}

/* What the functions cost together must be the total that was counted beside them;
   only an overfull table of stretches may break that. Without memory for the sum nothing
   is said. */
static Bool profile_agrees(const struct pm_report *report)
{
   if (!report->profile || pmh_profile.incomplete || pmh_stretches.count == PM_STRETCHES_MAX)
      return True;
   UInt count = place_count(report);
   struct pm_code_cost *cost = pmh_host.alloc(count * sizeof *cost);
   if (!cost)
      return True;
   VG_(memset)(cost, 0, count * sizeof *cost);
   uint64_t sum = 0;
   pm_profile_sum(report->profile, pmh_program(), cost, count);
   for (UInt p = 0; p < count; p++)
      sum += cost[p].instrs;
   pmh_host.release(cost, count * sizeof *cost);
   return sum == report->phases[0].phase->value[PM_METRIC_INSTRUCTIONS_TOTAL];
}

static const HChar no_functions[] =
   "no allocation function found in the mapped objects: none has a symbol that is known";

static struct pm_report_gap gaps[16];

static void add_gap(struct pm_report *report, const HChar *prefix, const HChar *reason)
{
   tl_assert(report->gap_count < sizeof gaps / sizeof *gaps);
   gaps[report->gap_count++] = (struct pm_report_gap){prefix, reason};
}

static void add_gaps(struct pm_report *report)
{
   static const HChar *const of_blocks[] = {"heap.", "allocations.", "reallocations.",
                                            "deallocations.", "traffic.", "pool."};
   static const HChar *const of_allocator[] = {"allocator-mapped.", "instructions.allocator",
                                               "instructions.program"};
   struct pm_function **functions;
   Bool none_found = pmh_functions(&functions) == 0 && pmh_heap.state.events == 0;
   const HChar *reason = pmh_symbols_lost() ? "out of memory for the symbols of a mapped object"
                         : none_found       ? no_functions
                         : pmh_heap.lost    ? "out of memory for the ledger of blocks and calls"
                                            : NULL;
   report->gaps = gaps;
   report->gap_count = 0;
   for (UInt p = 0; p < sizeof of_blocks / sizeof *of_blocks; p++)
      if (reason)
         add_gap(report, of_blocks[p], reason);
   for (UInt p = 0; p < sizeof of_allocator / sizeof *of_allocator; p++)
      if (reason)
         add_gap(report, of_allocator[p], reason);
   if (!pmh_platform.has_rep)
      add_gap(report, "instructions.rep-", "the platform has no rep instructions");
}

static void add_diagnostics(struct pm_report *report)
{
   static struct pm_report_diagnostic list[11];
   const uint64_t *value = report->phases[0].phase->value;
   list[0] = (struct pm_report_diagnostic){
      PM_WARNING, "unmatched-deallocation",
      "a deallocation function was called with an address that is no known block",
      value[PM_METRIC_DEALLOCATIONS_UNMATCHED]};
   list[1] = (struct pm_report_diagnostic){
      PM_WARNING, "unseen-deallocation",
      "a block's address was returned again by an allocation function without a call that "
      "gave it back",
      value[PM_METRIC_DEALLOCATIONS_UNSEEN]};
   list[2] = (struct pm_report_diagnostic){
      PM_ERROR, "heap-lost", "memory for the ledger of blocks ran out", pmh_heap.lost};
   list[3] = (struct pm_report_diagnostic){
      PM_ERROR, "profile-disagrees",
      "the executions of pieces of code do not add up to the instructions counted: a fault "
      "in profmem, please report it",
      !profile_agrees(report)};
   list[4] = (struct pm_report_diagnostic){
      PM_ERROR, "phase-name-too-long", "a phase's name has more than 255 bytes; it was ignored",
      pmh_phases.names_too_long};
   list[5] = (struct pm_report_diagnostic){
      PM_ERROR, "phase-name-not-utf8", "a phase's name is not UTF-8; it was ignored",
      pmh_phases.names_not_utf8};
   list[6] = (struct pm_report_diagnostic){
      PM_WARNING, "profile-incomplete",
      "no address space for the profile of one more combination of phases: there are no "
      "lists of functions",
      pmh_profile.incomplete};
   list[7] = (struct pm_report_diagnostic){
      PM_ERROR, "phase-name-unreadable",
      "a phase's name is at an address that the program cannot read; it was ignored",
      pmh_phases.names_unreadable};
   list[8] = (struct pm_report_diagnostic){
      PM_ERROR, "phase-without-memory", "memory for a phase ran out; it is not in the report",
      pmh_phases.phases_lost};
   list[9] = (struct pm_report_diagnostic){
      PM_WARNING, "instances-without-memory",
      "memory to list the instances of a phase singly ran out; there is no such list", 0};
   list[10] = (struct pm_report_diagnostic){
      PM_ERROR, "block-too-large",
      "a block was obtained with a size, or resized to one, for which no address space has "
      "room; that was ignored",
      pmh_heap.blocks_too_large};
   for (UInt d = 0; d < pmh_phases.count; d++)
      list[9].count += pmh_phases.declared[d]->unlisted;
   report->diagnostics = list;
   report->diagnostic_count = sizeof list / sizeof *list;
}

static struct pm_phase *phase_copies; /* what report->phases points to, or NULL */

/* Every phase: as it is when the measurement has ended, else as if it ended now. False:
   no memory. */
static Bool add_phases(struct pm_report *report, Bool ended)
{
   UInt count = pmh_phases.count;
   struct pm_report_phase *shown = pmh_host.alloc(count * sizeof *shown);
   struct pm_phase *copies =
      ended ? NULL : pmh_host.alloc(count * sizeof *copies);
   report->phases = shown;
   report->phase_count = count;
   phase_copies = copies;
   if (!shown || (!ended && !copies))
      return False;
   struct pm_phase_caller caller = pmh_monitor_caller();
   for (UInt d = 0; d < count; d++) {
      const struct pm_declared *declared = pmh_phases.declared[d];
      shown[d] = (struct pm_report_phase){.phase = &declared->phase, .declared = declared,
                                          .unavailable = pmh_pattern_trouble(declared)};
      if (!ended) {
         pm_phase_as_if_ended(&pmh_heap.phases, &declared->phase, &pmh_heap.state,
                              caller.thread_instrs, declared->kind == PM_PHASE_PROCESS,
                              &copies[d]);
         shown[d].phase = &copies[d];
      }
   }
   return True;
}

static void release(struct pm_report *report)
{
   if (report->profile)
      pm_profile_unfold(&pmh_profile);
   pmh_host.release(phase_copies, report->phase_count * sizeof *phase_copies);
   pmh_host.release((void *)report->phases, report->phase_count * sizeof *report->phases);
   VG_(free)(report->objects);
   VG_(free)(report_objects);
   VG_(free)((void *)report->args);
}

/* False: no memory for its lists. */
static Bool fill(struct pm_report *report, const struct pmh_end *end, Bool ended)
{
   static HChar signal_name[PM_SIGNAL_NAME];
   static const enum pm_report_end kinds[] = {[PMH_END_EXIT] = PM_REPORT_EXIT,
                                              [PMH_END_SIGNAL] = PM_REPORT_SIGNAL,
                                              [PMH_END_EXEC] = PM_REPORT_EXEC,
                                              [PMH_END_NOT_YET] = PM_REPORT_RUNNING};
   *report = (struct pm_report){
      .profmem_version = PROFMEM_VERSION,
      .valgrind_version = PMH_VALGRIND_VERSION,
      .platform = pmh_platform.name,
      .options = options,
      .fixes = fixes,
      .end = kinds[end->kind],
      .end_status = end->status,
      .end_signal = pm_signal_name(signal_name, end->status),
      .end_path = end->path,
   };
   pmh_each_option(add_option, report);
   pmh_each_fix(add_fix, report);
   add_core_options(report);
   add_command(report);
   add_executable(report);
   add_objects(report);
   add_environment(report);
   report->function_count = pmh_functions(&report->functions);
   if (pmh_options.functions) {
      report->profile = &pmh_profile;
      report->code_count = pmh_code_functions(&report->code);
      if (pmh_options.lines)
         report->line_count = pmh_code_lines(&report->lines);
      if (pmh_options.instr) {
         report->instr_count = pmh_code_instrs(&report->instrs);
         pmh_code_lines(&report->instr_lines);
      }
      pm_profile_fold(&pmh_profile, place_count(report));
   }
   report->open = &pmh_heap.phases;
   report->threads = &pmh_thread_counts;
   report->thread_count = pmh_thread_total();
   report->timeline = &pmh_heap.timeline;
   report->row_limit = (ULong)pmh_options.report_limit;
   report->instr_limit = (ULong)pmh_options.instr_limit;
   if (pmh_options.stacks) {
      report->sites = &pmh_sites;
      report->site_count = pmh_sites_known(&report->site_names);
      report->fates = &pmh_fates;
   }
   if (!add_phases(report, ended))
      return False;
   add_gaps(report);
   add_diagnostics(report);
   return True;
}

Bool pmh_unavailable(const struct pm_declared *declared, enum pm_metric metric)
{
   static struct pm_report report; /* only its gaps */
   add_gaps(&report);
   struct pm_phase measured = declared->phase;
   measured.instances = 1;
   const struct pm_report_phase shown = {.phase = &measured, .declared = declared};
   return pm_report_unavailable(&report, &shown, metric) != NULL;
}

/* --- writing ------------------------------------------------------------------------ */

/* A report that there was memory for. */
static Bool write_report(const struct pm_xml_sink *sink, void *ctx)
{
   static struct pm_xml xml; /* too large for the stack */
   return ctx && pm_report_write(ctx, &xml, &pmh_host, sink);
}

/* The lines of the summary: a heading and the metrics behind it. */
static const struct {
   const HChar *label;
   enum pm_metric metric;
} summary[] = {
   {"heap at peak", PM_METRIC_HEAP_PEAK},
   {"heap at exit", PM_METRIC_HEAP_EXIT},
   {"blocks at exit", PM_METRIC_HEAP_EXIT_BLOCKS},
   {"allocations", PM_METRIC_ALLOCATIONS_COUNT},
   {"reallocations", PM_METRIC_REALLOCATIONS_COUNT},
   {"deallocations", PM_METRIC_DEALLOCATIONS_COUNT},
   {"requested in total", PM_METRIC_TRAFFIC_BYTES},
   {"instructions", PM_METRIC_INSTRUCTIONS_TOTAL},
   {"  in the allocator", PM_METRIC_INSTRUCTIONS_ALLOCATOR},
   {"  in the program", PM_METRIC_INSTRUCTIONS_PROGRAM},
};

/* A name is data: what a terminal would obey stands as \xHH, as in the report. */
static const HChar *shown_name(const HChar *name)
{
   static HChar shown[4 * PM_PHASE_NAME_MAX + 1];
   HChar *to = shown;
   for (; *name && to < shown + sizeof shown - 4; name++) {
      UChar byte = (UChar)*name;
      if (byte >= 0x20 && byte != 0x7f && !(byte == 0xc2 && ((UChar)name[1] & 0xe0) == 0x80))
         *to++ = *name;
      else
         to += VG_(sprintf)(to, "\\x%02x", byte);
   }
   *to = '\0';
   return shown;
}

static void print_diagnostic(const HChar *what, const HChar *phase, ULong count)
{
   HChar number[PM_U64_GROUPED_TEXT];
   pm_u64_grouped(number, count);
   VG_(umsg)("warning: %s%s%s%s (%s times)\n", phase ? "phase '" : "",
             phase ? shown_name(phase) : "", phase ? "': " : "", what, number);
}

static void print_diagnostics(const struct pm_report *report)
{
   for (UInt d = 0; d < report->diagnostic_count; d++)
      if (report->diagnostics[d].count)
         print_diagnostic(report->diagnostics[d].text, NULL, report->diagnostics[d].count);
   for (UInt p = 0; p < report->phase_count; p++)
      for (Int t = 0; t < PM_PHASE_TROUBLES; t++) {
         ULong count = report->phases[p].declared->trouble[t];
         if (count && pm_phase_troubles[t].severity != PM_NOTE)
            print_diagnostic(pm_phase_troubles[t].text, report->phases[p].phase->name, count);
      }
}

static void print_summary(const struct pm_report *report, Bool written)
{
   const HChar *said = NULL;
   for (UInt s = 0; s < sizeof summary / sizeof *summary; s++) {
      enum pm_metric metric = summary[s].metric;
      const HChar *reason = pm_report_unavailable(report, &report->phases[0], metric);
      if (reason) {
         if (reason != said)
            VG_(umsg)("unavailable: heap and allocator: %s\n", reason);
         said = reason;
         continue;
      }
      HChar number[PM_U64_GROUPED_TEXT];
      pm_u64_grouped(number, pmh_program()->value[metric]);
      VG_(umsg)("%-20s %20s %s\n", summary[s].label, number, pm_metric_rows[metric].unit);
   }
   print_diagnostics(report);
   if (written)
      VG_(umsg)("report: %s\n", pmh_output_name());
}

void pmh_report(const struct pmh_end *end)
{
   static struct pm_report report;
   pmh_patterns_end();
   Bool filled = fill(&report, end, True);
   Bool written = pmh_output_report(write_report, filled ? &report : NULL);
   if (filled && VG_(clo_verbosity) > 0)
      print_summary(&report, written);
   release(&report);
}

Bool pmh_report_so_far(const struct pmh_end *end)
{
   static struct pm_report report;
   Bool filled = fill(&report, end, False);
   Bool written = pmh_output_report(write_report, filled ? &report : NULL);
   release(&report);
   return written;
}

Bool pmh_snapshot(const HChar *path)
{
   static struct pm_report report;
   static const struct pmh_end not_yet = {.kind = PMH_END_NOT_YET};
   Bool filled = fill(&report, &not_yet, False);
   Bool written = pmh_output_snapshot(path, write_report, filled ? &report : NULL);
   release(&report);
   return written;
}
