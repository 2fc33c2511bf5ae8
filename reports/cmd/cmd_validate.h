/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_validate.h: `profmem validate`. */
#ifndef CMD_VALIDATE_H
#define CMD_VALIDATE_H

#include "cmd_command.h"

extern const struct poptOption cmd_validate_options[];
enum cmd_status cmd_validate(struct cmd_invocation *invocation);

#endif
