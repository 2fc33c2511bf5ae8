/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_export.c: `profmem export`: a report in another program's format. */
#include "cmd_export.h"

#include <stdlib.h>
#include <string.h>

#include "cmd_input.h"
#include "cmd_output.h"
#include "pr_export.h"
#include "pr_nearest.h"

enum {
   OPTION_FORMAT = CMD_OPTION_OWN,
   OPTION_METRIC,
   OPTION_OUTPUT,
   OPTION_PHASE,
};

const struct poptOption cmd_export_options[] = {
   {"format", 'f', POPT_ARG_STRING, NULL, OPTION_FORMAT, "of the formats below (default: json)",
    "FORMAT"},
   {"phase", 'p', POPT_ARG_STRING, NULL, OPTION_PHASE, "this phase alone; repeatable", "NAME"},
   {"metric", 'm', POPT_ARG_STRING, NULL, OPTION_METRIC, "this metric alone; repeatable", "METRIC"},
   CMD_OPTION_OUTPUT_ROW(OPTION_OUTPUT),
   CMD_OPTIONS_COMMON,
};

struct names {
   char **items;
   size_t count;
};

struct request {
   const struct pr_exporter *exporter;
   struct names phases, metrics;
   char *output; /* NULL: standard output */
   const char *file;
};

/* Takes the name over. False: no memory. */
static bool add_name(struct names *names, char *name)
{
   char **items = realloc(names->items, (names->count + 1) * sizeof *items);
   if (!items) {
      free(name);
      return false;
   }
   names->items = items;
   items[names->count++] = name;
   return true;
}

static void release_names(struct names *names)
{
   for (size_t n = 0; n < names->count; n++)
      free(names->items[n]);
   free(names->items);
}

static bool take_format(struct cmd_invocation *invocation, struct request *request,
                        const char *name)
{
   request->exporter = pr_exporter_find(name);
   if (request->exporter)
      return true;
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (const struct pr_exporter *exporter = pr_exporters; exporter->name; exporter++)
      pr_nearest_offer(&nearest, exporter->name);
   if (nearest.name)
      cmd_usage_error(invocation, "--format: no '%s'; did you mean '%s'?", name, nearest.name);
   else
      cmd_usage_error(invocation, "--format: no '%s'", name);
   return false;
}

/* A metric that no version knows is a mistake. */
static bool take_metric(struct cmd_invocation *invocation, struct request *request, char *name)
{
   struct pr_nearest nearest;
   if (pr_metric_find(name, strlen(name)) != PR_METRIC_UNKNOWN)
      return add_name(&request->metrics, name) ||
             (cmd_trouble(invocation->streams.err, "no memory left"), false);
   pr_nearest_init(&nearest, name);
   for (int m = 0; m < PR_METRIC_COUNT; m++)
      pr_nearest_offer(&nearest, pr_metrics[m].name);
   if (nearest.name)
      cmd_usage_error(invocation, "--metric: there is no '%s'; did you mean '%s'?", name,
                      nearest.name);
   else
      cmd_usage_error(invocation, "--metric: there is no '%s'; `profmem help metrics` lists them",
                      name);
   free(name);
   return false;
}

/* Takes the argument over. False: it is wrong, which was said. */
static bool take_option(struct cmd_invocation *invocation, void *of_command, int option,
                        char *argument)
{
   struct request *request = of_command;
   bool ok = true;
   switch (option) {
   case OPTION_METRIC:
      return take_metric(invocation, request, argument);
   case OPTION_PHASE:
      ok = add_name(&request->phases, argument);
      if (!ok)
         cmd_trouble(invocation->streams.err, "no memory left");
      return ok;
   case OPTION_OUTPUT:
      free(request->output);
      request->output = argument;
      return true;
   case OPTION_FORMAT:
      ok = take_format(invocation, request, argument);
      break;
   }
   free(argument);
   return ok;
}

/* Not more is asked for than the format has room for. */
static bool fits(struct cmd_invocation *invocation, const struct request *request)
{
   const struct pr_exporter *exporter = request->exporter;
   if (exporter->phases_max != PR_EXPORT_ANY
       && request->phases.count > (size_t)exporter->phases_max)
      cmd_usage_error(invocation, "--phase: %s is of one phase", exporter->name);
   else if (exporter->metrics_max == 0 && request->metrics.count > 0)
      cmd_usage_error(invocation, "--metric: %s has its own", exporter->name);
   else if (exporter->metrics_max != PR_EXPORT_ANY
            && request->metrics.count > (size_t)exporter->metrics_max)
      cmd_usage_error(invocation, "--metric: %s is of one metric", exporter->name);
   else
      return true;
   return false;
}

/* False: *status says how the command ends. */
static bool parse(struct cmd_invocation *invocation, struct request *request,
                  enum cmd_status *status)
{
   if (!cmd_take_options(invocation, take_option, request, status))
      return false;
   request->file = poptGetArg(invocation->parser);
   if (!request->file || poptPeekArg(invocation->parser))
      *status = cmd_usage_error(invocation, "export takes one report");
   else if (request->output && cmd_output_replaces(request->output, request->file))
      *status = cmd_usage_error(invocation, "--output: '%s' is the report", request->output);
   else if (fits(invocation, request))
      return true;
   else
      *status = CMD_TROUBLE;
   return false;
}

/* Every phase that is asked for is in the report. */
static bool has_phases(const struct cmd_streams *streams, const struct pr_report *report,
                       const struct names *phases)
{
   for (size_t p = 0; p < phases->count; p++) {
      if (pr_report_phase(report, phases->items[p]))
         continue;
      cmd_refuse_phase(streams, report, phases->items[p]);
      return false;
   }
   return true;
}

static enum cmd_status export(const struct cmd_streams *streams, const struct pr_report *report,
                              const struct request *request)
{
   const struct pr_selection selection = {
      .phases = (const char *const *)request->phases.items,
      .phase_count = request->phases.count,
      .metrics = (const char *const *)request->metrics.items,
      .metric_count = request->metrics.count};
   char *text = NULL;
   size_t bytes = 0;
   if (!has_phases(streams, report, &request->phases))
      return CMD_NO;
   FILE *made = open_memstream(&text, &bytes);
   enum pr_exported result = PR_EXPORT_EXHAUSTED;
   enum cmd_status status = CMD_YES;
   if (made)
      result = request->exporter->write(report, &selection, made, streams->err);
   if (made && fclose(made) != 0)
      result = PR_EXPORT_EXHAUSTED;
   if (result == PR_EXPORT_EXHAUSTED)
      status = cmd_trouble(streams->err, "no memory left");
   else if (result == PR_EXPORT_REFUSED)
      status = CMD_NO;
   else
      status = cmd_output_deliver(streams, request->output, text, bytes);
   free(text);
   return status;
}

enum cmd_status cmd_export(struct cmd_invocation *invocation)
{
   struct request request = {.exporter = &pr_exporters[0]};
   enum cmd_status status = CMD_YES;
   if (parse(invocation, &request, &status)) {
      struct pr_diagnostics diagnostics;
      pr_diagnostics_init(&diagnostics);
      struct pr_report *report =
         cmd_load_sound(&invocation->streams, request.file, &diagnostics);
      status = report ? export(&invocation->streams, report, &request) : CMD_TROUBLE;
      cmd_print_diagnostics(&diagnostics, "profmem: error: ", invocation->streams.err);
      pr_report_free(report);
      pr_diagnostics_release(&diagnostics);
   }
   release_names(&request.phases);
   release_names(&request.metrics);
   free(request.output);
   return status;
}
