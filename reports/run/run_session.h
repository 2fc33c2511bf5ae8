/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_session.h: one use of `profmem run`, from the request to the report in its place. */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include <signal.h>
#include <stdio.h>

#include "run_error.h"
#include "run_request.h"

/* Run the program. Warnings that the report holds go to `err` as well. All signals are
   blocked when this returns; *mask is what they were before.
   True: the program ran and its report is in place; *status is how the program ended, as
   wait(2) has it. False: the error; if *has_ended, the program ran all the same. */
bool run_session(struct run_request *request, FILE *err, sigset_t *mask, bool *has_ended,
                 int *status, struct run_error *error);

#endif
