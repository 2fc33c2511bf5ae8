/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_show.h: `profmem show`. */
#ifndef CMD_SHOW_H
#define CMD_SHOW_H

#include "cmd_command.h"

extern const struct poptOption cmd_show_options[];
enum cmd_status cmd_show(struct cmd_invocation *invocation);

#endif
