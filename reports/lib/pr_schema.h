/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_schema.h: does a report keep to docs/profmem-report.rng?
 *
 * The schema is built into the program, so that it is always the one of this
 * version and always found; the installed file is for other tools.
 *
 * The loader feeds a check while it reads: the document is never held in
 * memory as a whole, and lines in diagnostics are the parser's own.
 */
#ifndef PR_SCHEMA_H
#define PR_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "pr_attribute.h"
#include "pr_diagnostics.h"

struct pr_schema;       /* compiled; serves any number of checks, one by one */
struct pr_schema_check; /* of one document */

/* NULL: no memory left, or (a bug) the schema does not compile; a diagnostic
   says so. */
struct pr_schema *pr_schema_new(struct pr_diagnostics *diagnostics);
void pr_schema_free(struct pr_schema *schema);

/* A check of the document `file`, which reports the first violation to
   `diagnostics`: what follows one is seldom more than its echo.
   NULL: no memory left. */
struct pr_schema_check *pr_schema_check_new(struct pr_schema *schema, const char *file,
                                            struct pr_diagnostics *diagnostics);
void pr_schema_check_free(struct pr_schema_check *check);

/* The document's pieces in order. `line` is where the piece ends. */
void pr_schema_check_start(struct pr_schema_check *check, unsigned long line, const char *name,
                           const char *namespace_uri, const struct pr_attribute *attributes,
                           size_t count);
void pr_schema_check_text(struct pr_schema_check *check, unsigned long line, const char *text,
                          size_t bytes);
void pr_schema_check_end(struct pr_schema_check *check, unsigned long line);

/* True if no violation was found in what was fed so far. */
bool pr_schema_check_passed(const struct pr_schema_check *check);

#endif
