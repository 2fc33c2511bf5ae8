/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_listed.h: the programs of a list: which are to run, and by which names?
 *
 *    parse-small  ./parser data/small.json
 *    parse-large  ./parser "data/large file.json"    # a comment
 *
 * A line for each program: its name and its command line, in words apart by blanks. Words
 * are quoted as names of phases in a file of limits are (docs/profmem-limits-format.md), but
 * there are no wildcards; there is no shell, so all other characters stand for themselves.
 *
 * The name becomes that of a file, so it holds no slash and does not begin with a dot, and no
 * two are the same.
 */
#ifndef RUN_LISTED_H
#define RUN_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pr_arena.h"
#include "pr_diagnostics.h"

enum { RUN_LISTED_NAME_MAX = 200 }; /* bytes: what is put behind it still fits a file's name */

struct run_listed {
   const char *name;
   char **command; /* its arguments, itself first; a NULL behind them */
   size_t count;   /* of arguments, at least 1 */
   unsigned long line;
};

struct run_listing {
   struct pr_arena arena;
   struct run_listed *items; /* in the order of the list */
   size_t count;
};

void run_listing_init(struct run_listing *listing);
void run_listing_release(struct run_listing *listing);

/* Read a list, which must have a program. False: it cannot be read or it breaks the rules,
   and the diagnostics say where and what was expected there, for each place. */
bool run_listing_read(struct run_listing *listing, FILE *in, const char *file,
                      struct pr_diagnostics *diagnostics);

/* The same of a list in memory. */
bool run_listing_parse(struct run_listing *listing, const char *text, size_t bytes,
                       const char *file, struct pr_diagnostics *diagnostics);

#endif
