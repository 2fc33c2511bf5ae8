/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_piece.h: a piece of text that is printed into memory, to be escaped as a whole.
 *
 *    FILE *out = pr_piece_open(&piece);
 *    if (out)
 *       fputs("what there is to say", out);
 *    const char *text = pr_piece_text(&piece);    NULL: no memory left
 *    ...
 *    pr_piece_release(&piece);
 */
#ifndef PR_PIECE_H
#define PR_PIECE_H

#include <stddef.h>
#include <stdio.h>

struct pr_piece {
   char *text;
   size_t bytes;
   FILE *stream; /* NULL: it is complete, or there is no memory for it */
};

/* NULL: no memory left. */
FILE *pr_piece_open(struct pr_piece *piece);

/* Ends the printing. NULL: no memory left. */
const char *pr_piece_text(struct pr_piece *piece);

void pr_piece_release(struct pr_piece *piece);

#endif
