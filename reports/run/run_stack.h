/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_stack.h: an initial stack of constant size.
 *
 * The kernel, and Valgrind in its place, puts the program's arguments, environment and
 * path on top of its stack. Their total size decides where the stack pointer starts, and
 * that decides which string on the stack crosses a page and takes a slower path through
 * memcmp; the alignment of each decides how many steps libc's string functions take. So
 * two variables without meaning, before and behind the others, fill the total up to a
 * constant and keep the others where they are. Valgrind tells the program's loader and its
 * children where its own files are; that path gets leading slashes up to a constant length,
 * which name the same file.
 *
 * What remains is what the program and its libc do with its path itself: a few
 * instructions for each 16 or 32 bytes of it.
 */
#ifndef RUN_STACK_H
#define RUN_STACK_H

#include "run_list.h"
#include "run_request.h"

/* Append what tells Valgrind its folder to the environment, and unless the request is
   for an untouched one, pad it. `arguments` are the program's, as Valgrind is told. */
void run_stack_build(const struct run_request *request, const char *folder,
                     const struct run_list *arguments, struct run_list *environment,
                     struct run_fixes *fixes);

#endif
