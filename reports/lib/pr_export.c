/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export.c: the table of formats, and what they share. See pr_export.h. */
#include "pr_export.h"

#include <inttypes.h>
#include <string.h>

#include "pr_text.h"

const struct pr_exporter pr_exporters[] = {
   {"json", "every value, for programs", pr_export_json},
   {"csv", "a line for each metric of each phase, for spreadsheets and data frames",
    pr_export_csv},
   {"openmetrics", "text that Prometheus and its relatives read", pr_export_openmetrics},
   {"bencher", "Bencher Metric Format, for bencher.dev", pr_export_bencher},
   {"benchmark-action", "customSmallerIsBetter of github-action-benchmark",
    pr_export_benchmark_action},
   {NULL, NULL, NULL},
};

const struct pr_exporter *pr_exporter_find(const char *name)
{
   for (const struct pr_exporter *exporter = pr_exporters; exporter->name; exporter++)
      if (strcmp(exporter->name, name) == 0)
         return exporter;
   return NULL;
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
   for (size_t n = 0; n < count; n++)
      if (strcmp(names[n], name) == 0)
         return true;
   return false;
}

bool pr_selection_has_phase(const struct pr_selection *selection, const struct pr_phase *phase)
{
   return selection->phase_count == 0 ||
          is_among(phase->name, selection->phases, selection->phase_count);
}

bool pr_selection_has_metric(const struct pr_selection *selection,
                             const struct pr_metric *metric, const enum pr_metric_id *usual)
{
   if (selection->metric_count > 0)
      return is_among(metric->name, selection->metrics, selection->metric_count);
   if (!usual)
      return true;
   while (*usual != PR_METRIC_UNKNOWN && *usual != metric->id)
      usual++;
   return *usual != PR_METRIC_UNKNOWN;
}

static void note(const struct pr_phase *phase, const struct pr_metric *metric, const char *reason,
                 FILE *notes)
{
   if (!notes)
      return;
   fprintf(notes, "no ");
   pr_text_puts(notes, metric->name);
   fputs(" of phase '", notes);
   pr_text_puts(notes, phase->name);
   fputs("': ", notes);
   pr_text_puts(notes, reason);
   putc('\n', notes);
}

void pr_export_note_unavailable(const struct pr_phase *phase, const struct pr_metric *metric,
                                FILE *notes)
{
   note(phase, metric, metric->value.reason, notes);
}

void pr_export_note_phase(const struct pr_phase *phase, const char *reason, FILE *notes)
{
   enum { PHASE_COLUMNS_MAX = 60 };
   if (!notes)
      return;
   fputs("no phase '", notes);
   pr_text_puts_cut(notes, phase->name, PHASE_COLUMNS_MAX);
   fprintf(notes, "': %s\n", reason);
}

void pr_export_note_name_taken(const struct pr_phase *phase, const struct pr_metric *metric,
                               FILE *notes)
{
   note(phase, metric, "the format writes its name like that of another metric", notes);
}

const char *pr_export_digits(char text[PR_NUMBER_TEXT_BYTES], const struct pr_value *value)
{
   if (value->kind == PR_VALUE_SIGNED)
      snprintf(text, PR_NUMBER_TEXT_BYTES, "%" PRId64, value->as_signed);
   else
      snprintf(text, PR_NUMBER_TEXT_BYTES, "%" PRIu64, value->as_unsigned);
   return text;
}
