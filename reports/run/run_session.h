/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_session.h: one use of `profmem run`, from the request to the report in its place. */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "run_error.h"
#include "run_request.h"

/* What became of it. */
struct run_result {
   sigset_t mask;   /* which signals were blocked before; all are when the session is over */
   bool has_ended;  /* the program ran, be there a report or not */
   int status;      /* how it ended, as wait(2) has it; valid if has_ended */
   int interrupted; /* a signal that asks programs to end and came meanwhile; 0: none */
   FILE *report;    /* the program's own, to be read from its beginning by the caller, who
                       closes it; NULL if the request does not ask for it */
};

/* Run the program. Warnings that the report holds go to `err`, if that is not NULL, as well.
   True: the program ran and its report is in place. False: the error. */
bool run_session(struct run_request *request, FILE *err, struct run_result *result,
                 struct run_error *error);

#endif
