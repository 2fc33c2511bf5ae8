/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_run_list.h: `profmem run --list`: several programs one after the other, each with a
 * report of its own, and one verdict. */
#ifndef CMD_RUN_LIST_H
#define CMD_RUN_LIST_H

#include "cmd_gate.h"
#include "run_request.h"

struct cmd_run_list {
   const char *file;   /* the list */
   const char *folder; /* where reports go; made if there is none */
   struct run_request *request; /* what all programs share */
   const struct cmd_gate_options *gate;
   bool is_quiet;
};

/* Run them. Standard input is /dev/null for each, so that none takes what another one would
   read. A signal that ends programs ends the list.
   The status is that of the first program which failed, 128 + N for a signal N, or of what
   profmem could not do for it; if none did, that of the check. If a signal ended the list,
   this process ends by it. */
int cmd_run_list(const struct cmd_run_list *list, const struct cmd_streams *streams);

#endif
