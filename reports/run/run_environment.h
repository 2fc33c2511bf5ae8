/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_environment.h: the environment of the program.
 *
 * Each variable costs instructions: the loader reads every one, some programs copy them.
 * And many decide what a program does. So it gets a fixed set by default, and from the
 * caller's what the command line names.
 */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include "run_request.h"

struct run_variable {
   const char *name, *value;
   bool also_inherited; /* added to an inherited environment too, where it is not set */
   const char *why;     /* for help, without a full stop */
};

/* The fixed set; the last has no name. */
extern const struct run_variable run_variables[];

/* Build the program's environment into `list` and say what is fixed in `fixes`. */
void run_environment_build(const struct run_request *request, struct run_list *list,
                           struct run_fixes *fixes);

/* The value of a variable in a list of NAME=VALUE. NULL: there is none. */
const char *run_environment_value(const struct run_list *list, const char *name);

#endif
