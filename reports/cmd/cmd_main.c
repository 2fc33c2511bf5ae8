/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_main.c: the whole program `profmem` as one call. See cmd_main.h. */
#include "cmd_main.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd_complete.h"
#include "pr_nearest.h"

enum { OPTION_COMPLETE = CMD_OPTION_OWN };

static const struct poptOption program_options[] = {
   {"complete", '\0', POPT_ARG_NONE | POPT_ARGFLAG_DOC_HIDDEN, NULL, OPTION_COMPLETE, NULL, NULL},
   {"help", 'h', POPT_ARG_NONE, NULL, CMD_OPTION_HELP, NULL, NULL},
   {"version", 'V', POPT_ARG_NONE, NULL, CMD_OPTION_VERSION, NULL, NULL},
   POPT_TABLEEND,
};

static enum cmd_status run_command(const struct cmd_command *command, const char **argv,
                                   const struct cmd_streams *streams)
{
   int argc = 0;
   while (argv[argc])
      argc++;
   struct cmd_invocation invocation = {.command = command, .streams = *streams};
   invocation.parser = poptGetContext("profmem", argc, argv, command->options,
                                      command->stops_at_argument ? POPT_CONTEXT_POSIXMEHARDER : 0);
   if (!invocation.parser)
      return cmd_trouble(streams->err, "no memory left");
   enum cmd_status status = command->run(&invocation);
   poptFreeContext(invocation.parser);
   return status;
}

static enum cmd_status refuse_command(const struct cmd_streams *streams, const char *name)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (const struct cmd_command *command = cmd_table; command->name; command++)
      pr_nearest_offer(&nearest, command->name);
   if (nearest.name)
      return cmd_trouble(streams->err, "no command '%s'; did you mean '%s'?", name, nearest.name);
   return cmd_trouble(streams->err, "no command '%s'; `profmem help` lists them", name);
}

/* The options before the command, then the command. */
static enum cmd_status dispatch(poptContext parser, const struct cmd_streams *streams)
{
   int option = poptGetNextOpt(parser);
   if (option == CMD_OPTION_HELP) {
      cmd_print_overview(streams->out);
      return CMD_YES;
   }
   if (option == CMD_OPTION_VERSION) {
      fprintf(streams->out, "profmem %s\n", PROFMEM_VERSION);
      return CMD_YES;
   }
   bool completes = option == OPTION_COMPLETE;
   if (completes)
      option = poptGetNextOpt(parser); /* -1, at the words behind -- */
   if (option < -1)
      return cmd_trouble(streams->err, "%s: %s", poptBadOption(parser, POPT_BADOPTION_NOALIAS),
                         poptStrerror(option));
   const char **rest = poptGetArgs(parser);
   if (completes)
      return rest ? cmd_complete(rest, program_options, streams) : CMD_YES;
   if (!rest || !rest[0]) {
      cmd_print_overview(streams->err);
      return CMD_TROUBLE;
   }
   const struct cmd_command *command = cmd_find(rest[0]);
   return command ? run_command(command, rest, streams) : refuse_command(streams, rest[0]);
}

/* Was all output taken? A full disk shows at a write, at the flush, or (on a
   network file system) only when the file is closed; closing a duplicate
   brings the last out and leaves the stream to its owner. */
static bool output_failed(FILE *out, int *reason)
{
   errno = 0;
   bool failed = ferror(out);
   failed = fflush(out) != 0 || failed;
   *reason = errno;
   if (failed && !*reason) {
      /* A stream forgets why it failed, with what it could not write: another byte tells. */
      putc('\n', out);
      fflush(out);
      *reason = errno;
   }
   int descriptor = fileno(out);
   if (!failed && descriptor >= 0) {
      int duplicate = dup(descriptor);
      failed = duplicate >= 0 && close(duplicate) != 0;
      *reason = errno;
   }
   return failed;
}

int pr_main(int argc, char *const *argv, FILE *in, FILE *out, FILE *err)
{
   const struct cmd_streams streams = {in, out, err};
   /* popt takes it for granted that there is a program name to skip. */
   static const char *const nothing[] = {"profmem", NULL};
   const char **arguments = argc > 0 ? (const char **)argv : (const char **)nothing;
   poptContext parser = poptGetContext("profmem", argc > 0 ? argc : 1, arguments, program_options,
                                       POPT_CONTEXT_POSIXMEHARDER);
   if (!parser)
      return cmd_trouble(err, "no memory left");
   enum cmd_status status = dispatch(parser, &streams);
   poptFreeContext(parser);
   int reason;
   if (output_failed(out, &reason)) {
      /* Whoever closed the pipe knows and wants no message. */
      if (reason != EPIPE)
         cmd_trouble(err, "cannot write the output%s%s", reason ? ": " : "",
                     reason ? strerror(reason) : "");
      status = CMD_TROUBLE;
   }
   return status;
}
