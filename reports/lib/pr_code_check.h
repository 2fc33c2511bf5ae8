/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_code_check.h: do the instructions of each function make up the function? */
#ifndef PR_CODE_CHECK_H
#define PR_CODE_CHECK_H

#include <stdbool.h>

#include "pr_diagnostics.h"
#include "pr_report.h"

/* Each function whose instructions add up to other numbers becomes a diagnostic. A phase that
   does not list all its instructions says nothing, and of one that does not list all its
   functions those that it lists are looked at. True: all fit. */
bool pr_code_check(const struct pr_report *report, const struct pr_phase *phase,
                   struct pr_diagnostics *diagnostics);

#endif
