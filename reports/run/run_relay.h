/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_relay.h: start the program and pass on what is between it and the caller.
 *
 * The program has the caller's standard streams, process group, terminal, signal mask
 * and dispositions. Signals sent to `profmem run` reach it; its being stopped stops
 * `profmem run` by the same signal, and the other way round.
 *
 * A terminal as standard output is the exception: stdio's buffers depend on it and so do
 * numbers of the heap. The program gets a pipe in its place, and what comes out of it is
 * written to the terminal.
 */
#ifndef RUN_RELAY_H
#define RUN_RELAY_H

#include <signal.h>

#include "run_error.h"
#include "run_init.h"

/* What became of a run. Numbers as in enum run_news_kind, -1: not told. */
struct run_outcome {
   bool has_ended;
   int status; /* of the program, as wait(2) has it; valid if has_ended */
   int cpu_refused, policy_refused, namespace_refused;
};

/* Run what `start` says; all signals are blocked. `pipe_for_terminal`: what is read from
   this descriptor, unless it is -1, is written to standard output.
   False: nothing has run, or nothing is known of it. */
bool run_relay(struct run_start *start, int pipe_for_terminal, struct run_outcome *outcome,
               struct run_error *error);

/* End this process as the program ended: with its status, or by its signal without a
   second core. Returns the status to exit with. */
int run_end_alike(int status, const sigset_t *mask);

#endif
