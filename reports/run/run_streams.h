/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_streams.h: the program's standard streams, where they are not the caller's.
 *
 * In the run whose report is kept a terminal as standard output is replaced by a pipe. In
 * further runs, whose output nobody wants to see again, each stream that is written to is
 * replaced by another of its kind, since what the program and its libc do depends on that:
 * a file by a file, a pipe by a pipe, a terminal by a terminal. Standard input is read from
 * the same place again.
 */
#ifndef RUN_STREAMS_H
#define RUN_STREAMS_H

#include <stdbool.h>
#include <sys/types.h>

#include "run_error.h"

/* One of the program's streams that is replaced. */
struct run_stream {
   int program; /* what it has instead; -1: it has the caller's */
   int source;  /* where that is read from; -1: it is not */
   int target;  /* where it is passed on to; -1: nowhere */
};

enum { RUN_STREAMS = 3 }; /* standard input stands among them without being replaced */

/* Replace nothing, or standard output if it is a terminal. */
bool run_streams_first(struct run_stream *streams, bool keeps_terminal, struct run_error *error);

/* Replace all that is written to. `folder` is for files. */
bool run_streams_again(struct run_stream *streams, const char *folder, struct run_error *error);

/* Close what was opened. */
void run_streams_close(struct run_stream *streams);

/* Can standard input be read again? *start is where it is read from now, -1 if there is
   no such place. */
bool run_input_mark(off_t *start, struct run_error *error);
bool run_input_rewind(off_t start, struct run_error *error);

#endif
