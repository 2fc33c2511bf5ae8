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

#include "cmd_gate.h"
#include "cmd_run_list.h"
#include "pr_number.h"
#include "run_relay.h"
#include "run_session.h"

enum {
   OPTION_OUTPUT = CMD_OPTION_OWN,
   OPTION_AA,
   OPTION_ALLOW_UNLIKE,
   OPTION_BASELINE,
   OPTION_ENV,
   OPTION_HOST,
   OPTION_INHERIT_ENV,
   OPTION_INPUT,
   OPTION_LIMIT,
   OPTION_LIMITS,
   OPTION_LIST,
   OPTION_PASS_ENV,
   OPTION_QUIET,
   OPTION_SCHEDULING,
   OPTION_TTY,
   OPTION_UPDATE_BASELINE,
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
   {"limits", 'l', POPT_ARG_STRING, NULL, OPTION_LIMITS,
    "hold the report against the limits in this file; repeatable", "FILE"},
   {"limit", 'L', POPT_ARG_STRING, NULL, OPTION_LIMIT,
    "one more limit, as a line of such a file; repeatable", "LIMIT"},
   {"baseline", 'b', POPT_ARG_STRING, NULL, OPTION_BASELINE,
    "compare with this report, or with that of the same name in a folder", "FILE"},
   {"update-baseline", '\0', POPT_ARG_NONE, NULL, OPTION_UPDATE_BASELINE,
    "make the report the baseline, if the program succeeded", NULL},
   {"allow-unlike", 'u', POPT_ARG_NONE, NULL, OPTION_ALLOW_UNLIKE,
    "compare with an unlike run; how they differ stands at the top", NULL},
   {"list", '\0', POPT_ARG_STRING, NULL, OPTION_LIST,
    "run the programs in this file; -o is a folder [profmem.out]", "FILE"},
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
   struct cmd_gate_options gate;
   const char *list; /* NULL: there is one program */
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
      break;
   case OPTION_LIMIT:
   case OPTION_LIMITS:
      cmd_gate_add_limit(&use->gate, argument, option == OPTION_LIMIT);
      break;
   case OPTION_BASELINE:
      use->gate.baseline = run_text(arena, "%s", argument);
      break;
   case OPTION_UPDATE_BASELINE:
      use->gate.updates = true;
      break;
   case OPTION_ALLOW_UNLIKE:
      use->gate.allows_unlike = true;
      break;
   case OPTION_LIST:
      use->list = run_text(arena, "%s", argument);
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

/* False: the options do not go together, which was said. */
static bool check_usage(const struct cmd_invocation *invocation, const struct use *use)
{
   const struct run_request *request = &use->request;
   if (use->list && request->command)
      cmd_usage_error(invocation, "--list and a program do not go together");
   else if (!use->list && !request->command)
      cmd_usage_error(invocation, "run takes a program and its arguments");
   else if (request->runs && request->keeps_terminal)
      cmd_usage_error(invocation, "--tty and --aa do not go together: nobody answers twice");
   else if (use->list && request->keeps_terminal)
      cmd_usage_error(invocation, "--tty and --list do not go together: programs of a list have "
                                  "no input");
   else
      return cmd_gate_check_usage(invocation, &use->gate);
   return false;
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
   return check_usage(invocation, use);
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

/* The session, and what its report says of the limits. */
static int run_gated(struct use *use, struct cmd_gate *gate, const struct cmd_streams *streams)
{
   FILE *err = streams->err;
   struct run_error error = {.text = NULL};
   struct run_result result;
   enum cmd_status verdict = CMD_YES;
   bool ok = run_session(&use->request, use->is_quiet ? NULL : err, &result, &error);
   bool succeeded = result.has_ended && result.status == 0;
   if (ok && use->names_no_report && !use->is_quiet)
      fprintf(err, "profmem: the report is %s\n", use->request.report);
   if (ok && result.report)
      verdict = cmd_gate_judge(gate, streams, result.report, succeeded);
   if (!ok)
      cmd_trouble(err, "%s", error.text ? error.text : "no memory left");
   if (result.report)
      fclose(result.report);
   run_error_release(&error);
   /* What ended the program by a signal ends this one, be there a report or not. */
   bool is_signal = result.has_ended && WIFSIGNALED(result.status);
   int status = ok || is_signal ? run_end_alike(result.status, &result.mask) : (int)error.status;
   sigprocmask(SIG_SETMASK, &result.mask, NULL);
   return ok && succeeded ? (int)verdict : status;
}

static int run(struct use *use, const struct cmd_streams *streams)
{
   struct run_request *request = &use->request;
   use->names_no_report = !request->report;
   if (use->names_no_report)
      request->report = "profmem.out.xml";
   request->keeps_report = use->gate.limit_count > 0 || use->gate.updates;
   struct cmd_gate gate;
   bool ok = cmd_gate_init(&gate, &use->gate, NULL, request->report, streams)
             && cmd_gate_spares(request->report, request->command[0], &request->inputs, streams);
   int status = ok ? run_gated(use, &gate, streams) : RUN_OWN_TROUBLE;
   cmd_gate_release(&gate);
   return status;
}

static int run_listed(struct use *use, const struct cmd_streams *streams)
{
   struct run_request *request = &use->request;
   const struct cmd_run_list list = {
      .file = use->list,
      .folder = request->report ? request->report : "profmem.out",
      .request = request,
      .gate = &use->gate,
      .is_quiet = use->is_quiet,
   };
   request->keeps_report = true;
   return cmd_run_list(&list, streams);
}

enum cmd_status cmd_run(struct cmd_invocation *invocation)
{
   const struct cmd_streams *streams = &invocation->streams;
   struct use use = {.list = NULL};
   struct run_request *request = &use.request;
   enum cmd_status status;
   pr_arena_init(&request->arena);
   use.gate.arena = &request->arena;
   request->options.arena = request->inputs.arena = request->variables.arena = &request->arena;
   if (parse(invocation, &use, &status)) {
      complete(&use);
      if (request->arena.exhausted)
         cmd_trouble(streams->err, "no memory left");
      else
         status = (enum cmd_status)(use.list ? run_listed(&use, streams) : run(&use, streams));
   }
   pr_arena_release(&request->arena);
   return status;
}
