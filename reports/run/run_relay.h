/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_relay.h: start the program and pass on what is between it and the caller.
 *
 * The program has the caller's process group, terminal, signal mask
 * and dispositions. Signals sent to `profmem run` reach it; its being stopped stops
 * `profmem run` by the same signal, and the other way round.
 * What is written to streams that run_streams.h replaced is passed on or dropped.
 */
#ifndef RUN_RELAY_H
#define RUN_RELAY_H

#include <signal.h>

#include "run_error.h"
#include "run_init.h"
#include "run_streams.h"

/* What became of a run. Numbers as in enum run_news_kind, -1: not told. */
struct run_outcome {
   bool has_ended;
   int status; /* of the program, as wait(2) has it; valid if has_ended */
   int interrupted; /* a signal that asks programs to end and came meanwhile; 0: none */
   int cpu_refused, policy_refused, namespace_refused;
};

/* Run what `start` says, with these streams, of which it is told here; all signals are
   blocked. `lasting` is what the program is called where standard error is told that it goes
   on; NULL: nothing is. False: nothing has run, or nothing is known of it. */
bool run_relay(struct run_start *start, struct run_stream *streams, const char *lasting,
               struct run_outcome *outcome, struct run_error *error);

/* End this process as the program ended: with its status, or by its signal without a
   second core. Returns the status to exit with. */
int run_end_alike(int status, const sigset_t *mask);

#endif
