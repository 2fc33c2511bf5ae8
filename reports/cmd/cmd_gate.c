/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_gate.c: hold what `profmem run` measures against limits. See cmd_gate.h. */
#include "cmd_gate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd_input.h"
#include "cmd_limits.h"
#include "cmd_output.h"
#include "cmd_verdict.h"
#include "pr_check.h"
#include "pr_text.h"
#include "run_copy.h"

/* Options --------------------------------------------------------------------------- */

void cmd_gate_add_limit(struct cmd_gate_options *options, const char *text, bool is_line)
{
   struct cmd_gate_limit *limit = pr_arena_append(options->arena, &options->limits,
                                                  &options->limit_count, sizeof *limit);
   if (limit)
      *limit = (struct cmd_gate_limit){
         .text = pr_arena_string(options->arena, text, strlen(text)), .is_line = is_line};
}

bool cmd_gate_check_usage(const struct cmd_invocation *invocation,
                          const struct cmd_gate_options *options)
{
   if (options->updates && !options->baseline)
      cmd_usage_error(invocation, "--update-baseline is for a baseline: --baseline FILE");
   else if (options->baseline && !options->updates && options->limit_count == 0)
      cmd_usage_error(invocation, "--baseline is for limits: --limits FILE or --limit LIMIT");
   else
      return true;
   return false;
}

/* Before ---------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
   struct stat there;
   return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

/* Of a folder of limits, each program of a list has the file of its name. False: no memory
   left. */
static bool read_limits(struct cmd_gate *gate, const char *name,
                        struct pr_diagnostics *diagnostics)
{
   const struct cmd_gate_options *options = gate->options;
   unsigned long lines = 0;
   for (size_t i = 0; i < options->limit_count; i++) {
      const struct cmd_gate_limit *limit = &options->limits[i];
      char *own = NULL;
      if (limit->is_line)
         cmd_limits_take(&gate->limits, limit->text, ++lines, diagnostics);
      else if (!name || !is_folder(limit->text))
         cmd_limits_read(&gate->limits, limit->text, diagnostics);
      else if (asprintf(&own, "%s/%s.limits", limit->text, name) < 0)
         return false;
      else
         cmd_limits_read(&gate->limits, own, diagnostics);
      free(own);
   }
   return true;
}

/* Several programs have their baselines in a folder, under the names of their reports; one
   may. False: no memory left. */
static bool place_baseline(struct cmd_gate *gate, bool is_listed)
{
   const char *given = gate->options->baseline;
   if (is_listed || is_folder(given))
      return asprintf(&gate->baseline_path, "%s/%s", given, basename(gate->report_name)) >= 0;
   gate->baseline_path = strdup(given);
   return gate->baseline_path;
}

/* 0, or why there can be no new file of this name. */
static int refusal_of_new(const char *path)
{
   char *target = run_followed(path);
   const char *slash = target ? strrchr(target, '/') : NULL;
   if (!target)
      return errno;
   char *folder = slash ? strndup(target, (size_t)(slash + 1 - target)) : strdup(".");
   int reason = !folder ? ENOMEM : access(folder, W_OK | X_OK) == 0 ? 0 : errno;
   free(folder);
   free(target);
   return reason;
}

/* One that is to be updated need not be there; what is there must be a report, or a slip of
   the hand would replace anything. The folder of a list is made later. */
static void load_baseline(struct cmd_gate *gate, const struct cmd_streams *streams,
                          bool is_listed, struct pr_diagnostics *diagnostics)
{
   const char *path = gate->baseline_path;
   struct stat there;
   bool exists = stat(path, &there) == 0;
   bool is_absent = !exists && errno == ENOENT;
   int reason = is_absent && gate->options->updates && !is_listed ? refusal_of_new(path) : 0;
   if (cmd_is_same_file(path, gate->report_name))
      pr_diagnostics_add(diagnostics, path, 0, "the report would replace its own baseline");
   else if (gate->options->updates && exists && !S_ISREG(there.st_mode))
      pr_diagnostics_add(diagnostics, path, 0, "cannot be updated: it is no regular file");
   else if (is_absent && reason)
      pr_diagnostics_add(diagnostics, path, 0, "the baseline cannot be made: %s",
                         strerror(reason));
   else if (!gate->options->updates || !is_absent)
      gate->baseline = cmd_load_sound(streams, path, diagnostics);
}

/* Limits that the report would replace are lost before anybody sees it. */
static void check_report(const struct cmd_gate *gate, struct pr_diagnostics *diagnostics)
{
   for (size_t s = 0; s < gate->limits.source_count; s++)
      if (gate->limits.sources[s].is_file
          && cmd_output_replaces(gate->report_name, gate->limits.sources[s].name))
         pr_diagnostics_add(diagnostics, gate->limits.sources[s].name, 0,
                            "the report would replace these limits");
}

/* A bound on a baseline that was not given. */
static void check_needs(const struct cmd_gate *gate, struct pr_diagnostics *diagnostics)
{
   const struct pr_limit *needy = pr_limits_need_baseline(&gate->limits);
   if (needy && !gate->options->baseline)
      pr_diagnostics_add(diagnostics, gate->limits.sources[needy->source].name, needy->line,
                         "the limit is on a baseline: --baseline FILE");
}

bool cmd_gate_init(struct cmd_gate *gate, const struct cmd_gate_options *options,
                   const char *name, const char *report, const struct cmd_streams *streams)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   *gate = (struct cmd_gate){.options = options, .report_name = report};
   pr_limits_init(&gate->limits);
   pr_verdict_init(&gate->verdict, &gate->limits);
   bool ok = read_limits(gate, name, &diagnostics)
             && (!options->baseline || place_baseline(gate, name != NULL));
   if (!ok)
      cmd_trouble(streams->err, "no memory left");
   if (ok && gate->baseline_path)
      load_baseline(gate, streams, name != NULL, &diagnostics);
   check_needs(gate, &diagnostics);
   check_report(gate, &diagnostics);
   cmd_print_diagnostics(&diagnostics, "profmem: error: ", streams->err);
   ok = ok && diagnostics.count == 0 && diagnostics.dropped == 0;
   pr_diagnostics_release(&diagnostics);
   return ok;
}

/* A slip of the hand must not cost the program, nor what it reads. */
bool cmd_gate_spares(const char *report, const char *program, const struct run_list *inputs,
                     const struct cmd_streams *streams)
{
   const char *replaced = NULL;
   /* One without a slash is looked for in other folders. */
   if (strchr(program, '/') && cmd_output_replaces(report, program))
      replaced = "the program";
   for (size_t i = 0; i < inputs->count && !replaced; i++)
      if (cmd_output_replaces(report, inputs->items[i]))
         replaced = "its input";
   if (replaced)
      cmd_trouble(streams->err, "%s: the report would replace %s", report, replaced);
   return !replaced;
}

void cmd_gate_release(struct cmd_gate *gate)
{
   pr_verdict_release(&gate->verdict);
   pr_limits_release(&gate->limits);
   pr_report_free(gate->baseline);
   free(gate->baseline_path);
}

/* After ----------------------------------------------------------------------------- */

static struct cmd_gate_number number_of(const struct pr_report *report, enum pr_metric_id id)
{
   const struct pr_phase *phase = pr_report_phase(report, "program");
   const struct pr_metric *metric = phase ? pr_metric_list_available(&phase->metrics, id) : NULL;
   if (!metric)
      return (struct cmd_gate_number){.is_available = false};
   return (struct cmd_gate_number){true, pr_value_number(&metric->value)};
}

/* Of what does not hold, is there something that no baseline could change? `verdict` is that
   of a report which is its own baseline, so what has a reason has it from the report. */
static bool fails_by_itself(const struct pr_verdict *verdict)
{
   const struct pr_checked_report *report = &verdict->reports[0];
   for (size_t o = 0; o < report->outcome_count; o++) {
      const struct pr_outcome *outcome = &report->outcomes[o];
      bool fails = outcome->reason;
      for (size_t b = 0; outcome->bounds && b < outcome->limit->bound_count; b++)
         fails = fails || (!outcome->limit->bounds[b].of_baseline && !outcome->bounds[b].holds);
      if (fails && outcome->result == PR_FAILS)
         return true;
   }
   return false;
}

/* The status where the report is going to be the baseline. */
static enum cmd_status judge_by_itself(const struct cmd_gate *gate,
                                       const struct cmd_streams *streams,
                                       const struct pr_report *report)
{
   struct pr_verdict verdict;
   pr_verdict_init(&verdict, &gate->limits);
   bool ok = pr_check_report(&verdict, report, report, true);
   enum cmd_status status = !ok ? cmd_trouble(streams->err, "no memory left")
                            : fails_by_itself(&verdict) ? CMD_NO
                                                        : CMD_YES;
   pr_verdict_release(&verdict);
   return status;
}

static enum cmd_status worse(enum cmd_status a, enum cmd_status b)
{
   return a > b ? a : b;
}

/* A script that turns into the program, as those of libtool do, has small numbers. */
static enum cmd_status refuse_exec(const struct cmd_streams *streams,
                                   const struct pr_report *report)
{
   if (report->end.kind != PR_END_EXEC)
      return CMD_YES;
   return cmd_trouble(streams->err,
                      "%s: not checked to the end: the program turned into '%s', which is not in "
                      "this report",
                      report->file, report->end.path ? report->end.path : "another one");
}

static enum cmd_status check_limits(struct cmd_gate *gate, const struct cmd_streams *streams,
                                    const struct pr_report *report)
{
   bool updates = gate->options->updates;
   const struct pr_report *baseline = gate->baseline ? gate->baseline : updates ? report : NULL;
   if (!pr_check_report(&gate->verdict, report, baseline, updates || gate->options->allows_unlike))
      return cmd_trouble(streams->err, "no memory left");
   enum cmd_status status = cmd_verdict_status(streams, &gate->verdict);
   if (!cmd_verdict_print(streams, &gate->verdict, cmd_verdict_formats, streams->err)
       || refuse_exec(streams, report) != CMD_YES)
      return CMD_TROUBLE;
   return updates && status != CMD_TROUBLE ? judge_by_itself(gate, streams, report) : status;
}

static void say_kept(const struct cmd_gate *gate, const struct cmd_streams *streams,
                     const char *reason)
{
   fputs("profmem: the baseline '", streams->err);
   pr_text_puts(streams->err, gate->baseline_path);
   fprintf(streams->err, "' is not updated: %s\n", reason);
}

/* CMD_YES: it was updated, or the program failed, which says enough. */
static enum cmd_status update(const struct cmd_gate *gate, const struct cmd_streams *streams,
                              const struct pr_report *report, FILE *in, bool succeeded)
{
   if (!succeeded) {
      say_kept(gate, streams, "the program failed");
      return CMD_YES;
   }
   if (report->end.kind != PR_END_EXIT) {
      say_kept(gate, streams, report->end.kind == PR_END_EXEC
                                 ? "the report ends where the program turned into another one"
                                 : "the report does not reach the program's end");
      return CMD_TROUBLE;
   }
   if (!run_copy_over(fileno(in), gate->baseline_path))
      return cmd_trouble(streams->err, "the baseline '%s' is not updated: %s",
                         gate->baseline_path, strerror(errno));
   fputs("profmem: the baseline '", streams->err);
   pr_text_puts(streams->err, gate->baseline_path);
   fprintf(streams->err, "' is %s\n", gate->baseline ? "updated" : "new");
   return CMD_YES;
}

static enum cmd_status refuse_report(struct cmd_gate *gate, const struct cmd_streams *streams,
                                     const struct pr_diagnostics *diagnostics)
{
   if (!cmd_verdict_add_troubles(&gate->verdict, gate->report_name, diagnostics))
      return cmd_trouble(streams->err, "no memory left");
   return cmd_verdict_status(streams, &gate->verdict);
}

enum cmd_status cmd_gate_judge(struct cmd_gate *gate, const struct cmd_streams *streams, FILE *in,
                               bool succeeded)
{
   struct pr_diagnostics diagnostics;
   pr_diagnostics_init(&diagnostics);
   rewind(in);
   struct pr_report *report =
      cmd_sound(pr_load(in, gate->report_name, NULL, &diagnostics), &diagnostics);
   enum cmd_status status;
   if (!report) {
      status = refuse_report(gate, streams, &diagnostics);
   } else {
      gate->peak = number_of(report, PR_METRIC_HEAP_PEAK);
      gate->instructions = number_of(report, PR_METRIC_INSTRUCTIONS_TOTAL);
      status = gate->limits.count ? check_limits(gate, streams, report) : CMD_YES;
      if (gate->options->updates)
         status = worse(status, update(gate, streams, report, in, succeeded));
   }
   pr_report_free(report);
   pr_diagnostics_release(&diagnostics);
   return status;
}
