/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_output.h: the report's file: opened early, complete or absent.
 *
 * A new or regular file is written to a temporary file beside it, which takes
 * its name when the report is complete. Anything else that is there already (a
 * device, a FIFO, /dev/stdout) is written directly, and never replaced or
 * removed. The descriptor lies above those that the program can see.
 *
 * Trouble after the start is said on the log and changes nothing for the
 * program.
 */
#ifndef PMH_OUTPUT_H
#define PMH_OUTPUT_H

#include "pub_tool_basics.h"
#include "pm_xml.h"

/* The first process, before the program starts: expand the name and open the
   file. A bad path is one line on the log and the end, status 1. */
void pmh_output_begin(void);

/* In a forked child: it has a name of its own, and opens its file when it has
   something to report. child: its number among its parent's children and
   images. */
void pmh_output_after_fork(UInt child);

/* The suffix that the next child or image gets, into to. */
void pmh_output_suffix(HChar *to, SizeT bytes, UInt child);

/* Write a report: everything that write() hands to the sink. True: it is
   complete under its name, which pmh_output_name() gives. */
Bool pmh_output_report(void (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx);

/* Write a report of a program that goes on into another file, complete or not at
   all, like the report itself. */
Bool pmh_output_snapshot(const HChar *path,
                         void (*write)(const struct pm_xml_sink *sink, void *ctx), void *ctx);

/* The report that was written last is void (an exec failed): remove it and be
   ready to write another one. */
void pmh_output_withdraw(void);

/* For messages. */
const HChar *pmh_output_name(void);

/* The process ends without a report: leave no temporary file. */
void pmh_output_abandon(void);

#endif
