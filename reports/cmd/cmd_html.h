/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_html.h: `profmem html`. */
#ifndef CMD_HTML_H
#define CMD_HTML_H

#include "cmd_command.h"

extern const struct poptOption cmd_html_options[];
enum cmd_status cmd_html(struct cmd_invocation *invocation);

#endif
