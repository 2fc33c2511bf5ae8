/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_metrics.c: every metric of a phase, a line each. */
#include <string.h>

#include "pr_notes.h"
#include "pr_render.h"
#include "pr_text.h"

static void add_range_cell(struct pr_table *table, const struct pr_metric *metric,
                           const char *which, const struct pr_value *value)
{
   char number[PR_NUMBER_TEXT_BYTES];
   if (!metric->extra || !metric->extra->has_range)
      return pr_table_add(table, "");
   pr_table_addf(table, "%s %s", which, pr_number_format(number, pr_value_number(value)));
}

static void add_note_cell(struct pr_table *table, const struct pr_metric *metric,
                          struct pr_notes *notes)
{
   char number[PR_NUMBER_TEXT_BYTES], mark[PR_NOTE_MARK_BYTES];
   if (metric->value.kind == PR_VALUE_UNAVAILABLE) {
      pr_table_add(table, pr_notes_mark(notes, "", metric->value.reason, mark));
   } else if (metric->extra && metric->extra->stability == PR_UNSTABLE) {
      pr_table_addf(table, "unstable: two runs differ by %s",
                    pr_render_number(number, metric->extra->stable_difference));
   } else {
      pr_table_add(table, "");
   }
}

/* Columns: name, value, unit, in KiB or larger, min, max, note. */
static const char metric_columns[] = "lrlrrrl";

static void add_metric(struct pr_table *table, const struct pr_metric *metric,
                       struct pr_notes *notes)
{
   char number[PR_NUMBER_TEXT_BYTES];
   pr_table_add(table, metric->name);
   if (metric->value.kind == PR_VALUE_UNAVAILABLE) {
      pr_table_add(table, "unavailable");
      pr_table_add(table, metric->unit);
      pr_table_add(table, "");
   } else {
      struct pr_number value = pr_value_number(&metric->value);
      bool is_bytes = metric->unit && strcmp(metric->unit, "bytes") == 0;
      pr_table_add(table, pr_number_format(number, value));
      pr_table_add(table, metric->unit);
      pr_table_add(table, is_bytes ? pr_number_format_scaled(number, value) : "");
   }
   add_range_cell(table, metric, "min", metric->extra ? &metric->extra->min : NULL);
   add_range_cell(table, metric, "max", metric->extra ? &metric->extra->max : NULL);
   add_note_cell(table, metric, notes);
}

static void print_phase_head(const struct pr_phase *phase, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   fputs("phase ", out);
   pr_text_puts_word(out, phase->name);
   fputs(" (", out);
   if (phase->kind) {
      pr_text_puts(out, phase->kind);
      fputs(", ", out);
   }
   fprintf(out, "%s instance%s", pr_render_number(number, phase->instances),
           pr_render_plural(phase->instances));
   if (phase->parent) {
      fputs(", within ", out);
      pr_text_puts_word(out, phase->parent);
   }
   if (!phase->is_complete)
      fputs(", not complete", out);
   if (phase->is_overlapping)
      fputs(", overlapping: sums count shared work once per instance", out);
   fputs(")\n", out);
}

bool pr_render_phase_metrics(const struct pr_phase *phase, const struct pr_style *style,
                             FILE *out)
{
   struct pr_notes notes = {.count = 0};
   struct pr_table table;
   pr_table_init(&table, metric_columns);
   for (size_t i = 0; i < phase->metrics.count; i++)
      add_metric(&table, &phase->metrics.items[i], &notes);
   bool ok = !table.exhausted;
   if (ok) {
      print_phase_head(phase, out);
      pr_table_print(&table, PR_INDENT, style, out);
      pr_notes_print(&notes, PR_INDENT, out);
   }
   pr_table_release(&table);
   return ok;
}
