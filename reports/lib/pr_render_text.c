/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_text.c: a report as text for people. See pr_render_text.h. */
#include "pr_render_text.h"

#include <inttypes.h>
#include <string.h>

#include "pr_table.h"
#include "pr_text.h"

enum {
   INDENT = 2,
   LABEL_COLUMNS = 12, /* of the head's left column, with the gap behind it */
   REASONS_MAX = 64,   /* different ones that a phase's footnotes tell apart */
};

static void print_label(const char *label, FILE *out)
{
   fprintf(out, "%-*s", LABEL_COLUMNS, label);
}

/* `label` and `text`, or nothing if there is no text. */
static void print_field(const char *label, const char *text, FILE *out)
{
   if (!text)
      return;
   print_label(label, out);
   pr_text_puts(out, text);
   putc('\n', out);
}

static const char *exact(char text[PR_NUMBER_TEXT_BYTES], uint64_t number)
{
   return pr_number_format(text, pr_number_of_unsigned(number));
}

/* "s" where English wants it. */
static const char *plural(uint64_t count)
{
   return count == 1 ? "" : "s";
}

/* Head ------------------------------------------------------------------- */

static void print_command(const struct pr_run *run, FILE *out)
{
   print_label("command", out);
   for (size_t i = 0; i < run->argument_count; i++) {
      if (i)
         putc(' ', out);
      pr_text_puts_word(out, run->arguments[i]);
   }
   if (run->argument_count == 0)
      fputs("not recorded", out);
   putc('\n', out);
}

static void print_executable(const struct pr_run *run, FILE *out)
{
   char size[PR_NUMBER_TEXT_BYTES];
   if (!run->executable_path)
      return;
   print_label("executable", out);
   pr_text_puts(out, run->executable_path);
   fprintf(out, ", %s byte%s", exact(size, run->executable_bytes), plural(run->executable_bytes));
   if (run->executable_build_id) {
      fputs(", build-id ", out);
      pr_text_puts(out, run->executable_build_id);
   }
   putc('\n', out);
   print_field("sha256", run->executable_sha256, out);
}

static void print_producer(const struct pr_report *report, FILE *out)
{
   print_label("producer", out);
   pr_text_puts(out, report->producer_name ? report->producer_name : "not recorded");
   if (report->producer_version) {
      putc(' ', out);
      pr_text_puts(out, report->producer_version);
   }
   if (report->producer_valgrind) {
      fputs(", Valgrind ", out);
      pr_text_puts(out, report->producer_valgrind);
   }
   if (report->producer_platform) {
      fputs(", ", out);
      pr_text_puts(out, report->producer_platform);
   }
   putc('\n', out);
}

/* "--a=1 --b=2", as they are given. */
static void print_pairs(const char *label, const struct pr_pair *pairs, size_t count, FILE *out)
{
   if (count == 0)
      return;
   print_label(label, out);
   for (size_t i = 0; i < count; i++) {
      if (i)
         putc(' ', out);
      pr_text_puts(out, pairs[i].name);
      if (pairs[i].value) {
         putc('=', out);
         pr_text_puts_word(out, pairs[i].value);
      }
   }
   putc('\n', out);
}

static void print_end(const struct pr_end *end, FILE *out)
{
   print_label("end", out);
   switch (end->kind) {
   case PR_END_ABSENT:
      fputs("not recorded", out);
      break;
   case PR_END_EXIT:
      fprintf(out, "exit status %" PRIu64, end->status);
      break;
   case PR_END_SIGNAL:
      fprintf(out, "signal %" PRIu64, end->signal);
      if (end->signal_name) {
         fputs(" (", out);
         pr_text_puts(out, end->signal_name);
         putc(')', out);
      }
      break;
   case PR_END_EXEC:
      fputs("exec of ", out);
      pr_text_puts(out, end->path ? end->path : "a program not recorded");
      break;
   case PR_END_UNKNOWN:
      fputs("unknown: ", out);
      pr_text_puts(out, end->reason ? end->reason : "no reason recorded");
      break;
   }
   putc('\n', out);
}

static void print_head(const struct pr_report *report, FILE *out)
{
   print_command(&report->run, out);
   print_executable(&report->run, out);
   print_producer(report, out);
   print_pairs("options", report->run.options, report->run.option_count, out);
   print_pairs("fixed", report->run.fixes, report->run.fix_count, out);
   print_end(&report->end, out);
}

/* Phases ----------------------------------------------------------------- */

/* Reasons of one phase, numbered in order of appearance: most unavailable
   metrics share one, and it is long. */
struct footnotes {
   const char *reasons[REASONS_MAX];
   size_t count;
};

/* The number of the reason, from 1; 0: there are too many. */
static size_t footnote(struct footnotes *notes, const char *reason)
{
   for (size_t i = 0; i < notes->count; i++)
      if (strcmp(notes->reasons[i], reason) == 0)
         return i + 1;
   if (notes->count == REASONS_MAX)
      return 0;
   notes->reasons[notes->count++] = reason;
   return notes->count;
}

static void add_range_cell(struct pr_table *table, const struct pr_metric *metric,
                           const char *which, const struct pr_value *value)
{
   char number[PR_NUMBER_TEXT_BYTES];
   if (!metric->extra || !metric->extra->has_range)
      return pr_table_add(table, "");
   pr_table_addf(table, "%s %s", which, pr_number_format(number, pr_value_number(value)));
}

static void add_note_cell(struct pr_table *table, const struct pr_metric *metric,
                          struct footnotes *notes)
{
   char number[PR_NUMBER_TEXT_BYTES];
   if (metric->value.kind == PR_VALUE_UNAVAILABLE) {
      size_t note = footnote(notes, metric->value.reason);
      if (note)
         pr_table_addf(table, "[%zu]", note);
      else
         pr_table_add(table, metric->value.reason);
   } else if (metric->extra && metric->extra->stability == PR_UNSTABLE) {
      pr_table_addf(table, "unstable: two runs differ by %s",
                    exact(number, metric->extra->stable_difference));
   } else {
      pr_table_add(table, "");
   }
}

/* Columns: name, value, unit, in KiB or larger, min, max, note. */
static const char metric_columns[] = "lrlrrrl";

static void add_metric(struct pr_table *table, const struct pr_metric *metric,
                       struct footnotes *notes)
{
   char number[PR_NUMBER_TEXT_BYTES];
   pr_table_add(table, metric->name);
   if (metric->value.kind == PR_VALUE_UNAVAILABLE) {
      pr_table_add(table, "unavailable");
      pr_table_add(table, metric->unit);
      pr_table_add(table, "");
   } else {
      struct pr_number value = pr_value_number(&metric->value);
      bool is_bytes = metric->unit && strcmp(metric->unit, "bytes") == 0;
      pr_table_add(table, pr_number_format(number, value));
      pr_table_add(table, metric->unit);
      pr_table_add(table, is_bytes ? pr_number_format_scaled(number, value) : "");
   }
   add_range_cell(table, metric, "min", metric->extra ? &metric->extra->min : NULL);
   add_range_cell(table, metric, "max", metric->extra ? &metric->extra->max : NULL);
   add_note_cell(table, metric, notes);
}

static void print_phase_head(const struct pr_phase *phase, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   fputs("phase ", out);
   pr_text_puts_word(out, phase->name);
   fputs(" (", out);
   if (phase->kind) {
      pr_text_puts(out, phase->kind);
      fputs(", ", out);
   }
   fprintf(out, "%s instance%s", exact(number, phase->instances), plural(phase->instances));
   if (phase->parent) {
      fputs(", within ", out);
      pr_text_puts_word(out, phase->parent);
   }
   if (!phase->is_complete)
      fputs(", not complete", out);
   if (phase->is_overlapping)
      fputs(", overlapping: sums count shared work once per instance", out);
   fputs(")\n", out);
}

/* `table` is empty and is left for the next phase to clear. */
static bool print_phase(const struct pr_phase *phase, struct pr_table *table, FILE *out)
{
   struct footnotes notes = {.count = 0};
   for (size_t i = 0; i < phase->metrics.count; i++)
      add_metric(table, &phase->metrics.items[i], &notes);
   if (table->exhausted)
      return false;
   print_phase_head(phase, out);
   pr_table_print(table, INDENT, out);
   for (size_t i = 0; i < notes.count; i++) {
      fprintf(out, "%*s[%zu] ", INDENT, "", i + 1);
      pr_text_puts(out, notes.reasons[i]);
      putc('\n', out);
   }
   return true;
}

bool pr_render_phase(const struct pr_phase *phase, FILE *out)
{
   struct pr_table table;
   pr_table_init(&table, metric_columns);
   bool ok = print_phase(phase, &table, out);
   pr_table_release(&table);
   return ok;
}

static bool print_phases(const struct pr_report *report, FILE *out)
{
   struct pr_table table;
   bool ok = true;
   pr_table_init(&table, metric_columns);
   for (size_t i = 0; ok && i < report->phase_count; i++) {
      putc('\n', out);
      pr_table_clear(&table);
      ok = print_phase(&report->phases[i], &table, out);
   }
   pr_table_release(&table);
   if (report->phase_count == 0)
      fputs("\nno phases\n", out);
   return ok;
}

/* Diagnostics, coverage -------------------------------------------------- */

/* Print the filled table below its title, or nothing if it has no rows. */
static bool print_section(const char *title, struct pr_table *table, FILE *out)
{
   bool ok = !table->exhausted;
   if (ok && table->count) {
      fprintf(out, "\n%s\n", title);
      pr_table_print(table, INDENT, out);
   }
   pr_table_release(table);
   return ok;
}

static bool print_diagnostics(const struct pr_report *report, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   struct pr_table table;
   pr_table_init(&table, "llrll");
   for (size_t i = 0; i < report->diagnostic_count; i++) {
      const struct pr_run_diagnostic *diagnostic = &report->diagnostics[i];
      pr_table_add(&table, diagnostic->severity);
      pr_table_add(&table, diagnostic->code);
      pr_table_addf(&table, "%sx", exact(number, diagnostic->count));
      if (diagnostic->phase)
         pr_table_addf(&table, "phase %s", diagnostic->phase);
      else
         pr_table_add(&table, "");
      pr_table_add(&table, diagnostic->text);
   }
   return print_section("diagnostics of the run", &table, out);
}

static bool print_allocation_functions(const struct pr_report *report, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   struct pr_table table;
   pr_table_init(&table, "lllrl");
   for (size_t i = 0; i < report->allocation_function_count; i++) {
      const struct pr_allocation_function *function = &report->allocation_functions[i];
      pr_table_add(&table, function->object);
      pr_table_add(&table, function->name);
      pr_table_add(&table, function->kind);
      pr_table_add(&table, exact(number, function->calls));
      pr_table_addf(&table, "call%s", plural(function->calls));
   }
   return print_section("allocation functions found (object, name, kind, calls)", &table, out);
}

static bool print_not_measured(const struct pr_report *report, FILE *out)
{
   struct pr_table table;
   pr_table_init(&table, "ll");
   for (size_t i = 0; i < report->not_measured_count; i++) {
      const struct pr_not_measured *quantity = &report->not_measured[i];
      pr_table_add(&table, quantity->name);
      pr_table_add(&table, quantity->reason);
      if (quantity->instead) {
         pr_table_add(&table, "");
         pr_table_addf(&table, "instead: %s", quantity->instead);
      }
   }
   return print_section("not measured", &table, out);
}

bool pr_render_report(const struct pr_report *report, FILE *out)
{
   print_head(report, out);
   if (!print_diagnostics(report, out) || !print_phases(report, out))
      return false;
   if (report->allocation_functions_listed && report->allocation_function_count == 0)
      fputs("\nno allocation function was found\n", out);
   return print_allocation_functions(report, out) && print_not_measured(report, out);
}
