/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_export.h: `profmem export`. */
#ifndef CMD_EXPORT_H
#define CMD_EXPORT_H

#include "cmd_command.h"

extern const struct poptOption cmd_export_options[];
enum cmd_status cmd_export(struct cmd_invocation *invocation);

#endif
