/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_explain.c: what accounts for a change, a line each. See pr_render_diff.h. */
#include <stdlib.h>
#include <string.h>

#include "pr_explain.h"
#include "pr_render_breakdown.h"
#include "pr_render_diff.h"
#include "pr_render_part.h"

struct explanation {
   struct pr_phase_rows *rows;
   const struct pr_metric_change *metric;
   const struct pr_diff_view *view;
   pr_explanation_line_taker *take; /* of every line, with this: */
   void *taker;
   bool is_exhausted;
};

/* Lines -------------------------------------------------------------------- */

/* Texts of a line; the caller frees. */
struct line_text {
   char *what, *rest;
};

static void add_line(struct explanation *explanation, __int128 change, const char *kind,
                     bool is_guessed, const struct line_text *text)
{
   const struct pr_explanation_line line = {change, kind, is_guessed, text->what, text->rest};
   if (text->what && text->rest)
      explanation->take(explanation->taker, &line);
   else
      explanation->is_exhausted = true;
}

/* Sections ----------------------------------------------------------------- */

static const char *const kind_words[PR_BREAKDOWN_KINDS] = {
   [PR_BY_SITE] = "site",         [PR_BY_RESIZE] = "resize", [PR_BY_RELEASE] = "release",
   [PR_BY_FUNCTION] = "function", [PR_BY_LINE] = "line",     [PR_BY_THREAD] = "thread",
};

/* `of` is another metric's name if the part is one of that metric; NULL otherwise. */
static void add_part(struct explanation *explanation, const struct pr_rows *rows,
                     const struct pr_part *part, const char *of)
{
   struct line_text text = {pr_part_what(rows, part, explanation->view->is_full),
                            pr_part_rest(rows, part, of)};
   add_line(explanation, part->change, kind_words[rows->kind], pr_part_is_guessed(rows, part),
            &text);
   free(text.what);
   free(text.rest);
}

static void add_object(struct explanation *explanation, const struct pr_rows *rows,
                       const struct pr_part *part)
{
   const struct pr_unit *unit = &rows->pairing->units[PR_UNIT_OBJECT].items[part->object];
   struct line_text text = {strdup(unit->names[unit->names[PR_NEW] ? PR_NEW : PR_OLD]),
                            pr_object_part_rest(rows, part)};
   add_line(explanation, part->change, "object", unit->is_guessed, &text);
   free(text.what);
   free(text.rest);
}

/* A line of ours; "" where there is nothing to say. */
static void add_words(struct explanation *explanation, __int128 change, const char *kind,
                      const char *what, const char *rest)
{
   struct line_text text = {strdup(what), strdup(rest)};
   add_line(explanation, change, kind, false, &text);
   free(text.what);
   free(text.rest);
}

static void add_more(struct explanation *explanation, size_t count, __int128 change,
                     const char *kind)
{
   char number[PR_NUMBER_TEXT_BYTES], what[128];
   snprintf(what, sizeof what, "%s more that changed", pr_render_wide(number, (__int128)count));
   add_words(explanation, change, kind, what, "");
}

/* What the lines above leave over, so that a section adds up to the change. */
static void add_rest(struct explanation *explanation, const struct pr_parts *parts,
                     size_t shown, const char *kind)
{
   __int128 rest = 0;
   for (size_t i = shown; i < parts->count; i++)
      rest += parts->items[i].change;
   if (parts->count > shown)
      add_more(explanation, parts->count - shown, rest, kind);
   if (parts->others)
      add_words(explanation, parts->others, kind, "those that the reports only sum up", "");
   if (parts->explained != explanation->metric->change)
      add_words(explanation, explanation->metric->change - parts->explained, kind,
                "unexplained: the list does not add up to the metric", "");
}

static size_t shown_of(const struct explanation *explanation, const struct pr_parts *parts)
{
   size_t top = explanation->view->top;
   return parts->count < top ? parts->count : top;
}

/* Whether a function is most of the change while no site is much of it. */
static bool is_caller_lead(const struct pr_callers *callers, const struct pr_parts *parts)
{
   __int128 all = 0, first = 0, largest = parts->count ? parts->items[0].change : 0;
   for (size_t c = 0; c < callers->count; c++) {
      __int128 change = callers->items[c].change;
      all += change < 0 ? -change : change;
      first = c == 0 ? all : first;
   }
   largest = largest < 0 ? -largest : largest;
   return callers->count > 0 && first * 2 >= all && largest * 2 < first;
}

/* What the sites come to by function, if that says more than they do. */
static void add_callers(struct explanation *explanation, const struct pr_callers *callers,
                        const struct pr_parts *parts)
{
   struct pr_parts rest = {.items = NULL, .others = parts->others, .explained = parts->explained};
   size_t shown = explanation->view->top < callers->count ? explanation->view->top
                                                          : callers->count;
   bool sums_up = false;
   for (size_t c = 0; c < callers->count && !sums_up; c++)
      sums_up = callers->items[c].sites > 1;
   if (!sums_up)
      return;
   for (size_t c = 0; c < shown; c++) {
      struct line_text text = {pr_caller_what(&callers->items[c]),
                               pr_caller_rest(&callers->items[c])};
      add_line(explanation, callers->items[c].change, "function", false, &text);
      free(text.what);
      free(text.rest);
   }
   __int128 hidden = 0;
   for (size_t c = shown; c < callers->count; c++)
      hidden += callers->items[c].change;
   if (callers->count > shown)
      add_more(explanation, callers->count - shown, hidden, "function");
   add_rest(explanation, &rest, 0, "function");
}

static bool add_parts(struct explanation *explanation, const struct pr_rows *rows, size_t column)
{
   struct pr_parts parts;
   struct pr_callers callers = {.items = NULL};
   if (!pr_parts_make(&parts, rows, column, explanation->view->top))
      return false;
   if (rows->kind == PR_BY_SITE && !pr_callers_make(&callers, rows->pairing, &parts)) {
      free(parts.items);
      return false;
   }
   bool leads = is_caller_lead(&callers, &parts);
   if (leads)
      add_callers(explanation, &callers, &parts);
   size_t shown = shown_of(explanation, &parts);
   for (size_t i = 0; i < shown; i++)
      add_part(explanation, rows, &parts.items[i], NULL);
   add_rest(explanation, &parts, shown, kind_words[rows->kind]);
   if (!leads)
      add_callers(explanation, &callers, &parts);
   free(callers.items);
   free(parts.items);
   return true;
}

/* Does an object that is another build account for most of the change? */
static bool is_lead(const struct pr_rows *rows, const struct pr_parts *objects)
{
   __int128 all = 0, first = 0;
   for (size_t i = 0; i < objects->count; i++) {
      __int128 change = objects->items[i].change;
      change = change < 0 ? -change : change;
      all += change;
      first = i == 0 ? change : first;
   }
   return objects->count && first * 2 >= all
          && !pr_object_is_same_build(rows->pairing, objects->items[0].object);
}

static void add_objects(struct explanation *explanation, const struct pr_rows *rows,
                        const struct pr_parts *objects)
{
   size_t shown = shown_of(explanation, objects);
   for (size_t i = 0; i < shown; i++)
      add_object(explanation, rows, &objects->items[i]);
   add_rest(explanation, objects, shown, "object");
}

static bool add_section(struct explanation *explanation, const struct pr_rows *rows,
                        size_t column)
{
   struct pr_parts objects;
   if (!pr_kind_has_object(rows->kind))
      return add_parts(explanation, rows, column);
   if (!pr_parts_make_by_object(&objects, rows, column))
      return false;
   /* What is a part of all instructions is seldom worth the lines. */
   bool is_whole = rows->kind == PR_BY_SITE || column == PR_FUNCTION_INSTRUCTIONS;
   bool leads = is_lead(rows, &objects), ok;
   if (leads)
      add_objects(explanation, rows, &objects);
   ok = add_parts(explanation, rows, column);
   if (!leads && objects.count > 1 && (is_whole || explanation->view->is_full))
      add_objects(explanation, rows, &objects);
   free(objects.items);
   return ok;
}

/* NULL: no memory left. */
static const struct pr_rows *rows_of(struct pr_phase_rows *rows, enum pr_breakdown_kind kind)
{
   if (!rows->is_gathered[kind])
      rows->is_gathered[kind] = pr_rows_gather(&rows->rows[kind], &rows->diff->pairing,
                                               rows->phase->phases, kind);
   return rows->is_gathered[kind] ? &rows->rows[kind] : NULL;
}

/* The whole change, if the list that would tell is not on both sides. */
static void add_absence(struct explanation *explanation, enum pr_breakdown_kind kind)
{
   const struct pr_phase_rows *rows = explanation->rows;
   bool on_old = rows->phase->phases[PR_OLD]->breakdowns[kind]->is_listed;
   bool on_new = rows->phase->phases[PR_NEW]->breakdowns[kind]->is_listed;
   enum pr_side side = on_old ? PR_NEW : PR_OLD;
   const char *reason = rows->diff->pairing.reports[side]->unavailable[pr_breakdowns[kind].names];
   add_words(explanation, explanation->metric->change, kind_words[kind],
             on_new   ? "not listed in the old report"
             : on_old ? "not listed in the new report"
                      : "not listed",
             reason ? reason : "");
}

/* Lists -------------------------------------------------------------------- */

static bool is_listed(const struct explanation *explanation, enum pr_side side,
                      enum pr_breakdown_kind kind)
{
   return explanation->rows->phase->phases[side]->breakdowns[kind]->is_listed;
}

/* Is there anything that the list tells and the number itself does not? */
static bool is_telling(const struct explanation *explanation, enum pr_breakdown_kind kind)
{
   bool on_both = is_listed(explanation, PR_OLD, kind) && is_listed(explanation, PR_NEW, kind);
   switch (kind) {
   case PR_BY_RESIZE:
   case PR_BY_RELEASE:
      /* A phase without any has no such list. */
      return is_listed(explanation, PR_OLD, kind) || is_listed(explanation, PR_NEW, kind);
   case PR_BY_THREAD:
      return on_both
             && (explanation->rows->phase->phases[PR_OLD]->breakdowns[kind]->row_count > 1
                 || explanation->rows->phase->phases[PR_NEW]->breakdowns[kind]->row_count > 1);
   case PR_BY_SITE:
   case PR_BY_FUNCTION:
   case PR_BY_LINE:
   case PR_BY_INSTRUCTION:
   case PR_BREAKDOWN_KINDS:
      break;
   }
   return on_both;
}

/* Every list that splits the metric; *has_any: there is one. */
static bool add_lists(struct explanation *explanation, enum pr_metric_id id, bool *has_any)
{
   *has_any = false;
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++) {
      size_t column;
      if (!pr_column_of_metric(kind, id, &column))
         continue;
      if (!is_telling(explanation, kind)) {
         if (kind == PR_BY_SITE || kind == PR_BY_FUNCTION)
            add_absence(explanation, kind);
         continue;
      }
      const struct pr_rows *rows = rows_of(explanation->rows, kind);
      if (!rows || !add_section(explanation, rows, column))
         return false;
      *has_any = *has_any || kind != PR_BY_THREAD;
   }
   return true;
}

/* Other metrics ------------------------------------------------------------ */

static __int128 value_of(const struct pr_phase *phase, enum pr_metric_id id)
{
   return pr_value_wide(&pr_phase_metric_by_id(phase, id)->value);
}

static void add_terms(struct explanation *explanation, const struct pr_term *terms, size_t count)
{
   const struct pr_phase *const *phases = explanation->rows->phase->phases;
   char old_text[PR_NUMBER_TEXT_BYTES], new_text[PR_NUMBER_TEXT_BYTES];
   char rest[2 * PR_NUMBER_TEXT_BYTES + 32];
   for (size_t t = 0; t < count; t++) {
      __int128 olds = value_of(phases[PR_OLD], terms[t].metric);
      __int128 news = value_of(phases[PR_NEW], terms[t].metric);
      if (news == olds)
         continue;
      snprintf(rest, sizeof rest, "%s -> %s%s", pr_render_wide(old_text, olds),
               pr_render_wide(new_text, news), terms[t].is_subtracted ? ", subtracted" : "");
      add_words(explanation, terms[t].is_subtracted ? olds - news : news - olds, "metric",
                pr_metrics[terms[t].metric].name, rest);
   }
}

/* The first rows of a related metric's list, which do not add up to this one. */
static bool add_related(struct explanation *explanation, enum pr_metric_id related)
{
   enum { SHOWN = 2 };
   for (int kind = 0; kind < PR_BY_THREAD; kind++) {
      struct pr_parts parts;
      size_t column;
      if (!pr_column_of_metric(kind, related, &column) || !is_telling(explanation, kind))
         continue;
      const struct pr_rows *rows = rows_of(explanation->rows, kind);
      if (!rows || !pr_parts_make(&parts, rows, column, explanation->view->top))
         return false;
      size_t shown = shown_of(explanation, &parts);
      for (size_t i = 0; i < shown && i < SHOWN; i++)
         add_part(explanation, rows, &parts.items[i], pr_metrics[related].name);
      free(parts.items);
      return true;
   }
   return true;
}

/* Phases inside ------------------------------------------------------------ */

struct child_part {
   const struct pr_child *child;
   __int128 change;
};

static int by_size(const void *left, const void *right)
{
   const struct child_part *a = left, *b = right;
   __int128 a_size = a->change < 0 ? -a->change : a->change;
   __int128 b_size = b->change < 0 ? -b->change : b->change;
   if (a_size != b_size)
      return a_size > b_size ? -1 : 1;
   return (a->child > b->child) - (a->child < b->child);
}

/* Of a phase that is not there, nothing was counted. False: it was not measured. */
static bool child_value(const struct pr_phase *phase, enum pr_metric_id id, __int128 *value)
{
   const struct pr_metric *metric =
      phase ? pr_metric_list_available(&phase->metrics, id) : NULL;
   *value = metric ? pr_value_wide(&metric->value) : 0;
   return metric || !phase;
}

static void add_child(struct explanation *explanation, const struct child_part *part)
{
   const struct pr_child *child = part->child;
   const char *name = (child->phases[PR_NEW] ? child->phases[PR_NEW] : child->phases[PR_OLD])->name;
   const char *rest = !child->phases[PR_OLD] ? "new" : !child->phases[PR_NEW] ? "gone" : "";
   add_words(explanation, part->change, "phase", name, rest);
}

/* What is counted, and so can be split, by phases inside this one and the rest of it. */
static bool add_children(struct explanation *explanation, enum pr_metric_id id)
{
   size_t count, changed = 0;
   const struct pr_child *children = pr_diff_children(
      explanation->rows->diff, explanation->rows->phase->phases[PR_NEW]->name, &count);
   enum pr_metric_over_instances over = pr_metrics[id].over_instances;
   if (count == 0 || (over != PR_OVER_INSTANCES_SUM && over != PR_OVER_INSTANCES_PHASE))
      return true;
   struct child_part *parts = malloc(count * sizeof *parts);
   __int128 rest = explanation->metric->change, olds, news;
   if (!parts)
      return false;
   for (size_t i = 0; i < count; i++) {
      if (!child_value(children[i].phases[PR_OLD], id, &olds)
          || !child_value(children[i].phases[PR_NEW], id, &news) || news == olds)
         continue;
      parts[changed++] = (struct child_part){&children[i], news - olds};
   }
   qsort(parts, changed, sizeof *parts, by_size);
   for (size_t i = 0; i < changed && i < explanation->view->top; i++) {
      add_child(explanation, &parts[i]);
      rest -= parts[i].change;
   }
   if (changed && rest)
      add_words(explanation, rest, "phase", "the rest of this one", "");
   free(parts);
   return true;
}

/* Put together ------------------------------------------------------------- */

bool pr_explain_change(struct pr_phase_rows *rows, const struct pr_metric_change *metric,
                       const struct pr_diff_view *view, pr_explanation_line_taker *take,
                       void *taker)
{
   struct explanation explanation = {
      .rows = rows, .metric = metric, .view = view, .take = take, .taker = taker};
   const struct pr_phase *const *phases = rows->phase->phases;
   enum pr_metric_id id = metric->metrics[PR_NEW]->id;
   struct pr_term terms[PR_TERMS_MAX];
   bool has_any;
   if (id == PR_METRIC_UNKNOWN)
      return true;
   if (!add_lists(&explanation, id, &has_any))
      return false;
   size_t count = has_any ? 0 : pr_made_of(id, phases, terms);
   add_terms(&explanation, terms, count);
   enum pr_metric_id related = has_any || count
                                  ? PR_METRIC_UNKNOWN
                                  : pr_related_metric(id, metric->change, phases);
   if (related != PR_METRIC_UNKNOWN && !add_related(&explanation, related))
      return false;
   return add_children(&explanation, id) && !explanation.is_exhausted;
}

/* As text ------------------------------------------------------------------ */

/* Change; which kind of thing; ~ if it is guessed; what it is; old and new value; what else
   there is to say. */
static const char alignment[] = "rllll";
enum { WHAT = 3, VALUES = 4 };

struct text_lines {
   struct pr_table table;
   size_t what_columns; /* at most; 0: as many as it needs */
};

static void take_text_line(void *taker, const struct pr_explanation_line *line)
{
   struct text_lines *lines = taker;
   char number[PR_NUMBER_TEXT_BYTES];
   pr_table_add(&lines->table, pr_render_change(number, line->change));
   pr_table_add(&lines->table, line->kind);
   pr_table_add(&lines->table, line->is_guessed ? "~" : "");
   pr_table_add_cut(&lines->table, line->what, lines->what_columns);
   pr_table_add(&lines->table, line->rest);
}

/* Names get what the columns beside them leave of the line. */
bool pr_render_explanation(struct pr_phase_rows *rows, const struct pr_metric_change *metric,
                           const struct pr_diff_view *view, FILE *out)
{
   enum { INDENT = 2 * PR_INDENT, WHAT_COLUMNS_MIN = 24 };
   struct text_lines lines = {.what_columns = 0};
   pr_table_init(&lines.table, alignment);
   bool ok = true;
   if (view->style.width) {
      lines.what_columns = 1;
      ok = pr_explain_change(rows, metric, view, take_text_line, &lines);
      size_t left = pr_table_left(&lines.table, WHAT, VALUES, INDENT, &view->style);
      lines.what_columns = left > WHAT_COLUMNS_MIN ? left : WHAT_COLUMNS_MIN;
      pr_table_clear(&lines.table);
   }
   ok = ok && pr_explain_change(rows, metric, view, take_text_line, &lines)
        && !lines.table.exhausted;
   if (ok) {
      /* What does not fit stays behind its line. */
      const struct pr_style as_wide_as_needed = {0, view->style.has_color};
      pr_table_print(&lines.table, INDENT, &as_wide_as_needed, out);
   }
   pr_table_release(&lines.table);
   return ok;
}
