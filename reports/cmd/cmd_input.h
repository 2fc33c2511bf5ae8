/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_input.h: the reports that a command's arguments name. */
#ifndef CMD_INPUT_H
#define CMD_INPUT_H

#include "cmd_command.h"
#include "pr_load.h"
#include "pr_unlike.h"

/* Load the report `file`, `-` being the input stream. See pr_load. */
struct pr_report *cmd_load(const struct cmd_streams *streams, const char *file,
                           struct pr_schema_check *check, struct pr_diagnostics *diagnostics);

/* The same of a report whose numbers agree with each other. */
struct pr_report *cmd_load_sound(const struct cmd_streams *streams, const char *file,
                                 struct pr_diagnostics *diagnostics);

/* NULL if its numbers do not agree with each other, which the diagnostics tell, or if it is
   NULL. */
struct pr_report *cmd_sound(struct pr_report *report, struct pr_diagnostics *diagnostics);

/* Both of two reports cannot be the input stream: was that asked for, and refused? */
bool cmd_refuse_two_streams(struct cmd_invocation *invocation, const char *old,
                            const char *new);

/* Say that no version has a metric of that name, and which one may be meant. */
enum cmd_status cmd_refuse_metric(const struct cmd_streams *streams, const char *name);

/* Say that the report has no phase of that name, and which one may be meant. CMD_NO: it is an
   answer, no mistake in the command. */
enum cmd_status cmd_refuse_phase(const struct cmd_streams *streams,
                                 const struct pr_report *report, const char *name);

/* Say that two runs are not compared, and what makes them unlike; CMD_TROUBLE. */
enum cmd_status cmd_refuse_unlike(const struct cmd_streams *streams,
                                  const struct pr_unlike *unlike);

#endif
