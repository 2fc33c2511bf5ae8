/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_tighten.h: write the numbers that hold into files of limits. */
#ifndef CMD_TIGHTEN_H
#define CMD_TIGHTEN_H

#include "cmd_command.h"
#include "pr_verdict.h"

/* Replace each file of the verdict's limits of which a number changes, at once or not at
   all, and say so on standard error. Nothing is changed if a report could not be checked or
   tells of errors. False: a file cannot be replaced, which was said. */
bool cmd_tighten(const struct cmd_streams *streams, const struct pr_verdict *verdict);

#endif
