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

/* A metric of a phase. */
struct sample {
   const struct pr_phase *phase;
   const struct pr_metric *metric;
};

struct samples {
   struct sample *items;
   size_t count;
};

/* The unit, "" if a report that breaks the schema has none. */
static const char *unit_of(const struct pr_metric *metric)
{
   return metric->unit ? metric->unit : "";
}

/* The unit comes last in a name, as the format asks: nothing is to be added for
   heap.peak-blocks. */
static bool has_unit_in_name(const struct pr_metric *metric)
{
   size_t name = strlen(metric->name), unit = strlen(unit_of(metric));
   return unit == 0 || (name > unit && metric->name[name - unit - 1] == '-' &&
                        strcmp(metric->name + name - unit, metric->unit) == 0);
}

static char in_name(char c)
{
   return isalnum((unsigned char)c) ? c : '_';
}

static void put_name(const struct pr_metric *metric, FILE *out)
{
   fputs("profmem_", out);
   for (const char *at = metric->name; *at; at++)
      putc(in_name(*at), out);
   if (has_unit_in_name(metric))
      return;
   putc('_', out);
   for (const char *at = metric->unit; *at; at++)
      putc(in_name(*at), out);
}

/* The character at a place of what put_name writes behind the prefix; NUL: its end. */
static char name_at(const struct pr_metric *metric, size_t name_bytes, bool has_unit, size_t at)
{
   if (at < name_bytes)
      return in_name(metric->name[at]);
   if (has_unit || at == name_bytes)
      return has_unit ? '\0' : '_';
   char c = metric->unit[at - name_bytes - 1];
   return c ? in_name(c) : c;
}

static int compare_names(const struct pr_metric *a, const struct pr_metric *b)
{
   if (a->name == b->name && a->unit == b->unit)
      return 0;
   size_t a_bytes = strlen(a->name), b_bytes = strlen(b->name);
   bool a_has_unit = has_unit_in_name(a), b_has_unit = has_unit_in_name(b);
   for (size_t at = 0;; at++) {
      char a_char = name_at(a, a_bytes, a_has_unit, at);
      char b_char = name_at(b, b_bytes, b_has_unit, at);
      if (a_char != b_char || a_char == '\0')
         return (unsigned char)a_char - (unsigned char)b_char;
   }
}

/* By the name in this format; of the same one, metrics that this version knows first, then
   those of one name in the report together, in the order of phases. */
static int by_name(const void *left, const void *right)
{
   const struct sample *a = left, *b = right;
   int order = compare_names(a->metric, b->metric);
   if (order == 0)
      order = (a->metric->id == PR_METRIC_UNKNOWN) - (b->metric->id == PR_METRIC_UNKNOWN);
   if (order == 0)
      order = strcmp(a->metric->name, b->metric->name);
   if (order == 0)
      order = (a->phase > b->phase) - (a->phase < b->phase);
   return order ? order : (a->metric > b->metric) - (a->metric < b->metric);
}

/* Those to be written; the caller frees .items. False: no memory. */
static bool gather(struct samples *samples, const struct pr_report *report,
                   const struct pr_selection *selection)
{
   size_t room = 1;
   for (size_t p = 0; p < report->phase_count; p++)
      room += report->phases[p].metrics.count;
   *samples = (struct samples){malloc(room * sizeof *samples->items), 0};
   if (!samples->items)
      return false;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_phase *phase = &report->phases[p];
      for (size_t m = 0; m < phase->metrics.count && pr_selection_has_phase(selection, phase);
           m++) {
         const struct pr_metric *metric = &phase->metrics.items[m];
         if (metric->value.kind != PR_VALUE_UNAVAILABLE &&
             pr_selection_has_metric(selection, metric, NULL))
            samples->items[samples->count++] = (struct sample){phase, metric};
      }
   }
   qsort(samples->items, samples->count, sizeof *samples->items, by_name);
   return true;
}

static void put_head(const struct pr_metric *metric, FILE *out)
{
   fputs("# TYPE ", out);
   put_name(metric, out);
   fputs(" gauge\n", out);
   if (*unit_of(metric)) {
      fputs("# UNIT ", out);
      put_name(metric, out);
      putc(' ', out);
      for (const char *at = metric->unit; *at; at++)
         putc(in_name(*at), out);
      putc('\n', out);
   }
   if (metric->id == PR_METRIC_UNKNOWN)
      return;
   fputs("# HELP ", out);
   put_name(metric, out);
   fprintf(out, " %s\n", pr_metrics[metric->id].meaning);
}

/* A name stands for one metric, and for one value of a phase. */
static void put_samples(const struct samples *samples, FILE *out, FILE *notes)
{
   char digits[PR_NUMBER_TEXT_BYTES];
   const struct sample *head = NULL, *last = NULL;
   for (const struct sample *at = samples->items; at < samples->items + samples->count; at++) {
      bool is_headed = head && compare_names(head->metric, at->metric) == 0;
      if (is_headed && (strcmp(head->metric->name, at->metric->name) != 0 ||
                        last->phase == at->phase)) {
         pr_export_note_name_taken(at->phase, at->metric, notes);
         continue;
      }
      if (!is_headed) {
         head = at;
         put_head(at->metric, out);
      }
      last = at;
      put_name(at->metric, out);
      putc('{', out);
      put_label("phase", at->phase->name, out);
      fprintf(out, "} %s\n", pr_export_digits(digits, &at->metric->value));
   }
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

enum pr_exported pr_export_openmetrics(const struct pr_report *report,
                                       const struct pr_selection *selection, FILE *out,
                                       FILE *notes)
{
   struct samples samples;
   if (!gather(&samples, report, selection))
      return PR_EXPORT_EXHAUSTED;
   put_samples(&samples, out, notes);
   free(samples.items);
   put_unavailable(report, selection, out);
   fputs("# EOF\n", out);
   return PR_EXPORTED;
}
