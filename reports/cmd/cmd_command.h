/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_command.h: what a subcommand is, and what all of them share.
 *
 * A subcommand is one row of cmd_table.c: its name, what help says of it, its
 * options as popt reads them, and the function that runs it. Dispatch, help and
 * completion derive from the row, and tests hold manual pages against it. The
 * function parses its options with cmd_next_option, calls the library and prints.
 *
 * popt parses: it prints nothing, ends nothing and keeps no global state, and
 * its tables are data. Option tables here leave poptOption.arg NULL, so they
 * are constant, and cmd_next_option hands the argument over.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <popt.h>
#include <stdbool.h>
#include <stdio.h>

#include "pr_diagnostics.h"

enum cmd_status {
   CMD_YES = 0,
   CMD_NO = 1,
   CMD_TROUBLE = 2, /* usage, unreadable, invalid, output failed */
};

struct cmd_streams {
   FILE *in, *out, *err;
};

struct cmd_invocation;

struct cmd_command {
   const char *name;
   const char *arguments; /* in usage, behind the options: "REPORT" */
   const char *summary;   /* one line, no full stop */
   const char *details;   /* paragraphs below the options; "" for none */
   const char *statuses;  /* exit statuses, a line each */
   const struct poptOption *options;
   bool stops_at_argument; /* what follows the first argument belongs to it */
   enum cmd_status (*run)(struct cmd_invocation *invocation);
};

/* One use of a subcommand. */
struct cmd_invocation {
   const struct cmd_command *command;
   poptContext parser; /* at the arguments behind the subcommand's name */
   struct cmd_streams streams;
};

/* All subcommands, in the order of help; the last has no name. */
extern const struct cmd_command cmd_table[];

/* NULL: there is none of that name. */
const struct cmd_command *cmd_find(const char *name);

/* poptOption.val of the options that every subcommand has; its own start at
   CMD_OPTION_OWN. */
enum {
   CMD_OPTION_HELP = 1,
   CMD_OPTION_VERSION,
   CMD_OPTION_OWN,
};

/* The row of a command that writes one result to a file instead of its standard output:
   cmd_output_deliver(). */
#define CMD_OPTION_OUTPUT_ROW(option)                                                              \
   {"output", 'o', POPT_ARG_STRING, NULL, option, "write there (default: standard output)", "FILE"}

/* The last rows of every subcommand's options. */
#define CMD_OPTIONS_COMMON                                                                         \
   {"help", 'h', POPT_ARG_NONE, NULL, CMD_OPTION_HELP, "show this help", NULL}, POPT_TABLEEND

/* What cmd_next_option may answer besides the val of an own option. */
enum {
   CMD_OPTIONS_END = 0, /* the rest are arguments: poptGetArg */
   CMD_OPTIONS_DONE = -1, /* help was shown or the usage is wrong: return *status */
};

/* The next option; its argument, if it takes one, in *argument, which the
   caller frees (NULL otherwise). */
int cmd_next_option(struct cmd_invocation *invocation, char **argument, enum cmd_status *status);

/* Hand every option to take(), whose `request` is the command's own; take() owns the
   argument from then on, and says what is wrong if it answers false. False: *status says how
   the command ends. */
bool cmd_take_options(struct cmd_invocation *invocation,
                      bool (*take)(struct cmd_invocation *invocation, void *request, int option,
                                   char *argument),
                      void *request, enum cmd_status *status);

/* The argument of an option that says how many of something there are: "--top". False: it is no
   number, which was said. */
bool cmd_take_count(const struct cmd_invocation *invocation, const char *option,
                    const char *argument, size_t *count);

/* "profmem: error: ...", arguments made safe for a terminal; CMD_TROUBLE. */
enum cmd_status cmd_trouble(FILE *err, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* The same, and where to find the command's usage. */
enum cmd_status cmd_usage_error(const struct cmd_invocation *invocation, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* "FILE:LINE:COLUMN: REASON", each on a line behind `prefix`. */
void cmd_print_diagnostics(const struct pr_diagnostics *diagnostics, const char *prefix,
                           FILE *out);
void cmd_print_last_diagnostic(const struct pr_diagnostics *diagnostics, const char *prefix,
                               FILE *out);

/* The help of one command; of the program. */
void cmd_print_help(const struct cmd_command *command, FILE *out);
void cmd_print_overview(FILE *out);

#endif
