/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_load.h: from a file to a report in memory.
 *
 * The input is hostile until shown otherwise. Accepted is well-formed XML
 * without a document type (so without entities, external or expanding), of
 * bounded depth and bounded pieces, whose root is a profmem report of format 1
 * and whose numbers are in range. Everything else is refused as a whole, with
 * file, line and reason; there is no half-loaded report.
 *
 * Elements and attributes that this version does not know are skipped, as the
 * format's compatibility rule asks; metrics it does not know are kept by name.
 *
 * Memory: under 4 times the file; what is skipped costs nothing. One pass, so
 * pipes work.
 */
#ifndef PR_LOAD_H
#define PR_LOAD_H

#include <stdio.h>

#include "pr_diagnostics.h"
#include "pr_report.h"
#include "pr_schema.h"

/* Read a report from `in`; `file` is its name in diagnostics. `check`, if not
   NULL, is fed with the same elements and adds what it finds to the list as
   well; a report that breaks the schema may still load.
   NULL: not a report, and the last diagnostic says why. */
struct pr_report *pr_load(FILE *in, const char *file, struct pr_schema_check *check,
                          struct pr_diagnostics *diagnostics);

#endif
