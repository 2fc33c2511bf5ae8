/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_diagnostics.h: what is wrong with a file, and where.
 *
 * The library never prints and never exits. Whatever it has to say about an
 * input goes into such a list; the caller decides where it is shown. The texts
 * may hold parts of the input: print them with pr_text_write.
 */
#ifndef PR_DIAGNOSTICS_H
#define PR_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct pr_diagnostic {
   char *file;           /* as the caller named it */
   unsigned long line;   /* from 1; 0: the file as a whole */
   unsigned long column; /* from 1, in characters; 0: the line as a whole */
   char *reason;         /* a sentence without its full stop, no newline */
};

struct pr_diagnostics {
   struct pr_diagnostic *items;
   size_t count;
   size_t capacity;
   size_t dropped; /* further ones, beyond the bound or for lack of memory */
};

/* A broken file can be broken a million times over; nobody reads that far. */
enum { PR_DIAGNOSTICS_MAX = 100 };

void pr_diagnostics_init(struct pr_diagnostics *list);
void pr_diagnostics_release(struct pr_diagnostics *list);

/* Is nothing more kept, only counted? Then there is no need to find out more about it. */
bool pr_diagnostics_is_full(const struct pr_diagnostics *list);

/* Add one. `file` is copied. */
void pr_diagnostics_add(struct pr_diagnostics *list, const char *file, unsigned long line,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same at a place of the line. */
void pr_diagnostics_add_at(struct pr_diagnostics *list, const char *file, unsigned long line,
                           unsigned long column, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

void pr_diagnostics_vadd(struct pr_diagnostics *list, const char *file, unsigned long line,
                         const char *format, va_list arguments)
   __attribute__((format(printf, 4, 0)));

#endif
