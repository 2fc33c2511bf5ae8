/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_limits.c: limits from the command line. See cmd_limits.h. */
#include "cmd_limits.h"

#include <errno.h>
#include <string.h>

void cmd_limits_read(struct pr_limits *limits, const char *file,
                     struct pr_diagnostics *diagnostics)
{
   FILE *in = fopen(file, "re");
   if (!in) {
      pr_diagnostics_add(diagnostics, file, 0, "cannot be opened: %s", strerror(errno));
      return;
   }
   size_t before = limits->count;
   if (pr_limits_read(limits, in, file, diagnostics) && limits->count == before)
      pr_diagnostics_add(diagnostics, file, 0, "has no limits");
   fclose(in);
}

void cmd_limits_take(struct pr_limits *limits, const char *line, unsigned long number,
                     struct pr_diagnostics *diagnostics)
{
   size_t before = limits->count;
   if (pr_limits_parse(limits, line, strlen(line), "--limit", number, diagnostics)
       && limits->count != before + 1)
      pr_diagnostics_add(diagnostics, "--limit", number, "expected one limit");
}
