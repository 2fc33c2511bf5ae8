/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_part.h: what accounts for a part of a change, in words.
 *
 * Texts hold names of the reports as they are: who prints them makes them safe (pr_text.h).
 * The caller frees them; NULL: no memory left.
 */
#ifndef PR_RENDER_PART_H
#define PR_RENDER_PART_H

#include <stdio.h>

#include "pr_explain.h"

/* "dup <- add <- main (names.c:14 in app)", "read in app", "names.c:14 in dup", "2": what it
   is of; in full, with whole call chains. */
char *pr_part_what(const struct pr_rows *rows, const struct pr_part *part, bool is_full);

/* "10 -> 20", "new", and what is not the same on both sides; `of` is the name of the metric
   if it is not the one that is explained, else NULL. */
char *pr_part_rest(const struct pr_rows *rows, const struct pr_part *part, const char *of);

/* Of that, what is not the same on both sides: "calls 20 -> 40, was in libold.so", or "". */
char *pr_part_notes(const struct pr_rows *rows, const struct pr_part *part);

/* The row that a part is told by. */
const struct pr_row *pr_part_row(const struct pr_part *part);

/* "dup <- add <- main (names.c:14 in app)": the innermost frames that are the program's own,
   and the outermost one; all of them in full, and if none is the program's. */
void pr_part_write_chain(const struct pr_site *site, bool is_full, FILE *out);

/* "10 -> 20, another build", of a part by object. */
char *pr_object_part_rest(const struct pr_rows *rows, const struct pr_part *part);

/* The same of a caller: "copy_text in app"; "10 -> 20 in 3 sites". */
char *pr_caller_what(const struct pr_caller *caller);
char *pr_caller_rest(const struct pr_caller *caller);

bool pr_part_is_guessed(const struct pr_rows *rows, const struct pr_part *part);

#endif
