/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_verdict_text.c: a verdict for people.
 *
 * A table for each report, with a row for each bound; what does not hold stands once more
 * behind it, in sentences that need no table, each behind the place of its limit, where
 * editors and the logs of other tools expect it. Of several reports each has a row in a
 * last table; their numbers are never added.
 */
#include "pr_piece.h"
#include "pr_table.h"
#include "pr_text.h"
#include "pr_verdict.h"

enum { INDENT = 2 };

/* Columns of the table of outcomes: result, phase and metric, measured, allowed, off by and
   in percent, baseline, change and in percent. Phase and metric share one, which stands
   again where columns follow below. */
static const char columns[] = "llrrrrrrr";

static void add_titles(struct pr_table *table)
{
   static const char *const titles[] = {"",       "phase and metric", "measured", "allowed",
                                        "off by", "",                 "baseline", "change",
                                        ""};
   table->emphasis = PR_STRONG;
   for (size_t t = 0; t < sizeof titles / sizeof titles[0]; t++)
      pr_table_add(table, titles[t]);
   table->emphasis = PR_PLAIN;
}

static void add_number(struct pr_table *table, bool is_there, __int128 number)
{
   char text[PR_NUMBER_TEXT_BYTES];
   pr_table_add(table, is_there ? pr_number_format(text, pr_number_of_wide(number)) : NULL);
}

/* A change, absolute and relative; if there is none, two empty cells. */
static void add_change(struct pr_table *table, bool is_there, __int128 number, __int128 other)
{
   char change[PR_NUMBER_TEXT_BYTES + 1], percent[PR_PERCENT_TEXT_BYTES];
   pr_table_add(table, is_there ? pr_change_format(change, number - other) : NULL);
   pr_table_add(table, is_there ? pr_percent_format(percent, number, other) : NULL);
}

static void add_subject(struct pr_table *table, const struct pr_outcome *outcome)
{
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   if (into)
      pr_outcome_print_subject(outcome, into);
   const char *text = pr_piece_text(&piece);
   pr_table_add(table, text);
   table->exhausted = table->exhausted || !text;
   pr_piece_release(&piece);
}

/* `bound` counts from 0: what all bounds share stands in the first row alone. */
static void add_row(struct pr_table *table, const struct pr_outcome *outcome, size_t bound)
{
   const struct pr_bound_result *result = outcome->bounds ? &outcome->bounds[bound] : NULL;
   bool is_first = bound == 0, has_change = outcome->has_value && outcome->has_baseline;
   pr_table_add(table, pr_result_word(result && result->holds ? PR_HOLDS : outcome->result));
   add_subject(table, outcome);
   if (outcome->has_value)
      add_number(table, is_first, outcome->value);
   else
      pr_table_add(table, "none");
   if (result) {
      char text[PR_NUMBER_TEXT_BYTES];
      pr_table_addf(table, "%s%s", pr_bound_sign(&outcome->limit->bounds[bound]),
                    pr_number_format(text, pr_number_of_wide(result->allowed)));
   } else {
      pr_table_add(table, outcome->limit->bounds[bound].text);
   }
   bool is_off = result && !result->holds;
   add_change(table, is_off, outcome->value, is_off ? result->allowed : 0);
   add_number(table, is_first && outcome->has_baseline, outcome->baseline);
   add_change(table, is_first && has_change, outcome->value, outcome->baseline);
}

static bool print_outcomes(const struct pr_checked_report *report, const struct pr_style *style,
                           FILE *out)
{
   struct pr_table table;
   pr_table_init(&table, columns);
   table.label = 1;
   add_titles(&table);
   bool has_rows = false;
   for (size_t o = 0; o < report->outcome_count; o++) {
      const struct pr_outcome *outcome = &report->outcomes[o];
      for (size_t b = 0; outcome->limit && b < outcome->limit->bound_count; b++) {
         add_row(&table, outcome, b);
         has_rows = true;
      }
   }
   if (has_rows) {
      putc('\n', out);
      pr_table_print(&table, INDENT, style, out);
   }
   bool ok = !table.exhausted;
   pr_table_release(&table);
   return ok;
}

static void print_messages(const struct pr_verdict *verdict,
                           const struct pr_checked_report *report, FILE *out)
{
   bool is_first = true;
   for (size_t o = 0; o < report->outcome_count; o++) {
      const struct pr_outcome *outcome = &report->outcomes[o];
      if (outcome->result == PR_HOLDS)
         continue;
      if (is_first)
         putc('\n', out);
      is_first = false;
      if (outcome->limit)
         pr_outcome_print_place(verdict, outcome, out);
      else
         pr_text_puts(out, report->name);
      fprintf(out, ": %s: ", pr_result_word(outcome->result));
      pr_outcome_print_message(outcome, out);
      putc('\n', out);
   }
}

static bool print_report(const struct pr_verdict *verdict,
                         const struct pr_checked_report *report, const struct pr_style *style,
                         FILE *out)
{
   bool ok = true;
   if (report->differences.count) {
      fputs("The runs are unlike:\n", out);
      ok = pr_unlike_print(&report->differences, report->differences.count, INDENT, style, out);
      putc('\n', out);
   }
   pr_text_puts(out, report->name);
   if (report->baseline) {
      fputs(", baseline ", out);
      pr_text_puts(out, report->baseline);
   }
   fputs(": ", out);
   pr_verdict_print_counts(report->outcome_count, report->failing, report->warning, out);
   putc('\n', out);
   ok = print_outcomes(report, style, out) && ok;
   print_messages(verdict, report, out);
   return ok;
}

/* A row each. */
static bool print_summary(const struct pr_verdict *verdict, const struct pr_style *style,
                          FILE *out)
{
   struct pr_table table;
   pr_table_init(&table, "llrrr");
   table.emphasis = PR_STRONG;
   static const char *const titles[] = {"", "report", "checks", "failing", "warnings"};
   for (size_t t = 0; t < sizeof titles / sizeof titles[0]; t++)
      pr_table_add(&table, titles[t]);
   table.emphasis = PR_PLAIN;
   for (size_t r = 0; r < verdict->report_count; r++) {
      const struct pr_checked_report *report = &verdict->reports[r];
      enum pr_result result = report->failing   ? PR_FAILS
                              : report->warning ? PR_WARNS
                                                : PR_HOLDS;
      pr_table_add(&table, report->trouble_count ? "not checked" : pr_result_word(result));
      pr_table_add(&table, report->name);
      if (report->trouble_count) {
         for (int c = 0; c < 3; c++)
            pr_table_add(&table, NULL);
         continue;
      }
      pr_table_addf(&table, "%zu", report->outcome_count);
      pr_table_addf(&table, "%zu", report->failing);
      pr_table_addf(&table, "%zu", report->warning);
   }
   pr_table_print(&table, 0, style, out);
   bool ok = !table.exhausted;
   pr_table_release(&table);
   return ok;
}

bool pr_verdict_text(const struct pr_verdict *verdict, const struct pr_style *style, FILE *out)
{
   bool ok = true;
   size_t checked = verdict->report_count - verdict->troubled;
   for (size_t r = 0; r < verdict->report_count; r++) {
      if (verdict->reports[r].trouble_count)
         continue;
      ok = print_report(verdict, &verdict->reports[r], style, out) && ok;
      if (verdict->report_count > 1)
         putc('\n', out);
   }
   if (checked && verdict->report_count > 1)
      ok = print_summary(verdict, style, out) && ok;
   return ok;
}
