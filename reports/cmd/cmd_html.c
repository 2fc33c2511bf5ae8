/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_html.c: `profmem html`: a report as a page, alone or beside its baseline. */
#include "cmd_html.h"

#include <stdlib.h>

#include "cmd_input.h"
#include "cmd_output.h"
#include "pr_html.h"
#include "pr_piece.h"

enum { TOP_DEFAULT = 10, PHASES_DEFAULT = 20 };

enum {
   OPTION_ALLOW_UNLIKE = CMD_OPTION_OWN,
   OPTION_OUTPUT,
   OPTION_PHASES,
   OPTION_TOP,
};

const struct poptOption cmd_html_options[] = {
   CMD_OPTION_OUTPUT_ROW(OPTION_OUTPUT),
   {"top", 'n', POPT_ARG_STRING, NULL, OPTION_TOP, "so many rows of each table (default: 10)",
    "N"},
   {"phases", '\0', POPT_ARG_STRING, NULL, OPTION_PHASES,
    "tables of so many phases (default: 20)", "N"},
   {"allow-unlike", 'u', POPT_ARG_NONE, NULL, OPTION_ALLOW_UNLIKE,
    "compare unlike runs, too", NULL},
   CMD_OPTIONS_COMMON,
};

struct request {
   char *output; /* NULL: standard output */
   size_t top, phases;
   bool allows_unlike;
   const char *files[PR_SIDES]; /* PR_OLD, the baseline: NULL, there is none */
};

/* Takes the argument over. False: it is wrong, which was said. */
static bool take_option(struct cmd_invocation *invocation, void *of_command, int option,
                        char *argument)
{
   struct request *request = of_command;
   bool ok = true;
   switch (option) {
   case OPTION_OUTPUT:
      free(request->output);
      request->output = argument;
      return true;
   case OPTION_TOP:
      ok = cmd_take_count(invocation, "--top", argument, &request->top);
      break;
   case OPTION_PHASES:
      ok = cmd_take_count(invocation, "--phases", argument, &request->phases);
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
   request->files[PR_NEW] = poptGetArg(invocation->parser);
   request->files[PR_OLD] = poptGetArg(invocation->parser);
   if (!request->files[PR_NEW] || poptPeekArg(invocation->parser))
      return cmd_usage_error(invocation, "html takes a report and, perhaps, its baseline");
   bool has_baseline = request->files[PR_OLD];
   if (has_baseline
       && cmd_refuse_two_streams(invocation, request->files[PR_OLD], request->files[PR_NEW]))
      return CMD_TROUBLE;
   if (request->allows_unlike && !has_baseline)
      return cmd_usage_error(invocation, "--allow-unlike is for a baseline, and there is none");
   for (int side = has_baseline ? PR_OLD : PR_NEW; side < PR_SIDES; side++)
      if (request->output && cmd_output_replaces(request->output, request->files[side]))
         return cmd_usage_error(invocation, "--output: '%s' is the %s", request->output,
                                side == PR_OLD ? "baseline" : "report");
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

/* All of the page or nothing. */
static enum cmd_status write_page(const struct cmd_streams *streams,
                                  const struct pr_html_request *page, const char *output)
{
   struct pr_piece piece;
   FILE *made = pr_piece_open(&piece);
   bool ok = made && pr_html_write(page, made);
   const char *text = pr_piece_text(&piece);
   enum cmd_status status = ok && text ? cmd_output_deliver(streams, output, text, piece.bytes)
                                       : cmd_trouble(streams->err, "no memory left");
   pr_piece_release(&piece);
   return status;
}

static enum cmd_status write_compared(const struct cmd_streams *streams,
                                      struct pr_report *const *reports,
                                      const struct request *request, struct pr_html_request *page)
{
   static const struct pr_diff_request all = {.threshold = {0, 1}};
   struct pr_unlike unlike;
   struct pr_diff diff;
   enum cmd_status status = CMD_TROUBLE;
   if (!pr_unlike_compare(reports[PR_OLD], reports[PR_NEW], &unlike)) {
      cmd_trouble(streams->err, "no memory left");
   } else if (unlike.unlike_count && !request->allows_unlike) {
      cmd_refuse_unlike(streams, &unlike);
   } else {
      page->unlike = &unlike;
      page->diff = &diff;
      if (pr_diff_make(&diff, reports[PR_OLD], reports[PR_NEW], &all))
         status = write_page(streams, page, request->output);
      else
         cmd_trouble(streams->err, "no memory left");
      pr_diff_release(&diff);
   }
   pr_unlike_release(&unlike);
   return status;
}

enum cmd_status cmd_html(struct cmd_invocation *invocation)
{
   struct request request = {.top = TOP_DEFAULT, .phases = PHASES_DEFAULT};
   const struct cmd_streams *streams = &invocation->streams;
   enum cmd_status status = CMD_TROUBLE;
   if (parse(invocation, &request, &status)) {
      struct pr_report *reports[PR_SIDES] = {NULL, NULL};
      struct pr_diagnostics diagnostics;
      pr_diagnostics_init(&diagnostics);
      for (int side = 0; side < PR_SIDES; side++)
         if (request.files[side])
            reports[side] = cmd_load_sound(streams, request.files[side], &diagnostics);
      struct pr_html_request page = {
         .report = reports[PR_NEW], .top = request.top, .phases = request.phases};
      if (!reports[PR_NEW] || (request.files[PR_OLD] && !reports[PR_OLD]))
         status = CMD_TROUBLE;
      else if (reports[PR_OLD])
         status = write_compared(streams, reports, &request, &page);
      else
         status = write_page(streams, &page, request.output);
      cmd_print_diagnostics(&diagnostics, "profmem: error: ", streams->err);
      pr_report_free(reports[PR_OLD]);
      pr_report_free(reports[PR_NEW]);
      pr_diagnostics_release(&diagnostics);
   }
   free(request.output);
   return status;
}
