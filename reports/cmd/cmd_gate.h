/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_gate.h: hold what `profmem run` measures against limits and a baseline, in one go.
 *
 * Limits and baselines are read before a program is started, so that a mistake in them is
 * no loss. The verdict goes to standard error: standard output is the program's.
 *
 * With --update-baseline the new report becomes the baseline, if the program succeeded: as
 * snapshot tests do, that accepts every change. What the old baseline allows is shown, for
 * the eye; the status is that of the bounds which are not of a baseline.
 */
#ifndef CMD_GATE_H
#define CMD_GATE_H

#include "cmd_command.h"
#include "pr_report.h"
#include "pr_verdict.h"
#include "run_list.h"

/* As the command line gives it. */
struct cmd_gate_limit {
   const char *text; /* a path, or the limit itself */
   bool is_line;
};

struct cmd_gate_options {
   struct pr_arena *arena;
   struct cmd_gate_limit *limits;
   size_t limit_count;
   const char *baseline; /* NULL: none */
   bool allows_unlike, updates;
};

/* Add --limits or --limit. */
void cmd_gate_add_limit(struct cmd_gate_options *options, const char *text, bool is_line);

/* False: the options do not go together, which was said. */
bool cmd_gate_check_usage(const struct cmd_invocation *invocation,
                          const struct cmd_gate_options *options);

/* A number of the whole process. */
struct cmd_gate_number {
   bool is_available;
   struct pr_number number;
};

/* Of one program. */
struct cmd_gate {
   const struct cmd_gate_options *options;
   const char *report_name;
   struct pr_limits limits;
   char *baseline_path;        /* NULL: none */
   struct pr_report *baseline; /* NULL: none */
   struct pr_verdict verdict;  /* after cmd_gate_judge */
   struct cmd_gate_number peak, instructions;
};

/* Read its limits and its baseline. `name`: of a program in a list, or NULL; `report`: where
   its report will be. False: what is wrong was said. Release it all the same. */
bool cmd_gate_init(struct cmd_gate *gate, const struct cmd_gate_options *options,
                   const char *name, const char *report, const struct cmd_streams *streams);
void cmd_gate_release(struct cmd_gate *gate);

/* False: the report would replace the program that is to run, or one of its inputs, which was
   said. */
bool cmd_gate_spares(const char *report, const char *program, const struct run_list *inputs,
                     const struct cmd_streams *streams);

/* Hold the report, which is read from `in`, against the limits, print the verdict, and update
   the baseline if that is asked for; `succeeded`: the program did. CMD_TROUBLE: something
   could not be done, which was said. */
enum cmd_status cmd_gate_judge(struct cmd_gate *gate, const struct cmd_streams *streams, FILE *in,
                               bool succeeded);

#endif
