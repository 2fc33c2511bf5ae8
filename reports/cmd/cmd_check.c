/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_check.c: `profmem check`: are the numbers of reports within limits? */
#include "cmd_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd_input.h"
#include "cmd_limits.h"
#include "cmd_output.h"
#include "cmd_tighten.h"
#include "cmd_verdict.h"
#include "pr_check.h"

enum {
   OPTION_ALLOW_UNLIKE = CMD_OPTION_OWN,
   OPTION_BASELINE,
   OPTION_FORMAT,
   OPTION_LIMIT,
   OPTION_LIMITS,
   OPTION_OUTPUT,
   OPTION_TIGHTEN,
};

const struct poptOption cmd_check_options[] = {
   {"limits", 'l', POPT_ARG_STRING, NULL, OPTION_LIMITS,
    "read limits from this file; repeatable", "FILE"},
   {"limit", 'L', POPT_ARG_STRING, NULL, OPTION_LIMIT,
    "one more limit, as a line of such a file; repeatable", "LIMIT"},
   {"baseline", 'b', POPT_ARG_STRING, NULL, OPTION_BASELINE,
    "compare with this report, or with those of the same names in a folder", "FILE"},
   {"allow-unlike", 'u', POPT_ARG_NONE, NULL, OPTION_ALLOW_UNLIKE,
    "compare runs that are unlike; how they differ stands at the top", NULL},
   {"format", 'f', POPT_ARG_STRING, NULL, OPTION_FORMAT,
    "print text (default), markdown, junit or github", "FORMAT"},
   {"output", 'o', POPT_ARG_STRING, NULL, OPTION_OUTPUT,
    "write another format to a file as well; repeatable", "FORMAT=FILE"},
   {"tighten", 't', POPT_ARG_NONE, NULL, OPTION_TIGHTEN,
    "write the numbers that now hold into the files of limits", NULL},
   CMD_OPTIONS_COMMON,
};

struct request {
   struct pr_arena arena; /* of arguments that are kept */
   struct pr_limits limits;
   struct pr_diagnostics diagnostics; /* of the limits and the baseline */
   size_t limit_lines;                /* given on the command line */
   size_t limit_files;
   const char *baseline_path; /* NULL: none */
   bool is_folder;            /* it is */
   struct pr_report *baseline; /* NULL: none, or one for each report */
   bool allows_unlike, tightens;
   const struct cmd_verdict_format *format;
   struct cmd_verdict_output *outputs;
   size_t output_count;
};

/* Options ---------------------------------------------------------------- */

static bool is_folder(const char *path)
{
   struct stat there;
   return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static bool take_output(struct cmd_invocation *invocation, struct request *request,
                        char *argument)
{
   struct cmd_verdict_output *output = pr_arena_append(
      &request->arena, &request->outputs, &request->output_count, sizeof *output);
   if (!output) {
      cmd_trouble(invocation->streams.err, "no memory left");
      return false;
   }
   return cmd_verdict_output(invocation, "--output", argument, output);
}

/* False: the option's argument is wrong, which was said. */
static bool take_option(struct cmd_invocation *invocation, struct request *request, int option,
                        char *argument)
{
   switch (option) {
   case OPTION_LIMITS:
      request->limit_files++;
      cmd_limits_read(&request->limits, argument, &request->diagnostics);
      return true;
   case OPTION_LIMIT:
      cmd_limits_take(&request->limits, argument, ++request->limit_lines,
                      &request->diagnostics);
      return true;
   case OPTION_BASELINE:
      request->baseline_path = argument;
      request->is_folder = is_folder(argument);
      return true;
   case OPTION_FORMAT:
      request->format = cmd_verdict_format(invocation, "--format", argument);
      return request->format;
   case OPTION_OUTPUT:
      return take_output(invocation, request, argument);
   case OPTION_ALLOW_UNLIKE:
      request->allows_unlike = true;
      return true;
   case OPTION_TIGHTEN:
      request->tightens = true;
      return true;
   }
   return false;
}

/* The baseline of one report; the caller frees. NULL: no memory left. */
static char *baseline_of(const struct request *request, const char *file)
{
   char *path = NULL;
   if (!request->is_folder)
      return strdup(request->baseline_path);
   return asprintf(&path, "%s/%s", request->baseline_path, basename(file)) < 0 ? NULL : path;
}

/* What of that which is read would be replaced by writing to `file`; NULL: nothing. */
static const char *find_replaced(const struct request *request, const char *const *reports,
                                 const char *file)
{
   for (size_t s = 0; s < request->limits.source_count; s++)
      if (request->limits.sources[s].is_file
          && cmd_output_replaces(file, request->limits.sources[s].name))
         return "a file of limits";
   for (size_t r = 0; reports[r]; r++) {
      char *baseline = request->baseline_path ? baseline_of(request, reports[r]) : NULL;
      bool is_baseline = baseline && cmd_output_replaces(file, baseline);
      free(baseline);
      if (is_baseline || cmd_output_replaces(file, reports[r]))
         return is_baseline ? "a baseline" : "a report";
   }
   return NULL;
}

/* A slip of the hand must not cost a report or reviewed limits, nor one verdict another. */
static enum cmd_status check_outputs(struct cmd_invocation *invocation,
                                     const struct request *request)
{
   for (size_t o = 0; o < request->output_count; o++) {
      const char *file = request->outputs[o].file;
      const char *replaced = find_replaced(request, poptGetArgs(invocation->parser), file);
      if (replaced)
         return cmd_usage_error(invocation, "--output: '%s' is %s", file, replaced);
      for (size_t before = 0; before < o; before++)
         if (cmd_output_is_shared(file, request->outputs[before].file))
            return cmd_usage_error(invocation, "--output: '%s' is given twice", file);
   }
   return CMD_YES;
}

/* What options leave to be said; CMD_YES: nothing. */
static enum cmd_status check_usage(struct cmd_invocation *invocation,
                                   const struct request *request)
{
   FILE *err = invocation->streams.err;
   if (request->diagnostics.count || request->diagnostics.dropped) {
      cmd_print_diagnostics(&request->diagnostics, "profmem: error: ", err);
      return CMD_TROUBLE;
   }
   if (!poptPeekArg(invocation->parser))
      return cmd_usage_error(invocation, "check takes one report or more");
   if (request->limits.count == 0)
      return cmd_usage_error(invocation, "check takes limits: --limits FILE or --limit LIMIT");
   if (request->tightens && request->limit_files == 0)
      return cmd_usage_error(invocation, "--tighten is for files of limits: --limits FILE");
   const struct pr_limit *needy = pr_limits_need_baseline(&request->limits);
   if (needy && !request->baseline_path)
      return cmd_usage_error(invocation, "%s:%lu: the limit is on a baseline: --baseline FILE",
                             request->limits.sources[needy->source].name, needy->line);
   return check_outputs(invocation, request);
}

/* False: *status says how the command ends. */
static bool parse(struct cmd_invocation *invocation, struct request *request,
                  enum cmd_status *status)
{
   for (;;) {
      char *argument;
      int option = cmd_next_option(invocation, &argument, status);
      if (option == CMD_OPTIONS_DONE)
         return false;
      if (option == CMD_OPTIONS_END) {
         *status = check_usage(invocation, request);
         return *status == CMD_YES;
      }
      char *kept = argument ? pr_arena_string(&request->arena, argument, strlen(argument)) : NULL;
      bool ok = !argument || kept;
      free(argument);
      if (!ok)
         cmd_trouble(invocation->streams.err, "no memory left");
      if (!ok || !take_option(invocation, request, option, kept)) {
         *status = CMD_TROUBLE;
         return false;
      }
   }
}

/* Reports ---------------------------------------------------------------- */

/* The baseline of one report in the folder of baselines. */
static struct pr_report *load_from_folder(const struct cmd_streams *streams,
                                          const struct request *request, const char *file,
                                          struct pr_diagnostics *diagnostics)
{
   char *path = baseline_of(request, file);
   struct pr_report *baseline = path ? cmd_load_sound(streams, path, diagnostics) : NULL;
   free(path);
   return baseline;
}

/* False: no memory left. */
static bool check_file(const struct cmd_streams *streams, const struct request *request,
                       const char *file, struct pr_verdict *verdict)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   struct pr_report *report = cmd_load_sound(streams, file, &diagnostics);
   struct pr_report *own_baseline = NULL;
   if (report && request->is_folder)
      own_baseline = load_from_folder(streams, request, file, &diagnostics);
   const struct pr_report *baseline = own_baseline ? own_baseline : request->baseline;
   bool ok;
   if (!report || (request->is_folder && !own_baseline))
      ok = cmd_verdict_add_troubles(verdict, file, &diagnostics);
   else
      ok = pr_check_report(verdict, report, baseline, request->allows_unlike);
   pr_report_free(own_baseline);
   pr_report_free(report);
   pr_diagnostics_release(&diagnostics);
   return ok;
}

/* False: it cannot be, which was said. */
static bool load_baseline(const struct cmd_streams *streams, struct request *request)
{
   if (!request->baseline_path || request->is_folder)
      return true;
   request->baseline = cmd_load_sound(streams, request->baseline_path, &request->diagnostics);
   if (!request->baseline)
      cmd_print_diagnostics(&request->diagnostics, "profmem: error: ", streams->err);
   return request->baseline;
}

/* Verdict ---------------------------------------------------------------- */

static enum cmd_status publish(const struct cmd_streams *streams, const struct request *request,
                               const struct pr_verdict *verdict)
{
   enum cmd_status status = cmd_verdict_status(streams, verdict);
   if (!cmd_verdict_print(streams, verdict, request->format, streams->out))
      status = CMD_TROUBLE;
   for (size_t o = 0; o < request->output_count; o++)
      if (!cmd_verdict_write(streams, verdict, &request->outputs[o]))
         status = CMD_TROUBLE;
   if (request->tightens && !cmd_tighten(streams, verdict))
      status = CMD_TROUBLE;
   return status;
}

static enum cmd_status check(struct cmd_invocation *invocation, struct request *request)
{
   const struct cmd_streams *streams = &invocation->streams;
   if (!load_baseline(streams, request))
      return CMD_TROUBLE;
   struct pr_verdict verdict;
   pr_verdict_init(&verdict, &request->limits);
   bool ok = true;
   for (const char *file; ok && (file = poptGetArg(invocation->parser)) != NULL;)
      ok = check_file(streams, request, file, &verdict);
   enum cmd_status status = ok ? publish(streams, request, &verdict)
                               : cmd_trouble(streams->err, "no memory left");
   pr_verdict_release(&verdict);
   return status;
}

enum cmd_status cmd_check(struct cmd_invocation *invocation)
{
   struct request request = {.format = cmd_verdict_formats};
   enum cmd_status status = CMD_TROUBLE;
   pr_arena_init(&request.arena);
   pr_limits_init(&request.limits);
   pr_diagnostics_init(&request.diagnostics);
   if (parse(invocation, &request, &status))
      status = check(invocation, &request);
   pr_report_free(request.baseline);
   pr_diagnostics_release(&request.diagnostics);
   pr_limits_release(&request.limits);
   pr_arena_release(&request.arena);
   return status;
}
