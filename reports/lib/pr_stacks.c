/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_stacks.c: what a metric of a phase is made of, as call stacks. See pr_stacks.h. */
#include "pr_stacks.h"

#include <stdlib.h>
#include <string.h>

static const struct pr_frame others_frame = {.function = "(others)"};
static const struct pr_frame unknown_frame = {.function = "???"};

const char *pr_frame_name(const struct pr_frame *frame)
{
   return frame->function && frame->function[0] ? frame->function : unknown_frame.function;
}

/* The column that adds up to the metric, of a breakdown that the phase lists. False: it lists
   none; *kind is one that could have it, and stays if there is none of that sort either. */
static bool find_column(const struct pr_phase *phase, enum pr_metric_id id,
                        enum pr_breakdown_kind *kind, size_t *column)
{
   static const enum pr_breakdown_kind kinds[] = {PR_BY_SITE, PR_BY_RESIZE, PR_BY_RELEASE,
                                                  PR_BY_FUNCTION};
   for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
      const struct pr_breakdown_info *info = &pr_breakdowns[kinds[k]];
      for (size_t c = 0; c < info->column_count; c++) {
         if (info->columns[c].metric != id || info->columns[c].flags & PR_COLUMN_SIGNED)
            continue;
         *kind = kinds[k];
         *column = c;
         if (phase->breakdowns[kinds[k]]->is_listed)
            return true;
      }
   }
   return false;
}

/* A function, called by its object: two frames. */
static struct pr_stack function_stack(const struct pr_function *function, struct pr_frame *frames)
{
   frames[0] = (struct pr_frame){.function = function->name, .object = function->object};
   frames[1] = (struct pr_frame){.function = function->object, .object = function->object};
   return (struct pr_stack){.frames = frames, .frame_count = 2};
}

static struct pr_stack site_stack(const struct pr_site *site)
{
   if (site->frame_count == 0)
      return (struct pr_stack){.frames = &unknown_frame, .frame_count = 1};
   return (struct pr_stack){.frames = site->frames, .frame_count = site->frame_count};
}

static bool gather(struct pr_stacks *stacks, const struct pr_breakdown *breakdown,
                   enum pr_breakdown_kind kind, bool has_all)
{
   stacks->items = malloc((breakdown->row_count + 1) * sizeof *stacks->items);
   if (kind == PR_BY_FUNCTION)
      stacks->own = malloc((2 * breakdown->row_count + 1) * sizeof *stacks->own);
   if (!stacks->items || (kind == PR_BY_FUNCTION && !stacks->own))
      return false;
   for (size_t r = 0; r < breakdown->row_count; r++) {
      const struct pr_row *row = &breakdown->rows[r];
      if (!has_all && row->values[stacks->column] == 0)
         continue;
      struct pr_stack *stack = &stacks->items[stacks->count++];
      *stack = kind == PR_BY_FUNCTION ? function_stack(row->function, &stacks->own[2 * r])
                                      : site_stack(row->site);
      stack->values = row->values;
   }
   if (breakdown->others && (has_all || breakdown->others[stacks->column] > 0))
      stacks->items[stacks->count++] = (struct pr_stack){&others_frame, 1, breakdown->others};
   return true;
}

/* Why the report does not say which stacks these are. */
static const char *reason_of(const struct pr_report *report, enum pr_breakdown_kind kind)
{
   if (kind == PR_BREAKDOWN_KINDS)
      return "it is not split by call chains or functions";
   const char *reason = report->unavailable[pr_breakdowns[kind].names];
   return reason ? reason : "the report does not split it by call chains or functions";
}

enum pr_exported pr_stacks_take(struct pr_stacks *stacks, const struct pr_report *report,
                                const struct pr_phase *phase, enum pr_metric_id id, FILE *notes)
{
   enum pr_breakdown_kind kind = PR_BREAKDOWN_KINDS;
   const struct pr_metric *metric = pr_phase_metric_by_id(phase, id);
   *stacks = (struct pr_stacks){.metric = metric};
   if (!pr_export_has_value(phase, id, notes))
      return PR_EXPORT_REFUSED;
   if (!find_column(phase, id, &kind, &stacks->column)) {
      pr_export_note(phase, metric, reason_of(report, kind), notes);
      return PR_EXPORT_REFUSED;
   }
   if (gather(stacks, phase->breakdowns[kind], kind, false))
      return PR_EXPORTED;
   pr_stacks_release(stacks);
   return PR_EXPORT_EXHAUSTED;
}

enum pr_exported pr_stacks_take_sites(struct pr_stacks *stacks, const struct pr_report *report,
                                      const struct pr_phase *phase, FILE *notes)
{
   const struct pr_breakdown *sites = phase->breakdowns[PR_BY_SITE];
   *stacks = (struct pr_stacks){.metric = NULL};
   if (!sites->is_listed) {
      pr_export_note_phase(phase, reason_of(report, PR_BY_SITE), notes);
      return PR_EXPORT_REFUSED;
   }
   if (gather(stacks, sites, PR_BY_SITE, true))
      return PR_EXPORTED;
   pr_stacks_release(stacks);
   return PR_EXPORT_EXHAUSTED;
}

void pr_stacks_release(struct pr_stacks *stacks)
{
   free(stacks->items);
   free(stacks->own);
}

static int compare_texts(const char *a, const char *b)
{
   return strcmp(a ? a : "", b ? b : "");
}

int pr_frame_by_function(const struct pr_frame *a, const struct pr_frame *b)
{
   int order = strcmp(pr_frame_name(a), pr_frame_name(b));
   if (order == 0)
      order = compare_texts(a->object, b->object);
   return order ? order : compare_texts(a->file, b->file);
}

int pr_frame_by_place(const struct pr_frame *a, const struct pr_frame *b)
{
   int order = pr_frame_by_function(a, b);
   return order ? order : (a->line > b->line) - (a->line < b->line);
}

static int compare_stacks(const void *left, const void *right)
{
   const struct pr_stack *a = left, *b = right;
   size_t common = pr_stack_common(a, b);
   if (common < a->frame_count && common < b->frame_count)
      return pr_frame_by_place(&a->frames[common], &b->frames[common]);
   return (a->frame_count > b->frame_count) - (a->frame_count < b->frame_count);
}

void pr_stacks_sort(struct pr_stacks *stacks)
{
   if (stacks->count > 0)
      qsort(stacks->items, stacks->count, sizeof *stacks->items, compare_stacks);
}

size_t pr_stack_common(const struct pr_stack *a, const struct pr_stack *b)
{
   size_t f = 0;
   while (f < a->frame_count && f < b->frame_count
          && pr_frame_by_place(&a->frames[f], &b->frames[f]) == 0)
      f++;
   return f;
}

static int compare_items(const void *left, const void *right, void *order)
{
   const struct pr_frame *const *a = left, *const *b = right;
   return ((const struct pr_frame_set *)order)->order(*a, *b);
}

bool pr_frame_set_make(struct pr_frame_set *set, const struct pr_stacks *stacks, size_t count,
                       pr_frame_order *order)
{
   size_t room = 1, unique = 0;
   for (const struct pr_stacks *of = stacks; of < stacks + count; of++)
      for (size_t s = 0; s < of->count; s++)
         room += of->items[s].frame_count;
   *set = (struct pr_frame_set){.items = malloc(room * sizeof *set->items), .order = order};
   if (!set->items)
      return false;
   for (const struct pr_stacks *of = stacks; of < stacks + count; of++)
      for (size_t s = 0; s < of->count; s++)
         for (size_t f = 0; f < of->items[s].frame_count; f++)
            set->items[set->count++] = &of->items[s].frames[f];
   qsort_r(set->items, set->count, sizeof *set->items, compare_items, set);
   for (size_t i = 0; i < set->count; i++)
      if (unique == 0 || order(set->items[unique - 1], set->items[i]) != 0)
         set->items[unique++] = set->items[i];
   set->count = unique;
   return true;
}

size_t pr_frame_set_find(const struct pr_frame_set *set, const struct pr_frame *frame)
{
   size_t first = 0, end = set->count - 1;
   while (first < end) {
      size_t middle = first + (end - first) / 2;
      if (set->order(set->items[middle], frame) < 0)
         first = middle + 1;
      else
         end = middle;
   }
   return first;
}
