/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_report.h: a report, from plain data to XML.
 *
 * What stands in a report of format 1, and in which order, is decided here and
 * nowhere else in the tool; docs/profmem-report.rng is the normative schema.
 * The host fills the structs; lists that come in an accidental order (objects,
 * functions) are sorted here by what they say, never by address, so that the
 * same measurement gives the same bytes.
 */
#ifndef PM_REPORT_H
#define PM_REPORT_H

#include "pm_calls.h"
#include "pm_fates.h"
#include "pm_phase_table.h"
#include "pm_profile.h"
#include "pm_sites.h"
#include "pm_thread_counts.h"
#include "pm_timeline.h"
#include "pm_xml.h"

struct pm_report_object {
   const char *name;
   const char *build_id; /* NULL: it has none */
   const char *path;     /* NULL: it is not to be in the report */
};

struct pm_report_option {
   const char *name;
   const char *value;
};

/* A function of the program's code; its number is its place in the list. */
struct pm_report_function {
   const char *name;   /* "???" when it has none */
   const char *object; /* base name of the file; "???" outside every object */
};

/* A source line in a function: code that was compiled from it, also if the line was
   inlined into the function. */
struct pm_report_line {
   uint32_t function; /* its number */
   uint32_t line;     /* in file; 0 unknown */
   const char *file;  /* source file; NULL unknown */
};

/* An instruction of a source line. */
struct pm_report_instr {
   const struct pm_report_object *object; /* NULL: it is outside every one */
   uint64_t address;  /* in the object, as its file has it */
   uint32_t line;     /* the line's number */
   bool has_address;  /* false: it has none that is the same in every run, and stands for all
                         such ones of its line */
};

/* One frame of a site. Equal texts are the same pointer. */
struct pm_report_frame {
   const char *function; /* "???" when it has no name */
   const char *file;     /* source file; NULL unknown */
   const char *object;   /* base name of the file it is in; "???" outside every one */
   uint32_t line;        /* in file; 0 unknown */
   bool inlined;         /* into the next frame */
};

/* A call chain, innermost frame first; its number is its place in the list. */
struct pm_report_site {
   const struct pm_report_frame *frames;
   uint32_t frame_count;
};

enum pm_report_end { PM_REPORT_EXIT, PM_REPORT_SIGNAL, PM_REPORT_EXEC, PM_REPORT_RUNNING };

enum pm_severity { PM_NOTE, PM_WARNING, PM_ERROR };

struct pm_report_diagnostic {
   enum pm_severity severity;
   const char *code; /* stable, for programs */
   const char *text; /* for people */
   uint64_t count;   /* how often; 0: it is not reported */
};

/* A phase as the report shows it. */
struct pm_report_phase {
   const struct pm_phase *phase;
   const struct pm_declared *declared; /* kind and troubles */
   const char *unavailable;            /* why an instance is missing; NULL: one is not */
};

/* Why metrics whose name starts with a prefix are not to be had. */
struct pm_report_gap {
   const char *prefix;
   const char *reason;
};

struct pm_report {
   const char *profmem_version;
   const char *valgrind_version;
   const char *platform;
   const char *const *args; /* the program's, its name first */
   uint32_t arg_count;
   const char *executable_path;
   uint64_t executable_bytes;
   const char *executable_build_id; /* NULL: it has none */
   const struct pm_report_object **objects; /* sorted in place */
   uint32_t object_count;
   const struct pm_report_option *options;
   uint32_t option_count;
   const struct pm_report_option *fixes; /* what is held fixed, and at what */
   uint32_t fix_count;
   uint64_t environment_variables;
   uint64_t environment_fnv1a64;
   enum pm_report_end end;
   int end_status;           /* exit status or signal number */
   const char *end_signal;   /* its name */
   const char *end_path;     /* of an exec */
   struct pm_function **functions; /* of allocation; sorted in place */
   uint32_t function_count;
   const struct pm_profile *profile; /* NULL: executions were not counted */
   const struct pm_report_function *code; /* functions of the program */
   uint32_t code_count;
   const struct pm_report_line *lines; /* the places of the stretches; NULL: these are
                                          the functions */
   uint32_t line_count;
   const struct pm_report_instr *instrs; /* the items of the stretches; NULL: they were not
                                            told apart */
   uint32_t instr_count;
   const struct pm_report_line *instr_lines; /* that they are of */
   const struct pm_sites *sites;     /* NULL: sites were not told apart */
   const struct pm_fates *fates;     /* NULL: the same */
   const struct pm_phases *open;     /* the open instances, for a report so far */
   const struct pm_report_site *site_names; /* [0]: the unknown site */
   uint32_t site_count;
   const struct pm_thread_counts *threads; /* NULL: threads were not told apart */
   uint32_t thread_count;    /* threads that there have been */
   const struct pm_timeline *timeline; /* NULL: none was kept */
   uint64_t row_limit;       /* rows of a phase's list; the rest is one row */
   uint64_t instr_limit;     /* the same of its list of instructions */
   const struct pm_report_phase *phases;
   uint32_t phase_count;
   const struct pm_report_gap *gaps;
   uint32_t gap_count;
   const struct pm_report_diagnostic *diagnostics;
   uint32_t diagnostic_count;
};

/* What each trouble of a phase is called; count is not used. */
extern const struct pm_report_diagnostic pm_phase_troubles[PM_PHASE_TROUBLES];

/* Why a metric of a phase is unavailable in this report, NULL when it is available. */
const char *pm_report_unavailable(const struct pm_report *report,
                                  const struct pm_report_phase *phase, enum pm_metric metric);

/* Why metrics of that name are not to be had in any phase; NULL: they are. */
const char *pm_report_gap_of(const struct pm_report *report, const char *metric);

/* Why there is nothing that the profile says; NULL: there is. */
const char *pm_report_profile_gap(const struct pm_report *report);

/* Write the whole document. False: the sink did not take every byte, or there was no
   memory for the lists. xml is room for the writer, which is too large for a small
   stack. */
bool pm_report_write(struct pm_report *report, struct pm_xml *xml, const struct pm_host *host,
                     const struct pm_xml_sink *sink);

#endif
