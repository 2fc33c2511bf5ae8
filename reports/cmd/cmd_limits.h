/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_limits.h: limits from the command line of commands that check reports.
 *
 * What is wrong with them goes to the diagnostics, so that all of it is told at once. */
#ifndef CMD_LIMITS_H
#define CMD_LIMITS_H

#include "pr_limits.h"

/* --limits: those of a file, which must have some. */
void cmd_limits_read(struct pr_limits *limits, const char *file,
                     struct pr_diagnostics *diagnostics);

/* --limit: the one in a line, which is the `number`th of the command line, from 1. */
void cmd_limits_take(struct pr_limits *limits, const char *line, unsigned long number,
                     struct pr_diagnostics *diagnostics);

#endif
