/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export.h: reports in the formats of other programs.
 *
 * A format is a row of pr_exporters: its name, what it is, and the function that writes
 * it. What a format cannot say is left out and told on the side, never written as 0: an
 * unavailable metric is null with its reason where there is a null.
 *
 * Names of phases, files and functions are data: each format's own escapes are used.
 */
#ifndef PR_EXPORT_H
#define PR_EXPORT_H

#include <stdio.h>

#include "pr_number.h"
#include "pr_report.h"

/* What of a report is wanted. */
struct pr_selection {
   const char *const *phases; /* names; count 0: all */
   size_t phase_count;
   const char *const *metrics; /* names; count 0: those of the format */
   size_t metric_count;
};

struct pr_exporter {
   const char *name;    /* of the format: "json" */
   const char *summary; /* one line, no full stop */
   /* Write the report. notes: what the format has no place for, a line each; may be NULL.
      False: no memory. */
   bool (*write)(const struct pr_report *report, const struct pr_selection *selection, FILE *out,
                 FILE *notes);
};

/* All formats; the last has no name. */
extern const struct pr_exporter pr_exporters[];

/* NULL: there is none of that name. */
const struct pr_exporter *pr_exporter_find(const char *name);

bool pr_selection_has_phase(const struct pr_selection *selection, const struct pr_phase *phase);

/* Is the metric wanted? `usual`, ended by PR_METRIC_UNKNOWN, are those that are if none is
   named; NULL: all are. */
bool pr_selection_has_metric(const struct pr_selection *selection,
                             const struct pr_metric *metric, const enum pr_metric_id *usual);

/* "no heap.peak of phase 'load': REASON". */
void pr_export_note_unavailable(const struct pr_phase *phase, const struct pr_metric *metric,
                                FILE *notes);

/* The same, for a metric whose name in the format is that of another one. */
void pr_export_note_name_taken(const struct pr_phase *phase, const struct pr_metric *metric,
                               FILE *notes);

/* "no phase 'load': REASON", of one that is left out as a whole. */
void pr_export_note_phase(const struct pr_phase *phase, const char *reason, FILE *notes);

/* An available value as decimal digits. */
const char *pr_export_digits(char text[PR_NUMBER_TEXT_BYTES], const struct pr_value *value);

/* The writers of the table's rows. */
bool pr_export_json(const struct pr_report *report, const struct pr_selection *selection,
                    FILE *out, FILE *notes);
bool pr_export_csv(const struct pr_report *report, const struct pr_selection *selection, FILE *out,
                   FILE *notes);
bool pr_export_openmetrics(const struct pr_report *report, const struct pr_selection *selection,
                           FILE *out, FILE *notes);
bool pr_export_bencher(const struct pr_report *report, const struct pr_selection *selection,
                       FILE *out, FILE *notes);
bool pr_export_benchmark_action(const struct pr_report *report,
                                const struct pr_selection *selection, FILE *out, FILE *notes);

#endif
