/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_main.h: the whole program `profmem` as one call. */
#ifndef CMD_MAIN_H
#define CMD_MAIN_H

#include <stdio.h>

/* Run the program and return its exit status: 0 yes, 1 no, 2 trouble.
   Nothing but these streams is read or written, apart from the files that the
   arguments name and the environment (see cmd_terminal.h); so tests and a fuzzer run
   all of it. `out` is flushed and
   checked for errors, none of the streams is closed. */
int pr_main(int argc, char *const *argv, FILE *in, FILE *out, FILE *err);

#endif
