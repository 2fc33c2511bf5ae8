/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_main.h: the whole program `profmem` as one call. */
#ifndef CMD_MAIN_H
#define CMD_MAIN_H

#include <stdio.h>

/* Run the program and return its exit status: 0 yes, 1 no, 2 trouble; of `run`, the
   program's.
   Nothing but these streams is read or written, apart from the files that the
   arguments name and the environment (see cmd_terminal.h); so tests and a fuzzer run
   all of it but `run`, which hands the process's own streams to a program and may end
   as that did (see cmd_run.c). `out` is flushed and checked for errors, none of the
   streams is closed. */
int pr_main(int argc, char *const *argv, FILE *in, FILE *out, FILE *err);

#endif
