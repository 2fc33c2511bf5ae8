/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_options.c: one table for parsing, help and the report. */
#include "pmh_options.h"
#include "pmh_services.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pm_text.h"

struct pmh_options pmh_options = {
   .out_file = "profmem.out.%p.xml",
   .functions = True,
   .stacks = True,
   .report_children = PMH_REPORT_EXEC,
   .phase_instances = 100,
   .report_limit = 1000,
   .instr_limit = 1000000,
   .timeline_points = 1000,
   .cpu = "host",
   .random_seed = 1,
   .epoch_s = 2000000000, /* May 2033: later than the files that the program looks at */
};

const HChar pmh_image_report_option[] = "--profmem-image-report";
const HChar pmh_directory_option[] = "--profmem-directory";
const HChar pmh_clock_passed_option[] = "--profmem-clock-passed";
const HChar pmh_of_first_process_option[] = "--profmem-of-first-process";

static Bool set_out_file(const HChar *value)
{
   pmh_options.out_file = pmh_keep(value);
   return value[0] != '\0';
}

static Bool set_image_report(const HChar *value)
{
   pmh_options.image_report = pmh_keep(value);
   return value[0] == '/';
}

static Bool set_directory(const HChar *value)
{
   pmh_options.directory = pmh_keep(value);
   return value[0] == '/';
}

static Bool set_bool(Bool *to, const HChar *value)
{
   *to = pm_streq(value, "yes");
   return *to || pm_streq(value, "no");
}

/* An option that is yes or no: how it is set, and its value in force. */
#define YES_OR_NO(option)                                   \
   static Bool set_##option(const HChar *value)             \
   {                                                        \
      return set_bool(&pmh_options.option, value);          \
   }                                                        \
   static const HChar *option##_text(void)                  \
   {                                                        \
      return pmh_options.option ? "yes" : "no";             \
   }
YES_OR_NO(functions)
YES_OR_NO(lines)
YES_OR_NO(stacks)
YES_OR_NO(free_stacks)

static Bool set_instr(const HChar *value)
{
   return set_bool(&pmh_options.instr, value);
}

/* Without it reports are those of versions that had no such option. */
static const HChar *instr_text(void)
{
   return pmh_options.instr ? "yes" : NULL;
}

static Bool set_object_paths(const HChar *value)
{
   return set_bool(&pmh_options.object_paths, value);
}

static Bool set_of_first_process(const HChar *value)
{
   return set_bool(&pmh_options.of_first_process, value);
}

static Bool set_check_stacks(const HChar *value)
{
   return set_bool(&pmh_options.check_stacks, value);
}

static const HChar *const report_children_words[] = {"exec", "all", "no"};

static Bool set_report_children(const HChar *value)
{
   for (UInt w = 0; w < 3; w++)
      if (pm_streq(value, report_children_words[w])) {
         pmh_options.report_children = w;
         return True;
      }
   return False;
}

static const HChar *report_children_text(void)
{
   return report_children_words[pmh_options.report_children];
}

static void append(const HChar ***list, UInt *count, const HChar *value)
{
   *list = VG_(realloc)("profmem.options", *list, (*count + 1) * sizeof **list);
   (*list)[(*count)++] = pmh_keep(value);
}

static Bool set_number(Long *to, const HChar *value)
{
   enum { DIGITS_MAX = 18 }; /* below 2^63 */
   HChar *rest;
   *to = VG_(strtoll10)(value, &rest);
   return value[0] >= '0' && value[0] <= '9' && *rest == '\0' && rest - value <= DIGITS_MAX;
}

static Bool set_phase_instances(const HChar *value)
{
   return set_number(&pmh_options.phase_instances, value);
}

static const HChar *phase_instances_text(void)
{
   static HChar text[PM_U64_TEXT];
   pm_u64_text(text, (uint64_t)pmh_options.phase_instances);
   return text;
}

static Bool set_report_limit(const HChar *value)
{
   return set_number(&pmh_options.report_limit, value);
}

static Bool set_instr_limit(const HChar *value)
{
   return set_number(&pmh_options.instr_limit, value);
}

static Bool set_timeline_points(const HChar *value)
{
   enum { POINTS_MAX = 1000000 };
   /* Points are joined in pairs: one alone cannot be. */
   return set_number(&pmh_options.timeline_points, value) &&
          pmh_options.timeline_points != 1 && pmh_options.timeline_points <= POINTS_MAX;
}

static const HChar *timeline_points_text(void)
{
   static HChar text[PM_U64_TEXT];
   pm_u64_text(text, (uint64_t)pmh_options.timeline_points);
   return text;
}

static const HChar *report_limit_text(void)
{
   static HChar text[PM_U64_TEXT];
   pm_u64_text(text, (uint64_t)pmh_options.report_limit);
   return text;
}

static const HChar *instr_limit_text(void)
{
   static HChar text[PM_U64_TEXT];
   if (!pmh_options.instr)
      return NULL;
   pm_u64_text(text, (uint64_t)pmh_options.instr_limit);
   return text;
}

static Bool set_cpu(const HChar *value)
{
   static const HChar *const words[] = {"host", "baseline", "sse42", "avx", "avx2"};
   for (UInt w = 0; w < sizeof words / sizeof *words; w++)
      if (pm_streq(value, words[w])) {
         pmh_options.cpu = words[w];
         return True;
      }
   return False;
}

static const HChar *cpu_text(void)
{
   return pmh_options.cpu;
}

/* yes, no, or a number, which is yes. */
static Bool set_fix(Bool *fixed, ULong *number, const HChar *value)
{
   Long given;
   if (set_bool(fixed, value))
      return True;
   *fixed = set_number(&given, value);
   *number = (ULong)given;
   return *fixed;
}

static const HChar *fix_text(HChar text[PM_U64_TEXT], Bool fixed, ULong number)
{
   if (!fixed)
      return "no";
   pm_u64_text(text, number);
   return text;
}

static Bool set_fixed_random(const HChar *value)
{
   return set_fix(&pmh_options.fixed_random, &pmh_options.random_seed, value);
}

static const HChar *fixed_random_text(void)
{
   static HChar text[PM_U64_TEXT];
   return fix_text(text, pmh_options.fixed_random, pmh_options.random_seed);
}

/* A moment whose nanoseconds since 1970 are a number of 63 bits. */
static Bool set_fixed_clock(const HChar *value)
{
   return set_fix(&pmh_options.fixed_clock, &pmh_options.epoch_s, value) &&
          pmh_options.epoch_s <= 9000000000ULL;
}

static const HChar *fixed_clock_text(void)
{
   static HChar text[PM_U64_TEXT];
   return fix_text(text, pmh_options.fixed_clock, pmh_options.epoch_s);
}

static Bool set_clock_passed(const HChar *value)
{
   Long passed;
   Bool valid = set_number(&passed, value);
   pmh_options.clock_passed_ns = (ULong)passed;
   return valid;
}

const HChar *pmh_phase_fn_pattern(const HChar *argument, SizeT *name_bytes)
{
   const HChar *equals = VG_(strchr)(argument, '=');
   *name_bytes = equals ? (SizeT)(equals - argument) : VG_(strlen)(argument);
   return equals ? equals + 1 : argument;
}

static Bool add_phase_fn(const HChar *value)
{
   SizeT name_bytes;
   const HChar *pattern = pmh_phase_fn_pattern(value, &name_bytes);
   append(&pmh_options.phase_fns, &pmh_options.phase_fn_count, value);
   return name_bytes > 0 && pattern[0] != '\0';
}

static Bool add_alloc_fn(const HChar *value)
{
   const HChar *colon = VG_(strchr)(value, ':');
   if (!colon || !colon[1] ||
       pm_allockind_by_name(value, (size_t)(colon - value)) == PM_ALLOCKINDS)
      return False;
   append(&pmh_options.alloc_fns, &pmh_options.alloc_fn_count, value);
   return True;
}

static const struct option {
   const HChar *name;
   const HChar *value_help;     /* what stands behind the = */
   const HChar *help;
   Bool (*set)(const HChar *value);
   const HChar *(*in_force)(void); /* NULL, also as its result: not in the report, or
                                      written apart */
   Bool internal;               /* listed with --help-debug only */
} table[] = {
   {"--profmem-out-file", "FILE", "report file; %p is the process id [profmem.out.%p.xml]",
    set_out_file, NULL, False},
   {"--functions", "yes|no", "which functions executed how many instructions [yes]",
    set_functions, functions_text, False},
   {"--lines", "yes|no", "the same by source line, where there is debug information [no]",
    set_lines, lines_text, False},
   {"--instr", "yes|no", "the same by instruction, with its address in the object [no]",
    set_instr, instr_text, False},
   {"--stacks", "yes|no", "who allocated, by call chain (--num-callers deep) [yes]",
    set_stacks, stacks_text, False},
   {"--free-stacks", "yes|no", "who gave blocks back, by call chain [no]",
    set_free_stacks, free_stacks_text, False},
   {"--report-children", "exec|all|no",
    "who reports: every process that ends and the first one\n"
    "        also before an exec; children before an exec too; only the first [exec]",
    set_report_children, report_children_text, False},
   {"--phase-fn", "[NAME=]PATTERN",
    "each execution of a function that matches is a phase\n"
    "        (repeatable; * and ?; over raw and demangled names)",
    add_phase_fn, NULL, False},
   {"--phase-instances", "NUMBER", "list that many instances of a phase singly [100]",
    set_phase_instances, phase_instances_text, False},
   {"--report-limit", "NUMBER",
    "rows of each list in the report; what remains is one row [1000]",
    set_report_limit, report_limit_text, False},
   {"--instr-limit", "NUMBER", "the same of each list of instructions [1000000]",
    set_instr_limit, instr_limit_text, False},
   {"--timeline-points", "NUMBER",
    "points of the timeline of live bytes, 2 to 1000000;\n"
    "        0: none [1000]",
    set_timeline_points, timeline_points_text, False},
   {"--alloc-fn", "KIND:NAME",
    "NAME is an allocation function too (repeatable);\n"
    "        KIND says which of its arguments is what",
    add_alloc_fn, NULL, False},
   {"--cpu", "host|baseline|sse42|avx|avx2",
    "the processor that the program sees, never above the\n"
    "        host's [host]",
    set_cpu, cpu_text, False},
   {"--fixed-random", "yes|no|SEED",
    "random numbers of system and processor are the same in\n"
    "        every run [no]",
    set_fixed_random, fixed_random_text, False},
   {"--fixed-clock", "yes|no|EPOCH",
    "clocks start at EPOCH (seconds since 1970) and move with\n"
    "        what the program executes and sleeps [no]",
    set_fixed_clock, fixed_clock_text, False},
   {"--profmem-object-paths", "yes|no",
    "paths of objects in the report, for profmem run to replace [no]", set_object_paths, NULL,
    True},
   {"--check-stacks", "yes|no", "unwind remembered call chains again; stop if one differs [no]",
    set_check_stacks, NULL, True},
   {pmh_image_report_option, "/FILE", "report of the image that a traced exec has started",
    set_image_report, NULL, True},
   {pmh_directory_option, "/DIRECTORY", "that relative names of reports start from",
    set_directory, NULL, True},
   {pmh_clock_passed_option, "NANOSECONDS", "since the epoch, before a traced exec",
    set_clock_passed, NULL, True},
   {pmh_of_first_process_option, "yes|no", "the image is the first process's, not a child's",
    set_of_first_process, NULL, True},
};

enum { OPTIONS = sizeof table / sizeof *table };

/* The row whose name the argument starts with, before a =; NULL: none. */
static const struct option *row_of(const HChar *argument)
{
   for (UInt o = 0; o < OPTIONS; o++) {
      SizeT length = VG_(strlen)(table[o].name);
      if (VG_(strncmp)(argument, table[o].name, length) == 0 && argument[length] == '=')
         return &table[o];
   }
   return NULL;
}

Bool pmh_is_own_option(const HChar *argument)
{
   return row_of(argument) != NULL;
}

Bool pmh_option(const HChar *argument)
{
   const struct option *row = row_of(argument);
   if (row && !row->set(VG_(strchr)(argument, '=') + 1))
      VG_(fmsg_bad_option)(argument, "%s takes %s\n", row->name, row->value_help);
   return row != NULL;
}

static void print_rows(Bool internal)
{
   for (UInt o = 0; o < OPTIONS; o++)
      if (table[o].internal == internal)
         VG_(printf)("    %s=%s\n        %s\n", table[o].name, table[o].value_help,
                     table[o].help);
}

void pmh_print_usage(void)
{
   print_rows(False);
   VG_(printf)("    kinds of allocation functions:");
   for (UInt k = 0; k < PM_ALLOCKINDS; k++)
      VG_(printf)("%s %s", k % 5 == 0 ? "\n       " : "", pm_allockinds[k].name);
   VG_(printf)("\n");
}

void pmh_print_debug_usage(void)
{
   print_rows(True);
}

void pmh_each_option(void (*each)(void *ctx, const HChar *name, const HChar *value), void *ctx)
{
   for (UInt o = 0; o < OPTIONS; o++) {
      const HChar *value = table[o].in_force ? table[o].in_force() : NULL;
      if (value)
         each(ctx, table[o].name, value);
      const HChar **list = table[o].set == add_alloc_fn   ? pmh_options.alloc_fns
                           : table[o].set == add_phase_fn ? pmh_options.phase_fns
                                                          : NULL;
      UInt count = table[o].set == add_alloc_fn   ? pmh_options.alloc_fn_count
                   : table[o].set == add_phase_fn ? pmh_options.phase_fn_count
                                                  : 0;
      for (UInt i = 0; i < count; i++)
         each(ctx, table[o].name, list[i]);
   }
}

void pmh_each_fix(void (*each)(void *ctx, const HChar *name, const HChar *value), void *ctx)
{
   if (!pm_streq(pmh_options.cpu, "host"))
      each(ctx, "cpu", pmh_options.cpu);
   if (pmh_options.fixed_random)
      each(ctx, "random", fixed_random_text());
   if (pmh_options.fixed_clock)
      each(ctx, "clock", fixed_clock_text());
}

void pmh_add_alloc_fns(struct pm_allocfns *fns)
{
   for (UInt f = 0; f < pmh_options.alloc_fn_count; f++) {
      const HChar *row = pmh_options.alloc_fns[f];
      const HChar *colon = VG_(strchr)(row, ':');
      enum pm_allockind_id kind = pm_allockind_by_name(row, (size_t)(colon - row));
      if (!pm_allocfns_add(fns, colon + 1, kind))
         pmh_out_of_memory("the tables at the start");
   }
}
