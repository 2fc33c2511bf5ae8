/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_inlines.h: of which objects it is read what was inlined where.
 *
 * Only call chains show inlined calls, and what the C library inlines into itself is nobody's
 * question. Where its debug information is installed, though, reading that much of it takes
 * longer than everything else at the start of a process. The core reads an object's when the
 * last of its segments is mapped, if an option says so, which is also asked when a chain is
 * described: while a part of the C library is mapped it says no.
 *
 * --read-inline-info=yes on the command line: of the C library too; =no: of no object.
 */
#ifndef PMH_INLINES_H
#define PMH_INLINES_H

#include "pmh_core.h"

/* Before the command line is read. */
void pmh_inlines_default(void);

/* After that. stacks: there will be call chains. */
void pmh_inlines_begin(Bool stacks);

/* The program is about to map a part of the file that descriptor fd is; has done so, or failed. */
void pmh_inlines_before_mmap(Int fd);
void pmh_inlines_after_mmap(void);

#endif
