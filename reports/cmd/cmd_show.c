/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_show.c: `profmem show`: a report for people, or one number for a script. */
#include "cmd_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_input.h"
#include "pr_nearest.h"
#include "pr_render_text.h"
#include "pr_text.h"

enum {
   OPTION_METRIC = CMD_OPTION_OWN,
   OPTION_PHASE,
};

const struct poptOption cmd_show_options[] = {
   {"metric", 'm', POPT_ARG_STRING, NULL, OPTION_METRIC, "show this number alone", "NAME"},
   {"phase", 'p', POPT_ARG_STRING, NULL, OPTION_PHASE,
    "show this phase alone; with --metric, take its number (default: program)", "NAME"},
   CMD_OPTIONS_COMMON,
};

struct request {
   char *metric; /* NULL: all */
   char *phase;  /* NULL: all; with a metric: program */
   const char *file;
};

/* False: *status says how the command ends. */
static bool parse(struct cmd_invocation *invocation, struct request *request,
                  enum cmd_status *status)
{
   for (;;) {
      char *argument;
      switch (cmd_next_option(invocation, &argument, status)) {
      case OPTION_METRIC:
         free(request->metric);
         request->metric = argument;
         break;
      case OPTION_PHASE:
         free(request->phase);
         request->phase = argument;
         break;
      case CMD_OPTIONS_END:
         request->file = poptGetArg(invocation->parser);
         if (request->file && !poptPeekArg(invocation->parser))
            return true;
         *status = cmd_usage_error(invocation, "show takes one report");
         return false;
      default:
         return false;
      }
   }
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
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (int i = 0; i < PR_METRIC_COUNT; i++)
      pr_nearest_offer(&nearest, pr_metrics[i].name);
   if (nearest.name)
      return cmd_trouble(streams->err, "there is no metric '%s'; did you mean '%s'?", name,
                         nearest.name);
   return cmd_trouble(streams->err, "there is no metric '%s'; `profmem help metrics` lists them",
                      name);
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

static enum cmd_status refuse_phase(const struct cmd_streams *streams,
                                    const struct pr_report *report, const char *name)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (size_t i = 0; i < report->phase_count; i++)
      pr_nearest_offer(&nearest, report->phases[i].name);
   if (nearest.name)
      cmd_trouble(streams->err, "%s: has no phase '%s'; did you mean '%s'?", report->file, name,
                  nearest.name);
   else
      cmd_trouble(streams->err, "%s: has no phase '%s'", report->file, name);
   return CMD_NO;
}

static enum cmd_status show(const struct cmd_streams *streams, const struct pr_report *report,
                            const struct request *request)
{
   const char *name = request->phase ? request->phase : "program";
   const struct pr_phase *phase = NULL;
   if (request->phase || request->metric) {
      phase = pr_report_phase(report, name);
      if (!phase)
         return refuse_phase(streams, report, name);
   }
   if (request->metric)
      return show_metric(streams, phase, report->file, request->metric);
   bool ok = phase ? pr_render_phase(phase, streams->out)
                   : pr_render_report(report, streams->out);
   return ok ? CMD_YES : cmd_trouble(streams->err, "no memory left");
}

enum cmd_status cmd_show(struct cmd_invocation *invocation)
{
   struct request request = {NULL, NULL, NULL};
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
