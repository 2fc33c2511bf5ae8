/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_export.h: reports in the formats of other programs.
 *
 * A format is a row of pr_exporters: its name, what it is, and the function that writes
 * it. What a format cannot say is left out and told on the side, never written as 0: an
 * unavailable metric is null with its reason where there is a null.
 *
 * Some formats are pictures: of one phase, program if none is named, and of metrics that the
 * report splits by call chains or functions. Their numbers add up to the metric exactly; a
 * metric that has no such numbers is no empty picture, it is refused.
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

enum pr_exported {
   PR_EXPORTED,
   PR_EXPORT_REFUSED, /* the report has not what the format needs: the notes say what */
   PR_EXPORT_EXHAUSTED, /* no memory */
};

/* Write the report. notes: what the format has no place for, a line each; may be NULL.
   Of what is not exported, what was written is of no use. */
typedef enum pr_exported pr_export_write(const struct pr_report *report,
                                         const struct pr_selection *selection, FILE *out,
                                         FILE *notes);

enum { PR_EXPORT_ANY = -1 };

struct pr_exporter {
   const char *name;    /* of the format: "json" */
   const char *summary; /* one line, no full stop */
   pr_export_write *write;
   int phases_max, metrics_max; /* that a selection names, or PR_EXPORT_ANY; metrics, 0: it
                                   has those that it has */
};

/* All formats; the last has no name. */
extern const struct pr_exporter pr_exporters[];

/* NULL: there is none of that name. */
const struct pr_exporter *pr_exporter_find(const char *name);

bool pr_selection_has_phase(const struct pr_selection *selection, const struct pr_phase *phase);

/* The one phase of a picture. NULL: the report has none, which is noted. */
const struct pr_phase *pr_selection_phase(const struct pr_selection *selection,
                                          const struct pr_report *report, FILE *notes);

/* The metrics of a picture, heap.peak if none is named. */
size_t pr_selection_metric_count(const struct pr_selection *selection);
enum pr_metric_id pr_selection_metric(const struct pr_selection *selection, size_t index);

/* Is the metric wanted? `usual`, ended by PR_METRIC_UNKNOWN, are those that are if none is
   named; NULL: all are. */
bool pr_selection_has_metric(const struct pr_selection *selection,
                             const struct pr_metric *metric, const enum pr_metric_id *usual);

/* "no heap.peak of phase 'load': REASON". */
void pr_export_note_unavailable(const struct pr_phase *phase, const struct pr_metric *metric,
                                FILE *notes);

/* The same with another reason. */
void pr_export_note(const struct pr_phase *phase, const struct pr_metric *metric,
                    const char *reason, FILE *notes);

/* False, which is noted: the phase has no such metric, or without a value. */
bool pr_export_has_value(const struct pr_phase *phase, enum pr_metric_id id, FILE *notes);

/* The same, for a metric whose name in the format is that of another one. */
void pr_export_note_name_taken(const struct pr_phase *phase, const struct pr_metric *metric,
                               FILE *notes);

/* "no phase 'load': REASON", of one that is left out as a whole. */
void pr_export_note_phase(const struct pr_phase *phase, const char *reason, FILE *notes);

/* An available value as decimal digits. */
const char *pr_export_digits(char text[PR_NUMBER_TEXT_BYTES], const struct pr_value *value);

/* The writers of the table's rows. */
pr_export_write pr_export_json, pr_export_csv, pr_export_openmetrics, pr_export_bencher,
   pr_export_benchmark_action, pr_export_folded, pr_export_speedscope, pr_export_callgrind,
   pr_export_massif, pr_export_dhat, pr_export_pprof;

#endif
