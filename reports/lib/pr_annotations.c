/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_annotations.c: a verdict as workflow commands of GitHub Actions, a line each:
 *
 *    ::error file=limits.txt,line=3,title=parse heap.peak <= 1MiB::message
 *
 * The runner turns %25, %0D and %0A back in the message, %3A and %2C besides in a
 * property. Line ends and carriage returns are not in the texts, which are safe for a
 * terminal. An annotation stands at the limit it is about.
 */
#include "pr_piece.h"
#include "pr_text.h"
#include "pr_verdict.h"

static void print_escaped(const char *text, bool is_property, FILE *out)
{
   for (; *text; text++) {
      if (*text == '%')
         fputs("%25", out);
      else if (is_property && *text == ':')
         fputs("%3A", out);
      else if (is_property && *text == ',')
         fputs("%2C", out);
      else
         putc(*text, out);
   }
}

/* Print what was printed to the piece, and release it. False: no memory left. */
static bool print_piece(struct pr_piece *piece, bool is_property, FILE *out)
{
   const char *text = pr_piece_text(piece);
   if (text)
      print_escaped(text, is_property, out);
   pr_piece_release(piece);
   return text;
}

/* A text that is not safe for a terminal yet. */
static bool print_text(const char *text, bool is_property, FILE *out)
{
   struct pr_piece piece;
   FILE *into = pr_piece_open(&piece);
   if (into)
      pr_text_puts(into, text);
   return print_piece(&piece, is_property, out);
}

static bool print_place(const struct pr_verdict *verdict, const struct pr_limit *limit, FILE *out)
{
   const struct pr_limits_source *source = &verdict->limits->sources[limit->source];
   if (!source->is_file)
      return true;
   fputs("file=", out);
   bool ok = print_text(source->name, true, out);
   fprintf(out, ",line=%lu,", limit->line);
   return ok;
}

static bool print_outcome(const struct pr_verdict *verdict,
                          const struct pr_checked_report *report,
                          const struct pr_outcome *outcome, FILE *out)
{
   struct pr_piece title, message;
   fprintf(out, "::%s ", outcome->result == PR_FAILS ? "error" : "warning");
   bool ok = !outcome->limit || print_place(verdict, outcome->limit, out);
   fputs("title=", out);
   FILE *into = pr_piece_open(&title);
   if (into)
      pr_outcome_print_name(outcome, into);
   ok = print_piece(&title, true, out) && ok;
   fputs("::", out);
   into = pr_piece_open(&message);
   if (into) {
      pr_text_puts(into, report->name);
      fputs(": ", into);
      pr_outcome_print_message(outcome, into);
   }
   ok = print_piece(&message, false, out) && ok;
   putc('\n', out);
   return ok;
}

static bool print_difference(const struct pr_checked_report *report,
                             const struct pr_difference *difference, FILE *out)
{
   struct pr_piece message;
   fputs("::warning title=the runs are unlike::", out);
   FILE *into = pr_piece_open(&message);
   if (into) {
      pr_text_puts(into, report->name);
      fputs(": ", into);
      pr_difference_print(difference, into);
   }
   bool ok = print_piece(&message, false, out);
   putc('\n', out);
   return ok;
}

static bool print_troubles(const struct pr_checked_report *report, FILE *out)
{
   bool ok = true;
   for (size_t t = 0; t < report->trouble_count; t++) {
      fputs("::error title=not checked::", out);
      ok = print_text(report->troubles[t], false, out) && ok;
      putc('\n', out);
   }
   return ok;
}

static bool print_report(const struct pr_verdict *verdict,
                         const struct pr_checked_report *report, FILE *out)
{
   bool ok = true;
   if (report->trouble_count)
      return print_troubles(report, out);
   for (size_t d = 0; d < report->differences.count; d++)
      ok = print_difference(report, &report->differences.items[d], out) && ok;
   for (size_t o = 0; o < report->outcome_count; o++)
      if (report->outcomes[o].result != PR_HOLDS)
         ok = print_outcome(verdict, report, &report->outcomes[o], out) && ok;
   fputs("::notice title=profmem check::", out);
   ok = print_text(report->name, false, out) && ok;
   fputs(": ", out);
   pr_verdict_print_counts(report->outcome_count, report->failing, report->warning, out);
   putc('\n', out);
   return ok;
}

bool pr_verdict_annotations(const struct pr_verdict *verdict, const struct pr_style *style,
                            FILE *out)
{
   (void)style;
   bool ok = true;
   for (size_t r = 0; r < verdict->report_count; r++)
      ok = print_report(verdict, &verdict->reports[r], out) && ok;
   return ok;
}
