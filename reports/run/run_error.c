/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_error.c: why `profmem run` could not do its own part. See run_error.h. */
#include "run_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool run_fail(struct run_error *error, enum run_status status, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   free(error->text);
   if (vasprintf(&error->text, format, arguments) < 0)
      error->text = NULL;
   va_end(arguments);
   error->status = status;
   return false;
}

void run_error_release(struct run_error *error)
{
   free(error->text);
   error->text = NULL;
}
