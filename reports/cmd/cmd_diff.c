/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_diff.c: `profmem diff`: what changed between two reports, and where it comes from. */
#include "cmd_diff.h"

#include <stdlib.h>
#include <string.h>

#include "cmd_input.h"
#include "cmd_terminal.h"
#include "pr_nearest.h"
#include "pr_render_diff.h"

enum { TOP_DEFAULT = 5 };

enum {
   OPTION_ALL = CMD_OPTION_OWN,
   OPTION_ALLOW_UNLIKE,
   OPTION_BRIEF,
   OPTION_METRIC,
   OPTION_PHASE,
   OPTION_THRESHOLD,
   OPTION_TOP,
};

const struct poptOption cmd_diff_options[] = {
   {"phase", 'p', POPT_ARG_STRING, NULL, OPTION_PHASE, "compare this phase alone", "NAME"},
   {"metric", 'm', POPT_ARG_STRING, NULL, OPTION_METRIC, "compare this metric alone", "METRIC"},
   {"top", 'n', POPT_ARG_STRING, NULL, OPTION_TOP,
    "show so many parts of each kind (default: 5)", "N"},
   {"all", 'a', POPT_ARG_NONE, NULL, OPTION_ALL,
    "show all parts, and call chains in full", NULL},
   {"brief", 'b', POPT_ARG_NONE, NULL, OPTION_BRIEF,
    "show the metrics that differ, not what accounts for them", NULL},
   {"threshold", 't', POPT_ARG_STRING, NULL, OPTION_THRESHOLD,
    "do not show changes of less than so many percent", "PERCENT"},
   {"allow-unlike", 'u', POPT_ARG_NONE, NULL, OPTION_ALLOW_UNLIKE,
    "compare unlike runs, too", NULL},
   CMD_OPTIONS_COMMON,
};

struct request {
   char *phase, *metric; /* NULL: all */
   struct pr_share threshold;
   struct pr_diff_view view; /* its style is set when the result is shown */
   bool allows_unlike;
   const char *files[PR_SIDES];
};

/* "5", "0.25", "5%". */
static bool take_threshold(struct cmd_invocation *invocation, struct request *request,
                           const char *argument)
{
   enum { DECIMALS_MAX = 6, PERCENT_MAX = 1000000 };
   size_t whole_bytes = strcspn(argument, ".%"), decimals = 0;
   uint64_t whole = 0, share = 1;
   bool ok = pr_number_parse_unsigned(argument, whole_bytes, &whole) == PR_NUMBER_OK
             && whole <= PERCENT_MAX;
   const char *at = argument + whole_bytes;
   if (*at == '.') {
      for (at++; *at >= '0' && *at <= '9' && decimals < DECIMALS_MAX; at++, decimals++) {
         whole = whole * 10 + (uint64_t)(*at - '0');
         share *= 10;
      }
      ok = ok && decimals > 0;
   }
   at += *at == '%';
   if (!ok || *at) {
      cmd_usage_error(invocation, "--threshold: '%s' is not a percentage of up to %d, with up to "
                                  "%d decimals",
                      argument, PERCENT_MAX, DECIMALS_MAX);
      return false;
   }
   request->threshold = (struct pr_share){whole, share * 100};
   return true;
}

/* False: the option's argument is wrong, which was said. */
static bool take_option(struct cmd_invocation *invocation, void *of_command, int option,
                        char *argument)
{
   struct request *request = of_command;
   bool ok = true;
   switch (option) {
   case OPTION_PHASE:
      free(request->phase);
      request->phase = argument;
      return true;
   case OPTION_METRIC:
      free(request->metric);
      request->metric = argument;
      return true;
   case OPTION_TOP:
      ok = cmd_take_count(invocation, "--top", argument, &request->view.top);
      break;
   case OPTION_THRESHOLD:
      ok = take_threshold(invocation, request, argument);
      break;
   case OPTION_ALL:
      request->view.top = SIZE_MAX;
      request->view.is_full = true;
      break;
   case OPTION_BRIEF:
      request->view.is_brief = true;
      break;
   case OPTION_ALLOW_UNLIKE:
      request->allows_unlike = true;
      break;
   }
   free(argument);
   return ok;
}

static enum cmd_status check_usage(struct cmd_invocation *invocation, struct request *request)
{
   for (int side = 0; side < PR_SIDES; side++)
      request->files[side] = poptGetArg(invocation->parser);
   if (!request->files[PR_NEW] || poptPeekArg(invocation->parser))
      return cmd_usage_error(invocation, "diff takes two reports, the old one first");
   return cmd_refuse_two_streams(invocation, request->files[PR_OLD], request->files[PR_NEW])
             ? CMD_TROUBLE
             : CMD_YES;
}

/* False: *status says how the command ends. */
static bool parse(struct cmd_invocation *invocation, struct request *request,
                  enum cmd_status *status)
{
   if (!cmd_take_options(invocation, take_option, request, status))
      return false;
   *status = check_usage(invocation, request);
   return *status == CMD_YES;
}

/* A mistyped name must not look like no difference. */
static bool check_phase(const struct cmd_streams *streams, struct pr_report *const *reports,
                        const char *name)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (int side = 0; side < PR_SIDES; side++)
      for (size_t i = 0; i < reports[side]->phase_count; i++) {
         if (strcmp(reports[side]->phases[i].name, name) == 0)
            return true;
         pr_nearest_offer(&nearest, reports[side]->phases[i].name);
      }
   if (nearest.name)
      cmd_trouble(streams->err, "neither report has a phase '%s'; did you mean '%s'?", name,
                  nearest.name);
   else
      cmd_trouble(streams->err, "neither report has a phase '%s'", name);
   return false;
}

static bool check_metric(const struct cmd_streams *streams, struct pr_report *const *reports,
                         const char *name)
{
   if (pr_metric_find(name, strlen(name)) != PR_METRIC_UNKNOWN)
      return true;
   for (int side = 0; side < PR_SIDES; side++)
      for (size_t i = 0; i < reports[side]->phase_count; i++)
         if (pr_phase_metric(&reports[side]->phases[i], name))
            return true;
   cmd_refuse_metric(streams, name);
   return false;
}

static enum cmd_status compare(const struct cmd_streams *streams,
                               struct pr_report *const *reports, const struct request *request,
                               const struct pr_unlike *unlike)
{
   const struct pr_diff_request wanted = {request->phase, request->metric, request->threshold};
   struct pr_diff diff;
   struct pr_diff_view view = request->view;
   view.style = cmd_terminal_style(streams->out);
   bool ok = pr_diff_make(&diff, reports[PR_OLD], reports[PR_NEW], &wanted)
             && pr_render_diff(&diff, unlike, &view, streams->out);
   enum cmd_status status = diff.count || diff.hidden ? CMD_NO : CMD_YES;
   pr_diff_release(&diff);
   return ok ? status : cmd_trouble(streams->err, "no memory left");
}

static enum cmd_status diff(const struct cmd_streams *streams, struct pr_report *const *reports,
                            const struct request *request)
{
   struct pr_unlike unlike;
   enum cmd_status status = CMD_TROUBLE;
   if ((request->phase && !check_phase(streams, reports, request->phase))
       || (request->metric && !check_metric(streams, reports, request->metric)))
      return CMD_TROUBLE;
   if (!pr_unlike_compare(reports[PR_OLD], reports[PR_NEW], &unlike))
      cmd_trouble(streams->err, "no memory left");
   else if (unlike.unlike_count && !request->allows_unlike)
      status = cmd_refuse_unlike(streams, &unlike);
   else
      status = compare(streams, reports, request, &unlike);
   pr_unlike_release(&unlike);
   return status;
}

enum cmd_status cmd_diff(struct cmd_invocation *invocation)
{
   struct request request = {.threshold = {0, 1}, .view = {.top = TOP_DEFAULT}};
   enum cmd_status status = CMD_TROUBLE;
   if (parse(invocation, &request, &status)) {
      struct pr_report *reports[PR_SIDES] = {NULL, NULL};
      struct pr_diagnostics diagnostics;
      pr_diagnostics_init(&diagnostics);
      for (int side = 0; side < PR_SIDES; side++)
         reports[side] = cmd_load(&invocation->streams, request.files[side], NULL, &diagnostics);
      status = reports[PR_OLD] && reports[PR_NEW] ? diff(&invocation->streams, reports, &request)
                                                  : CMD_TROUBLE;
      cmd_print_diagnostics(&diagnostics, "profmem: error: ", invocation->streams.err);
      pr_report_free(reports[PR_OLD]);
      pr_report_free(reports[PR_NEW]);
      pr_diagnostics_release(&diagnostics);
   }
   free(request.phase);
   free(request.metric);
   return status;
}
