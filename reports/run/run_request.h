/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_request.h: what a use of `profmem run` asks for. */
#ifndef RUN_REQUEST_H
#define RUN_REQUEST_H

#include "run_init.h"
#include "run_list.h"

enum run_environment_kind {
   RUN_ENVIRONMENT_CLEARED,   /* fixed variables, and those of the command line */
   RUN_ENVIRONMENT_INHERITED, /* the caller's, with what steadies loader, malloc and OpenMP */
   RUN_ENVIRONMENT_UNTOUCHED, /* --host */
};

struct run_request {
   struct pr_arena arena; /* of this and of all that follows from it */

   char *const *command;  /* the program's arguments, itself first; a NULL behind them */
   const char *report;    /* path of the report */
   const char *valgrind;  /* the launcher; NULL: look for it */
   const char *valgrind_lib; /* the folder with the tool; NULL: look for it */
   struct run_list options;  /* of the tool and of Valgrind, as they take them; of one that
                                is given twice they take the later */
   struct run_list inputs;   /* files whose digests the report is to hold */

   enum run_environment_kind environment;
   struct run_list variables; /* NAME=VALUE, later ones take the place of earlier ones */

   enum run_policy policy;
   unsigned runs;          /* 2 or more: the A/A control */
   bool is_host;           /* fix nothing */
   bool keeps_terminal;    /* a terminal as stdout stays one */
   bool keeps_report;      /* the caller reads it, wherever it goes */
   bool may_hide_owners;   /* without root: a user namespace for the sake of a pid namespace */
};

#endif
