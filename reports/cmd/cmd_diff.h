/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_diff.h: `profmem diff`. */
#ifndef CMD_DIFF_H
#define CMD_DIFF_H

#include "cmd_command.h"

extern const struct poptOption cmd_diff_options[];
enum cmd_status cmd_diff(struct cmd_invocation *invocation);

#endif
