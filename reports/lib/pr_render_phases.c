/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_phases.c: phases and instances in a table, a row each.
 *
 * Below a row stands a fainter one with the same bytes in larger units, and the
 * allocator's share of the instructions, where there is anything to say.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_notes.h"
#include "pr_render.h"
#include "pr_text.h"
#include "pr_tree.h"

enum {
   DEPTH_MAX = 20,       /* that is shown by indenting: deeper ones stand below each other */
   NAME_COLUMNS_MIN = 16,
};

const struct pr_phase_column pr_phase_columns[PR_PHASE_COLUMNS] = {
   {"heap", "entry", PR_METRIC_HEAP_ENTRY, PR_METRIC_UNKNOWN},
   {"heap", "peak", PR_METRIC_HEAP_PEAK, PR_METRIC_UNKNOWN},
   {"heap", "exit", PR_METRIC_HEAP_EXIT, PR_METRIC_UNKNOWN},
   {"heap", "scratch-peak", PR_METRIC_HEAP_SCRATCH_PEAK, PR_METRIC_UNKNOWN},
   {"instructions", "total", PR_METRIC_INSTRUCTIONS_TOTAL, PR_METRIC_UNKNOWN},
   {"instructions", "allocator", PR_METRIC_INSTRUCTIONS_ALLOCATOR, PR_METRIC_INSTRUCTIONS_TOTAL},
   {"traffic", "bytes", PR_METRIC_TRAFFIC_BYTES, PR_METRIC_UNKNOWN},
   {"traffic", "blocks", PR_METRIC_TRAFFIC_BLOCKS, PR_METRIC_UNKNOWN},
};

/* Name, instances, notes, then those above. */
static const char alignment[] = "lrlrrrrrrrr";

struct phase_table {
   struct pr_table cells;
   struct pr_notes notes;
   size_t name_columns; /* at most; 0: as many as it needs */
};

static void start_table(struct phase_table *table, const struct pr_style *style)
{
   *table = (struct phase_table){.name_columns = style->width / 3};
   if (style->width && table->name_columns < NAME_COLUMNS_MIN)
      table->name_columns = NAME_COLUMNS_MIN;
   struct pr_table *cells = &table->cells;
   pr_table_init(cells, alignment);
   cells->emphasis = PR_FAINT;
   pr_table_add(cells, "");
   pr_table_add(cells, "");
   pr_table_add(cells, "");
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++)
      pr_table_add(cells, pr_phase_columns[c].title);
   pr_table_add(cells, "phase");
   pr_table_add(cells, "instances");
   pr_table_add(cells, "");
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++)
      pr_table_add(cells, pr_phase_columns[c].subtitle);
   cells->emphasis = PR_PLAIN;
}

static bool finish_table(struct phase_table *table, const struct pr_style *style, FILE *out)
{
   bool ok = !table->cells.exhausted;
   if (ok) {
      pr_table_print(&table->cells, PR_INDENT, style, out);
      pr_notes_print(&table->notes, PR_INDENT, out);
   }
   pr_table_release(&table->cells);
   return ok;
}

/* Exact, or the mark of the note that says why not. */
static void add_exact(struct phase_table *table, const struct pr_metric_list *metrics,
                      enum pr_metric_id id)
{
   char number[PR_NUMBER_TEXT_BYTES], mark[PR_NOTE_MARK_BYTES];
   const struct pr_metric *metric = pr_metric_list_get(metrics, id);
   struct pr_notes *notes = &table->notes;
   if (!metric)
      pr_table_add(&table->cells, pr_notes_mark(notes, "not in the report", "", mark));
   else if (metric->value.kind == PR_VALUE_UNAVAILABLE)
      pr_table_add(&table->cells,
                   pr_notes_mark(notes, "unavailable: ", metric->value.reason, mark));
   else if (metric->extra && metric->extra->stability == PR_UNSTABLE)
      pr_table_addf(&table->cells, "%s %s",
                    pr_notes_mark(notes, "unstable: two runs differ; --metrics says by how much",
                                  "", mark),
                    pr_number_format(number, pr_value_number(&metric->value)));
   else
      pr_table_add(&table->cells, pr_number_format(number, pr_value_number(&metric->value)));
}

/* What goes below the exact number: larger units, a share, or "". */
static void write_second(char text[PR_NUMBER_TEXT_BYTES], const struct pr_metric_list *metrics,
                         size_t column)
{
   const struct pr_phase_column *about = &pr_phase_columns[column];
   const struct pr_metric *metric = pr_metric_list_available(metrics, about->metric);
   const struct pr_metric *whole = pr_metric_list_available(metrics, about->whole);
   text[0] = '\0';
   if (!metric)
      return;
   if (whole)
      pr_render_share(text, metric->value.as_unsigned, whole->value.as_unsigned);
   else if (strcmp(pr_metrics[metric->id].unit, "bytes") == 0)
      pr_number_format_scaled(text, pr_value_number(&metric->value));
}

static void add_metrics(struct phase_table *table, const struct pr_metric_list *metrics)
{
   char second[PR_PHASE_COLUMNS][PR_NUMBER_TEXT_BYTES];
   bool has_second = false;
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++) {
      add_exact(table, metrics, pr_phase_columns[c].metric);
      write_second(second[c], metrics, c);
      has_second = has_second || second[c][0];
   }
   if (!has_second)
      return;
   table->cells.emphasis = PR_FAINT;
   for (int i = 0; i < 3; i++)
      pr_table_add(&table->cells, "");
   for (size_t c = 0; c < PR_PHASE_COLUMNS; c++)
      pr_table_add(&table->cells, second[c]);
   table->cells.emphasis = PR_PLAIN;
}

/* Marks of what holds for the phase as a whole. */
static void add_marks(struct phase_table *table, bool is_complete, bool is_overlapping)
{
   char mark[PR_NOTE_MARK_BYTES], overlapping[PR_NOTE_MARK_BYTES];
   mark[0] = overlapping[0] = '\0';
   if (!is_complete)
      pr_notes_mark(&table->notes, "not complete: it did not end in the declared way", "", mark);
   if (is_overlapping)
      pr_notes_mark(&table->notes, "overlapping: sums count shared work once per instance", "",
                    overlapping);
   pr_table_addf(&table->cells, "%s%s", mark, overlapping);
}

/* A blank at either end would be taken for the table's own, nothing for nothing. */
static bool needs_quotes(const char *name)
{
   return name[0] == '\0' || name[0] == ' ' || name[strlen(name) - 1] == ' '
          || pr_text_is_command(name);
}

static void add_phase(struct phase_table *table, const struct pr_phase *phase, size_t depth)
{
   char number[PR_NUMBER_TEXT_BYTES];
   char indented[2 * DEPTH_MAX + 1];
   size_t indent = 2 * (depth < DEPTH_MAX ? depth : DEPTH_MAX);
   memset(indented, ' ', indent);
   indented[indent] = '\0';
   const char *quote = needs_quotes(phase->name) ? "'" : "";
   char *name = NULL;
   if (asprintf(&name, "%s%s%s%s", indented, quote, phase->name, quote) < 0) {
      table->cells.exhausted = true;
      return;
   }
   pr_table_add_cut(&table->cells, name, table->name_columns);
   free(name);
   pr_table_add(&table->cells, pr_render_number(number, phase->instances));
   add_marks(table, phase->is_complete, phase->is_overlapping);
   add_metrics(table, &phase->metrics);
}

bool pr_render_phase_tree(const struct pr_report *report, const struct pr_style *style, FILE *out)
{
   struct pr_tree_node *nodes = pr_tree_of_phases(report);
   if (!nodes)
      return false;
   struct phase_table table;
   start_table(&table, style);
   for (size_t i = 0; i < report->phase_count && !table.cells.exhausted; i++)
      add_phase(&table, nodes[i].phase, nodes[i].depth);
   free(nodes);
   return finish_table(&table, style, out);
}

bool pr_render_phase_row(const struct pr_phase *phase, const struct pr_view *view, FILE *out)
{
   struct phase_table table;
   start_table(&table, &view->style);
   add_phase(&table, phase, 0);
   for (size_t i = 0; i < phase->listed_count && i < view->top; i++) {
      const struct pr_instance *instance = &phase->listed[i];
      if (instance->thread)
         pr_table_addf(&table.cells, "  instance %" PRIu64 ", thread %" PRIu64, instance->number,
                       instance->thread);
      else
         pr_table_addf(&table.cells, "  instance %" PRIu64, instance->number);
      pr_table_add(&table.cells, "");
      add_marks(&table, instance->is_complete, false);
      add_metrics(&table, &instance->metrics);
   }
   bool ok = finish_table(&table, &view->style, out);
   char number[PR_NUMBER_TEXT_BYTES];
   if (phase->listed_count > view->top)
      fprintf(out, "%*s%s of the listed instances are not shown; --top shows more\n", PR_INDENT, "",
              pr_render_number(number, phase->listed_count - view->top));
   return ok;
}
