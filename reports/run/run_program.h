/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_program.h: which file the program is, found before anything is started. */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#include "run_error.h"
#include "pr_arena.h"

/* Find the program that a shell would start for `name`, along the caller's PATH.
   `path` is the PATH that it will run with itself, NULL if it has none.
   *argument becomes what Valgrind is told: the name as it is, unless Valgrind, which
   looks along `path`, would find another file or none: then the file's absolute path.
   False: it is not there (127) or cannot be run (126). */
bool run_program_find(const char *name, const char *path, struct pr_arena *arena,
                      const char **argument, struct run_error *error);

#endif
