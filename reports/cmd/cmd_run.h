/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_run.h: `profmem run`. */
#ifndef CMD_RUN_H
#define CMD_RUN_H

#include "cmd_command.h"

extern const struct poptOption cmd_run_options[];
enum cmd_status cmd_run(struct cmd_invocation *invocation);

#endif
