/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_help.c: `profmem help`: the program, a command, metrics, the classes. */
#include "cmd_help.h"

#include <string.h>

#include "pr_classes_text.h"
#include "pr_metric.h"
#include "pr_nearest.h"

const struct poptOption cmd_help_options[] = {
   CMD_OPTIONS_COMMON,
};

static void print_metric(enum pr_metric_id id, FILE *out)
{
   fprintf(out, "%-34s %-13s %s\n", pr_metrics[id].name, pr_metrics[id].unit,
           pr_metrics[id].meaning);
}

static void print_metrics(FILE *out)
{
   for (int id = 0; id < PR_METRIC_COUNT; id++)
      print_metric(id, out);
}

static void print_classes(FILE *out)
{
   fputs(pr_classes_text, out);
}

/* What there is help on besides the commands. */
static const struct topic {
   const char *name;
   void (*print)(FILE *out);
} topics[] = {
   {"metrics", print_metrics},
   {"classes", print_classes},
};

enum { TOPICS = sizeof topics / sizeof topics[0] };

static enum cmd_status refuse(const struct cmd_invocation *invocation, const char *name)
{
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, name);
   for (const struct cmd_command *command = cmd_table; command->name; command++)
      pr_nearest_offer(&nearest, command->name);
   for (size_t t = 0; t < TOPICS; t++)
      pr_nearest_offer(&nearest, topics[t].name);
   for (int id = 0; id < PR_METRIC_COUNT; id++)
      pr_nearest_offer(&nearest, pr_metrics[id].name);
   if (nearest.name)
      return cmd_trouble(invocation->streams.err, "no help on '%s'; did you mean '%s'?", name,
                         nearest.name);
   return cmd_trouble(invocation->streams.err, "no help on '%s'", name);
}

static enum cmd_status print_topic(const struct cmd_invocation *invocation, const char *name)
{
   const struct cmd_command *command = cmd_find(name);
   if (command) {
      cmd_print_help(command, invocation->streams.out);
      return CMD_YES;
   }
   for (size_t t = 0; t < TOPICS; t++) {
      if (strcmp(topics[t].name, name) != 0)
         continue;
      topics[t].print(invocation->streams.out);
      return CMD_YES;
   }
   enum pr_metric_id metric = pr_metric_find(name, strlen(name));
   if (metric == PR_METRIC_UNKNOWN)
      return refuse(invocation, name);
   print_metric(metric, invocation->streams.out);
   return CMD_YES;
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
   if (topic)
      return print_topic(invocation, topic);
   cmd_print_overview(invocation->streams.out);
   return CMD_YES;
}
