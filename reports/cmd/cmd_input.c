/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_input.c: the reports that a command's arguments name. */
#include "cmd_input.h"

#include <errno.h>
#include <string.h>

#include "pr_identities.h"
#include "pr_nearest.h"
#include "pr_render.h"

struct pr_report *cmd_load(const struct cmd_streams *streams, const char *file,
                           struct pr_schema_check *check, struct pr_diagnostics *diagnostics)
{
   if (strcmp(file, "-") == 0)
      return pr_load(streams->in, "standard input", check, diagnostics);
   FILE *in = fopen(file, "re");
   if (!in) {
      pr_diagnostics_add(diagnostics, file, 0, "cannot be opened: %s", strerror(errno));
      return NULL;
   }
   struct pr_report *report = pr_load(in, file, check, diagnostics);
   fclose(in);
   return report;
}

bool cmd_refuse_two_streams(struct cmd_invocation *invocation, const char *old, const char *new)
{
   if (strcmp(old, "-") != 0 || strcmp(new, "-") != 0)
      return false;
   cmd_usage_error(invocation, "only one of both reports can be standard input");
   return true;
}

struct pr_report *cmd_load_sound(const struct cmd_streams *streams, const char *file,
                                 struct pr_diagnostics *diagnostics)
{
   return cmd_sound(cmd_load(streams, file, NULL, diagnostics), diagnostics);
}

struct pr_report *cmd_sound(struct pr_report *report, struct pr_diagnostics *diagnostics)
{
   if (!report || pr_identities_check(report, diagnostics))
      return report;
   pr_report_free(report);
   return NULL;
}

enum cmd_status cmd_refuse_metric(const struct cmd_streams *streams, const char *name)
{
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

enum cmd_status cmd_refuse_phase(const struct cmd_streams *streams,
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

enum cmd_status cmd_refuse_unlike(const struct cmd_streams *streams,
                                  const struct pr_unlike *unlike)
{
   const struct pr_style style = {0, false};
   cmd_trouble(streams->err, "the runs are unlike; --allow-unlike compares them all the same:");
   pr_unlike_print(unlike, unlike->unlike_count, PR_INDENT, &style, streams->err);
   return CMD_TROUBLE;
}
