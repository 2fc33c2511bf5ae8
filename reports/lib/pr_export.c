/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export.c: the table of formats, and what they share. See pr_export.h. */
#include "pr_export.h"

#include <inttypes.h>
#include <string.h>

#include "pr_text.h"

const struct pr_exporter pr_exporters[] = {
   {"json", "every value, for programs", pr_export_json, PR_EXPORT_ANY, PR_EXPORT_ANY},
   {"csv", "a line for each metric of each phase, for spreadsheets and data frames",
    pr_export_csv, PR_EXPORT_ANY, PR_EXPORT_ANY},
   {"openmetrics", "text that Prometheus and its relatives read", pr_export_openmetrics,
    PR_EXPORT_ANY, PR_EXPORT_ANY},
   {"bencher", "Bencher Metric Format, for bencher.dev", pr_export_bencher, PR_EXPORT_ANY,
    PR_EXPORT_ANY},
   {"benchmark-action", "customSmallerIsBetter of github-action-benchmark",
    pr_export_benchmark_action, PR_EXPORT_ANY, PR_EXPORT_ANY},
   {"folded", "a line for each call stack, for flame graphs", pr_export_folded, 1, 1},
   {"speedscope", "a profile for each metric of each phase, for speedscope.app",
    pr_export_speedscope, PR_EXPORT_ANY, PR_EXPORT_ANY},
   {"callgrind", "instructions of functions, lines, addresses, for KCachegrind",
    pr_export_callgrind, 1, PR_EXPORT_ANY},
   {"massif", "the timeline, and who had what at the peak, for ms_print", pr_export_massif, 1, 0},
   {"dhat", "who obtained memory, kept it, and had it at the peak, for dh_view",
    pr_export_dhat, 1, 0},
   {"pprof", "a sample type for each metric, for pprof", pr_export_pprof, 1, PR_EXPORT_ANY},
   {NULL, NULL, NULL, 0, 0},
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

const struct pr_phase *pr_selection_phase(const struct pr_selection *selection,
                                          const struct pr_report *report, FILE *notes)
{
   const char *name = selection->phase_count > 0 ? selection->phases[0] : "program";
   const struct pr_phase *phase = pr_report_phase(report, name);
   if (!phase && notes) {
      fputs("no phase '", notes);
      pr_text_puts(notes, name);
      fputs("'\n", notes);
   }
   return phase;
}

size_t pr_selection_metric_count(const struct pr_selection *selection)
{
   return selection->metric_count > 0 ? selection->metric_count : 1;
}

enum pr_metric_id pr_selection_metric(const struct pr_selection *selection, size_t index)
{
   return selection->metric_count > 0
             ? pr_metric_find(selection->metrics[index], strlen(selection->metrics[index]))
             : PR_METRIC_HEAP_PEAK;
}

static void note(const struct pr_phase *phase, const char *metric, const char *reason,
                 FILE *notes)
{
   if (!notes)
      return;
   fprintf(notes, "no ");
   pr_text_puts(notes, metric);
   fputs(" of phase '", notes);
   pr_text_puts(notes, phase->name);
   fputs("': ", notes);
   pr_text_puts(notes, reason);
   putc('\n', notes);
}

void pr_export_note(const struct pr_phase *phase, const struct pr_metric *metric,
                    const char *reason, FILE *notes)
{
   note(phase, metric->name, reason, notes);
}

bool pr_export_has_value(const struct pr_phase *phase, enum pr_metric_id id, FILE *notes)
{
   const struct pr_metric *metric = pr_phase_metric_by_id(phase, id);
   if (!metric)
      note(phase, pr_metrics[id].name, "the report does not have it", notes);
   else if (metric->value.kind == PR_VALUE_UNAVAILABLE)
      pr_export_note_unavailable(phase, metric, notes);
   else
      return true;
   return false;
}

void pr_export_note_unavailable(const struct pr_phase *phase, const struct pr_metric *metric,
                                FILE *notes)
{
   note(phase, metric->name, metric->value.reason, notes);
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
   note(phase, metric->name, "the format writes its name like that of another metric", notes);
}

const char *pr_export_digits(char text[PR_NUMBER_TEXT_BYTES], const struct pr_value *value)
{
   if (value->kind == PR_VALUE_SIGNED)
      snprintf(text, PR_NUMBER_TEXT_BYTES, "%" PRId64, value->as_signed);
   else
      snprintf(text, PR_NUMBER_TEXT_BYTES, "%" PRIu64, value->as_unsigned);
   return text;
}
