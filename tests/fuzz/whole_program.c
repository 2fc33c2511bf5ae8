/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whole_program.c: one use of the program `profmem` by a fuzz target. */
#include "whole_program.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd_main.h"
#include "printable.h"

struct outcome whole_program(char *const *arguments, const uint8_t *bytes, size_t count,
                             unsigned rules)
{
   struct outcome outcome;
   int argument_count = 0;
   while (arguments[argument_count])
      argument_count++;
   /* fmemopen takes no empty buffer. */
   FILE *in = count ? fmemopen((void *)(uintptr_t)bytes, count, "r") : fopen("/dev/null", "r");
   FILE *out = open_memstream(&outcome.out, &outcome.out_bytes);
   FILE *err = open_memstream(&outcome.err, &outcome.err_bytes);
   require(in && out && err, "streams open");
   outcome.status = pr_main(argument_count, arguments, in, out, err);
   fclose(in);
   fclose(out);
   fclose(err);
   require(outcome.status >= 0 && outcome.status <= 2, "the status is 0, 1 or 2");
   require((outcome.status == 2) <= (outcome.err_bytes > 0), "trouble says something");
   require((outcome.status == 2) <= (outcome.out_bytes == 0), "trouble is no result");
   if ((rules & PROGRAM_SAYS_YES) && outcome.status == 0) {
      require(outcome.err_bytes == 0, "success is silent on stderr");
      require(outcome.out_bytes > 0, "success has a result");
   }
   if (rules & PROGRAM_IS_READ)
      require_printable(outcome.out, outcome.out_bytes);
   require_printable(outcome.err, outcome.err_bytes);
   return outcome;
}

void outcome_release(struct outcome *outcome)
{
   free(outcome->out);
   free(outcome->err);
}

int whole_program_status(char *const *arguments, const uint8_t *bytes, size_t count,
                         unsigned rules)
{
   struct outcome outcome = whole_program(arguments, bytes, count, rules);
   outcome_release(&outcome);
   return outcome.status;
}
