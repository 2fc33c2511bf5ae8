/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_explain.c: what accounts for the change of a metric. See pr_explain.h. */
#include "pr_explain.h"

#include <stdlib.h>
#include <string.h>

#include "pr_places.h"

/* Rows --------------------------------------------------------------------- */

static uint64_t key_of(const struct pr_rows *rows, enum pr_side side, const struct pr_row *row)
{
   const struct pr_pairing *pairing = rows->pairing;
   switch (rows->kind) {
   case PR_BY_SITE: return pr_pairing_site(pairing, side, row->site);
   case PR_BY_RESIZE:
   case PR_BY_RELEASE:
      return (uint64_t)pr_pairing_site(pairing, side, row->origin) << 32
             | pr_pairing_site(pairing, side, row->site);
   case PR_BY_FUNCTION: return pr_pairing_function(pairing, side, row->function);
   case PR_BY_LINE: return pr_pairing_line(pairing, side, row->source_line);
   case PR_BY_THREAD: return row->id;
   case PR_BY_INSTRUCTION:
   case PR_BREAKDOWN_KINDS: break;
   }
   return 0;
}

/* Rows of a side lie in one array, so their addresses are in order. */
static int by_key(const void *left, const void *right)
{
   const struct pr_entry *a = left, *b = right;
   if (a->key != b->key)
      return a->key < b->key ? -1 : 1;
   if (a->side != b->side)
      return a->side < b->side ? -1 : 1;
   return (a->row > b->row) - (a->row < b->row);
}

static bool is_same_values(const struct pr_rows *rows, const struct pr_row *a,
                           const struct pr_row *b)
{
   size_t columns = pr_breakdowns[rows->kind].column_count;
   return memcmp(a->values, b->values, columns * sizeof *a->values) == 0;
}

/* Rows at the same place with the same numbers account for nothing: that saves most of the
   work on phases that did not change. */
static bool is_unchanged(const struct pr_rows *rows)
{
   const struct pr_breakdown *olds = rows->sides[PR_OLD], *news = rows->sides[PR_NEW];
   if (olds->row_count != news->row_count)
      return false;
   for (size_t i = 0; i < olds->row_count; i++)
      if (key_of(rows, PR_OLD, &olds->rows[i]) != key_of(rows, PR_NEW, &news->rows[i])
          || !is_same_values(rows, &olds->rows[i], &news->rows[i]))
         return false;
   return true;
}

bool pr_rows_gather(struct pr_rows *rows, const struct pr_pairing *pairing,
                    const struct pr_phase *const phases[PR_SIDES], enum pr_breakdown_kind kind)
{
   *rows = (struct pr_rows){.pairing = pairing, .kind = kind};
   for (int side = 0; side < PR_SIDES; side++)
      rows->sides[side] = phases[side] ? phases[side]->breakdowns[kind]
                                       : pr_breakdowns_absent[kind];
   if (is_unchanged(rows))
      return true;
   rows->entries = malloc((rows->sides[PR_OLD]->row_count + rows->sides[PR_NEW]->row_count + 1)
                          * sizeof *rows->entries);
   if (!rows->entries)
      return false;
   for (int side = 0; side < PR_SIDES; side++)
      for (size_t i = 0; i < rows->sides[side]->row_count; i++) {
         const struct pr_row *row = &rows->sides[side]->rows[i];
         rows->entries[rows->count++] = (struct pr_entry){key_of(rows, side, row), row, side};
      }
   qsort(rows->entries, rows->count, sizeof *rows->entries, by_key);
   return true;
}

void pr_rows_release(struct pr_rows *rows)
{
   free(rows->entries);
}

/* Parts -------------------------------------------------------------------- */

/* Of the entries from *at on that have one key; *at moves behind them. */
static struct pr_part next_part(const struct pr_rows *rows, size_t column, size_t *at)
{
   const struct pr_column *info = &pr_breakdowns[rows->kind].columns[column];
   size_t first = *at;
   uint64_t key = rows->entries[first].key;
   struct pr_part part = {.object = 0};
   for (; *at < rows->count && rows->entries[*at].key == key; ++*at) {
      const struct pr_entry *entry = &rows->entries[*at];
      if (!part.rows[entry->side])
         part.rows[entry->side] = entry->row;
      part.values[entry->side] += pr_column_value(info, entry->row->values[column]);
   }
   part.change = part.values[PR_NEW] - part.values[PR_OLD];
   if (part.change && *at - first > 1)
      pr_places_tell(rows, column, rows->entries + first, *at - first, &part);
   return part;
}

static __int128 others_of(const struct pr_rows *rows, enum pr_side side, size_t column)
{
   const struct pr_column *info = &pr_breakdowns[rows->kind].columns[column];
   const struct pr_breakdown *breakdown = rows->sides[side];
   return breakdown->others ? pr_column_value(info, breakdown->others[column]) : 0;
}

bool pr_rows_differ(const struct pr_rows *rows, size_t column)
{
   for (size_t at = 0; at < rows->count;)
      if (next_part(rows, column, &at).change)
         return true;
   return others_of(rows, PR_OLD, column) != others_of(rows, PR_NEW, column);
}

static __int128 magnitude(__int128 number)
{
   return number < 0 ? -number : number;
}

/* Of equal ones that which the reports list first. */
static int by_change(const void *left, const void *right)
{
   const struct pr_part *a = left, *b = right;
   __int128 a_size = magnitude(a->change), b_size = magnitude(b->change);
   if (a_size != b_size)
      return a_size > b_size ? -1 : 1;
   if (a->change != b->change)
      return a->change > b->change ? -1 : 1;
   for (int side = PR_NEW; side >= PR_OLD; side--)
      if (a->rows[side] != b->rows[side]) {
         if (!a->rows[side] || !b->rows[side])
            return a->rows[side] ? -1 : 1;
         return a->rows[side] < b->rows[side] ? -1 : 1;
      }
   return 0;
}

/* The `wanted` largest first and in order, the others behind them in any. Few of many are
   found without moving the many. */
static void order_first(struct pr_part *items, size_t count, size_t wanted)
{
   enum { MANY_FOR_ONE = 64 };
   bool is_few = wanted < count / MANY_FOR_ONE;
   qsort(items, is_few ? wanted : count, sizeof *items, by_change);
   for (size_t i = wanted; is_few && i < count; i++) {
      if (by_change(&items[i], &items[wanted - 1]) >= 0)
         continue;
      struct pr_part larger = items[i];
      size_t at = wanted - 1;
      items[i] = items[at];
      for (; at > 0 && by_change(&larger, &items[at - 1]) < 0; at--)
         items[at] = items[at - 1];
      items[at] = larger;
   }
}

bool pr_parts_make(struct pr_parts *parts, const struct pr_rows *rows, size_t column,
                   size_t ordered)
{
   *parts = (struct pr_parts){.items = malloc((rows->count + 1) * sizeof *parts->items)};
   if (!parts->items)
      return false;
   parts->others = parts->explained =
      others_of(rows, PR_NEW, column) - others_of(rows, PR_OLD, column);
   for (size_t at = 0; at < rows->count;) {
      struct pr_part part = next_part(rows, column, &at);
      parts->explained += part.change;
      if (part.change)
         parts->items[parts->count++] = part;
   }
   order_first(parts->items, parts->count, ordered ? ordered : 1);
   return true;
}

/* By object ---------------------------------------------------------------- */

bool pr_kind_has_object(enum pr_breakdown_kind kind)
{
   return kind == PR_BY_SITE || kind == PR_BY_FUNCTION;
}

/* An entry by its object. */
struct by_object {
   uint32_t object;
   uint32_t entry;
};

static int compare_objects(const void *left, const void *right)
{
   const struct by_object *a = left, *b = right;
   if (a->object != b->object)
      return a->object < b->object ? -1 : 1;
   return (a->entry > b->entry) - (a->entry < b->entry);
}

/* The entries in the order of their objects. NULL: no memory left. */
static struct by_object *sort_by_object(const struct pr_rows *rows)
{
   struct by_object *sorted = malloc((rows->count + 1) * sizeof *sorted);
   if (!sorted)
      return NULL;
   for (size_t i = 0; i < rows->count; i++) {
      const struct pr_entry *entry = &rows->entries[i];
      sorted[i].entry = (uint32_t)i;
      sorted[i].object =
         rows->kind == PR_BY_SITE
            ? pr_pairing_site_object(rows->pairing, entry->side, entry->row->site)
            : pr_pairing_function_object(rows->pairing, entry->side, entry->row->function);
   }
   qsort(sorted, rows->count, sizeof *sorted, compare_objects);
   return sorted;
}

bool pr_parts_make_by_object(struct pr_parts *parts, const struct pr_rows *rows, size_t column)
{
   const struct pr_column *info = &pr_breakdowns[rows->kind].columns[column];
   struct by_object *sorted = sort_by_object(rows);
   *parts = (struct pr_parts){.items = malloc((rows->count + 1) * sizeof *parts->items)};
   if (!sorted || !parts->items) {
      free(sorted);
      free(parts->items);
      return false;
   }
   parts->others = parts->explained =
      others_of(rows, PR_NEW, column) - others_of(rows, PR_OLD, column);
   for (size_t i = 0; i < rows->count;) {
      struct pr_part part = {.object = sorted[i].object};
      for (; i < rows->count && sorted[i].object == part.object; i++) {
         const struct pr_entry *entry = &rows->entries[sorted[i].entry];
         const struct pr_row **first = &part.rows[entry->side];
         part.values[entry->side] += pr_column_value(info, entry->row->values[column]);
         if (!*first || entry->row < *first)
            *first = entry->row;
      }
      part.change = part.values[PR_NEW] - part.values[PR_OLD];
      parts->explained += part.change;
      if (part.change)
         parts->items[parts->count++] = part;
   }
   free(sorted);
   qsort(parts->items, parts->count, sizeof *parts->items, by_change);
   return true;
}

/* NULL: it is not listed. */
static const struct pr_pair *find_object(const struct pr_report *report, const char *object)
{
   for (size_t i = 0; i < report->run.object_count; i++)
      if (strcmp(report->run.objects[i].name, object) == 0)
         return &report->run.objects[i];
   return NULL;
}

/* By their build-ids; by the digests of those that have none, if both were taken. */
static bool is_same_build(const struct pr_pair *a, const struct pr_pair *b)
{
   if (a->value || b->value)
      return a->value && b->value && strcmp(a->value, b->value) == 0;
   return !a->digest || !b->digest || strcmp(a->digest, b->digest) == 0;
}

static bool is_executable(const struct pr_report *report, const char *object)
{
   const char *path = report->run.executable_path;
   const char *slash = path ? strrchr(path, '/') : NULL;
   return path && strcmp(slash ? slash + 1 : path, object) == 0;
}

bool pr_object_is_same_build(const struct pr_pairing *pairing, uint32_t object)
{
   const struct pr_unit *unit = &pairing->units[PR_UNIT_OBJECT].items[object];
   const struct pr_pair *listed[PR_SIDES] = {NULL, NULL};
   for (int side = 0; side < PR_SIDES; side++) {
      const char *name = unit->names[side];
      if (!name)
         continue;
      if (is_executable(pairing->reports[side], name))
         return true;
      listed[side] = find_object(pairing->reports[side], name);
   }
   if (!listed[PR_OLD] && !listed[PR_NEW])
      return true;
   return listed[PR_OLD] && listed[PR_NEW]
          && strcmp(unit->names[PR_OLD], unit->names[PR_NEW]) == 0
          && is_same_build(listed[PR_OLD], listed[PR_NEW]);
}
