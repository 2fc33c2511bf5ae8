/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_chain.h: call chains, a line for each frame. */
#ifndef PR_RENDER_CHAIN_H
#define PR_RENDER_CHAIN_H

#include "pr_render.h"

/* So many frames of a site, beginning with the `first` from the innermost, or that it has
   none. Those that look the same, one behind the other, share a line: code without symbols,
   or recursion. False: no memory left. */
bool pr_render_chain(const struct pr_site *site, size_t first, size_t count,
                     const struct pr_style *style, FILE *out);

/* How many of so many frames, at least one, look like the first one, in one piece from it on. */
size_t pr_chain_same(const struct pr_frame *frames, size_t count);

/* How many of their outermost frames two chains have in common. */
size_t pr_chain_common(const struct pr_site *a, const struct pr_site *b);

#endif
