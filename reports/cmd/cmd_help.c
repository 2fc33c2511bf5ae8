/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_help.c: `profmem help`: the program, a command, the metrics. */
#include "cmd_help.h"

#include <string.h>

#include "pr_metric.h"
#include "pr_nearest.h"

const struct poptOption cmd_help_options[] = {
   CMD_OPTIONS_COMMON,
};

static void print_metrics(FILE *out)
{
   for (int i = 0; i < PR_METRIC_COUNT; i++)
      fprintf(out, "%-34s %-13s %s\n", pr_metrics[i].name, pr_metrics[i].unit,
              pr_metrics[i].meaning);
}

static enum cmd_status refuse(const struct cmd_invocation *invocation, const char *topic)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, topic);
   for (const struct cmd_command *command = cmd_table; command->name; command++)
      pr_nearest_offer(&nearest, command->name);
   pr_nearest_offer(&nearest, "metrics");
   if (nearest.name)
      return cmd_trouble(invocation->streams.err, "no help on '%s'; did you mean '%s'?", topic,
                         nearest.name);
   return cmd_trouble(invocation->streams.err, "no help on '%s'", topic);
}

enum cmd_status cmd_help(struct cmd_invocation *invocation)
{
   char *argument;
   enum cmd_status status;
   if (cmd_next_option(invocation, &argument, &status) != CMD_OPTIONS_END)
      return status;
   const char *topic = poptGetArg(invocation->parser);
   if (poptPeekArg(invocation->parser))
      return cmd_usage_error(invocation, "help takes one topic");
   const struct cmd_command *command = topic ? cmd_find(topic) : NULL;
   if (!topic)
      cmd_print_overview(invocation->streams.out);
   else if (command)
      cmd_print_help(command, invocation->streams.out);
   else if (strcmp(topic, "metrics") == 0)
      print_metrics(invocation->streams.out);
   else
      return refuse(invocation, topic);
   return CMD_YES;
}
