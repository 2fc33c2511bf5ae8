/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_diff.c: the differences of two reports as text. See pr_render_diff.h. */
#include "pr_render_diff.h"

#include <string.h>

#include "pr_explain.h"
#include "pr_notes.h"
#include "pr_render_breakdown.h"
#include "pr_text.h"

/* Numbers ------------------------------------------------------------------ */

const char *pr_render_change(char text[PR_NUMBER_TEXT_BYTES], __int128 change)
{
   char number[PR_NUMBER_TEXT_BYTES];
   pr_render_wide(number, change);
   text[0] = '+';
   strcpy(text + (change > 0), number);
   return text;
}

const char *pr_render_relative(char text[PR_RELATIVE_TEXT_BYTES], __int128 change,
                               __int128 old_value)
{
   static const struct {
      unsigned least; /* thousandths of a percent */
      unsigned step;
      int decimals;
   } forms[] = {{100000, 1000, 0}, {10000, 100, 1}, {1000, 10, 2}, {0, 1, 3}};
   const char *sign = change < 0 ? "-" : "+";
   char number[PR_NUMBER_TEXT_BYTES];
   __int128 size = change < 0 ? -change : change, base = old_value < 0 ? -old_value : old_value;
   text[0] = '\0';
   if (change == 0)
      return text;
   if (base == 0)
      return strcpy(text, "new");
   size_t f = 0;
   while (size * 100000 / base < forms[f].least)
      f++;
   __int128 steps = (size * 100000 / forms[f].step + base / 2) / base;
   if (steps == 0) {
      snprintf(text, PR_RELATIVE_TEXT_BYTES, "%s<0.001%%", sign);
      return text;
   }
   unsigned unit = 100000 / forms[f].step / 100;
   pr_render_wide(number, steps / unit);
   if (forms[f].decimals)
      snprintf(text, PR_RELATIVE_TEXT_BYTES, "%s%s.%0*u%%", sign, number, forms[f].decimals,
               (unsigned)(steps % unit));
   else
      snprintf(text, PR_RELATIVE_TEXT_BYTES, "%s%s%%", sign, number);
   return text;
}

/* Metrics ------------------------------------------------------------------ */

/* Name; change, exact and relative; old value, arrow, new value; unit. */
static const char alignment[] = "lrrrlrl";

static void add_value(struct pr_table *table, const struct pr_metric_change *metric,
                      enum pr_side side, struct pr_notes *notes)
{
   char number[PR_NUMBER_TEXT_BYTES], mark[PR_NOTE_MARK_BYTES];
   const struct pr_metric *listed = metric->metrics[side];
   if (listed->value.kind == PR_VALUE_UNAVAILABLE)
      pr_table_addf(table, "unavailable %s",
                    pr_notes_mark(notes, "", listed->value.reason, mark));
   else
      pr_table_add(table, pr_number_format(number, pr_value_number(&listed->value)));
}

/* "bytes", and the change in larger units. */
static void add_unit(struct pr_table *table, const struct pr_metric_change *metric)
{
   const char *unit = metric->metrics[PR_NEW]->unit;
   char scaled[PR_NUMBER_TEXT_BYTES] = "";
   if (unit && strcmp(unit, "bytes") == 0 && metric->is_comparable)
      pr_render_scaled(scaled, metric->change);
   if (scaled[0])
      pr_table_addf(table, "bytes (%s%s)", metric->change > 0 ? "+" : "", scaled);
   else
      pr_table_add(table, unit);
}

static void add_metric(struct pr_table *table, const struct pr_metric_change *metric,
                       struct pr_notes *notes)
{
   char change[PR_NUMBER_TEXT_BYTES], relative[PR_RELATIVE_TEXT_BYTES];
   table->emphasis = PR_STRONG;
   pr_table_add(table, metric->name);
   table->emphasis = PR_PLAIN;
   pr_table_add(table, metric->is_comparable ? pr_render_change(change, metric->change) : "");
   if (metric->is_moved)
      pr_table_add(table, "moved");
   else
      pr_table_add(table, metric->is_comparable
                             ? pr_render_relative(relative, metric->change,
                                                  metric->values[PR_OLD])
                             : "");
   add_value(table, metric, PR_OLD, notes);
   pr_table_add(table, "->");
   add_value(table, metric, PR_NEW, notes);
   add_unit(table, metric);
}

/* "of single instances: 3 to 7 -> 3 to 9" */
static void print_range(const struct pr_metric_change *metric, FILE *out)
{
   char least[PR_NUMBER_TEXT_BYTES], most[PR_NUMBER_TEXT_BYTES];
   fprintf(out, "%*sof single instances: ", 2 * PR_INDENT, "");
   for (int side = 0; side < PR_SIDES; side++) {
      const struct pr_metric_extra *extra = metric->metrics[side]->extra;
      fprintf(out, "%s%s to %s", side ? " -> " : "",
              pr_number_format(least, pr_value_number(&extra->min)),
              pr_number_format(most, pr_value_number(&extra->max)));
   }
   putc('\n', out);
}

/* Those that a report, perhaps of another version, does not list: they come last. */
static void print_not_listed(const struct pr_phase_change *phase, size_t from, FILE *out)
{
   for (int side = 0; side < PR_SIDES; side++) {
      size_t count = 0;
      for (size_t i = from; i < phase->count; i++) {
         if (phase->metrics[i].metrics[side])
            continue;
         if (count++ == 0)
            fprintf(out, "%*snot listed in the %s report:", PR_INDENT, "",
                    side == PR_OLD ? "old" : "new");
         putc(' ', out);
         pr_text_puts(out, phase->metrics[i].name);
      }
      if (count)
         putc('\n', out);
   }
}

static bool print_metrics(const struct pr_diff *diff, const struct pr_phase_change *phase,
                          const struct pr_diff_view *view, FILE *out)
{
   struct pr_notes notes = {.count = 0};
   struct pr_rows gathered[PR_BREAKDOWN_KINDS];
   struct pr_phase_rows rows = {.diff = diff, .phase = phase, .rows = gathered};
   size_t widths[PR_TABLE_COLUMNS_MAX];
   struct pr_table table;
   pr_table_init(&table, alignment);
   size_t listed = 0;
   for (; listed < phase->count && phase->metrics[listed].metrics[PR_OLD]
          && phase->metrics[listed].metrics[PR_NEW]; listed++)
      add_metric(&table, &phase->metrics[listed], &notes);
   bool ok = !table.exhausted;
   pr_table_measure(&table, widths);
   for (size_t i = 0; ok && i < listed; i++) {
      const struct pr_metric_change *metric = &phase->metrics[i];
      pr_table_print_row(&table, i, widths, PR_INDENT, &view->style, out);
      if (metric->is_range_changed)
         print_range(metric, out);
      if (!view->is_brief && (metric->change || metric->is_moved))
         ok = pr_render_explanation(&rows, metric, view, out);
   }
   print_not_listed(phase, listed, out);
   pr_notes_print(&notes, PR_INDENT, out);
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++)
      if (rows.is_gathered[kind])
         pr_rows_release(&gathered[kind]);
   pr_table_release(&table);
   return ok;
}

/* Phases ------------------------------------------------------------------- */

static void print_text_change(const char *what, const char *old_text, const char *new_text,
                              FILE *out)
{
   if (old_text == new_text || (old_text && new_text && strcmp(old_text, new_text) == 0))
      return;
   fprintf(out, ", %s ", what);
   pr_text_puts(out, old_text ? old_text : "none");
   fputs(" -> ", out);
   pr_text_puts(out, new_text ? new_text : "none");
}

void pr_render_phase_description(const struct pr_phase_change *phase, FILE *out)
{
   const struct pr_phase *olds = phase->phases[PR_OLD], *news = phase->phases[PR_NEW];
   char old_number[PR_NUMBER_TEXT_BYTES], new_number[PR_NUMBER_TEXT_BYTES];
   if (olds->instances != news->instances)
      fprintf(out, ", instances %s -> %s", pr_render_number(old_number, olds->instances),
              pr_render_number(new_number, news->instances));
   print_text_change("kind", olds->kind, news->kind, out);
   print_text_change("within", olds->parent, news->parent, out);
   print_text_change("complete", olds->is_complete ? "yes" : "no",
                     news->is_complete ? "yes" : "no", out);
   print_text_change("overlapping", olds->is_overlapping ? "yes" : "no",
                     news->is_overlapping ? "yes" : "no", out);
}

/* A phase that only one report has: its main numbers. */
static void print_single(const struct pr_phase_change *phase, FILE *out)
{
   static const enum pr_metric_id main_metrics[] = {
      PR_METRIC_HEAP_PEAK, PR_METRIC_TRAFFIC_BLOCKS, PR_METRIC_INSTRUCTIONS_TOTAL};
   const struct pr_phase *single = phase->phases[PR_NEW] ? phase->phases[PR_NEW]
                                                         : phase->phases[PR_OLD];
   char number[PR_NUMBER_TEXT_BYTES];
   fprintf(out, ": %s\n%*s%s instance%s", phase->phases[PR_NEW] ? "new" : "gone", PR_INDENT, "",
           pr_render_number(number, single->instances), pr_render_plural(single->instances));
   for (size_t i = 0; i < sizeof main_metrics / sizeof main_metrics[0]; i++) {
      const struct pr_metric *metric =
         pr_metric_list_available(&single->metrics, main_metrics[i]);
      if (metric)
         fprintf(out, ", %s %s", pr_metrics[main_metrics[i]].name,
                 pr_number_format(number, pr_value_number(&metric->value)));
   }
   putc('\n', out);
}

static bool print_phase(const struct pr_diff *diff, const struct pr_phase_change *phase,
                        const struct pr_diff_view *view, FILE *out)
{
   const struct pr_phase *named = phase->phases[PR_NEW] ? phase->phases[PR_NEW]
                                                        : phase->phases[PR_OLD];
   pr_style_emphasize(&view->style, PR_STRONG, out);
   fputs("phase ", out);
   pr_text_puts_word(out, named->name);
   pr_style_emphasize(&view->style, PR_PLAIN, out);
   if (!phase->phases[PR_OLD] || !phase->phases[PR_NEW]) {
      print_single(phase, out);
      return true;
   }
   pr_render_phase_description(phase, out);
   putc('\n', out);
   return print_metrics(diff, phase, view, out)
          && pr_render_histogram_changes(phase, view, out);
}

/* Put together ------------------------------------------------------------- */

static void print_hidden(const struct pr_diff *diff, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   if (diff->hidden)
      fprintf(out, "%s%s smaller change%s not shown\n", diff->count ? "\n" : "",
              pr_render_wide(number, (__int128)diff->hidden),
              diff->hidden == 1 ? " is" : "s are");
}

bool pr_render_diff(const struct pr_diff *diff, const struct pr_unlike *unlike,
                    const struct pr_diff_view *view, FILE *out)
{
   if (unlike->count) {
      pr_style_emphasize(&view->style, PR_STRONG, out);
      fputs(unlike->unlike_count ? "the runs are unlike" : "the runs", out);
      pr_style_emphasize(&view->style, PR_PLAIN, out);
      putc('\n', out);
      if (!pr_unlike_print(unlike, unlike->count, PR_INDENT, &view->style, out))
         return false;
      if (diff->count || diff->hidden)
         putc('\n', out);
      else
         fputs("\nno number differs\n", out);
   }
   for (size_t i = 0; i < diff->count; i++) {
      if (i > 0)
         putc('\n', out);
      if (!print_phase(diff, &diff->phases[i], view, out))
         return false;
   }
   print_hidden(diff, out);
   return true;
}
