/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_verdict.c: what came of holding reports against limits, and how it is said. See the
 * header. */
#include "pr_verdict.h"

#include <string.h>

#include "pr_text.h"

void pr_verdict_init(struct pr_verdict *verdict, const struct pr_limits *limits)
{
   *verdict = (struct pr_verdict){.limits = limits};
   pr_arena_init(&verdict->arena);
}

void pr_verdict_release(struct pr_verdict *verdict)
{
   pr_arena_release(&verdict->arena);
   pr_verdict_init(verdict, verdict->limits);
}

struct pr_checked_report *pr_verdict_add_report(struct pr_verdict *verdict, const char *name,
                                                const char *baseline)
{
   struct pr_arena *arena = &verdict->arena;
   struct pr_checked_report *added =
      pr_arena_append(arena, &verdict->reports, &verdict->report_count, sizeof *added);
   char *name_copy = pr_arena_string(arena, name, strlen(name));
   char *baseline_copy = baseline ? pr_arena_string(arena, baseline, strlen(baseline)) : NULL;
   if (arena->exhausted)
      return NULL;
   added->name = name_copy;
   added->baseline = baseline_copy;
   return added;
}

bool pr_verdict_add_trouble(struct pr_verdict *verdict, const char *reason)
{
   struct pr_checked_report *report = &verdict->reports[verdict->report_count - 1];
   verdict->troubled += report->trouble_count == 0;
   const char **added = pr_arena_append(&verdict->arena, &report->troubles,
                                        &report->trouble_count, sizeof *added);
   char *copy = pr_arena_string(&verdict->arena, reason, strlen(reason));
   if (!added || !copy)
      return false;
   *added = copy;
   return true;
}

/* Numbers ---------------------------------------------------------------- */

const char *pr_change_format(char text[PR_NUMBER_TEXT_BYTES + 1], __int128 change)
{
   text[0] = '+';
   pr_number_format(text + (change > 0), pr_number_of_wide(change));
   return text;
}

const char *pr_percent_format(char text[PR_PERCENT_TEXT_BYTES], __int128 number,
                              __int128 other)
{
   __int128 change = number - other;
   unsigned __int128 size = (unsigned __int128)(change < 0 ? -change : change);
   unsigned __int128 base = (unsigned __int128)(other < 0 ? -other : other);
   const char *sign = change < 0 ? "-" : "+";
   text[0] = '\0';
   if (size == 0 || base == 0)
      return text;
   unsigned __int128 hundredths = (size * 10000 + base / 2) / base;
   if (hundredths == 0) {
      snprintf(text, PR_PERCENT_TEXT_BYTES, "%s<0.01%%", sign);
      return text;
   }
   char whole[PR_NUMBER_TEXT_BYTES];
   pr_number_format(whole, (struct pr_number){false, hundredths / 100});
   snprintf(text, PR_PERCENT_TEXT_BYTES, "%s%s.%02u%%", sign, whole,
            (unsigned)(hundredths % 100));
   return text;
}

/* "4,096 (4.00 KiB)" */
static void print_number(__int128 number, bool is_bytes, FILE *out)
{
   char text[PR_NUMBER_TEXT_BYTES];
   fputs(pr_number_format(text, pr_number_of_wide(number)), out);
   if (is_bytes && pr_number_format_scaled(text, pr_number_of_wide(number))[0])
      fprintf(out, " (%s)", text);
}

/* Words ------------------------------------------------------------------ */

const char *pr_result_word(enum pr_result result)
{
   static const char *const words[] = {
      [PR_HOLDS] = "ok",
      [PR_WARNS] = "warn",
      [PR_FAILS] = "FAIL",
   };
   return words[result];
}

const char *pr_bound_words(const struct pr_bound *bound)
{
   static const char *const words[] = {
      [PR_BOUND_AT_MOST] = "at most ",
      [PR_BOUND_AT_LEAST] = "at least ",
      [PR_BOUND_EXACTLY] = "exactly ",
   };
   return words[bound->relation];
}

const char *pr_bound_sign(const struct pr_bound *bound)
{
   static const char *const signs[] = {
      [PR_BOUND_AT_MOST] = "<= ",
      [PR_BOUND_AT_LEAST] = ">= ",
      [PR_BOUND_EXACTLY] = "= ",
   };
   return signs[bound->relation];
}

void pr_verdict_print_counts(size_t checks, size_t failing, size_t warning, FILE *out)
{
   fprintf(out, "%zu check%s", checks, checks == 1 ? "" : "s");
   if (failing == 0 && warning == 0) {
      fputs(checks == 1 ? ", which holds" : ", all hold", out);
      return;
   }
   if (failing)
      fprintf(out, ", %zu fail%s", failing, failing == 1 ? "s" : "");
   if (warning)
      fprintf(out, ", %zu warn%s", warning, warning == 1 ? "s" : "");
}

/* Sentences -------------------------------------------------------------- */

void pr_difference_print(const struct pr_difference *difference, FILE *out)
{
   fputs(difference->subject, out);
   if (difference->name) {
      putc(' ', out);
      pr_text_puts(out, difference->name);
   }
   fputs(": ", out);
   pr_text_puts(out, difference->old_value ? difference->old_value : "none");
   fputs(" in the baseline, ", out);
   pr_text_puts(out, difference->new_value ? difference->new_value : "none");
   fputs(" here", out);
}

/* Would a limit that has the name as it stands, made safe, speak of this phase alone? */
static bool is_bare(const char *name)
{
   size_t characters = 0;
   for (const char *at = name; *at; at++)
      characters += ((unsigned char)*at & 0xC0) != 0x80;
   return name[0] && name[0] != '#' && !strpbrk(name, " \"*?")
          && pr_text_puts(NULL, name) == characters;
}

/* A backslash that a limit would take for itself in quotes, as \xHH, is none that hides. */
static bool is_notation(const char *at)
{
   static const char digits[] = "0123456789abcdef";
   return at[0] == '\\' && at[1] == 'x' && at[2] && strchr(digits, at[2]) && at[3]
          && strchr(digits, at[3]);
}

/* As a limit spells a name: what is told of it can be copied into a file of limits. */
static void print_name(const char *name, FILE *out)
{
   if (is_bare(name)) {
      pr_text_puts(out, name);
      return;
   }
   putc('"', out);
   for (size_t plain; *name; name += plain) {
      plain = strcspn(name, "\"\\");
      pr_text_write(out, name, plain);
      if (plain)
         continue;
      if (!is_notation(name))
         putc('\\', out);
      putc(*name, out);
      plain = 1;
   }
   putc('"', out);
}

/* A phase's name in a sentence, or as the limit spells it. */
static void print_phase(const struct pr_outcome *outcome, FILE *out)
{
   if (outcome->phase)
      print_name(outcome->phase, out);
   else
      pr_text_puts(out, outcome->limit ? outcome->limit->phase_text : "the run");
}

void pr_outcome_print_subject(const struct pr_outcome *outcome, FILE *out)
{
   print_phase(outcome, out);
   if (outcome->limit)
      fprintf(out, " %s", pr_metrics[outcome->limit->metric].name);
}

void pr_outcome_print_name(const struct pr_outcome *outcome, FILE *out)
{
   pr_outcome_print_subject(outcome, out);
   if (!outcome->limit) {
      fputs(outcome->result == PR_WARNS ? " has warnings" : " has errors", out);
      return;
   }
   for (size_t b = 0; b < outcome->limit->bound_count; b++) {
      putc(' ', out);
      pr_text_puts(out, outcome->limit->bounds[b].text);
   }
}

void pr_outcome_print_place(const struct pr_verdict *verdict, const struct pr_outcome *outcome,
                            FILE *out)
{
   if (!outcome->limit)
      return;
   pr_text_puts(out, verdict->limits->sources[outcome->limit->source].name);
   fprintf(out, ":%lu", outcome->limit->line);
}

/* "; 2,048 too much (+100.00%)", of the number that is allowed */
static void print_excess(__int128 value, __int128 allowed, bool is_bytes, FILE *out)
{
   char percent[PR_PERCENT_TEXT_BYTES];
   fputs(", ", out);
   print_number(value > allowed ? value - allowed : allowed - value, is_bytes, out);
   fputs(value > allowed ? " too much" : " too little", out);
   if (pr_percent_format(percent, value, allowed)[0])
      fprintf(out, " (%s)", percent);
}

static void print_change(const struct pr_outcome *outcome, bool is_bytes, FILE *out)
{
   char change[PR_NUMBER_TEXT_BYTES + 1], percent[PR_PERCENT_TEXT_BYTES];
   fputs("; the baseline is ", out);
   print_number(outcome->baseline, is_bytes, out);
   if (!outcome->has_value)
      return;
   fprintf(out, ", the change %s", pr_change_format(change, outcome->value - outcome->baseline));
   if (pr_percent_format(percent, outcome->value, outcome->baseline)[0])
      fprintf(out, " (%s)", percent);
}

/* Of the bounds that do not hold, or of all if all hold. */
static void print_bounds(const struct pr_outcome *outcome, bool is_bytes, FILE *out)
{
   for (size_t b = 0; b < outcome->limit->bound_count; b++) {
      const struct pr_bound *bound = &outcome->limit->bounds[b];
      const struct pr_bound_result *result = &outcome->bounds[b];
      if (result->holds && outcome->result != PR_HOLDS)
         continue;
      fprintf(out, "; allowed: %s", pr_bound_words(bound));
      print_number(result->allowed, is_bytes, out);
      if (bound->of_baseline) {
         fputs(", which is ", out);
         pr_text_puts(out, bound->text);
      }
      if (!result->holds)
         print_excess(outcome->value, result->allowed, is_bytes, out);
   }
}

void pr_outcome_print_message(const struct pr_outcome *outcome, FILE *out)
{
   pr_outcome_print_subject(outcome, out);
   if (!outcome->limit) {
      fputs(": ", out);
      pr_text_puts(out, outcome->reason);
      return;
   }
   bool is_bytes = strcmp(pr_metrics[outcome->limit->metric].unit, "bytes") == 0;
   if (outcome->has_value) {
      fputs(" is ", out);
      print_number(outcome->value, is_bytes, out);
   }
   if (outcome->reason) {
      fputs(": ", out);
      pr_text_puts(out, outcome->reason);
      return;
   }
   print_bounds(outcome, is_bytes, out);
   if (outcome->has_baseline)
      print_change(outcome, is_bytes, out);
}
