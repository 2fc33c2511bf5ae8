/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_text.h: a report as text for people.
 *
 * Everything a number needs stands beside it: its unit, the reason where it is
 * unavailable, what was not measured at all, what the tool warned of. All text
 * of the report goes through pr_text.h.
 */
#ifndef PR_RENDER_TEXT_H
#define PR_RENDER_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "pr_report.h"

/* The whole report. False: no memory left. (Trouble with `out` is kept by the
   stream.) */
bool pr_render_report(const struct pr_report *report, FILE *out);

/* One phase. */
bool pr_render_phase(const struct pr_phase *phase, FILE *out);

#endif
