/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing.c: which name of one report is which of another. See pr_pairing.h.
 *
 * Names of both reports are sorted together by their keys, so that equal ones lie side by
 * side: each run of them is a unit. What then stands alone is sorted again by keys that are
 * less strict, and what is left is for pr_pairing_guess.c. Merging only notes which unit
 * took which; at the end every name learns its unit.
 */
#include "pr_pairing.h"

#include <stdlib.h>
#include <string.h>

#include "pr_pairing_guess.h"
#include "pr_pairing_key.h"
#include "pr_plumbing.h"

/* Names of a report -------------------------------------------------------- */

const char *pr_site_object(const struct pr_site *site)
{
   return site->frame_count ? site->frames[0].object : "???";
}

static size_t count_of(const struct pr_pairing *pairing, enum pr_unit_kind kind,
                       enum pr_side side)
{
   const struct pr_report *report = pairing->reports[side];
   switch (kind) {
   case PR_UNIT_SITE: return report->site_count;
   case PR_UNIT_FUNCTION: return report->function_count;
   case PR_UNIT_LINE: return report->line_count;
   case PR_UNIT_OBJECT: return pairing->object_counts[side];
   case PR_UNIT_KINDS: break;
   }
   return 0;
}

static const void *name_at(const struct pr_pairing *pairing, enum pr_unit_kind kind,
                           enum pr_side side, size_t at)
{
   const struct pr_report *report = pairing->reports[side];
   switch (kind) {
   case PR_UNIT_SITE: return &report->sites[at];
   case PR_UNIT_FUNCTION: return &report->functions[at];
   case PR_UNIT_LINE: return &report->lines[at];
   case PR_UNIT_OBJECT: return pairing->objects[side][at];
   case PR_UNIT_KINDS: break;
   }
   return NULL;
}

/* Objects ------------------------------------------------------------------ */

static int compare_strings(const void *left, const void *right)
{
   return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of objects while they are collected. Most repeat, as the same string. */
struct object_list {
   const char **items;
   size_t count, capacity;
   const char *recent[1024];
   bool exhausted;
};

static void collect(struct object_list *list, const char *object)
{
   const char **recent = &list->recent[(uintptr_t)object / sizeof(void *) % 1024];
   if (*recent == object || list->exhausted)
      return;
   *recent = object;
   if (list->count == list->capacity) {
      size_t capacity = list->capacity ? list->capacity * 2 : 256;
      const char **items = realloc(list->items, capacity * sizeof *items);
      list->exhausted = !items;
      if (!items)
         return;
      list->items = items;
      list->capacity = capacity;
   }
   list->items[list->count++] = object;
}

static bool list_objects(struct pr_pairing *pairing, enum pr_side side)
{
   const struct pr_report *report = pairing->reports[side];
   struct object_list list = {.count = 0};
   for (size_t i = 0; i < report->site_count; i++)
      collect(&list, pr_site_object(&report->sites[i]));
   for (size_t i = 0; i < report->function_count; i++)
      collect(&list, report->functions[i].object);
   for (size_t i = 0; i < report->line_count; i++)
      collect(&list, report->lines[i].object);
   size_t kept = 0;
   if (list.count)
      qsort(list.items, list.count, sizeof *list.items, compare_strings);
   for (size_t i = 0; i < list.count; i++)
      if (kept == 0 || strcmp(list.items[kept - 1], list.items[i]) != 0)
         list.items[kept++] = list.items[i];
   pairing->objects[side] = list.items;
   pairing->object_counts[side] = kept;
   return !list.exhausted;
}

/* By key ------------------------------------------------------------------- */

struct item {
   uint64_t hash;
   const void *name;
   uint32_t at; /* of a name, its place; of a unit, its index */
   enum pr_side side;
};

struct order {
   enum pr_unit_kind kind;
   enum pr_strictness strictness;
};

static int by_key(const struct item *a, const struct item *b, const struct order *order)
{
   if (a->hash != b->hash)
      return a->hash < b->hash ? -1 : 1;
   return pr_key_compare(order->kind, order->strictness, a->name, b->name);
}

/* Within a key, the old report's first; of either, in the order of their full names, which
   is the same whichever is the older one. */
static int by_key_then_side(const void *left, const void *right, void *context)
{
   const struct item *a = left, *b = right;
   const struct order *order = context;
   int result = by_key(a, b, order);
   if (result == 0)
      result = (int)a->side - (int)b->side;
   if (result == 0)
      result = pr_key_compare(order->kind, PR_SAME, a->name, b->name);
   return result ? result : (a->at > b->at) - (a->at < b->at);
}

/* How many items from the first on have its key. */
static size_t run_of_key(const struct item *items, size_t count, const struct order *order)
{
   size_t run = 1;
   while (run < count && by_key(&items[0], &items[run], order) == 0)
      run++;
   return run;
}

/* Every name gets a unit. */
static bool pair_same(struct pr_pairing *pairing, enum pr_unit_kind kind)
{
   struct pr_units *units = &pairing->units[kind];
   size_t counts[PR_SIDES] = {count_of(pairing, kind, PR_OLD), count_of(pairing, kind, PR_NEW)};
   size_t count = counts[PR_OLD] + counts[PR_NEW], filled = 0;
   struct order order = {kind, PR_SAME};
   if (count > UINT32_MAX)
      return false;
   struct item *items = malloc((count + 1) * sizeof *items);
   units->items = calloc(count + 1, sizeof *units->items);
   units->of[PR_OLD] = malloc((counts[PR_OLD] + 1) * sizeof **units->of);
   units->of[PR_NEW] = malloc((counts[PR_NEW] + 1) * sizeof **units->of);
   if (!items || !units->items || !units->of[PR_OLD] || !units->of[PR_NEW]) {
      free(items);
      return false;
   }
   for (int side = 0; side < PR_SIDES; side++)
      for (size_t i = 0; i < counts[side]; i++) {
         const void *name = name_at(pairing, kind, side, i);
         items[filled++] =
            (struct item){pr_key_hash(kind, PR_SAME, name), name, (uint32_t)i, side};
      }
   qsort_r(items, count, sizeof *items, by_key_then_side, &order);
   for (size_t i = 0, run; i < count; i += run, units->count++) {
      struct pr_unit *unit = &units->items[units->count];
      run = run_of_key(items + i, count - i, &order);
      for (size_t j = i; j < i + run; j++) {
         if (unit->members[items[j].side]++ == 0)
            unit->names[items[j].side] = items[j].name;
         units->of[items[j].side][items[j].at] = (uint32_t)units->count;
      }
   }
   free(items);
   return true;
}

void pr_unit_merge(struct pr_units *units, uint32_t *merged, uint32_t into, uint32_t from)
{
   struct pr_unit *to = &units->items[into], *source = &units->items[from];
   for (int side = 0; side < PR_SIDES; side++) {
      if (!to->names[side])
         to->names[side] = source->names[side];
      to->members[side] += source->members[side];
   }
   to->is_guessed = true;
   *source = (struct pr_unit){.names = {NULL}};
   merged[from] = into;
}

/* Of units that only one side has, those with the same key of this strictness are one, the
   first with the first, and so on. */
static bool pair_alike(struct pr_pairing *pairing, enum pr_unit_kind kind,
                       enum pr_strictness strictness, uint32_t *merged)
{
   struct pr_units *units = &pairing->units[kind];
   struct order order = {kind, strictness};
   size_t count = 0;
   struct item *items = malloc((units->count + 1) * sizeof *items);
   if (!items)
      return false;
   for (size_t u = 0; u < units->count; u++) {
      const struct pr_unit *unit = &units->items[u];
      if (!unit->names[PR_OLD] == !unit->names[PR_NEW])
         continue;
      enum pr_side side = unit->names[PR_OLD] ? PR_OLD : PR_NEW;
      items[count++] = (struct item){pr_key_hash(kind, strictness, unit->names[side]),
                                     unit->names[side], (uint32_t)u, side};
   }
   qsort_r(items, count, sizeof *items, by_key_then_side, &order);
   for (size_t i = 0, run; i < count; i += run) {
      run = run_of_key(items + i, count - i, &order);
      size_t olds = 0;
      while (olds < run && items[i + olds].side == PR_OLD)
         olds++;
      for (size_t j = 0; j < olds && olds + j < run; j++)
         pr_unit_merge(units, merged, items[i + j].at, items[i + olds + j].at);
   }
   free(items);
   return true;
}

/* The unit that has the members of this one. */
static uint32_t taker(const uint32_t *merged, uint32_t unit)
{
   while (merged[unit] != unit)
      unit = merged[unit];
   return unit;
}

/* An object that only one side has is the one to which most of its functions went. */
struct vote {
   uint32_t units[PR_SIDES];
   size_t count;
};

static int by_units(const void *left, const void *right)
{
   const struct vote *a = left, *b = right;
   for (int side = 0; side < PR_SIDES; side++)
      if (a->units[side] != b->units[side])
         return a->units[side] < b->units[side] ? -1 : 1;
   return 0;
}

static int by_count(const void *left, const void *right, void *context)
{
   const struct vote *a = left, *b = right;
   const struct pr_units *objects = context;
   if (a->count != b->count)
      return a->count > b->count ? -1 : 1;
   int order = 0;
   for (int side = 0; order == 0 && side < PR_SIDES; side++)
      order = strcmp(objects->items[a->units[side]].names[side],
                     objects->items[b->units[side]].names[side]);
   return order;
}

static bool vote_for_objects(struct pr_pairing *pairing, uint32_t *merged)
{
   const struct pr_units *functions = &pairing->units[PR_UNIT_FUNCTION];
   struct pr_units *objects = &pairing->units[PR_UNIT_OBJECT];
   struct vote *votes = malloc((functions->count + 1) * sizeof *votes);
   size_t count = 0, kept = 0;
   if (!votes)
      return false;
   for (size_t u = 0; u < functions->count; u++) {
      struct vote vote = {.count = 1};
      bool is_open = functions->items[u].names[PR_OLD] && functions->items[u].names[PR_NEW];
      for (int side = 0; is_open && side < PR_SIDES; side++) {
         const struct pr_function *function = functions->items[u].names[side];
         vote.units[side] = taker(merged, pr_pairing_object(pairing, side, function->object));
         is_open = !objects->items[vote.units[side]].names[!side];
      }
      if (is_open)
         votes[count++] = vote;
   }
   qsort(votes, count, sizeof *votes, by_units);
   for (size_t i = 0; i < count; i++)
      if (kept && by_units(&votes[kept - 1], &votes[i]) == 0)
         votes[kept - 1].count++;
      else
         votes[kept++] = votes[i];
   qsort_r(votes, kept, sizeof *votes, by_count, objects);
   for (size_t i = 0; i < kept; i++) {
      const uint32_t *units = votes[i].units;
      if (!objects->items[units[PR_OLD]].names[PR_NEW] && merged[units[PR_NEW]] == units[PR_NEW])
         pr_unit_merge(objects, merged, units[PR_OLD], units[PR_NEW]);
   }
   free(votes);
   return true;
}

/* Weights ------------------------------------------------------------------ */

static uint32_t unit_of_site_row(const struct pr_pairing *pairing, enum pr_side side,
                                 const struct pr_row *row)
{
   return pr_pairing_site(pairing, side, row->site);
}

static uint32_t unit_of_function_row(const struct pr_pairing *pairing, enum pr_side side,
                                     const struct pr_row *row)
{
   return pr_pairing_function(pairing, side, row->function);
}

static uint32_t unit_of_line_row(const struct pr_pairing *pairing, enum pr_side side,
                                 const struct pr_row *row)
{
   return pr_pairing_line(pairing, side, row->source_line);
}

static const size_t weight_columns[PR_UNIT_KINDS][PR_WEIGHTS] = {
   [PR_UNIT_SITE] = {PR_SITE_TRAFFIC_BYTES, PR_SITE_TRAFFIC_BLOCKS, PR_SITE_TRAFFIC_BLOCKS},
   [PR_UNIT_FUNCTION] = {PR_FUNCTION_INSTRUCTIONS, PR_FUNCTION_CALLS, PR_FUNCTION_CALL},
   [PR_UNIT_LINE] = {PR_FUNCTION_INSTRUCTIONS, PR_FUNCTION_CALLS, PR_FUNCTION_CALL},
};

/* The list of a phase, and the unit of its row. */
static const struct {
   enum pr_breakdown_kind kind;
   uint32_t (*unit)(const struct pr_pairing *, enum pr_side, const struct pr_row *);
} weight_lists[PR_UNIT_KINDS] = {
   [PR_UNIT_SITE] = {PR_BY_SITE, unit_of_site_row},
   [PR_UNIT_FUNCTION] = {PR_BY_FUNCTION, unit_of_function_row},
   [PR_UNIT_LINE] = {PR_BY_LINE, unit_of_line_row},
};

/* `merged` may be NULL: nothing is. NULL: no memory left. */
static struct pr_weight *weigh(const struct pr_pairing *pairing, enum pr_unit_kind kind,
                               const uint32_t *merged)
{
   struct pr_weight *weights = calloc(pairing->units[kind].count + 1, sizeof *weights);
   for (int side = 0; weights && side < PR_SIDES; side++) {
      const struct pr_phase *program = pr_report_phase(pairing->reports[side], "program");
      if (!program)
         continue;
      const struct pr_breakdown *breakdown = program->breakdowns[weight_lists[kind].kind];
      for (size_t r = 0; r < breakdown->row_count; r++) {
         const struct pr_row *row = &breakdown->rows[r];
         uint32_t unit = weight_lists[kind].unit(pairing, side, row);
         unit = merged ? taker(merged, unit) : unit;
         for (size_t w = 0; w < PR_WEIGHTS; w++)
            weights[unit].values[side][w] += row->values[weight_columns[kind][w]];
      }
   }
   return weights;
}

/* Put together ------------------------------------------------------------- */

/* Each unit has its own members. NULL: no memory left. */
static uint32_t *start_merging(const struct pr_units *units)
{
   uint32_t *merged = malloc((units->count + 1) * sizeof *merged);
   for (size_t u = 0; merged && u < units->count; u++)
      merged[u] = (uint32_t)u;
   return merged;
}

/* Every name learns its unit. */
static void end_merging(const struct pr_pairing *pairing, enum pr_unit_kind kind,
                        uint32_t *merged)
{
   const struct pr_units *units = &pairing->units[kind];
   for (int side = 0; side < PR_SIDES; side++)
      for (size_t i = 0; merged && i < count_of(pairing, kind, side); i++)
         units->of[side][i] = taker(merged, units->of[side][i]);
   free(merged);
}

static bool pair_objects(struct pr_pairing *pairing)
{
   uint32_t *merged = start_merging(&pairing->units[PR_UNIT_OBJECT]);
   bool ok = merged && pair_alike(pairing, PR_UNIT_OBJECT, PR_SAME_BASE, merged)
             && vote_for_objects(pairing, merged);
   end_merging(pairing, PR_UNIT_OBJECT, merged);
   return ok;
}

/* Functions by less strict keys, objects by these functions, then the rest. */
static bool pair_functions(struct pr_pairing *pairing)
{
   uint32_t *merged = start_merging(&pairing->units[PR_UNIT_FUNCTION]);
   bool ok = merged && pair_alike(pairing, PR_UNIT_FUNCTION, PR_SAME_FUNCTION, merged)
             && pair_alike(pairing, PR_UNIT_FUNCTION, PR_SAME_BASE, merged)
             && pair_objects(pairing);
   struct pr_weight *weights = ok ? weigh(pairing, PR_UNIT_FUNCTION, merged) : NULL;
   ok = weights && pr_guess_functions(pairing, weights, merged);
   free(weights);
   weights = ok ? weigh(pairing, PR_UNIT_FUNCTION, merged) : NULL;
   ok = weights && pr_guess_inlined(pairing, weights, merged);
   free(weights);
   end_merging(pairing, PR_UNIT_FUNCTION, merged);
   return ok;
}

static bool pair_sites(struct pr_pairing *pairing)
{
   uint32_t *merged = start_merging(&pairing->units[PR_UNIT_SITE]);
   bool ok = merged && pair_alike(pairing, PR_UNIT_SITE, PR_SAME_FUNCTION, merged)
             && pair_alike(pairing, PR_UNIT_SITE, PR_SAME_BASE, merged);
   struct pr_weight *weights = ok ? weigh(pairing, PR_UNIT_SITE, merged) : NULL;
   ok = weights && pr_guess_sites(pairing, weights, merged);
   free(weights);
   end_merging(pairing, PR_UNIT_SITE, merged);
   return ok;
}

static bool pair_lines(struct pr_pairing *pairing)
{
   struct pr_weight *weights = weigh(pairing, PR_UNIT_LINE, NULL);
   bool ok = weights && pr_align_lines(pairing, weights);
   free(weights);
   return ok;
}

/* What rows are summed up by, looked up once. */
static bool find_objects(struct pr_pairing *pairing, enum pr_side side)
{
   const struct pr_report *report = pairing->reports[side];
   uint32_t *of_sites = malloc((report->site_count + 1) * sizeof *of_sites);
   uint32_t *of_functions = malloc((report->function_count + 1) * sizeof *of_functions);
   pairing->site_objects[side] = of_sites;
   pairing->function_objects[side] = of_functions;
   if (!of_sites || !of_functions)
      return false;
   for (size_t i = 0; i < report->site_count; i++)
      of_sites[i] = pr_pairing_object(pairing, side, pr_site_object(&report->sites[i]));
   for (size_t i = 0; i < report->function_count; i++)
      of_functions[i] = pr_pairing_object(pairing, side, report->functions[i].object);
   return true;
}

static bool make_room_for_frames(struct pr_pairing *pairing)
{
   bool ok = true;
   for (int side = 0; side < PR_SIDES; side++) {
      size_t count = pairing->reports[side]->site_count + 1;
      pairing->told_by[side] = calloc(count, sizeof *pairing->told_by[side]);
      ok = ok && pairing->told_by[side];
   }
   return ok;
}

bool pr_pairing_make(struct pr_pairing *pairing, const struct pr_report *old_report,
                     const struct pr_report *new_report)
{
   *pairing = (struct pr_pairing){.reports = {old_report, new_report}};
   bool ok = list_objects(pairing, PR_OLD) && list_objects(pairing, PR_NEW);
   for (int kind = 0; ok && kind < PR_UNIT_KINDS; kind++)
      ok = pair_same(pairing, kind);
   return ok && pair_functions(pairing) && pair_sites(pairing) && pair_lines(pairing)
          && find_objects(pairing, PR_OLD) && find_objects(pairing, PR_NEW)
          && make_room_for_frames(pairing);
}

void pr_pairing_release(struct pr_pairing *pairing)
{
   for (int side = 0; side < PR_SIDES; side++) {
      free(pairing->objects[side]);
      free(pairing->site_objects[side]);
      free(pairing->function_objects[side]);
      free(pairing->told_by[side]);
   }
   for (int kind = 0; kind < PR_UNIT_KINDS; kind++) {
      free(pairing->units[kind].items);
      for (int side = 0; side < PR_SIDES; side++)
         free(pairing->units[kind].of[side]);
   }
}

/* Looking up --------------------------------------------------------------- */

uint32_t pr_pairing_site(const struct pr_pairing *pairing, enum pr_side side,
                         const struct pr_site *site)
{
   return pairing->units[PR_UNIT_SITE].of[side][site - pairing->reports[side]->sites];
}

const struct pr_told *pr_pairing_told_by(const struct pr_pairing *pairing, enum pr_side side,
                                         const struct pr_site *site)
{
   static const struct pr_frame none = {.function = "no call chain", .object = ""};
   struct pr_told *told = &pairing->told_by[side][site - pairing->reports[side]->sites];
   if (!told->frame) {
      size_t at = pr_first_own_frame(site);
      told->frame = site->frame_count == 0 ? &none
                                           : &site->frames[at < site->frame_count ? at : 0];
      const struct pr_function function = {.name = told->frame->function,
                                           .object = told->frame->object};
      told->hash = pr_key_hash(PR_UNIT_FUNCTION, PR_SAME, &function);
   }
   return told;
}

uint32_t pr_pairing_function(const struct pr_pairing *pairing, enum pr_side side,
                             const struct pr_function *function)
{
   return pairing->units[PR_UNIT_FUNCTION]
      .of[side][function - pairing->reports[side]->functions];
}

uint32_t pr_pairing_line(const struct pr_pairing *pairing, enum pr_side side,
                         const struct pr_source_line *line)
{
   return pairing->units[PR_UNIT_LINE].of[side][line - pairing->reports[side]->lines];
}

uint32_t pr_pairing_object(const struct pr_pairing *pairing, enum pr_side side,
                           const char *object)
{
   const char *const *names = pairing->objects[side];
   const char *const *found =
      bsearch(&object, names, pairing->object_counts[side], sizeof *names, compare_strings);
   return pairing->units[PR_UNIT_OBJECT].of[side][found - names];
}

uint32_t pr_pairing_site_object(const struct pr_pairing *pairing, enum pr_side side,
                                const struct pr_site *site)
{
   return pairing->site_objects[side][site - pairing->reports[side]->sites];
}

uint32_t pr_pairing_function_object(const struct pr_pairing *pairing, enum pr_side side,
                                    const struct pr_function *function)
{
   return pairing->function_objects[side][function - pairing->reports[side]->functions];
}
