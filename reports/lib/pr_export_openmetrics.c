/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export_openmetrics.c: metrics as OpenMetrics text 1.0.
 *
 * heap.peak in bytes is the gauge profmem_heap_peak_bytes; the phase is a label. The
 * format wants all samples of a metric together. A metric that is unavailable in a phase
 * has no sample there, but one of profmem_unavailable, whose labels say which it is and
 * why. Numbers are whole and exact; readers hold them in doubles.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pr_export.h"

static void put_label(const char *name, const char *text, FILE *out)
{
   fprintf(out, "%s=\"", name);
   for (; *text; text++)
      switch (*text) {
      case '\n':
         fputs("\\n", out);
         break;
      case '"':
      case '\\':
         putc('\\', out);
         putc(*text, out);
         break;
      default:
         putc(*text, out);
      }
   putc('"', out);
}

/* Letters, digits and underscores; the unit comes last, as the format asks. */
static void put_name(const struct pr_metric *metric, FILE *out)
{
   fputs("profmem_", out);
   for (const char *at = metric->name; *at; at++)
      putc(isalnum((unsigned char)*at) ? *at : '_', out);
   size_t name = strlen(metric->name), unit = strlen(metric->unit);
   if (name > unit && metric->name[name - unit - 1] == '-' &&
       strcmp(metric->name + name - unit, metric->unit) == 0)
      return; /* heap.peak-blocks */
   putc('_', out);
   for (const char *at = metric->unit; *at; at++)
      putc(isalnum((unsigned char)*at) ? *at : '_', out);
}

static void put_head(const struct pr_metric *metric, FILE *out)
{
   fputs("# TYPE ", out);
   put_name(metric, out);
   fputs(" gauge\n# UNIT ", out);
   put_name(metric, out);
   fprintf(out, " %s\n", metric->unit);
   if (metric->id == PR_METRIC_UNKNOWN)
      return;
   fputs("# HELP ", out);
   put_name(metric, out);
   fprintf(out, " %s\n", pr_metrics[metric->id].meaning);
}

/* All samples of the metrics that have this one's name, in the phases from `first` on. */
static void put_samples(const struct pr_report *report, const struct pr_selection *selection,
                        size_t first, const struct pr_metric *metric, FILE *out)
{
   char digits[PR_NUMBER_TEXT_BYTES];
   bool headed = false;
   for (size_t p = first; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      const struct pr_metric *same = pr_phase_metric(phase, metric->name);
      if (!pr_selection_has_phase(selection, phase) || !same ||
          same->value.kind == PR_VALUE_UNAVAILABLE)
         continue;
      if (!headed)
         put_head(same, out);
      headed = true;
      put_name(same, out);
      putc('{', out);
      put_label("phase", phase->name, out);
      fprintf(out, "} %s\n", pr_export_digits(digits, &same->value));
   }
}

/* Has an earlier phase a metric of that name? Then its samples are written. */
static bool is_written(const struct pr_report *report, const struct pr_selection *selection,
                       size_t before, const char *name)
{
   for (size_t p = 0; p < before; p++)
      if (pr_selection_has_phase(selection, &report->phases[p]) &&
          pr_phase_metric(&report->phases[p], name))
         return true;
   return false;
}

static void put_unavailable(const struct pr_report *report, const struct pr_selection *selection,
                            FILE *out)
{
   bool headed = false;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      for (size_t m = 0; m < phase->metrics.count && pr_selection_has_phase(selection, phase);
           m++) {
         const struct pr_metric *metric = &phase->metrics.items[m];
         if (metric->value.kind != PR_VALUE_UNAVAILABLE ||
             !pr_selection_has_metric(selection, metric, NULL))
            continue;
         if (!headed)
            fputs("# TYPE profmem_unavailable info\n"
                  "# HELP profmem_unavailable metrics without a value, and why\n", out);
         headed = true;
         fputs("profmem_unavailable_info{", out);
         put_label("phase", phase->name, out);
         putc(',', out);
         put_label("metric", metric->name, out);
         putc(',', out);
         put_label("reason", metric->value.reason, out);
         fputs("} 1\n", out);
      }
   }
}

bool pr_export_openmetrics(const struct pr_report *report, const struct pr_selection *selection,
                           FILE *out, FILE *notes)
{
   (void)notes;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      for (size_t m = 0; m < phase->metrics.count && pr_selection_has_phase(selection, phase);
           m++) {
         const struct pr_metric *metric = &phase->metrics.items[m];
         if (pr_selection_has_metric(selection, metric, NULL) &&
             !is_written(report, selection, p, metric->name))
            put_samples(report, selection, p, metric, out);
      }
   }
   put_unavailable(report, selection, out);
   fputs("# EOF\n", out);
   return true;
}
