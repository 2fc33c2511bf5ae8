/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_terminal.h: what the output is, and what it can show.
 *
 * Lines of a terminal have its width, those of a file or a pipe are as long as they
 * need to be, so that nothing is cut for the program that reads them. The environment's
 * COLUMNS, if it is a number, says another width for either. Color is for terminals,
 * unless NO_COLOR is set to anything or TERM is dumb.
 */
#ifndef CMD_TERMINAL_H
#define CMD_TERMINAL_H

#include <stdio.h>

#include "pr_style.h"

struct pr_style cmd_terminal_style(FILE *out);

#endif
