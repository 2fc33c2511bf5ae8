/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole_program.h: one use of the program `profmem` by a fuzz target.
 *
 * What holds for every subcommand whatever it reads is required here: the status is one of
 * the three; trouble says something on stderr and nothing on stdout; stderr is printable
 * UTF-8. What holds for some of them only, the caller asks for.
 */
#ifndef WHOLE_PROGRAM_H
#define WHOLE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
   PROGRAM_IS_READ = 1, /* by people: stdout is printable UTF-8 */
   PROGRAM_SAYS_YES = 2, /* success has a result, and nothing on stderr */
};

struct outcome {
   int status;
   char *out, *err; /* NUL-terminated; outcome_release frees them */
   size_t out_bytes, err_bytes;
};

/* Run it with a NULL-terminated list of arguments, the name of the program first; the bytes
   are its standard input. Aborts if one of the rules above, or of those asked for, does not
   hold. */
struct outcome whole_program(char *const *arguments, const uint8_t *bytes, size_t count,
                             unsigned rules);
void outcome_release(struct outcome *outcome);

/* The same, where nothing but the status matters. */
int whole_program_status(char *const *arguments, const uint8_t *bytes, size_t count,
                         unsigned rules);

#endif
