/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_style.c: where text is shown, and what that allows. See pr_style.h. */
#include "pr_style.h"

void pr_style_emphasize(const struct pr_style *style, enum pr_emphasis emphasis, FILE *out)
{
   static const char *const sequences[] = {
      [PR_PLAIN] = "\033[0m",
      [PR_STRONG] = "\033[1m",
      [PR_FAINT] = "\033[2m",
   };
   if (style->has_color)
      fputs(sequences[emphasis], out);
}
