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

struct result {
   int status;
   char *out, *err;
   size_t out_bytes, err_bytes;
};

static void require(bool condition, const char *what)
{
   if (condition)
      return;
   fprintf(stderr, "fuzz_report: not true: %s\n", what);
   abort();
}

/* Length of the UTF-8 sequence at the start of the text; 0: there is none.
   From the Unicode standard's table 3-7, not from pr_text.c, which is tested. */
static size_t sequence(const unsigned char *text, size_t bytes)
{
   static const struct {
      unsigned char lead_first, lead_last, second_first, second_last, length;
   } rows[] = {
      {0x00, 0x7F, 0x00, 0x00, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
      {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
      {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
   };
   for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
      size_t length = rows[i].length;
      if (text[0] < rows[i].lead_first || text[0] > rows[i].lead_last)
         continue;
      if (length > bytes)
         return 0;
      if (length > 1 && (text[1] < rows[i].second_first || text[1] > rows[i].second_last))
         return 0;
      for (size_t j = 2; j < length; j++)
         if (text[j] < 0x80 || text[j] > 0xBF)
            return 0;
      return length;
   }
   return 0;
}

static void require_printable(const char *text, size_t bytes)
{
   const unsigned char *at = (const unsigned char *)text;
   while (bytes > 0) {
      size_t length = sequence(at, bytes);
      require(length > 0, "output is UTF-8");
      require((at[0] >= 0x20 && at[0] != 0x7F) || at[0] == '\n', "no control character");
      require(!(at[0] == 0xC2 && at[1] < 0xA0), "no C1 control character");
      require(!(at[0] == 0xE2 && at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE),
              "no bidi override, no line separator");
      require(!(at[0] == 0xE2 && at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9),
              "no bidi isolate");
      at += length;
      bytes -= length;
   }
}

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
   return 0;
}
