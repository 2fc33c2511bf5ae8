/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_explain_callers.c: sites summed up by function. See pr_explain.h.
 *
 * Where a function that many others call asks for more than before, each of its call chains
 * is a small part of the change; the function is all of it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pr_explain.h"

static const struct pr_told *told_by(const struct pr_pairing *pairing, const struct pr_part *part)
{
   enum pr_side side = part->told            ? part->told_side
                       : part->rows[PR_NEW] ? PR_NEW
                                             : PR_OLD;
   const struct pr_row *row = part->told ? part->told : part->rows[side];
   return pr_pairing_told_by(pairing, side, row->site);
}

static int compare_frames(const struct pr_frame *a, const struct pr_frame *b)
{
   if (a == b)
      return 0;
   int order = strcmp(a->function, b->function);
   return order ? order : strcmp(a->object, b->object);
}

/* Callers by their functions: open addressing, a number behind each that is taken. */
struct table {
   uint32_t *places; /* number of the caller, from 1; 0: free */
   size_t mask;
};

/* At most half full. False: no memory left. */
static bool make_table(struct table *table, size_t count)
{
   size_t size = 2;
   while (size < 2 * count)
      size *= 2;
   *table = (struct table){calloc(size, sizeof *table->places), size - 1};
   return table->places;
}

/* The caller of that function, which may be new. */
static struct pr_caller *caller_of(const struct table *table, struct pr_callers *callers,
                                   const struct pr_told *told)
{
   size_t at = told->hash & table->mask;
   while (table->places[at]
          && compare_frames(callers->items[table->places[at] - 1].frame, told->frame) != 0)
      at = (at + 1) & table->mask;
   if (!table->places[at]) {
      callers->items[callers->count] = (struct pr_caller){.frame = told->frame};
      table->places[at] = (uint32_t)++callers->count;
   }
   return &callers->items[table->places[at] - 1];
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
   return compare_frames(a->frame, b->frame);
}

bool pr_callers_make(struct pr_callers *callers, const struct pr_pairing *pairing,
                     const struct pr_parts *parts)
{
   struct table table;
   size_t kept = 0;
   *callers = (struct pr_callers){malloc((parts->count + 1) * sizeof *callers->items), 0};
   if (!make_table(&table, parts->count) || !callers->items) {
      free(table.places);
      free(callers->items);
      return false;
   }
   for (size_t p = 0; p < parts->count; p++) {
      const struct pr_part *part = &parts->items[p];
      struct pr_caller *caller = caller_of(&table, callers, told_by(pairing, part));
      caller->sites++;
      caller->change += part->change;
      for (int side = 0; side < PR_SIDES; side++)
         caller->values[side] += part->values[side];
   }
   free(table.places);
   for (size_t c = 0; c < callers->count; c++)
      if (callers->items[c].change)
         callers->items[kept++] = callers->items[c];
   callers->count = kept;
   qsort(callers->items, kept, sizeof *callers->items, by_change);
   return true;
}
