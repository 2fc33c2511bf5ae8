/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_check.h: `profmem check`. */
#ifndef CMD_CHECK_H
#define CMD_CHECK_H

#include "cmd_command.h"

extern const struct poptOption cmd_check_options[];
enum cmd_status cmd_check(struct cmd_invocation *invocation);

#endif
