/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_style.h: where text is shown, and what that allows. */
#ifndef PR_STYLE_H
#define PR_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct pr_style {
   size_t width;   /* columns of a line; 0: as many as it needs */
   bool has_color; /* escape sequences are understood and wanted */
};

enum pr_emphasis {
   PR_PLAIN,
   PR_STRONG, /* titles */
   PR_FAINT,  /* what only goes with something else */
};

/* From here on; end with PR_PLAIN. Nothing without color. */
void pr_style_emphasize(const struct pr_style *style, enum pr_emphasis emphasis, FILE *out);

#endif
