/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_help.h: `profmem help`. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd_command.h"

extern const struct poptOption cmd_help_options[];
enum cmd_status cmd_help(struct cmd_invocation *invocation);

#endif
