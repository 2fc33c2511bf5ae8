/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_error.h: why `profmem run` could not do its own part.
 *
 * The statuses are those of env(1), nohup(1) and timeout(1), so that a caller can tell
 * own trouble from what the program said.
 */
#ifndef RUN_ERROR_H
#define RUN_ERROR_H

#include <stdbool.h>

enum run_status {
   RUN_OWN_TROUBLE = 125,
   RUN_NOT_EXECUTABLE = 126,
   RUN_NOT_FOUND = 127,
};

struct run_error {
   enum run_status status;
   char *text; /* a sentence without its full stop; NULL: none, or no memory for it */
};

/* Set the error, which has none yet; false, for the caller to return. */
bool run_fail(struct run_error *error, enum run_status status, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

void run_error_release(struct run_error *error);

#endif
