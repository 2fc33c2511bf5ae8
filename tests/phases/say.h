/* SPDX-License-Identifier: GPL-2.0-or-later */
/* say.h: how a program of this folder prints what its report must say.
 *
 * A line is a phase, what of it, and the value, apart by tabs; expect.py reads them.
 * Nothing here allocates, so that it can be said at any time.
 */
#ifndef SAY_H
#define SAY_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
   char text[1024];
   va_list arguments;
   va_start(arguments, format);
   int bytes = vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   if (bytes < 0 || bytes >= (int)sizeof text || write(1, text, (size_t)bytes) != bytes)
      _exit(99);
}

static inline void expect(const char *phase, const char *what, long long value)
{
   say("%s\t%s\t%lld\n", phase, what, value);
}

static inline void expect_text(const char *phase, const char *what, const char *value)
{
   say("%s\t%s\t%s\n", phase, what, value);
}

/* The program itself has found something wrong. */
static inline __attribute__((noreturn)) void stop(const char *what)
{
   say("stopped: %s\n", what);
   _exit(98);
}

static inline void check(int holds, const char *what)
{
   if (!holds)
      stop(what);
}

#endif
