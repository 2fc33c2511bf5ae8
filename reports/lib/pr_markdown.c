/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_markdown.c: a verdict as GitHub flavoured Markdown.
 *
 * All that is untrusted stands in code spans: nothing in them is markup, HTML, a link, a
 * reference or a mention. A span is fenced by more backticks than it holds in a row. In a
 * table `|` ends a cell even there, unless a backslash stands before it, and a backslash
 * before that would take its meaning away: such ones are written \u{5c}, as pr_text.h
 * writes what is not to be seen.
 */
#include <string.h>

#include "pr_piece.h"
#include "pr_text.h"
#include "pr_verdict.h"

/* Code spans ------------------------------------------------------------- */

/* The longest row of backticks. */
static size_t longest_fence(const char *text)
{
   size_t longest = 0;
   while (*text) {
      size_t row = strspn(text, "`");
      if (row > longest)
         longest = row;
      text += row ? row : strcspn(text, "`");
   }
   return longest;
}

static void print_fence(size_t backticks, FILE *out)
{
   for (; backticks; backticks--)
      putc('`', out);
}

static void print_in_cell(const char *text, FILE *out)
{
   while (*text) {
      size_t backslashes = strspn(text, "\\"), b = backslashes;
      text += backslashes;
      for (; b; b--)
         fputs(*text == '|' ? "\\u{5c}" : "\\", out);
      if (*text == '|')
         putc('\\', out);
      if (*text)
         putc(*text++, out);
   }
}

/* Print what was printed to the piece, and release it. False: no memory left. */
static bool print_code(struct pr_piece *piece, bool is_in_cell, FILE *out)
{
   const char *text = pr_piece_text(piece);
   if (text && text[0]) {
      size_t backticks = longest_fence(text) + 1, bytes = strlen(text);
      /* One blank is taken off on both sides if there is one on both. */
      bool is_padded = text[0] == '`' || text[bytes - 1] == '`'
                       || (text[0] == ' ' && text[bytes - 1] == ' ' && text[strspn(text, " ")]);
      print_fence(backticks, out);
      fputs(is_padded ? " " : "", out);
      if (is_in_cell)
         print_in_cell(text, out);
      else
         fputs(text, out);
      fputs(is_padded ? " " : "", out);
      print_fence(backticks, out);
   }
   bool ok = text;
   pr_piece_release(piece);
   return ok;
}

/* A text that is not safe for a terminal yet. */
static bool print_text(const char *text, bool is_in_cell, FILE *out)
{
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   if (into)
      pr_text_puts(into, text);
   return print_code(&piece, is_in_cell, out);
}

/* Table ------------------------------------------------------------------ */

static void print_number(bool is_there, __int128 number, FILE *out)
{
   char text[PR_NUMBER_TEXT_BYTES];
   fprintf(out, " %s |", is_there ? pr_number_format(text, pr_number_of_wide(number)) : "");
}

static void print_change(bool is_there, __int128 number, __int128 other, FILE *out)
{
   char change[PR_NUMBER_TEXT_BYTES + 1], percent[PR_PERCENT_TEXT_BYTES];
   putc(' ', out);
   if (is_there) {
      fputs(pr_change_format(change, number - other), out);
      if (pr_percent_format(percent, number, other)[0])
         fprintf(out, " (%s)", percent[1] == '<' ? "under 0.01%" : percent);
   }
   fputs(" |", out);
}

static const char *strong_word(enum pr_result result)
{
   static const char *const words[] = {
      [PR_HOLDS] = "ok",
      [PR_WARNS] = "**warn**",
      [PR_FAILS] = "**FAIL**",
   };
   return words[result];
}

/* A row for a bound; what all bounds share stands in the first alone. */
static bool print_row(const struct pr_outcome *outcome, size_t bound, FILE *out)
{
   const struct pr_bound_result *result = outcome->bounds ? &outcome->bounds[bound] : NULL;
   bool is_first = bound == 0, is_off = result && !result->holds;
   fprintf(out, "| %s | ",
           strong_word(result && result->holds ? PR_HOLDS : outcome->result));
   bool ok = print_text(outcome->phase ? outcome->phase : outcome->limit->phase_text, true, out);
   fprintf(out, " | %s |", pr_metrics[outcome->limit->metric].name);
   if (outcome->has_value)
      print_number(is_first, outcome->value, out);
   else
      fputs(" none |", out);
   if (result) {
      static const char *const signs[] = {
         [PR_BOUND_AT_MOST] = " &lt;=",
         [PR_BOUND_AT_LEAST] = " &gt;=",
         [PR_BOUND_EXACTLY] = " =",
      };
      fputs(signs[outcome->limit->bounds[bound].relation], out);
      print_number(true, result->allowed, out);
   } else {
      putc(' ', out);
      ok = print_text(outcome->limit->bounds[bound].text, true, out) && ok;
      fputs(" |", out);
   }
   print_change(is_off, outcome->value, is_off ? result->allowed : 0, out);
   print_number(is_first && outcome->has_baseline, outcome->baseline, out);
   print_change(is_first && outcome->has_value && outcome->has_baseline, outcome->value,
                outcome->baseline, out);
   putc('\n', out);
   return ok;
}

static bool print_table(const struct pr_checked_report *report, FILE *out)
{
   bool ok = true, has_rows = false;
   for (size_t o = 0; o < report->outcome_count; o++) {
      const struct pr_outcome *outcome = &report->outcomes[o];
      for (size_t b = 0; outcome->limit && b < outcome->limit->bound_count; b++) {
         if (!has_rows)
            fputs("\n|  | phase | metric | measured | allowed | off by | baseline | change |\n"
                  "|:--|:--|:--|--:|--:|--:|--:|--:|\n", out);
         has_rows = true;
         ok = print_row(outcome, b, out) && ok;
      }
   }
   return ok;
}

/* Lists ------------------------------------------------------------------ */

static bool print_message(const struct pr_verdict *verdict,
                          const struct pr_checked_report *report,
                          const struct pr_outcome *outcome, FILE *out)
{
   struct pr_piece piece;
   fprintf(out, "- %s ", strong_word(outcome->result));
   FILE *into = pr_piece_open(&piece);
   if (into) {
      if (outcome->limit)
         pr_outcome_print_place(verdict, outcome, into);
      else
         pr_text_puts(into, report->name);
      fputs(": ", into);
      pr_outcome_print_message(outcome, into);
   }
   bool ok = print_code(&piece, false, out);
   putc('\n', out);
   return ok;
}

static bool print_messages(const struct pr_verdict *verdict,
                           const struct pr_checked_report *report, FILE *out)
{
   bool ok = true, is_first = true;
   for (size_t o = 0; o < report->outcome_count; o++) {
      if (report->outcomes[o].result == PR_HOLDS)
         continue;
      if (is_first)
         putc('\n', out);
      is_first = false;
      ok = print_message(verdict, report, &report->outcomes[o], out) && ok;
   }
   return ok;
}

static bool print_differences(const struct pr_checked_report *report, FILE *out)
{
   bool ok = true;
   if (report->differences.count)
      fputs("\nThe runs are unlike:\n\n", out);
   for (size_t d = 0; d < report->differences.count; d++) {
      struct pr_piece piece;
      fputs("- ", out);
      FILE *into = pr_piece_open(&piece);
      if (into)
         pr_difference_print(&report->differences.items[d], into);
      ok = print_code(&piece, false, out) && ok;
      putc('\n', out);
   }
   return ok;
}

static bool print_troubles(const struct pr_checked_report *report, FILE *out)
{
   bool ok = true;
   fputs(": not checked\n\n", out);
   for (size_t t = 0; t < report->trouble_count; t++) {
      fputs("- ", out);
      ok = print_text(report->troubles[t], false, out) && ok;
      putc('\n', out);
   }
   return ok;
}

static bool print_report(const struct pr_verdict *verdict,
                         const struct pr_checked_report *report, FILE *out)
{
   fputs("### ", out);
   bool ok = print_text(report->name, false, out);
   if (report->trouble_count)
      return print_troubles(report, out) && ok;
   fputs(": ", out);
   pr_verdict_print_counts(report->outcome_count, report->failing, report->warning, out);
   putc('\n', out);
   ok = print_differences(report, out) && ok;
   if (report->baseline) {
      fputs("\nBaseline: ", out);
      ok = print_text(report->baseline, false, out) && ok;
      putc('\n', out);
   }
   ok = print_table(report, out) && ok;
   return print_messages(verdict, report, out) && ok;
}

bool pr_verdict_markdown(const struct pr_verdict *verdict, const struct pr_style *style,
                         FILE *out)
{
   (void)style;
   bool ok = true;
   for (size_t r = 0; r < verdict->report_count; r++) {
      if (r)
         putc('\n', out);
      ok = print_report(verdict, &verdict->reports[r], out) && ok;
   }
   return ok;
}
