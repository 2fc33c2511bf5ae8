/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_report.c: any bytes as a report, through the whole program.
 *
 * Besides what the sanitizers see, for each command: the status is one of the
 * three; trouble says something on stderr and nothing on stdout; success says
 * nothing on stderr; what is written is printable UTF-8, whatever was read; the
 * commands agree on whether it is a report at all.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_main.h"
#include "fuzz.h"
#include "printable.h"

struct result {
   int status;
   char *out, *err;
   size_t out_bytes, err_bytes;
};

static struct result run(char *const *arguments, const uint8_t *bytes, size_t count)
{
   struct result result;
   int argument_count = 0;
   while (arguments[argument_count])
      argument_count++;
   /* fmemopen takes no empty buffer. */
   FILE *in = count ? fmemopen((void *)(uintptr_t)bytes, count, "r") : fopen("/dev/null", "r");
   FILE *out = open_memstream(&result.out, &result.out_bytes);
   FILE *err = open_memstream(&result.err, &result.err_bytes);
   require(in && out && err, "streams open");
   result.status = pr_main(argument_count, arguments, in, out, err);
   fclose(in);
   fclose(out);
   fclose(err);
   require(result.status >= 0 && result.status <= 2, "the status is 0, 1 or 2");
   require((result.status == 2) <= (result.err_bytes > 0), "trouble says something");
   require((result.status == 2) <= (result.out_bytes == 0), "trouble is no result");
   require((result.status == 0) <= (result.err_bytes == 0), "success is silent on stderr");
   require((result.status == 0) <= (result.out_bytes > 0), "success has a result");
   require_printable(result.out, result.out_bytes);
   require_printable(result.err, result.err_bytes);
   free(result.out);
   free(result.err);
   return result;
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
      status = run(check, bytes, count).status;
      require((status < 2) <= is_report, "check agrees");
      require(f == 0 || status == before, "formats agree");
   }
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
   bool is_report = run(show, bytes, count).status == 0;
   require((run(number, bytes, count).status < 2) == is_report, "show --metric agrees");
   require((run(phase, bytes, count).status < 2) == is_report, "show --phase agrees");
   require((run(metrics, bytes, count).status == 0) == is_report, "show --metrics agrees");
   require((run(shape, bytes, count).status == 0) == is_report, "show --timeline agrees");
   /* Once more in lines that are too narrow for anything. */
   setenv("COLUMNS", "40", true);
   require((run(sorted, bytes, count).status == 0) == is_report, "show --sort agrees");
   require((run(shape, bytes, count).status == 0) == is_report, "show --timeline agrees");
   unsetenv("COLUMNS");
   require((run(validate, bytes, count).status < 2) == is_report, "validate agrees");
   run_checks(bytes, count, is_report);
   return 0;
}
