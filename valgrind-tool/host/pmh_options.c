/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_options.c: one table for parsing, help and the report. */
#include "pmh_options.h"
#include "pmh_services.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_options.h"
#include "pm_text.h"

struct pmh_options pmh_options = {
   .out_file = "profmem.out.%p.xml",
   .name_suffix = "",
   .functions = True,
   .report_children = PMH_REPORT_EXEC,
};

const HChar pmh_suffix_option[] = "--profmem-name-suffix";

static Bool set_out_file(const HChar *value)
{
   pmh_options.out_file = pmh_keep(value);
   return value[0] != '\0';
}

static Bool set_suffix(const HChar *value)
{
   pmh_options.name_suffix = pmh_keep(value);
   return True;
}

static Bool set_bool(Bool *to, const HChar *value)
{
   *to = pm_streq(value, "yes");
   return *to || pm_streq(value, "no");
}

static Bool set_functions(const HChar *value)
{
   return set_bool(&pmh_options.functions, value);
}

static const HChar *functions_text(void)
{
   return pmh_options.functions ? "yes" : "no";
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

static Bool add_alloc_fn(const HChar *value)
{
   const HChar *colon = VG_(strchr)(value, ':');
   if (!colon || !colon[1] ||
       pm_allockind_by_name(value, (size_t)(colon - value)) == PM_ALLOCKINDS)
      return False;
   UInt count = pmh_options.alloc_fn_count++;
   pmh_options.alloc_fns = VG_(realloc)("profmem.options", pmh_options.alloc_fns,
                                        (count + 1) * sizeof *pmh_options.alloc_fns);
   pmh_options.alloc_fns[count] = pmh_keep(value);
   return True;
}

static const struct option {
   const HChar *name;
   const HChar *value_help;     /* what stands behind the = */
   const HChar *help;
   Bool (*set)(const HChar *value);
   const HChar *(*in_force)(void); /* NULL: not in the report, or written apart */
   Bool internal;               /* listed with --help-debug only */
} table[] = {
   {"--profmem-out-file", "FILE", "report file; %p is the process id [profmem.out.%p.xml]",
    set_out_file, NULL, False},
   {"--functions", "yes|no", "count executions of each piece of code [yes]",
    set_functions, functions_text, False},
   {"--report-children", "exec|all|no",
    "who reports: every process that ends and the first one\n"
    "        also before an exec; children before an exec too; only the first [exec]",
    set_report_children, report_children_text, False},
   {"--alloc-fn", "KIND:NAME",
    "NAME is an allocation function too (repeatable);\n"
    "        KIND says which of its arguments is what",
    add_alloc_fn, NULL, False},
   {pmh_suffix_option, "TEXT", "appended to the report file's name after an exec",
    set_suffix, NULL, True},
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
      if (table[o].in_force)
         each(ctx, table[o].name, table[o].in_force());
      if (table[o].set == add_alloc_fn)
         for (UInt f = 0; f < pmh_options.alloc_fn_count; f++)
            each(ctx, table[o].name, pmh_options.alloc_fns[f]);
   }
}

void pmh_add_alloc_fns(struct pm_allocfns *fns)
{
   for (UInt f = 0; f < pmh_options.alloc_fn_count; f++) {
      const HChar *row = pmh_options.alloc_fns[f];
      const HChar *colon = VG_(strchr)(row, ':');
      enum pm_allockind_id kind = pm_allockind_by_name(row, (size_t)(colon - row));
      if (!pm_allocfns_add(fns, colon + 1, kind))
         VG_(tool_panic)("profmem: out of memory at the start");
   }
}
