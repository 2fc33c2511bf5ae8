/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_show.c: `profmem show`: a report for people, or one number for a script. */
#include "cmd_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_input.h"
#include "cmd_terminal.h"
#include "pr_nearest.h"
#include "pr_render_text.h"
#include "pr_text.h"

enum { TOP_DEFAULT = 10 };

enum {
   OPTION_HISTOGRAMS = CMD_OPTION_OWN,
   OPTION_LINES,
   OPTION_METRIC,
   OPTION_METRICS,
   OPTION_PHASE,
   OPTION_SORT,
   OPTION_TIMELINE,
   OPTION_TOP,
};

const struct poptOption cmd_show_options[] = {
   {"phase", 'p', POPT_ARG_STRING, NULL, OPTION_PHASE,
    "show this phase alone, with its instances", "NAME"},
   {"top", 'n', POPT_ARG_STRING, NULL, OPTION_TOP,
    "show so many of each list (default: 10)", "N"},
   {"sort", 's', POPT_ARG_STRING, NULL, OPTION_SORT,
    "sites by what: peak (default), traffic, temporary, retained", "WHAT"},
   {"lines", 'l', POPT_ARG_NONE, NULL, OPTION_LINES,
    "show source lines behind the functions", NULL},
   {"histograms", 'H', POPT_ARG_NONE, NULL, OPTION_HISTOGRAMS,
    "show sizes and lifetimes of blocks, too", NULL},
   {"timeline", 't', POPT_ARG_NONE, NULL, OPTION_TIMELINE,
    "show what was live in the course of the run, too", NULL},
   {"metrics", 'M', POPT_ARG_NONE, NULL, OPTION_METRICS,
    "show every metric instead, and all that was seen and was not", NULL},
   {"metric", 'm', POPT_ARG_STRING, NULL, OPTION_METRIC,
    "show this number alone, of program or of --phase", "METRIC"},
   CMD_OPTIONS_COMMON,
};

struct request {
   char *metric; /* NULL: all */
   char *phase;  /* NULL: all; for one number and for lists: program */
   bool all_metrics;
   const char *list_option; /* one that is for lists; NULL: none is given */
   struct pr_view view;     /* its style is set when the report is shown */
   const char *file;
};

static bool take_sort(struct cmd_invocation *invocation, struct request *request,
                      const char *argument)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, argument);
   for (int order = 0; order < PR_SITE_ORDERS; order++) {
      pr_nearest_offer(&nearest, pr_site_order_names[order]);
      if (strcmp(pr_site_order_names[order], argument) != 0)
         continue;
      request->view.sites = order;
      request->list_option = "--sort";
      return true;
   }
   if (nearest.name)
      cmd_usage_error(invocation, "--sort: no '%s'; did you mean '%s'?", argument, nearest.name);
   else
      cmd_usage_error(invocation, "--sort: no '%s'", argument);
   return false;
}

/* False: the option's argument is wrong, which was said. */
static bool take_option(struct cmd_invocation *invocation, void *of_command, int option,
                        char *argument)
{
   struct request *request = of_command;
   bool ok = true;
   switch (option) {
   case OPTION_METRIC:
      free(request->metric);
      request->metric = argument;
      return true;
   case OPTION_PHASE:
      free(request->phase);
      request->phase = argument;
      return true;
   case OPTION_METRICS:
      request->all_metrics = true;
      break;
   case OPTION_LINES:
      request->view.has_lines = true;
      request->list_option = "--lines";
      break;
   case OPTION_HISTOGRAMS:
      request->view.has_histograms = true;
      request->list_option = "--histograms";
      break;
   case OPTION_TIMELINE:
      request->view.has_timeline = true;
      request->list_option = "--timeline";
      break;
   case OPTION_TOP:
      request->list_option = "--top";
      ok = cmd_take_count(invocation, "--top", argument, &request->view.top);
      break;
   case OPTION_SORT:
      ok = take_sort(invocation, request, argument);
      break;
   }
   free(argument);
   return ok;
}

static enum cmd_status check_usage(struct cmd_invocation *invocation, struct request *request)
{
   request->file = poptGetArg(invocation->parser);
   if (!request->file || poptPeekArg(invocation->parser))
      return cmd_usage_error(invocation, "show takes one report");
   if (request->metric && request->all_metrics)
      return cmd_usage_error(invocation, "--metric and --metrics do not go together");
   if (request->list_option && (request->metric || request->all_metrics))
      return cmd_usage_error(invocation, "%s is for lists, which %s does not show",
                             request->list_option, request->metric ? "--metric" : "--metrics");
   return CMD_YES;
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

/* A name that no version knows is a mistake in the command; one that this
   report lacks is an answer. */
static enum cmd_status refuse_metric(const struct cmd_streams *streams,
                                     const struct pr_phase *phase, const char *file,
                                     const char *name)
{
   if (pr_metric_find(name, strlen(name)) != PR_METRIC_UNKNOWN) {
      cmd_trouble(streams->err, "%s: phase '%s' does not list the metric '%s'", file, phase->name,
                  name);
      return CMD_NO;
   }
   return cmd_refuse_metric(streams, name);
}

static enum cmd_status show_metric(const struct cmd_streams *streams,
                                   const struct pr_phase *phase, const char *file,
                                   const char *name)
{
   const struct pr_metric *metric = pr_phase_metric(phase, name);
   if (!metric)
      return refuse_metric(streams, phase, file, name);
   switch (metric->value.kind) {
   case PR_VALUE_UNSIGNED:
      fprintf(streams->out, "%" PRIu64 "\n", metric->value.as_unsigned);
      return CMD_YES;
   case PR_VALUE_SIGNED:
      fprintf(streams->out, "%" PRId64 "\n", metric->value.as_signed);
      return CMD_YES;
   case PR_VALUE_UNAVAILABLE:
      break;
   }
   cmd_trouble(streams->err, "%s: %s of phase '%s' is unavailable: %s", file, name, phase->name,
               metric->value.reason);
   return CMD_NO;
}

static enum cmd_status show(const struct cmd_streams *streams, const struct pr_report *report,
                            const struct request *request)
{
   const char *name = request->phase ? request->phase : "program";
   const struct pr_phase *phase = pr_report_phase(report, name);
   struct pr_view view = request->view;
   view.style = cmd_terminal_style(streams->out);
   if (!phase && (request->phase || request->metric))
      return cmd_refuse_phase(streams, report, name);
   if (request->metric)
      return show_metric(streams, phase, report->file, request->metric);
   bool ok;
   if (request->all_metrics)
      ok = request->phase ? pr_render_phase_metrics(phase, &view.style, streams->out)
                          : pr_render_all_metrics(report, &view.style, streams->out);
   else
      ok = request->phase ? pr_render_phase(report, phase, &view, streams->out)
                          : pr_render_report(report, phase, &view, streams->out);
   return ok ? CMD_YES : cmd_trouble(streams->err, "no memory left");
}

enum cmd_status cmd_show(struct cmd_invocation *invocation)
{
   struct request request = {.view = {.top = TOP_DEFAULT, .sites = PR_SITES_BY_PEAK}};
   enum cmd_status status = CMD_TROUBLE;
   if (parse(invocation, &request, &status)) {
      struct pr_diagnostics diagnostics;
      pr_diagnostics_init(&diagnostics);
      struct pr_report *report =
         cmd_load(&invocation->streams, request.file, NULL, &diagnostics);
      if (report)
         status = show(&invocation->streams, report, &request);
      else
         status = CMD_TROUBLE;
      cmd_print_diagnostics(&diagnostics, "profmem: error: ", invocation->streams.err);
      pr_report_free(report);
      pr_diagnostics_release(&diagnostics);
   }
   free(request.metric);
   free(request.phase);
   return status;
}
