/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_input.c: the reports that a command's arguments name. */
#include "cmd_input.h"

#include <errno.h>
#include <string.h>

struct pr_report *cmd_load(const struct cmd_streams *streams, const char *file,
                           struct pr_schema_check *check, struct pr_diagnostics *diagnostics)
{
   if (strcmp(file, "-") == 0)
      return pr_load(streams->in, "standard input", check, diagnostics);
   FILE *in = fopen(file, "re");
   if (!in) {
      pr_diagnostics_add(diagnostics, file, 0, "cannot be opened: %s", strerror(errno));
      return NULL;
   }
   struct pr_report *report = pr_load(in, file, check, diagnostics);
   fclose(in);
   return report;
}
