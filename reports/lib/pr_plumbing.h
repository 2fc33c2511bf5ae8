/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_plumbing.h: which frames of a call chain are a standard library's.
 *
 * Between the program and the allocator lie the containers and strings of C++ and Rust, a
 * dozen frames where they are inlined: they say nothing of who called them. Reports have
 * names of functions and base names of files, which tell in nearly all cases; where they are
 * wrong, a frame too many or too few is shown in a line that is short of the whole chain
 * anyway.
 */
#ifndef PR_PLUMBING_H
#define PR_PLUMBING_H

#include <stdbool.h>

#include "pr_report.h"

/* Is this frame of the site, counted from the innermost one, a standard library's? */
bool pr_is_plumbing(const struct pr_site *site, size_t at);

/* The innermost frame that is the program's own; frame_count: none is. */
size_t pr_first_own_frame(const struct pr_site *site);

#endif
