/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_table.c: tables of a view, cell by cell. See pr_html_table.h. */
#include "pr_html_table.h"

#include <string.h>

#include "pr_render_breakdown.h"
#include "pr_render_diff.h"

void pr_html_table_start(struct pr_html_table *table, struct pr_html_view *view, xmlNode *parent,
                         const char *caption)
{
   *table = (struct pr_html_table){.view = view, .node = pr_html_add(view, parent, "table")};
   pr_html_set(view, table->node, "caption", caption);
}

void pr_html_table_finish(struct pr_html_table *table)
{
   for (size_t i = 0; i < table->notes.count; i++) {
      const struct pr_note *note = &table->notes.items[i];
      xmlNode *node = pr_html_add(table->view, table->node, "note");
      pr_html_setf(table->view, node, "mark", "[%zu]", i + 1);
      pr_html_set(table->view, node, "lead", note->lead);
      pr_html_set_name(table->view, node, "text", note->text);
   }
}

void pr_html_add_column(struct pr_html_table *table, const char *kind, const char *title)
{
   xmlNode *node = pr_html_add(table->view, table->node, "column");
   pr_html_set(table->view, node, "kind", kind);
   pr_html_set(table->view, node, "title", title);
}

void pr_html_add_row(struct pr_html_table *table, const char *kind)
{
   table->row = pr_html_add(table->view, table->node, "row");
   pr_html_set(table->view, table->row, "kind", kind);
}

/* Cells -------------------------------------------------------------------- */

xmlNode *pr_html_add_cell(struct pr_html_table *table)
{
   return pr_html_add(table->view, table->row, "cell");
}

xmlNode *pr_html_add_text_cell(struct pr_html_table *table, const char *text)
{
   xmlNode *cell = pr_html_add_cell(table);
   pr_html_set(table->view, cell, "text", text);
   return cell;
}

xmlNode *pr_html_add_name_cell(struct pr_html_table *table, const char *name)
{
   xmlNode *cell = pr_html_add_cell(table);
   pr_html_set_name(table->view, cell, "name", name);
   return cell;
}

static void set_number(struct pr_html_view *view, xmlNode *cell, __int128 number, bool is_bytes)
{
   char text[PR_NUMBER_TEXT_BYTES];
   pr_html_set_number(view, cell, "number", number);
   if (is_bytes)
      pr_html_set(view, cell, "scaled", pr_render_scaled(text, number));
}

xmlNode *pr_html_add_number_cell(struct pr_html_table *table, __int128 number, bool is_bytes)
{
   xmlNode *cell = pr_html_add_cell(table);
   set_number(table->view, cell, number, is_bytes);
   return cell;
}

bool pr_html_metric_is_in_bytes(const struct pr_metric *metric)
{
   return metric->unit && strcmp(metric->unit, "bytes") == 0;
}

/* Why there is no number: "[1]". */
static const char *mark_of(struct pr_html_table *table, const struct pr_metric *metric,
                           char mark[PR_NOTE_MARK_BYTES])
{
   return metric ? pr_notes_mark(&table->notes, "unavailable: ", metric->value.reason, mark)
                 : pr_notes_mark(&table->notes, "not in the report", "", mark);
}

static bool has_number(const struct pr_metric *metric)
{
   return metric && metric->value.kind != PR_VALUE_UNAVAILABLE;
}

xmlNode *pr_html_add_metric_cell(struct pr_html_table *table, const struct pr_metric *metric)
{
   char mark[PR_NOTE_MARK_BYTES];
   xmlNode *cell = pr_html_add_cell(table);
   if (!has_number(metric)) {
      pr_html_set(table->view, cell, "mark", mark_of(table, metric, mark));
      return cell;
   }
   set_number(table->view, cell, pr_value_wide(&metric->value), pr_html_metric_is_in_bytes(metric));
   if (metric->extra && metric->extra->stability == PR_UNSTABLE)
      pr_html_set(table->view, cell, "mark",
                  pr_notes_mark(&table->notes, "unstable: two runs differ", "", mark));
   return cell;
}

void pr_html_set_share(struct pr_html_view *view, xmlNode *cell, __int128 part, __int128 whole)
{
   char share[PR_SHARE_TEXT_BYTES];
   if (part > 0 && whole >= part)
      pr_html_set(view, cell, "share", pr_render_share(share, part, whole));
}

void pr_html_set_bar(struct pr_html_view *view, xmlNode *cell, __int128 part, __int128 whole)
{
   enum { BAR_UNITS = 1000 }; /* that a full bar is long */
   if (part <= 0 || whole < part)
      return;
   __int128 units = (part * BAR_UNITS + whole / 2) / whole;
   pr_html_setf(view, cell, "bar", "%d", units ? (int)units : 1);
}

/* Changes ------------------------------------------------------------------ */

void pr_html_set_change(struct pr_html_view *view, xmlNode *node, __int128 change)
{
   char text[PR_NUMBER_TEXT_BYTES];
   pr_html_set(view, node, "change", pr_render_change(text, change));
   pr_html_set(view, node, "direction", change > 0 ? "more" : change < 0 ? "less" : "same");
}

void pr_html_set_difference(struct pr_html_view *view, xmlNode *cell, __int128 old_number,
                            __int128 number, bool is_bytes)
{
   char text[PR_NUMBER_TEXT_BYTES], relative[PR_RELATIVE_TEXT_BYTES];
   __int128 change = number - old_number;
   pr_html_set_change(view, cell, change);
   pr_html_set(view, cell, "relative", pr_render_relative(relative, change, old_number));
   if (is_bytes && pr_render_scaled(text, change)[0])
      pr_html_setf(view, cell, "change-scaled", "%s%s", change > 0 ? "+" : "", text);
}

xmlNode *pr_html_add_change_cell(struct pr_html_table *table, __int128 old_number,
                                 __int128 number, bool is_bytes)
{
   xmlNode *cell = pr_html_add_cell(table);
   pr_html_set_difference(table->view, cell, old_number, number, is_bytes);
   return cell;
}

void pr_html_set_metric_change(struct pr_html_table *table, xmlNode *cell,
                               const struct pr_metric *old_metric, const struct pr_metric *metric)
{
   char mark[PR_NOTE_MARK_BYTES];
   if (has_number(old_metric))
      pr_html_set_number(table->view, cell, "old", pr_value_wide(&old_metric->value));
   else
      pr_html_set(table->view, cell, "old", mark_of(table, old_metric, mark));
   if (has_number(old_metric) && has_number(metric))
      pr_html_set_difference(table->view, cell, pr_value_wide(&old_metric->value),
                             pr_value_wide(&metric->value), pr_html_metric_is_in_bytes(metric));
}
