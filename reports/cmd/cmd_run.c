/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_run.c: `profmem run`: a program under the tool, with what makes runs differ held
 * fixed. The work is in reports/run.
 *
 * Unlike the other commands this one uses the process's own descriptors 0 to 2, which the
 * program inherits, and may end by a signal, as the program did. Its statuses are the
 * program's and those of run_error.h.
 */
#include "cmd_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "pr_number.h"
#include "run_relay.h"
#include "run_session.h"

enum {
   OPTION_OUTPUT = CMD_OPTION_OWN,
   OPTION_AA,
   OPTION_ENV,
   OPTION_HOST,
   OPTION_INHERIT_ENV,
   OPTION_INPUT,
   OPTION_PASS_ENV,
   OPTION_QUIET,
   OPTION_SCHEDULING,
   OPTION_TTY,
   OPTION_USER_NAMESPACE,
   OPTION_VALGRIND,
   OPTION_VALGRIND_LIB,
   OPTION_VALGRIND_OPTION,
   OPTION_VERBOSE,
#define HANDED_ON(symbol, name, value, help) OPTION_##symbol,
#include "cmd_run_options.def"
#undef HANDED_ON
};

const struct poptOption cmd_run_options[] = {
   {"output", 'o', POPT_ARG_STRING, NULL, OPTION_OUTPUT,
    "write the report there; of children: FILE.1 ... [profmem.out.xml]", "FILE"},
   {"input", 'i', POPT_ARG_STRING, NULL, OPTION_INPUT,
    "a file that the program reads: record its digest; repeatable", "FILE"},
   {"env", 'e', POPT_ARG_STRING, NULL, OPTION_ENV,
    "set a variable of the program's environment; repeatable", "NAME=VALUE"},
   {"pass-env", 'p', POPT_ARG_STRING, NULL, OPTION_PASS_ENV,
    "pass on a variable of this environment; repeatable", "NAME"},
   {"inherit-env", '\0', POPT_ARG_NONE, NULL, OPTION_INHERIT_ENV,
    "pass on the whole environment", NULL},
   {"tty", 't', POPT_ARG_NONE, NULL, OPTION_TTY,
    "let a terminal be standard output: for interactive programs", NULL},
   {"scheduling", '\0', POPT_ARG_STRING, NULL, OPTION_SCHEDULING,
    "how it is scheduled [fifo]", "fifo|batch|host"},
   {"host", '\0', POPT_ARG_NONE, NULL, OPTION_HOST,
    "hold nothing fixed", NULL},
   {"user-namespace", '\0', POPT_ARG_NONE, NULL, OPTION_USER_NAMESPACE,
    "fix process numbers without root; others' files show no owner", NULL},
   {"quiet", 'q', POPT_ARG_NONE, NULL, OPTION_QUIET, "print no warnings", NULL},
   {"verbose", 'v', POPT_ARG_NONE, NULL, OPTION_VERBOSE,
    "print Valgrind's log and the tool's summary", NULL},
   {"aa", '\0', POPT_ARG_STRING | POPT_ARGFLAG_OPTIONAL, NULL, OPTION_AA,
    "which numbers are stable in N runs [2]?", "N"},
   {"valgrind", '\0', POPT_ARG_STRING, NULL, OPTION_VALGRIND,
    "use this Valgrind", "FILE"},
   {"valgrind-lib", '\0', POPT_ARG_STRING, NULL, OPTION_VALGRIND_LIB,
    "use the tool in this folder", "FOLDER"},
   {"valgrind-option", '\0', POPT_ARG_STRING, NULL, OPTION_VALGRIND_OPTION,
    "hand any other option to Valgrind; repeatable", "OPTION"},
#define HANDED_ON(symbol, name, value, help)                                                       \
   {name, '\0', POPT_ARG_STRING, NULL, OPTION_##symbol, help, value},
#include "cmd_run_options.def"
#undef HANDED_ON
   CMD_OPTIONS_COMMON,
};

/* Options --------------------------------------------------------------------------- */

/* What the options leave to be done behind them. */
struct use {
   struct run_request request;
   bool is_quiet, is_verbose, has_vgdb;
   bool names_no_report; /* so the user may not know where it is */
};

static bool take_variable(struct cmd_invocation *invocation, struct use *use,
                          const char *setting)
{
   const char *equals = strchr(setting, '=');
   if (!equals || equals == setting) {
      cmd_usage_error(invocation, "--env: '%s' is not NAME=VALUE", setting);
      return false;
   }
   run_list_add(&use->request.variables, "%s", setting);
   return true;
}

static bool take_name(struct cmd_invocation *invocation, struct use *use, const char *name)
{
   if (!name[0] || strchr(name, '=')) {
      cmd_usage_error(invocation, "--pass-env: '%s' is not a name", name);
      return false;
   }
   const char *value = getenv(name);
   if (value)
      run_list_add(&use->request.variables, "%s=%s", name, value);
   return true;
}

static void hand_on(struct use *use, int option, const char *value)
{
   const struct poptOption *row = cmd_run_options;
   while (row->val != option)
      row++;
   use->has_vgdb = use->has_vgdb || option == OPTION_VGDB || option == OPTION_VGDB_ERROR;
   run_list_add(&use->request.options, "--%s=%s", row->longName, value);
}

static bool take_scheduling(struct cmd_invocation *invocation, struct use *use, const char *word)
{
   static const char *const words[] = {
      [RUN_POLICY_FIFO] = "fifo", [RUN_POLICY_BATCH] = "batch", [RUN_POLICY_HOST] = "host"};
   for (size_t w = 0; w < sizeof words / sizeof *words; w++)
      if (strcmp(words[w], word) == 0) {
         use->request.policy = (enum run_policy)w;
         return true;
      }
   cmd_usage_error(invocation, "--scheduling: '%s' is not fifo, batch or host", word);
   return false;
}

enum { RUNS_DEFAULT = 2, RUNS_MAX = 1000 };

/* popt takes the next argument for the number, which can be the program: then it is given
   back. */
static bool take_runs(struct cmd_invocation *invocation, struct use *use, const char *argument)
{
   uint64_t runs = RUNS_DEFAULT;
   const char *end = argument ? argument + strspn(argument, "0123456789") : NULL;
   if (argument && (*end || end == argument)) {
      const char *program = run_text(&use->request.arena, "%s", argument);
      const char *const given_back[] = {program, NULL};
      if (poptStuffArgs(invocation->parser, (const char **)given_back) != 0)
         return false;
   } else if (argument
              && (pr_number_parse_unsigned(argument, strlen(argument), &runs) != PR_NUMBER_OK
                  || runs < RUNS_DEFAULT || runs > RUNS_MAX)) {
      cmd_usage_error(invocation, "--aa: '%s' is not a number from %d to %d", argument,
                      RUNS_DEFAULT, RUNS_MAX);
      return false;
   }
   use->request.runs = (unsigned)runs;
   return true;
}

/* False: the option's argument is wrong, which was said. */
static bool take_option(struct cmd_invocation *invocation, struct use *use, int option,
                        const char *argument)
{
   struct run_request *request = &use->request;
   struct pr_arena *arena = &request->arena;
   switch (option) {
   case OPTION_OUTPUT:
      request->report = run_text(arena, "%s", argument);
      use->names_no_report = false;
      break;
   case OPTION_AA:
      return take_runs(invocation, use, argument);
   case OPTION_ENV:
      return take_variable(invocation, use, argument);
   case OPTION_PASS_ENV:
      return take_name(invocation, use, argument);
   case OPTION_INHERIT_ENV:
      request->environment = RUN_ENVIRONMENT_INHERITED;
      break;
   case OPTION_INPUT:
      run_list_add(&request->inputs, "%s", argument);
      break;
   case OPTION_SCHEDULING:
      return take_scheduling(invocation, use, argument);
   case OPTION_TTY:
      request->keeps_terminal = true;
      break;
   case OPTION_HOST:
      request->is_host = true;
      break;
   case OPTION_USER_NAMESPACE:
      request->may_hide_owners = true;
      break;
   case OPTION_QUIET:
      use->is_quiet = true;
      break;
   case OPTION_VERBOSE:
      use->is_verbose = true;
      break;
   case OPTION_VALGRIND:
      request->valgrind = run_text(arena, "%s", argument);
      break;
   case OPTION_VALGRIND_LIB:
      request->valgrind_lib = run_text(arena, "%s", argument);
      break;
   case OPTION_VALGRIND_OPTION:
      run_list_add(&request->options, "%s", argument);
      break;
   default:
      hand_on(use, option, argument);
      break;
   }
   return true;
}

/* False: *status says how the command ends. */
static bool parse(struct cmd_invocation *invocation, struct use *use, enum cmd_status *status)
{
   for (;;) {
      char *argument;
      int option = cmd_next_option(invocation, &argument, status);
      if (option == CMD_OPTIONS_DONE) {
         *status = *status == CMD_YES ? CMD_YES : (enum cmd_status)RUN_OWN_TROUBLE;
         return false;
      }
      if (option == CMD_OPTIONS_END)
         break;
      bool ok = take_option(invocation, use, option, argument);
      free(argument);
      *status = (enum cmd_status)RUN_OWN_TROUBLE;
      if (!ok)
         return false;
   }
   *status = (enum cmd_status)RUN_OWN_TROUBLE;
   use->request.command = (char *const *)poptGetArgs(invocation->parser);
   if (!use->request.command) {
      cmd_usage_error(invocation, "run takes a program and its arguments");
      return false;
   }
   if (use->request.runs && use->request.keeps_terminal) {
      cmd_usage_error(invocation, "--tty and --aa do not go together: nobody answers twice");
      return false;
   }
   return true;
}

/* Interactive programs have to know what their terminal can do. */
static void complete(struct use *use)
{
   struct run_request *request = &use->request;
   const char *terminal = getenv("TERM");
   if (request->keeps_terminal && terminal)
      run_list_add(&request->variables, "TERM=%s", terminal);
   if (request->is_host) {
      request->environment = RUN_ENVIRONMENT_UNTOUCHED;
      request->policy = RUN_POLICY_HOST;
      request->keeps_terminal = true;
   } else if (!use->has_vgdb) {
      /* The pipes for it are named by process numbers, which runs in namespaces share. */
      run_list_add(&request->options, "--vgdb=no");
   }
   run_list_add(&request->options, "%s", use->is_verbose ? "--verbose" : "--quiet");
}

static enum cmd_status run(struct cmd_invocation *invocation, struct use *use)
{
   FILE *err = invocation->streams.err;
   struct run_error error = {.text = NULL};
   sigset_t mask;
   bool has_ended;
   int status;
   bool ok = run_session(&use->request, use->is_quiet ? NULL : err, &mask, &has_ended, &status,
                         &error);
   if (ok && use->names_no_report && !use->is_quiet)
      fprintf(err, "profmem: the report is %s\n", use->request.report);
   if (!ok)
      cmd_trouble(err, "%s", error.text ? error.text : "no memory left");
   run_error_release(&error);
   /* What ended the program by a signal ends this one, be there a report or not. */
   int result = ok || (has_ended && WIFSIGNALED(status)) ? run_end_alike(status, &mask)
                                                         : (int)error.status;
   sigprocmask(SIG_SETMASK, &mask, NULL);
   return (enum cmd_status)result;
}

enum cmd_status cmd_run(struct cmd_invocation *invocation)
{
   struct use use = {.request = {.report = "profmem.out.xml"}, .names_no_report = true};
   struct run_request *request = &use.request;
   enum cmd_status status;
   pr_arena_init(&request->arena);
   request->options.arena = request->inputs.arena = request->variables.arena = &request->arena;
   if (parse(invocation, &use, &status)) {
      complete(&use);
      status = request->arena.exhausted ? cmd_trouble(invocation->streams.err, "no memory left")
                                        : run(invocation, &use);
   }
   pr_arena_release(&request->arena);
   return status;
}
