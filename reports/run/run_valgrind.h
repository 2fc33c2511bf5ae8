/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_valgrind.h: which Valgrind and which build of the tool a run uses. */
#ifndef RUN_VALGRIND_H
#define RUN_VALGRIND_H

#include "run_error.h"
#include "run_request.h"

struct run_valgrind {
   const char *launcher; /* Valgrind's own, an ELF file */
   const char *folder;   /* what VALGRIND_LIB is to say: holds the tool and its company */
};

/* Find both. Paths are in the request's arena. */
bool run_valgrind_find(struct run_request *request, struct run_valgrind *valgrind,
                       struct run_error *error);

#endif
