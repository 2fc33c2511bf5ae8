/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_copy.h: the whole of a file, written or copied. */
#ifndef RUN_COPY_H
#define RUN_COPY_H

#include <stdbool.h>
#include <stddef.h>

/* Is the path a name of what is open already, as /dev/stdout? A file behind such a name must
   not be replaced, and has perhaps something in it. */
bool run_is_open_already(const char *path);

/* Where the path leads if it is a link, also to a file that is not there yet; the caller
   frees. NULL: errno says why. */
char *run_followed(const char *path);

/* Copy the file behind `from` from its beginning, wherever its position is, to `to`. False:
   errno says why; some of it may be written. */
bool run_copy(int from, int to);

/* The owner and the permissions of a file that is to take the place of what is at the path:
   those that are there, or of any file that this process makes. As root in somebody else's
   folder the file stays theirs; who may not give files away keeps it, but never with the
   right to run as another. False: errno says why; it is nobody else's then. */
bool run_take_over_rights(int file, const char *path);

/* Give the file behind `from` the name `path` at once: whoever opens that sees all of the
   old file or all of the new one, whatever happens meanwhile. The old one's permissions
   stay, and where `path` is a link, what it leads to is replaced or made. False: errno says
   why, and the old one is there. */
bool run_copy_over(int from, const char *path);

/* The same with these bytes. */
bool run_write_over(const char *text, size_t bytes, const char *path);

#endif
