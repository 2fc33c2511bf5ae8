/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_schema_text.h: docs/profmem-report.rng, built into the program.
 *
 * pr_schema_text.c is made from the schema by the build.
 */
#ifndef PR_SCHEMA_TEXT_H
#define PR_SCHEMA_TEXT_H

#include <stddef.h>

extern const char pr_schema_text[];
extern const size_t pr_schema_text_bytes; /* without the NUL behind it */

#endif
