/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_sample.h: reports for the unit tests of the report library. */
#ifndef PR_SAMPLE_H
#define PR_SAMPLE_H

#include "pr_diagnostics.h"
#include "pr_load.h"
#include "pr_schema.h"

/* The text of a report of which only the phases are given; the caller frees. */
char *pr_sample_with_phases(const char *phases);

/* Load a report from text, as the file "sample". */
struct pr_report *pr_sample_load(const char *text, struct pr_schema_check *check,
                                 struct pr_diagnostics *diagnostics);

/* A file of the source tree's tests/fixtures; the caller frees. */
char *pr_sample_fixture(const char *path);

#endif
