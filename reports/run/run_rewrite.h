/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_rewrite.h: the tool's report with what only `profmem run` knows.
 *
 * A report is read and written piece by piece, whatever its size. Elements and attributes
 * stay in their order, and what the tool wrote stays as it is, byte by byte. Added are
 * digests of the executable, of objects (in the place of their paths), of inputs and of
 * the loader's cache, what was held fixed, and which metrics are stable; replaced is the
 * digest of the first process's environment, which holds things that
 * `profmem run` put there.
 */
#ifndef RUN_REWRITE_H
#define RUN_REWRITE_H

#include <stdio.h>

#include "run_control.h"
#include "run_error.h"
#include "run_identity.h"
#include "run_list.h"

struct run_input {
   const char *name; /* as the command line names it, or "standard input" */
   const struct run_identity *identity;
};

struct run_environment_identity {
   size_t variables;
   char digest[RUN_DIGEST_TEXT];
};

struct run_additions {
   const struct run_fixes *fixes;
   const struct run_input *inputs;
   size_t input_count;
   const struct run_identity *loader_cache; /* NULL: there is none */
   const struct run_environment_identity *environment; /* NULL: as the tool saw it */
   struct run_identities *identities; /* of executables; NULL: no digests of them */
   const struct run_verdicts *verdicts; /* on metrics; NULL: there was no control */
   FILE *warnings; /* where warnings and errors among the diagnostics are said; NULL: nowhere */
   bool tells_of_exec; /* warn if the process ended by becoming another program */
};

/* Copy the report `from` to the descriptor `to`; `name` is its name in messages. */
bool run_rewrite(const char *from, int to, const char *name, const struct run_additions *additions,
                 struct run_error *error);

#endif
