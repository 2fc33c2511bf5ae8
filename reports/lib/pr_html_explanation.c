/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_explanation.c: what changed since the baseline, and what accounts for it, as
 * `profmem diff` tells it, with all that it shows at most for so many rows. See pr_html_view.h.
 */
#include "pr_explain.h"
#include "pr_html_table.h"
#include "pr_html_view.h"
#include "pr_piece.h"
#include "pr_render_breakdown.h"
#include "pr_render_diff.h"

/* The runs ----------------------------------------------------------------- */

static void add_runs(const struct pr_html_page *page, xmlNode *section)
{
   const struct pr_unlike *unlike = page->request->unlike;
   struct pr_html_table table;
   if (unlike->count == 0)
      return;
   pr_html_table_start(&table, page->view, section,
                       unlike->unlike_count ? "the runs are unlike" : "the runs");
   pr_html_add_column(&table, "text", "what differs");
   pr_html_add_column(&table, "text", "before");
   pr_html_add_column(&table, "text", "now");
   for (size_t i = 0; i < unlike->count; i++) {
      const struct pr_difference *difference = &unlike->items[i];
      pr_html_add_row(&table, i < unlike->unlike_count ? "unlike" : NULL);
      xmlNode *cell = pr_html_add_text_cell(&table, difference->subject);
      pr_html_set_name(page->view, cell, "name", difference->name);
      pr_html_add_name_cell(&table, difference->old_value ? difference->old_value : "none");
      pr_html_add_name_cell(&table, difference->new_value ? difference->new_value : "none");
   }
   pr_html_table_finish(&table);
}

/* Metrics ------------------------------------------------------------------ */

struct lines {
   struct pr_html_view *view;
   xmlNode *metric;
};

static void take_line(void *taker, const struct pr_explanation_line *line)
{
   const struct lines *lines = taker;
   xmlNode *node = pr_html_add(lines->view, lines->metric, "part");
   pr_html_set_change(lines->view, node, line->change);
   pr_html_set(lines->view, node, "kind", line->kind);
   if (line->is_guessed)
      pr_html_set(lines->view, node, "is-guessed", "yes");
   pr_html_set_name(lines->view, node, "what", line->what);
   pr_html_set_name(lines->view, node, "rest", line->rest);
}

/* A number, or why there is none. */
static void set_value(struct pr_html_view *view, xmlNode *node, const char *number,
                      const char *reason, const struct pr_metric *metric)
{
   if (metric->value.kind == PR_VALUE_UNAVAILABLE)
      pr_html_set_name(view, node, reason, metric->value.reason);
   else
      pr_html_set_number(view, node, number, pr_value_wide(&metric->value));
}

static void set_range(struct pr_html_view *view, xmlNode *node, const char *attribute,
                      const struct pr_metric_extra *extra)
{
   char least[PR_NUMBER_TEXT_BYTES], most[PR_NUMBER_TEXT_BYTES];
   pr_html_setf(view, node, attribute, "%s to %s",
                pr_number_format(least, pr_value_number(&extra->min)),
                pr_number_format(most, pr_value_number(&extra->max)));
}

/* False: no memory left. */
static bool add_metric(const struct pr_html_page *page, xmlNode *phase,
                       struct pr_phase_rows *rows, const struct pr_metric_change *metric)
{
   const struct pr_diff_view asked = {.top = page->request->top};
   struct pr_html_view *view = page->view;
   const struct pr_metric *olds = metric->metrics[PR_OLD], *news = metric->metrics[PR_NEW];
   xmlNode *node = pr_html_add(view, phase, "changed");
   pr_html_set_name(view, node, "name", metric->name);
   pr_html_set_name(view, node, "unit", news->unit);
   set_value(view, node, "old", "old-reason", olds);
   set_value(view, node, "number", "reason", news);
   if (metric->is_comparable)
      pr_html_set_difference(view, node, metric->values[PR_OLD], metric->values[PR_NEW],
                             pr_html_metric_is_in_bytes(news));
   if (metric->is_moved)
      pr_html_set(view, node, "is-moved", "yes");
   if (metric->is_range_changed) {
      set_range(view, node, "old-range", olds->extra);
      set_range(view, node, "range", news->extra);
   }
   struct lines lines = {view, node};
   return !(metric->change || metric->is_moved)
          || pr_explain_change(rows, metric, &asked, take_line, &lines);
}

/* Those that one of the reports does not list. */
static void add_not_listed(struct pr_html_view *view, xmlNode *phase,
                           const struct pr_metric_change *metric)
{
   xmlNode *node = pr_html_add(view, phase, "unlisted");
   pr_html_set(view, node, "in", metric->metrics[PR_OLD] ? "new" : "old");
   pr_html_set_name(view, node, "name", metric->name);
}

static void add_metrics(const struct pr_html_page *page, xmlNode *node,
                        const struct pr_phase_change *phase)
{
   struct pr_rows gathered[PR_BREAKDOWN_KINDS];
   struct pr_phase_rows rows = {.diff = page->request->diff, .phase = phase, .rows = gathered};
   bool ok = true;
   for (size_t m = 0; ok && m < phase->count; m++) {
      const struct pr_metric_change *metric = &phase->metrics[m];
      if (metric->metrics[PR_OLD] && metric->metrics[PR_NEW])
         ok = add_metric(page, node, &rows, metric);
      else
         add_not_listed(page->view, node, metric);
   }
   page->view->is_exhausted = page->view->is_exhausted || !ok;
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++)
      if (rows.is_gathered[kind])
         pr_rows_release(&gathered[kind]);
}

/* Phases ------------------------------------------------------------------- */

/* What is said of a phase besides its numbers, where that differs. */
static void add_description(struct pr_html_view *view, xmlNode *node,
                            const struct pr_phase_change *phase)
{
   struct pr_piece piece;
   FILE *out = pr_piece_open(&piece);
   if (out)
      pr_render_phase_description(phase, out);
   const char *text = pr_piece_text(&piece);
   view->is_exhausted = view->is_exhausted || !text;
   pr_html_set(view, node, "description", text);
   pr_piece_release(&piece);
}

static void add_phase(const struct pr_html_page *page, xmlNode *section,
                      const struct pr_phase_change *phase)
{
   const struct pr_phase *olds = phase->phases[PR_OLD], *news = phase->phases[PR_NEW];
   xmlNode *node = pr_html_add(page->view, section, "phase-change");
   pr_html_set_name(page->view, node, "name", (news ? news : olds)->name);
   if (!olds || !news) {
      pr_html_set(page->view, node, "is", news ? "new" : "gone");
      return;
   }
   add_description(page->view, node, phase);
   add_metrics(page, node, phase);
   for (int kind = 0; kind < PR_HISTOGRAM_KINDS; kind++)
      if (phase->histograms[kind].count) {
         xmlNode *histogram = pr_html_add(page->view, node, "histogram");
         pr_html_set(page->view, histogram, "name", pr_histogram_names[kind]);
      }
}

void pr_html_add_explanation(const struct pr_html_page *page, xmlNode *section)
{
   const struct pr_diff *diff = page->request->diff;
   add_runs(page, section);
   size_t shown = diff->count < page->request->phases ? diff->count : page->request->phases;
   for (size_t p = 0; p < shown; p++)
      add_phase(page, section, &diff->phases[p]);
   pr_html_set_number(page->view, section, "changed", (__int128)diff->count);
   if (diff->count > shown)
      pr_html_set_number(page->view, section, "more", (__int128)(diff->count - shown));
}
