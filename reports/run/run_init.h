/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_init.h: the process between `profmem run` and the program.
 *
 * Where the kernel allows it, it is process 1 of a pid namespace, so that the program
 * and whatever it starts have the same process numbers in every run. It is never the
 * program itself: the kernel keeps signals with a default action from process 1. Without
 * a namespace it adopts orphans all the same. In both cases it tells what becomes of the
 * program, hands signals on to it, and stays until its last descendant has ended, whose
 * report would be lost otherwise.
 */
#ifndef RUN_INIT_H
#define RUN_INIT_H

#include <signal.h>
#include <sys/types.h>

enum run_namespace {
   RUN_NAMESPACE_NONE,
   RUN_NAMESPACE_PIDS,       /* needs the right to administer the system */
   RUN_NAMESPACE_PIDS_OWNED, /* in a user namespace: then other owners' files show no owner */
};

enum run_policy {
   RUN_POLICY_FIFO,  /* or RUN_POLICY_BATCH, where it is refused */
   RUN_POLICY_BATCH,
   RUN_POLICY_HOST,  /* as it is, on every processor that may be used */
};

struct run_start {
   const char *file;         /* what is executed, with ... */
   char *const *arguments;   /* ... its arguments */
   char *const *environment; /* and its environment */
   const sigset_t *mask;     /* its blocked signals */
   int descriptors[3];       /* what becomes its standard streams; -1: they stay */
   int cpu;                  /* the only one it may run on; -1: as it is */
   enum run_policy policy;   /* how it is scheduled */
   enum run_namespace names; /* what to try */
};

/* What is told, in this order if at all; each with a number. */
enum run_news_kind {
   RUN_NEWS_NAMESPACE,       /* error number; 0: process numbers are its own */
   RUN_NEWS_WITHOUT,         /* error number: nothing was started, try without namespace */
   RUN_NEWS_CPU,             /* error number of the one processor; 0: done */
   RUN_NEWS_POLICY,          /* error number of the policy; 0: done */
   RUN_NEWS_NOT_STARTED,     /* error number */
   RUN_NEWS_STOPPED,         /* signal */
   RUN_NEWS_CONTINUED,
   RUN_NEWS_ENDED,           /* wait status */
};

struct run_news {
   int kind; /* enum run_news_kind */
   int number;
};

/* Start it all. News can be read from *news until all has ended; whoever writes a signal's
   number, a byte, to *orders has it sent to the program, unless the program's process
   group got that signal from the same source.
   All signals are to be blocked. Returns the process to wait for; -1: errno. */
pid_t run_init_start(const struct run_start *start, int *news, int *orders);

#endif
