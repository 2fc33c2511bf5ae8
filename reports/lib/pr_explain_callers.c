/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_explain_callers.c: sites summed up by function. See pr_explain.h.
 *
 * Where a function that many others call asks for more than before, each of its call chains
 * is a small part of the change; the function is all of it.
 */
#include <stdlib.h>
#include <string.h>

#include "pr_explain.h"
#include "pr_plumbing.h"

static const struct pr_frame *frame_of(const struct pr_part *part)
{
   static const struct pr_frame none = {.function = "no call chain", .object = ""};
   const struct pr_row *row = part->told ? part->told
                                         : part->rows[part->rows[PR_NEW] ? PR_NEW : PR_OLD];
   size_t at = pr_first_own_frame(row->site);
   if (row->site->frame_count == 0)
      return &none;
   return &row->site->frames[at < row->site->frame_count ? at : 0];
}

static int compare_names(const struct pr_caller *a, const struct pr_caller *b)
{
   int order = strcmp(a->frame->function, b->frame->function);
   return order ? order : strcmp(a->frame->object, b->frame->object);
}

static int by_name(const void *left, const void *right)
{
   return compare_names(left, right);
}

static __int128 magnitude(__int128 number)
{
   return number < 0 ? -number : number;
}

static int by_change(const void *left, const void *right)
{
   const struct pr_caller *a = left, *b = right;
   __int128 a_size = magnitude(a->change), b_size = magnitude(b->change);
   if (a_size != b_size)
      return a_size > b_size ? -1 : 1;
   if (a->change != b->change)
      return a->change > b->change ? -1 : 1;
   return compare_names(a, b);
}

bool pr_callers_make(struct pr_callers *callers, const struct pr_parts *parts)
{
   struct pr_caller *items = malloc((parts->count + 1) * sizeof *items);
   size_t kept = 0;
   *callers = (struct pr_callers){items, 0};
   if (!items)
      return false;
   for (size_t p = 0; p < parts->count; p++) {
      const struct pr_part *part = &parts->items[p];
      items[p] = (struct pr_caller){frame_of(part), 1,
                                    {part->values[PR_OLD], part->values[PR_NEW]}, part->change};
   }
   qsort(items, parts->count, sizeof *items, by_name);
   for (size_t p = 0; p < parts->count;) {
      struct pr_caller sum = items[p];
      for (p++; p < parts->count && compare_names(&items[p], &sum) == 0; p++) {
         sum.sites++;
         sum.change += items[p].change;
         for (int side = 0; side < PR_SIDES; side++)
            sum.values[side] += items[p].values[side];
      }
      if (sum.change)
         items[kept++] = sum;
   }
   callers->count = kept;
   qsort(items, kept, sizeof *items, by_change);
   return true;
}
