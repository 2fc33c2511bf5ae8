/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_diff.c: any bytes as two reports, an old and a new one, through `profmem diff` and
 * `profmem check` with a baseline.
 *
 * A form feed, which no XML document has, stands between the two; without one the bytes are
 * both. Besides what holds for every subcommand (whole_program.h): a report does not differ
 * from itself; whether two differ does not depend on which is the old one, nor on how much of
 * it is shown; no part is left unexplained where `validate` finds nothing wrong; and a report
 * that is compared with itself keeps every bound on changes.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "printable.h"
#include "whole_program.h"

enum { OLD, NEW, SIDES };

struct side {
   const uint8_t *bytes;
   size_t count;
   bool is_valid; /* for `validate` */
};

/* `profmem diff OPTION OLD NEW`, the new one by standard input. The path is of a file in
   memory that has the old one. */
static struct outcome diff(const char *option, const char *path, const struct side *new_side)
{
   char *const arguments[] = {"profmem", "diff", "-u", (char *)(uintptr_t)option,
                              (char *)(uintptr_t)path, "-", NULL};
   return whole_program(arguments, new_side->bytes, new_side->count, PROGRAM_IS_READ);
}

/* A file in memory with the report, and its path; the caller closes it. */
static int open_side(const struct side *side, char path[32])
{
   int descriptor = memfd_create("report", MFD_CLOEXEC);
   require(descriptor >= 0, "a file opens");
   for (size_t at = 0; at < side->count;) {
      ssize_t written = write(descriptor, side->bytes + at, side->count - at);
      require(written > 0, "a file is written");
      at += (size_t)written;
   }
   snprintf(path, 32, "/proc/self/fd/%d", descriptor);
   return descriptor;
}

/* The page reads reports whose numbers agree with each other, a valid one always. */
static void compare_on_page(char *path, const struct side *new_side, bool are_valid)
{
   char *const html[] = {"profmem", "html", "-u", "-n3", "-", path, NULL};
   int status = whole_program_status(html, new_side->bytes, new_side->count, PROGRAM_SAYS_YES);
   require(!are_valid || status == 0, "what is valid has a page");
}

/* The status, the same for every way to show the difference. */
static int compare(const struct side *old_side, const struct side *new_side)
{
   static const char *const ways[] = {"-a", "-b", "-n1", "-t5"};
   char path[32];
   int descriptor = open_side(old_side, path), status = 0;
   for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
      struct outcome outcome = diff(ways[w], path, new_side);
      require(w == 0 || outcome.status == status, "every way to show it agrees");
      status = outcome.status;
      if (old_side->is_valid && new_side->is_valid)
         require(!strstr(outcome.out, "unexplained"), "all of the change is explained");
      outcome_release(&outcome);
   }
   compare_on_page(path, new_side, old_side->is_valid && new_side->is_valid);
   close(descriptor);
   return status;
}

static void compare_with_itself(const struct side *side)
{
   char path[32];
   int descriptor = open_side(side, path);
   char *const check[] = {"profmem", "check", "-b", path, "-L", "* heap.peak +0 overlapping",
                          "-L", "* instructions.total +0% overlapping", "-", NULL};
   int status = compare(side, side);
   require(status != 1, "a report does not differ from itself");
   int verdict = whole_program_status(check, side->bytes, side->count, PROGRAM_IS_READ);
   require((status == 2) <= (verdict == 2), "check reads no more than diff");
   require(!side->is_valid || verdict < 2, "check reads what is valid");
   close(descriptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
   static char *const validate[] = {"profmem", "validate", "-", NULL};
   const uint8_t *mark = count ? memchr(bytes, '\f', count) : NULL;
   struct side sides[SIDES] = {{bytes, count, false}, {bytes, count, false}};
   if (mark) {
      sides[OLD].count = (size_t)(mark - bytes);
      sides[NEW].bytes = mark + 1;
      sides[NEW].count = count - sides[OLD].count - 1;
   }
   for (int side = 0; side < SIDES; side++)
      sides[side].is_valid =
         whole_program_status(validate, sides[side].bytes, sides[side].count,
                              PROGRAM_IS_READ | PROGRAM_SAYS_YES) == 0;
   compare_with_itself(&sides[NEW]);
   if (mark)
      require(compare(&sides[OLD], &sides[NEW]) == compare(&sides[NEW], &sides[OLD]),
              "the order of both does not matter");
   return 0;
}
