/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_report.c: any bytes as a report, through the whole program.
 *
 * Besides what holds for every subcommand (whole_program.h): they agree on whether it is a
 * report at all.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "pr_export.h"
#include "printable.h"
#include "whole_program.h"

static int run(char *const *arguments, const uint8_t *bytes, size_t count)
{
   return whole_program_status(arguments, bytes, count, PROGRAM_IS_READ | PROGRAM_SAYS_YES);
}

/* The verdict in each format, if the report's numbers agree with each other. */
static void run_checks(const uint8_t *bytes, size_t count, bool is_report)
{
   static char *const formats[] = {"text", "markdown", "junit", "github"};
   int status = 0;
   for (size_t f = 0; f < sizeof formats / sizeof formats[0] && status < 2; f++) {
      char *const check[] = {"profmem", "check", "-L", "* heap.peak <= 64", "-L",
                             "program instructions.total >= 10 warn", "-f", formats[f], "-",
                             NULL};
      int before = status;
      status = run(check, bytes, count);
      require((status < 2) <= is_report, "check agrees");
      require(f == 0 || status == before, "formats agree");
   }
}

static void run_exports(const uint8_t *bytes, size_t count, bool is_report, bool is_valid)
{
   for (const struct pr_exporter *exporter = pr_exporters; exporter->name; exporter++) {
      char *const export[] = {"profmem", "export", "-f", (char *)(uintptr_t)exporter->name, "-",
                              NULL};
      bool is_exported = whole_program_status(export, bytes, count, 0) < 2;
      require(is_exported <= is_report && is_exported >= is_valid, "export agrees");
   }
}

static size_t occurrences(const char *text, const char *what)
{
   size_t count = 0;
   while ((text = strstr(text, what)) != NULL) {
      count++;
      text++;
   }
   return count;
}

/* Whatever the names are, the page has its own elements for scripts and styles, and no others. */
static void run_page(const uint8_t *bytes, size_t count, bool is_report, bool is_valid)
{
   static char *const html[] = {"profmem", "html", "-", NULL};
   struct outcome outcome = whole_program(html, bytes, count, PROGRAM_SAYS_YES);
   bool is_page = outcome.status == 0;
   require(is_page <= is_report && is_page >= is_valid, "html agrees");
   if (is_page) {
      require(strlen(outcome.out) == outcome.out_bytes, "the page is text");
      require(occurrences(outcome.out, "<script") == 2, "the page has two scripts");
      require(occurrences(outcome.out, "</script") == 2, "each script has one end");
      require(occurrences(outcome.out, "<style") == 1, "the page has one style sheet");
      require(occurrences(outcome.out, "</style") == 1, "the style sheet has one end");
      require(occurrences(outcome.out, "<!--") == 0, "the page has no comment");
   }
   outcome_release(&outcome);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
   static char *const show[] = {"profmem", "show", "-", NULL};
   static char *const number[] = {"profmem", "show", "--metric", "heap.peak", "-", NULL};
   static char *const phase[] = {"profmem", "show", "--phase", "program", "-", NULL};
   static char *const metrics[] = {"profmem", "show", "--metrics", "-", NULL};
   static char *const sorted[] = {"profmem", "show", "--sort=traffic", "--top=2", "-", NULL};
   static char *const shape[] = {"profmem", "show", "-l", "-H", "-t", "-", NULL};
   static char *const validate[] = {"profmem", "validate", "-", NULL};
   bool is_report = run(show, bytes, count) == 0;
   require((run(number, bytes, count) < 2) == is_report, "show --metric agrees");
   require((run(phase, bytes, count) < 2) == is_report, "show --phase agrees");
   require((run(metrics, bytes, count) == 0) == is_report, "show --metrics agrees");
   require((run(shape, bytes, count) == 0) == is_report, "show --timeline agrees");
   /* Once more in lines that are too narrow for anything. */
   setenv("COLUMNS", "40", true);
   require((run(sorted, bytes, count) == 0) == is_report, "show --sort agrees");
   require((run(shape, bytes, count) == 0) == is_report, "show --timeline agrees");
   unsetenv("COLUMNS");
   int verdict = run(validate, bytes, count);
   require((verdict < 2) == is_report, "validate agrees");
   run_checks(bytes, count, is_report);
   run_exports(bytes, count, is_report, verdict == 0);
   run_page(bytes, count, is_report, verdict == 0);
   return 0;
}
