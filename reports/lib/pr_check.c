/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_check.c: hold reports against limits. See pr_check.h. */
#include "pr_check.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pr_nearest.h"
#include "pr_piece.h"

/* The phases of a report in the order of their names: a limit with a wildcard looks each of
   them up in the other report, and there may be many. */
struct index {
   const struct pr_phase **sorted;
   size_t count;
};

/* One limit, while it is held against a report. */
struct check {
   struct pr_verdict *verdict;
   struct pr_checked_report *to;
   const struct pr_report *report;
   const struct pr_report *baseline; /* NULL: none */
   struct index phases, baseline_phases;
   const struct pr_limit *limit;
   size_t compared;   /* names, to find what is meant by those of phases that are missing */
   bool is_exhausted; /* memory ran out for a reason */
};

/* How many names are compared in search of what may be meant: a large report of a program
   whose phases were all renamed would be compared for minutes. */
enum { COMPARED_MAX = 200000 };

/* Phases ----------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
   const struct pr_phase *const *first = a, *const *other = b;
   return strcmp((*first)->name, (*other)->name);
}

static int by_wanted_name(const void *name, const void *b)
{
   const struct pr_phase *const *phase = b;
   return strcmp(name, (*phase)->name);
}

/* False: no memory left. */
static bool build_index(struct index *index, const struct pr_report *report)
{
   *index = (struct index){.count = report ? report->phase_count : 0};
   if (index->count == 0)
      return true;
   index->sorted = malloc(index->count * sizeof *index->sorted);
   if (!index->sorted)
      return false;
   for (size_t p = 0; p < index->count; p++)
      index->sorted[p] = &report->phases[p];
   qsort(index->sorted, index->count, sizeof *index->sorted, by_name);
   return true;
}

/* NULL: there is none of that name. */
static const struct pr_phase *find_phase(const struct index *index, const char *name)
{
   if (index->count == 0)
      return NULL;
   const struct pr_phase **found =
      bsearch(name, index->sorted, index->count, sizeof *index->sorted, by_wanted_name);
   return found ? *found : NULL;
}

/* Outcomes --------------------------------------------------------------- */

static char *copy(struct pr_verdict *verdict, const char *text)
{
   return pr_arena_string(&verdict->arena, text, strlen(text));
}

static char *print(struct pr_verdict *verdict, const char *format, va_list arguments)
   __attribute__((format(printf, 2, 0)));

static char *print(struct pr_verdict *verdict, const char *format, va_list arguments)
{
   char *text = NULL;
   if (vasprintf(&text, format, arguments) < 0)
      return NULL;
   char *kept = copy(verdict, text);
   free(text);
   return kept;
}

/* False: no memory left. */
static bool add_outcome(struct check *check, struct pr_outcome outcome)
{
   outcome.limit = check->limit;
   if (outcome.phase) {
      outcome.phase = copy(check->verdict, outcome.phase);
      if (!outcome.phase)
         return false;
   }
   if (outcome.result == PR_FAILS && outcome.limit && outcome.limit->only_warns)
      outcome.result = PR_WARNS;
   struct pr_outcome *added =
      pr_arena_append(&check->verdict->arena, &check->to->outcomes, &check->to->outcome_count,
                      sizeof *added);
   if (!added)
      return false;
   *added = outcome;
   bool fails = outcome.result == PR_FAILS, warns = outcome.result == PR_WARNS;
   check->to->failing += fails;
   check->to->warning += warns;
   check->verdict->outcome_count++;
   check->verdict->failing += fails;
   check->verdict->warning += warns;
   return true;
}

static bool add_failure(struct check *check, struct pr_outcome outcome, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

/* An outcome that has a reason. */
static bool add_failure(struct check *check, struct pr_outcome outcome, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   outcome.reason = print(check->verdict, format, arguments);
   va_end(arguments);
   outcome.result = PR_FAILS;
   return outcome.reason && add_outcome(check, outcome);
}

/* Values ----------------------------------------------------------------- */

/* A value, and why it cannot be relied on. */
struct finding {
   const struct pr_metric *metric; /* NULL: there is no number */
   const char *reason;             /* NULL: it can be relied on */
};

static const char *reason(struct check *check, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

/* Without memory, which the arena remembers, it is what comes to hand. */
static const char *reason(struct check *check, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   const char *text = print(check->verdict, format, arguments);
   va_end(arguments);
   check->is_exhausted = check->is_exhausted || !text;
   return text ? text : format;
}

/* Is the metric a sum over instances, in which overlapping ones count their work twice? */
static bool is_total(enum pr_metric_id id)
{
   enum pr_metric_over_instances over = pr_metrics[id].over_instances;
   return over == PR_OVER_INSTANCES_SUM || over == PR_OVER_INSTANCES_PHASE;
}

static struct finding find_value(struct check *check, const struct pr_phase *phase)
{
   const struct pr_limit *limit = check->limit;
   const struct pr_metric *metric = pr_phase_metric_by_id(phase, limit->metric);
   if (!metric)
      return (struct finding){NULL, "the phase does not list the metric"};
   if (metric->value.kind == PR_VALUE_UNAVAILABLE)
      return (struct finding){NULL, reason(check, "unavailable: %s", metric->value.reason)};
   if (metric->extra && metric->extra->stability == PR_UNSTABLE)
      return (struct finding){
         metric, reason(check, "not stable: another, identical run differed by %" PRIu64,
                        metric->extra->stable_difference)};
   if (phase->is_overlapping && is_total(limit->metric) && !limit->accepts_overlapping)
      return (struct finding){
         metric, "instances of the phase overlapped, so that its totals count shared work more "
                 "than once; 'overlapping' accepts them"};
   return (struct finding){metric, NULL};
}

/* The same in the baseline. */
static struct finding find_baseline(struct check *check, const char *phase_name)
{
   if (!check->baseline)
      return (struct finding){NULL, "there is no baseline"};
   const struct pr_phase *phase = find_phase(&check->baseline_phases, phase_name);
   if (!phase)
      return (struct finding){NULL, "the baseline has no such phase"};
   struct finding finding = find_value(check, phase);
   if (finding.reason)
      finding.reason = reason(check, "in the baseline: %s", finding.reason);
   return finding;
}

/* Limits ----------------------------------------------------------------- */

static bool hold_bounds(struct check *check, struct pr_outcome outcome)
{
   const struct pr_limit *limit = check->limit;
   struct pr_bound_result *results =
      pr_arena_alloc(&check->verdict->arena, limit->bound_count * sizeof *results);
   if (!results)
      return false;
   outcome.result = PR_HOLDS;
   outcome.bounds = results;
   for (size_t b = 0; b < limit->bound_count; b++) {
      results[b].allowed = pr_bound_allowed(&limit->bounds[b], outcome.baseline);
      results[b].holds =
         pr_bound_holds(&limit->bounds[b], outcome.value, results[b].allowed);
      if (!results[b].holds)
         outcome.result = PR_FAILS;
   }
   return add_outcome(check, outcome);
}

static bool check_phase(struct check *check, const struct pr_phase *phase)
{
   struct pr_outcome outcome = {.phase = phase->name};
   const struct finding found = find_value(check, phase);
   const struct finding before = find_baseline(check, phase->name);
   if (found.metric) {
      outcome.has_value = true;
      outcome.value = pr_value_wide(&found.metric->value);
   }
   if (before.metric) {
      outcome.has_baseline = true;
      outcome.baseline = pr_value_wide(&before.metric->value);
   }
   if (check->is_exhausted)
      return false;
   outcome.result = PR_FAILS;
   outcome.reason = found.reason;
   if (!outcome.reason && pr_limit_needs_baseline(check->limit))
      outcome.reason = before.reason;
   return outcome.reason ? add_outcome(check, outcome) : hold_bounds(check, outcome);
}

/* No phase is what the limit speaks of. */
static bool refuse_phase(struct check *check)
{
   const struct pr_limit *limit = check->limit;
   if (limit->has_wildcard)
      return add_failure(check, (struct pr_outcome){.phase = NULL},
                         "no phase of the report matches %s", limit->phase_text);
   struct pr_nearest nearest;
   pr_nearest_init(&nearest, limit->pattern);
   for (size_t p = 0; p < check->report->phase_count && check->compared < COMPARED_MAX;
        p++, check->compared++)
      pr_nearest_offer(&nearest, check->report->phases[p].name);
   const struct pr_outcome outcome = {.phase = limit->pattern};
   if (nearest.name)
      return add_failure(check, outcome, "the report has no such phase; it has '%s'",
                         nearest.name);
   return add_failure(check, outcome, "the report has no such phase");
}

/* Phases of the baseline that are gone. `*found`: there is one. */
static bool check_gone_phases(struct check *check, bool *found)
{
   if (!check->baseline || !pr_limit_needs_baseline(check->limit))
      return true;
   for (size_t p = 0; p < check->baseline->phase_count; p++) {
      const char *name = check->baseline->phases[p].name;
      if (!pr_limits_match(check->limit, name) || find_phase(&check->phases, name))
         continue;
      *found = true;
      if (!add_failure(check, (struct pr_outcome){.phase = name},
                       "the report has no such phase, the baseline has"))
         return false;
   }
   return true;
}

static bool check_limit(struct check *check)
{
   bool found = false;
   if (!check->limit->has_wildcard) {
      const struct pr_phase *phase = find_phase(&check->phases, check->limit->pattern);
      return phase ? check_phase(check, phase) : refuse_phase(check);
   }
   for (size_t p = 0; p < check->report->phase_count; p++) {
      const struct pr_phase *phase = &check->report->phases[p];
      if (!pr_limits_match(check->limit, phase->name))
         continue;
      found = true;
      if (!check_phase(check, phase))
         return false;
   }
   return check_gone_phases(check, &found) && (found || refuse_phase(check));
}

/* Reports ---------------------------------------------------------------- */

static bool check_diagnostics(struct check *check)
{
   const struct pr_report *report = check->report;
   check->limit = NULL;
   for (size_t d = 0; d < report->diagnostic_count; d++) {
      const struct pr_run_diagnostic *diagnostic = &report->diagnostics[d];
      if (strcmp(diagnostic->severity, "error") != 0)
         continue;
      if (!add_failure(check, (struct pr_outcome){.phase = diagnostic->phase},
                       "%s (%s, %" PRIu64 ")", diagnostic->text ? diagnostic->text : "",
                       diagnostic->code, diagnostic->count))
         return false;
   }
   return true;
}

/* Signals that end a program which did something wrong (signal(7): Core). Those that ask it
   to end, as a server is, are none. */
static bool is_of_crash(uint64_t signal)
{
   static const int crashes[] = {SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                                 SIGFPE,  SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS};
   for (size_t c = 0; c < sizeof crashes / sizeof *crashes; c++)
      if (signal == (uint64_t)crashes[c])
         return true;
   return false;
}

static bool is_same_end(const struct pr_end *a, const struct pr_end *b)
{
   return a->kind == b->kind && (a->kind != PR_END_EXIT || a->status == b->status)
          && (a->kind != PR_END_SIGNAL || a->signal == b->signal);
}

/* A program that ended early has small numbers, which hold. What ended as the baseline did
   is what was to be expected, and a status is whoever ran the program's to judge. */
static bool check_end(struct check *check, bool allows_unlike)
{
   const struct pr_end *end = &check->report->end;
   const struct pr_end *before = check->baseline ? &check->baseline->end : NULL;
   bool is_crash = end->kind == PR_END_SIGNAL && is_of_crash(end->signal);
   bool is_known = end->kind != PR_END_ABSENT && before && before->kind != PR_END_ABSENT;
   bool differs = is_known && !is_same_end(end, before);
   bool is_cut = end->kind != PR_END_ABSENT && end->kind != PR_END_EXIT && !is_known;
   if (!is_crash && !differs && !is_cut)
      return true;
   struct pr_outcome outcome = {
      .result = is_crash || (differs && !allows_unlike) ? PR_FAILS : PR_WARNS};
   const char *here = pr_end_text(&check->verdict->arena, end);
   const char *there = differs ? pr_end_text(&check->verdict->arena, before) : NULL;
   if (!here || (differs && !there))
      return false;
   check->limit = NULL;
   outcome.reason = differs ? reason(check, "the program's end was %s in the baseline, %s here",
                                     there, here)
                            : reason(check, "the program's end was %s", here);
   return !check->is_exhausted && add_outcome(check, outcome);
}

/* A copy of a text that may not be there. */
static bool copy_optional(struct pr_verdict *verdict, const char **text)
{
   if (*text)
      *text = copy(verdict, *text);
   return !verdict->arena.exhausted;
}

static bool keep_differences(struct check *check, const struct pr_unlike *unlike)
{
   struct pr_verdict *verdict = check->verdict;
   for (size_t d = 0; d < unlike->unlike_count; d++) {
      struct pr_difference *kept =
         pr_arena_append(&verdict->arena, &check->to->differences.items,
                         &check->to->differences.count, sizeof *kept);
      if (!kept)
         return false;
      *kept = unlike->items[d];
      if (!copy_optional(verdict, &kept->name) || !copy_optional(verdict, &kept->old_value)
          || !copy_optional(verdict, &kept->new_value))
         return false;
   }
   check->to->differences.unlike_count = check->to->differences.count;
   return true;
}

/* "new.xml: not comparable with old.xml: option --stacks: yes in the baseline, no here", and
   behind the last what to do about it. */
static bool refuse_unlike(struct check *check, const struct pr_unlike *unlike)
{
   bool ok = true;
   for (size_t d = 0; ok && d <= unlike->unlike_count; d++) {
      struct pr_piece piece;
      FILE *into = pr_piece_open(&piece);
      if (into && d < unlike->unlike_count) {
         fprintf(into, "%s: not comparable with %s: ", check->report->file,
                 check->baseline->file);
         pr_difference_print(&unlike->items[d], into);
      } else if (into) {
         fprintf(into, "%s: --allow-unlike compares them all the same", check->report->file);
      }
      const char *text = pr_piece_text(&piece);
      ok = text && pr_verdict_add_trouble(check->verdict, text);
      pr_piece_release(&piece);
   }
   return ok;
}

/* `*goes_on`: the numbers may be compared. False: no memory left. */
static bool compare_runs(struct check *check, bool allows_unlike, bool *goes_on)
{
   *goes_on = true;
   if (!check->baseline)
      return true;
   struct pr_unlike unlike;
   bool ok = pr_unlike_compare(check->baseline, check->report, &unlike);
   if (ok && unlike.unlike_count) {
      *goes_on = allows_unlike;
      ok = allows_unlike ? keep_differences(check, &unlike) : refuse_unlike(check, &unlike);
   }
   pr_unlike_release(&unlike);
   return ok;
}

static bool check_limits(struct check *check, bool allows_unlike)
{
   const struct pr_limits *limits = check->verdict->limits;
   bool ok = build_index(&check->phases, check->report)
             && build_index(&check->baseline_phases, check->baseline);
   for (size_t i = 0; ok && i < limits->count; i++) {
      check->limit = &limits->items[i];
      ok = check_limit(check);
   }
   return ok && check_end(check, allows_unlike) && check_diagnostics(check);
}

bool pr_check_report(struct pr_verdict *verdict, const struct pr_report *report,
                     const struct pr_report *baseline, bool allows_unlike)
{
   struct check check = {.verdict = verdict, .report = report, .baseline = baseline};
   check.to = pr_verdict_add_report(verdict, report->file, baseline ? baseline->file : NULL);
   bool goes_on;
   if (!check.to || !compare_runs(&check, allows_unlike, &goes_on))
      return false;
   bool ok = !goes_on || check_limits(&check, allows_unlike);
   free(check.phases.sorted);
   free(check.baseline_phases.sorted);
   return ok;
}
