/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_lines.h: small text files that people write: whole in memory, line by line.
 *
 * UTF-8; a byte order mark at the beginning and carriage returns at the ends of lines are
 * dropped, as some editors write them. Other control characters than tabs are refused, so
 * that what is seen in such a file is what it says.
 */
#ifndef PR_LINES_H
#define PR_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The whole file, which the caller frees. NULL: *reason says why there is none; one of more
   than 16 MiB, which nobody reviews, is refused. */
char *pr_lines_read(FILE *in, size_t *bytes, const char **reason);

struct pr_lines {
   const char *start, *end; /* of the line, without what ends it; valid after pr_lines_next */
   unsigned long number;    /* of the line */
   const char *next, *last; /* what is still to come */
};

/* Before the first line, whose number is `first`. */
void pr_lines_init(struct pr_lines *lines, const char *text, size_t bytes, unsigned long first);

/* Go to the next line. False: there is none. */
bool pr_lines_next(struct pr_lines *lines);

/* Columns count characters, whatever their width, from 1. */
unsigned long pr_lines_column(const char *start, const char *at);

enum { PR_LINES_REASON_BYTES = 64 };

/* The first place in the line that is no text, with what was expected there. NULL: none. */
const char *pr_lines_wrong(const char *start, const char *end,
                           char reason[PR_LINES_REASON_BYTES]);

#endif
