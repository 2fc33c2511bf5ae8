/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_csv.c: metrics as comma-separated values (RFC 4180).
 *
 * The first line names the columns. A metric that is unavailable has an empty value and
 * its reason in a column of its own. Lines end with a newline alone, which readers take
 * as well as CR LF; text in quotes is as it is in the report, line ends included.
 */
#include <string.h>

#include "pr_export.h"

/* NULL, where a report that breaks the schema has no text: an empty field. */
static void put_text(const char *text, FILE *out)
{
   if (!text)
      return;
   if (!strpbrk(text, ",\"\r\n")) {
      fputs(text, out);
      return;
   }
   putc('"', out);
   for (; *text; text++) {
      if (*text == '"')
         putc('"', out);
      putc(*text, out);
   }
   putc('"', out);
}

static void put_value(const struct pr_value *value, FILE *out)
{
   char digits[PR_NUMBER_TEXT_BYTES];
   if (value->kind != PR_VALUE_UNAVAILABLE)
      fputs(pr_export_digits(digits, value), out);
}

static void put_metric(const struct pr_phase *phase, const struct pr_metric *metric, FILE *out)
{
   static const char *const stability[] = {
      [PR_STABILITY_UNKNOWN] = "", [PR_STABLE] = "yes", [PR_UNSTABLE] = "no"};
   const struct pr_metric_extra *extra = metric->extra;
   put_text(phase->name, out);
   putc(',', out);
   put_text(metric->name, out);
   putc(',', out);
   put_text(metric->unit, out);
   putc(',', out);
   put_value(&metric->value, out);
   putc(',', out);
   if (metric->value.kind == PR_VALUE_UNAVAILABLE)
      put_text(metric->value.reason, out);
   putc(',', out);
   if (extra && extra->has_range)
      put_value(&extra->min, out);
   putc(',', out);
   if (extra && extra->has_range)
      put_value(&extra->max, out);
   fprintf(out, ",%s\n", extra ? stability[extra->stability] : "");
}

enum pr_exported pr_export_csv(const struct pr_report *report,
                               const struct pr_selection *selection, FILE *out,
                               FILE *notes)
{
   (void)notes;
   fputs("phase,metric,unit,value,unavailable,min,max,stable\n", out);
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      if (!pr_selection_has_phase(selection, phase))
         continue;
      for (size_t m = 0; m < phase->metrics.count; m++)
         if (pr_selection_has_metric(selection, &phase->metrics.items[m], NULL))
            put_metric(phase, &phase->metrics.items[m], out);
   }
   return PR_EXPORTED;
}
