/* SPDX-License-Identifier: GPL-2.0-or-later */
/* printable.h: what fuzz targets of the report program require of its output. */
#ifndef PRINTABLE_H
#define PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Abort with what is not true. */
void require(bool condition, const char *what);

/* Abort if the text is not UTF-8, or holds a control character but line ends, or what
   changes the order of reading. */
void require_printable(const char *text, size_t bytes);

#endif
