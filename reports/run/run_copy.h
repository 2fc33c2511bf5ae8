/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_copy.h: the whole of a file, written or copied. */
#ifndef RUN_COPY_H
#define RUN_COPY_H

#include <stdbool.h>
#include <stddef.h>

/* Copy the file behind `from` from its beginning, wherever its position is, to `to`. False:
   errno says why; some of it may be written. */
bool run_copy(int from, int to);

/* Give the file behind `from` the name `path` at once: whoever opens that sees all of the
   old file or all of the new one, whatever happens meanwhile. The old one's permissions
   stay, and where `path` is a link, what it leads to is replaced. False: errno says why, and
   the old one is there. */
bool run_copy_over(int from, const char *path);

/* The same with these bytes. */
bool run_write_over(const char *text, size_t bytes, const char *path);

#endif
