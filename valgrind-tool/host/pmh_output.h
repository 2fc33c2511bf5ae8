/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_output.h: the report's file: opened early, complete or absent.
 *
 * A new or regular file is written to a temporary file beside it, which takes
 * its name when the report is complete. Anything else that is there already (a
 * device, a FIFO, /dev/stdout) is written directly, and never replaced or
 * removed; it takes one report, that of the first process. The descriptor lies
 * above those that the program can see.
 *
 * A forked child's report is FILE.1, FILE.2 in the order of the forks, or, with %p
 * in the name, has the child's own name; the image that a traced exec starts is the
 * next child.
 *
 * Trouble after the start is said on the log and changes nothing for the
 * program.
 */
#ifndef PMH_OUTPUT_H
#define PMH_OUTPUT_H

#include "pub_tool_basics.h"
#include "pm_xml.h"

/* Before the program starts: expand the name and, for the first process, open the
   file: a bad path is one line on the log and the end, status 1. */
void pmh_output_begin(void);

/* In a forked child: it has a name of its own, and opens its file when it has
   something to report. child: its number among its parent's children and
   images. */
void pmh_output_after_fork(UInt child);

/* Is it of use that this process reports? Not if it is a child whose report would
   go where the first process's goes. */
Bool pmh_output_is_own(void);

/* The absolute name of the report of the image that is this process's child with
   that number. The caller frees it. */
HChar *pmh_output_image_name(UInt child);

/* The folder that names in the option are relative to; NULL unknown. */
const HChar *pmh_output_directory(void);

/* Is the output written directly? A report there cannot be taken back. */
Bool pmh_output_is_direct(void);

/* Write a report: everything that write() hands to the sink. True: it is
   complete under its name, which pmh_output_name() gives. */
Bool pmh_output_report(Bool (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx);

/* Write a report of a program that goes on into another file, complete or not at
   all, like the report itself. */
Bool pmh_output_snapshot(const HChar *path,
                         Bool (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx);

/* The report that was written last is void (an exec failed): remove it and be
   ready to write another one. */
void pmh_output_withdraw(void);

/* For messages. */
const HChar *pmh_output_name(void);

/* The process ends without a report: leave no temporary file. */
void pmh_output_abandon(void);

#endif
