/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_table.c: every subcommand, one row each. See cmd_command.h. */
#include "cmd_help.h"
#include "cmd_show.h"
#include "cmd_validate.h"

const struct cmd_command cmd_table[] = {
   {
      .name = "show",
      .arguments = "REPORT",
      .summary = "Show a report: phases, where their memory and instructions come from",
      .details = "REPORT is a file, or - for standard input.\n"
                 "\n"
                 "Shown are the phases as a tree and then, for the phase program, the sites\n"
                 "(call chains, innermost frame first), the functions and, if there are\n"
                 "several, the threads with the largest numbers; what is left over stands\n"
                 "behind them.\n"
                 "\n"
                 "With --metric the number stands alone on a line, without separators, for\n"
                 "scripts. `profmem help metrics` lists the names.\n"
                 "\n"
                 "On a terminal lines have its width, elsewhere they are as long as they need to\n"
                 "be; the environment's COLUMNS sets another width for both. Names that do not\n"
                 "fit lose their middle, numbers nothing. NO_COLOR turns color off.\n",
      .statuses = "  0  shown\n"
                  "  1  the report has no such phase, or the metric is unavailable or not listed\n"
                  "     there; the reason is on standard error\n"
                  "  2  usage (no metric has that name), or not a readable report\n",
      .options = cmd_show_options,
      .run = cmd_show,
   },
   {
      .name = "validate",
      .arguments = "REPORT...",
      .summary = "Check reports against the schema and the identities between metrics",
      .details = "REPORT is a file, or - for standard input. A line per report that is valid, a\n"
                 "line per violation otherwise. Of several violations of the schema only the\n"
                 "first is named.\n",
      .statuses = "  0  all are valid\n"
                  "  1  one breaks the schema or an identity\n"
                  "  2  usage, or one is not a readable profmem report\n",
      .options = cmd_validate_options,
      .run = cmd_validate,
   },
   {
      .name = "help",
      .arguments = "[COMMAND|metrics]",
      .summary = "Show the help of a command, or what each metric means",
      .details = "",
      .statuses = "  0  shown\n"
                  "  2  usage\n",
      .options = cmd_help_options,
      .run = cmd_help,
   },
   {.name = NULL},
};
