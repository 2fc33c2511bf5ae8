/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_options.h: the tool's own command-line options. */
#ifndef PMH_OPTIONS_H
#define PMH_OPTIONS_H

#include "pub_tool_basics.h"
#include "pm_allocfns.h"

enum pmh_report_children {
   PMH_REPORT_EXEC, /* every process that ends; the first one also before an exec */
   PMH_REPORT_ALL,  /* and forked children before an exec */
   PMH_REPORT_NO,   /* only the first process */
};

struct pmh_options {
   const HChar *out_file;      /* as given, with %p and the like */
   const HChar *image_report;  /* absolute, when this is the image of a traced exec;
                                  else NULL */
   Bool of_first_process;      /* and no child's: it became this image by execs alone */
   const HChar *directory;     /* that relative names start from; NULL: the working
                                  directory at the start */
   Bool functions;             /* count executions of each stretch */
   Bool lines;                 /* and of each source line in a function */
   Bool instr;                 /* and of each instruction */
   Bool object_paths;          /* reports have the paths of objects, for `profmem run` */
   Bool check_stacks;          /* unwind also what is remembered, and compare */
   Bool stacks;                /* tell allocations apart by their call chains */
   Bool free_stacks;           /* and say by which ones blocks are given back */
   enum pmh_report_children report_children;
   const HChar *cpu;           /* class of the processor that the program sees; "host" */
   Bool fixed_random;          /* random numbers are those of random_seed */
   ULong random_seed;
   Bool fixed_clock;           /* the clock starts at epoch_s */
   ULong epoch_s;              /* seconds since 1970 */
   ULong clock_passed_ns;      /* since the epoch, before this image was started */
   Long phase_instances;       /* of a phase that are listed singly */
   Long timeline_points;       /* at most; 0: no timeline */
   Long report_limit;          /* rows of a list in the report; the rest is one row */
   Long instr_limit;           /* the same of a list of instructions */
   const HChar **phase_fns;    /* [NAME=]PATTERN, as given */
   UInt phase_fn_count;
   const HChar **alloc_fns;    /* KIND:NAME, as given, checked */
   UInt alloc_fn_count;
};

extern struct pmh_options pmh_options;

/* For VG_(needs_command_line_options). */
Bool pmh_option(const HChar *argument);
void pmh_print_usage(void);
void pmh_print_debug_usage(void);

/* The options that tell a traced exec's image where it reports. */
extern const HChar pmh_image_report_option[], pmh_directory_option[], pmh_clock_passed_option[],
   pmh_of_first_process_option[];

/* Call each(ctx, name, value) for every option that has an effect on the
   numbers, with the value that is in force, in the order of the table. */
void pmh_each_option(void (*each)(void *ctx, const HChar *name, const HChar *value), void *ctx);

/* Call each(ctx, name, value) for everything that is held fixed, in the same order. */
void pmh_each_fix(void (*each)(void *ctx, const HChar *name, const HChar *value), void *ctx);

/* Is it an option of this table? */
Bool pmh_is_own_option(const HChar *argument);

/* The pattern of a --phase-fn, and into *name_bytes the length of the name that the
   phase has, which starts where the argument does: the pattern itself when no name
   is given. */
const HChar *pmh_phase_fn_pattern(const HChar *argument, SizeT *name_bytes);

/* Add the user's rows. */
void pmh_add_alloc_fns(struct pm_allocfns *fns);

#endif
