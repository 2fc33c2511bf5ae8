/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_command.c: what all subcommands share. See cmd_command.h. */
#include "cmd_command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pr_nearest.h"
#include "pr_number.h"
#include "pr_text.h"

const struct cmd_command *cmd_find(const char *name)
{
   for (const struct cmd_command *command = cmd_table; command->name; command++)
      if (strcmp(command->name, name) == 0)
         return command;
   return NULL;
}

/* Messages --------------------------------------------------------------- */

static void print_error(FILE *err, const char *format, va_list arguments)
   __attribute__((format(printf, 2, 0)));

static void print_error(FILE *err, const char *format, va_list arguments)
{
   char *message = NULL;
   if (vasprintf(&message, format, arguments) < 0)
      message = NULL;
   fputs("profmem: error: ", err);
   pr_text_puts(err, message ? message : "no memory left");
   putc('\n', err);
   free(message);
}

enum cmd_status cmd_trouble(FILE *err, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   print_error(err, format, arguments);
   va_end(arguments);
   return CMD_TROUBLE;
}

enum cmd_status cmd_usage_error(const struct cmd_invocation *invocation, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   print_error(invocation->streams.err, format, arguments);
   va_end(arguments);
   fprintf(invocation->streams.err, "Try 'profmem help %s'.\n", invocation->command->name);
   return CMD_TROUBLE;
}

static void print_diagnostic(const struct pr_diagnostic *diagnostic, const char *prefix, FILE *out)
{
   fputs(prefix, out);
   pr_text_puts(out, diagnostic->file);
   if (diagnostic->line)
      fprintf(out, ":%lu", diagnostic->line);
   if (diagnostic->column)
      fprintf(out, ":%lu", diagnostic->column);
   fputs(": ", out);
   pr_text_puts(out, diagnostic->reason);
   putc('\n', out);
}

void cmd_print_diagnostics(const struct pr_diagnostics *diagnostics, const char *prefix, FILE *out)
{
   for (size_t i = 0; i < diagnostics->count; i++)
      print_diagnostic(&diagnostics->items[i], prefix, out);
   if (diagnostics->dropped)
      fprintf(out, "%s%zu more\n", prefix, diagnostics->dropped);
}

void cmd_print_last_diagnostic(const struct pr_diagnostics *diagnostics, const char *prefix,
                               FILE *out)
{
   if (diagnostics->count)
      print_diagnostic(&diagnostics->items[diagnostics->count - 1], prefix, out);
   else
      fprintf(out, "%sno memory left\n", prefix);
}

/* Options ---------------------------------------------------------------- */

/* An option that there is not; perhaps another one was meant. */
static enum cmd_status refuse_option(const struct cmd_invocation *invocation, const char *bad)
{
   const char *name = bad + strspn(bad, "-");
   char *wanted = strndup(name, strcspn(name, "="));
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, wanted ? wanted : name);
   for (const struct poptOption *option = invocation->command->options; option->longName; option++)
      pr_nearest_offer(&nearest, option->longName);
   enum cmd_status status =
      nearest.name ? cmd_usage_error(invocation, "%s: unknown option; did you mean '--%s'?", bad,
                                     nearest.name)
                   : cmd_usage_error(invocation, "%s: unknown option", bad);
   free(wanted);
   return status;
}

int cmd_next_option(struct cmd_invocation *invocation, char **argument, enum cmd_status *status)
{
   *argument = NULL;
   int option = poptGetNextOpt(invocation->parser);
   if (option == -1)
      return CMD_OPTIONS_END;
   if (option < -1) {
      const char *bad = poptBadOption(invocation->parser, POPT_BADOPTION_NOALIAS);
      *status = option == POPT_ERROR_BADOPT
                   ? refuse_option(invocation, bad)
                   : cmd_usage_error(invocation, "%s: %s", bad, poptStrerror(option));
      return CMD_OPTIONS_DONE;
   }
   if (option == CMD_OPTION_HELP) {
      cmd_print_help(invocation->command, invocation->streams.out);
      *status = CMD_YES;
      return CMD_OPTIONS_DONE;
   }
   *argument = poptGetOptArg(invocation->parser);
   return option;
}

bool cmd_take_options(struct cmd_invocation *invocation,
                      bool (*take)(struct cmd_invocation *invocation, void *request, int option,
                                   char *argument),
                      void *request, enum cmd_status *status)
{
   char *argument;
   int option;
   while ((option = cmd_next_option(invocation, &argument, status)) != CMD_OPTIONS_END) {
      if (option == CMD_OPTIONS_DONE)
         return false;
      if (!take(invocation, request, option, argument)) {
         *status = CMD_TROUBLE;
         return false;
      }
   }
   return true;
}

bool cmd_take_count(const struct cmd_invocation *invocation, const char *option,
                    const char *argument, size_t *count)
{
   uint64_t number = 0;
   if (pr_number_parse_unsigned(argument, strlen(argument), &number) != PR_NUMBER_OK) {
      cmd_usage_error(invocation, "%s: '%s' is not a number", option, argument);
      return false;
   }
   *count = number < SIZE_MAX ? (size_t)number : SIZE_MAX;
   return true;
}

/* Help ------------------------------------------------------------------- */

enum { HELP_NAME_COLUMNS = 22 };

/* "  -p, --phase=NAME      what it does" */
static void print_option(const struct poptOption *option, FILE *out)
{
   char name[64];
   char short_name[8] = "    ";
   if (option->shortName)
      snprintf(short_name, sizeof short_name, "-%c, ", option->shortName);
   snprintf(name, sizeof name, "%s--%s%s%s", short_name, option->longName,
            option->argDescrip ? "=" : "", option->argDescrip ? option->argDescrip : "");
   bool is_long = strlen(name) > HELP_NAME_COLUMNS;
   fprintf(out, "  %-*s", HELP_NAME_COLUMNS, name);
   if (is_long)
      fprintf(out, "\n  %*s", HELP_NAME_COLUMNS, "");
   fprintf(out, "  %s\n", option->descrip);
}

void cmd_print_help(const struct cmd_command *command, FILE *out)
{
   fprintf(out, "Usage: profmem %s [OPTION...] %s\n\n%s.\n\nOptions:\n", command->name,
           command->arguments, command->summary);
   for (const struct poptOption *option = command->options; option->longName; option++)
      print_option(option, out);
   if (command->details[0])
      fprintf(out, "\n%s", command->details);
   fprintf(out, "\nExit status:\n%s", command->statuses);
}

void cmd_print_overview(FILE *out)
{
   fputs("Usage: profmem COMMAND [OPTION...] ARGUMENT...\n"
         "\n"
         "Runs programs under `valgrind --tool=profmem`, shows and checks its reports.\n"
         "\n"
         "Commands:\n",
         out);
   for (const struct cmd_command *command = cmd_table; command->name; command++)
      fprintf(out, "  %-10s  %s\n", command->name, command->summary);
   fputs("\n"
         "Options:\n"
         "  -h, --help     show this help; `profmem help COMMAND` shows a command's\n"
         "  -V, --version  show the version\n"
         "\n"
         "Results go to standard output, everything else to standard error.\n"
         "Exit status: 0 yes, 1 no, 2 trouble; of run, the program's.\n",
         out);
}
