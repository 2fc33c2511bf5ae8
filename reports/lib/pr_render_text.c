/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_text.c: a report as text for people. See pr_render_text.h. */
#include "pr_render_text.h"

#include <inttypes.h>
#include <string.h>

#include "pr_render.h"
#include "pr_table.h"
#include "pr_text.h"

enum { LABEL_COLUMNS = 12 }; /* of the head's left column, with the gap behind it */

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

static void print_pairs(const char *label, const struct pr_pair *pairs, size_t count, FILE *out)
{
   if (count == 0)
      return;
   print_label(label, out);
   pr_render_pairs(pairs, count, out);
   putc('\n', out);
}

const char *pr_render_number(char text[PR_NUMBER_TEXT_BYTES], uint64_t number)
{
   return pr_number_format(text, pr_number_of_unsigned(number));
}

const char *pr_render_plural(uint64_t count)
{
   return count == 1 ? "" : "s";
}

const char *pr_render_share(char text[PR_SHARE_TEXT_BYTES], __int128 part, __int128 whole)
{
   text[0] = '\0';
   if (part == 0 || whole == 0)
      return text;
   __int128 thousandths = (part * 1000 + whole / 2) / whole;
   if (thousandths == 0)
      strcpy(text, "<0.1%");
   else if (thousandths > 1000)
      strcpy(text, ">100%"); /* of a report whose numbers disagree */
   else
      snprintf(text, PR_SHARE_TEXT_BYTES, "%u.%u%%", (unsigned)(thousandths / 10),
               (unsigned)(thousandths % 10));
   return text;
}

/* Head ------------------------------------------------------------------- */

void pr_render_command(const struct pr_run *run, FILE *out)
{
   for (size_t i = 0; i < run->argument_count; i++) {
      if (i)
         putc(' ', out);
      pr_text_puts_word(out, run->arguments[i]);
   }
   if (run->argument_count == 0)
      fputs("not recorded", out);
}

void pr_render_executable(const struct pr_run *run, FILE *out)
{
   char size[PR_NUMBER_TEXT_BYTES];
   pr_text_puts(out, run->executable_path);
   fprintf(out, ", %s byte%s", pr_render_number(size, run->executable_bytes),
           pr_render_plural(run->executable_bytes));
   if (run->executable_build_id) {
      fputs(", build-id ", out);
      pr_text_puts(out, run->executable_build_id);
   }
}

void pr_render_producer(const struct pr_report *report, FILE *out)
{
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
}

void pr_render_pairs(const struct pr_pair *pairs, size_t count, FILE *out)
{
   for (size_t i = 0; i < count; i++) {
      if (i)
         putc(' ', out);
      pr_text_puts(out, pairs[i].name);
      if (pairs[i].value) {
         putc('=', out);
         pr_text_puts_word(out, pairs[i].value);
      }
   }
}

void pr_render_end(const struct pr_end *end, FILE *out)
{
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
}

static void print_head(const struct pr_report *report, FILE *out)
{
   const struct pr_run *run = &report->run;
   print_label("command", out);
   pr_render_command(run, out);
   putc('\n', out);
   if (run->executable_path) {
      print_label("executable", out);
      pr_render_executable(run, out);
      putc('\n', out);
      print_field("sha256", run->executable_sha256, out);
   }
   print_label("producer", out);
   pr_render_producer(report, out);
   putc('\n', out);
   print_pairs("options", run->options, run->option_count, out);
   print_pairs("fixed", run->fixes, run->fix_count, out);
   print_label("end", out);
   pr_render_end(&report->end, out);
   putc('\n', out);
}

/* Diagnostics, coverage -------------------------------------------------- */

static void print_title(const char *title, const struct pr_style *style, FILE *out)
{
   putc('\n', out);
   pr_style_emphasize(style, PR_STRONG, out);
   fputs(title, out);
   pr_style_emphasize(style, PR_PLAIN, out);
   putc('\n', out);
}

/* Print the filled table below its title, or nothing if it has no rows. */
static bool print_section(const char *title, struct pr_table *table,
                          const struct pr_style *style, FILE *out)
{
   bool ok = !table->exhausted;
   if (ok && table->count) {
      /* The last column is a sentence, which terminals wrap where it stands. */
      const struct pr_style as_wide_as_needed = {0, style->has_color};
      print_title(title, style, out);
      pr_table_print(table, PR_INDENT, &as_wide_as_needed, out);
   }
   pr_table_release(table);
   return ok;
}

static bool print_diagnostics(const struct pr_report *report, const struct pr_style *style,
                              FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   struct pr_table table;
   pr_table_init(&table, "llrll");
   for (size_t i = 0; i < report->diagnostic_count; i++) {
      const struct pr_run_diagnostic *diagnostic = &report->diagnostics[i];
      pr_table_add(&table, diagnostic->severity);
      pr_table_add(&table, diagnostic->code);
      pr_table_addf(&table, "%sx", pr_render_number(number, diagnostic->count));
      if (diagnostic->phase)
         pr_table_addf(&table, "phase %s", diagnostic->phase);
      else
         pr_table_add(&table, "");
      pr_table_add(&table, diagnostic->text);
   }
   return print_section("diagnostics of the run", &table, style, out);
}

static bool print_allocation_functions(const struct pr_report *report,
                                       const struct pr_style *style, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   struct pr_table table;
   pr_table_init(&table, "lllrl");
   for (size_t i = 0; i < report->allocation_function_count; i++) {
      const struct pr_allocation_function *function = &report->allocation_functions[i];
      pr_table_add(&table, function->object);
      pr_table_add(&table, function->name);
      pr_table_add(&table, function->kind);
      pr_table_add(&table, pr_render_number(number, function->calls));
      pr_table_addf(&table, "call%s", pr_render_plural(function->calls));
   }
   return print_section("allocation functions found (object, name, kind, calls)", &table, style,
                        out);
}

static bool print_not_measured(const struct pr_report *report, const struct pr_style *style,
                               FILE *out)
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
   return print_section("not measured", &table, style, out);
}

/* The same in two lines: in the short view, which they must not fill. */
static void print_coverage_summary(const struct pr_report *report, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   if (report->allocation_functions_listed && report->allocation_function_count == 0)
      fputs("\nno allocation function was found\n", out);
   else if (report->allocation_functions_listed)
      fprintf(out, "\n%s allocation function%s found; --metrics lists them\n",
              pr_render_number(number, report->allocation_function_count),
              report->allocation_function_count == 1 ? " was" : "s were");
   if (report->not_measured_count == 0)
      return;
   fputs("not measured:", out);
   for (size_t i = 0; i < report->not_measured_count; i++) {
      fputs(i ? ", " : " ", out);
      pr_text_puts(out, report->not_measured[i].name);
   }
   putc('\n', out);
}

/* Put together ----------------------------------------------------------- */

static bool print_lists(const struct pr_report *report, const struct pr_phase *phase,
                        const struct pr_view *view, FILE *out)
{
   return pr_render_sites(report, phase, view, out) && pr_render_resizes(phase, view, out)
          && pr_render_releases(phase, view, out) && pr_render_functions(report, phase, view, out)
          && (!view->has_lines || pr_render_lines(report, phase, view, out))
          && pr_render_threads(phase, view, out)
          && (!view->has_histograms || pr_render_histograms(phase, view, out));
}

bool pr_render_report(const struct pr_report *report, const struct pr_phase *phase,
                      const struct pr_view *view, FILE *out)
{
   const struct pr_style *style = &view->style;
   print_head(report, out);
   if (!print_diagnostics(report, style, out))
      return false;
   print_title(report->phase_count ? "phases" : "no phases", style, out);
   if (report->phase_count && !pr_render_phase_tree(report, style, out))
      return false;
   pr_render_outside(report, NULL, style, out);
   if (phase && !print_lists(report, phase, view, out))
      return false;
   if (view->has_timeline && !pr_render_timeline(report, view, out))
      return false;
   print_coverage_summary(report, out);
   return true;
}

bool pr_render_phase(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out)
{
   if (!pr_render_phase_row(phase, view, out))
      return false;
   pr_render_outside(report, phase, &view->style, out);
   return print_lists(report, phase, view, out)
          && (!view->has_timeline || pr_render_timeline(report, view, out));
}

bool pr_render_all_metrics(const struct pr_report *report, const struct pr_style *style, FILE *out)
{
   print_head(report, out);
   if (!print_diagnostics(report, style, out))
      return false;
   if (report->phase_count == 0)
      print_title("no phases", style, out);
   for (size_t i = 0; i < report->phase_count; i++) {
      putc('\n', out);
      if (!pr_render_phase_metrics(&report->phases[i], style, out))
         return false;
   }
   if (report->allocation_functions_listed && report->allocation_function_count == 0)
      fputs("\nno allocation function was found\n", out);
   return print_allocation_functions(report, style, out) && print_not_measured(report, style, out);
}
