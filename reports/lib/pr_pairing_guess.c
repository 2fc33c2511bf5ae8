/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing_guess.c: units paired by likeness. See pr_pairing_guess.h.
 *
 * Likeness is in thousandths. What looks alike is listed with a score, and the best pairs
 * are made first; of equal ones, that whose names come first. Names are compared by the
 * pairs of letters they have in common, chains by their longest common subsequence of
 * functions, numbers by their ratio.
 */
#include "pr_pairing_guess.h"

#include <stdlib.h>
#include <string.h>

#include "pr_pairing_key.h"

enum { ALL = 1000 };

static unsigned ratio(__int128 a, __int128 b)
{
   __int128 least = a < b ? a : b, most = a < b ? b : a;
   return most == 0 ? ALL : (unsigned)(least * ALL / most);
}

/* Those that stand alone --------------------------------------------------- */

enum { LETTER_PAIR_WORDS = 16, FRAMES_MAX = 32 };

/* A unit that only one side has, and what is compared of it. */
struct loner {
   uint32_t unit;
   uint32_t object; /* of a function */
   const void *name;
   const struct pr_weight *weight;
   union {
      struct { /* of a function */
         uint64_t pairs[LETTER_PAIR_WORDS]; /* of letters, as a set */
         unsigned pair_count;
      };
      struct { /* of a site: hashes of its innermost frames */
         uint64_t frames[FRAMES_MAX];
         size_t frame_count;
      };
   };
};

struct loners {
   struct loner *items;
   size_t count;
};

/* Of units that only one side has, for sorting. */
struct ranking {
   const struct pr_units *units;
   enum pr_unit_kind kind;
   enum pr_side side;
   const struct pr_weight *weights;
};

/* The largest first. */
static int by_size(const void *left, const void *right, void *context)
{
   const struct ranking *ranking = context;
   uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
   __int128 a_size = ranking->weights[a].values[ranking->side][PR_WEIGHT_SIZE];
   __int128 b_size = ranking->weights[b].values[ranking->side][PR_WEIGHT_SIZE];
   if (a_size != b_size)
      return a_size > b_size ? -1 : 1;
   return pr_key_compare(ranking->kind, PR_SAME, ranking->units->items[a].names[ranking->side],
                         ranking->units->items[b].names[ranking->side]);
}

/* The largest of those that only `side` has and that did anything; the caller frees. */
static bool find_loners(const struct pr_pairing *pairing, enum pr_unit_kind kind,
                        enum pr_side side, const struct pr_weight *weights,
                        struct loners *loners)
{
   const struct pr_units *units = &pairing->units[kind];
   struct ranking ranking = {units, kind, side, weights};
   uint32_t *alone = malloc((units->count + 1) * sizeof *alone);
   size_t count = 0;
   *loners = (struct loners){.items = malloc(PR_GUESSES_MAX * sizeof *loners->items)};
   if (!alone || !loners->items) {
      free(alone);
      return false;
   }
   for (size_t u = 0; u < units->count; u++)
      if (units->items[u].names[side] && !units->items[u].names[!side]
          && weights[u].values[side][PR_WEIGHT_SIZE] > 0)
         alone[count++] = (uint32_t)u;
   qsort_r(alone, count, sizeof *alone, by_size, &ranking);
   for (; loners->count < count && loners->count < PR_GUESSES_MAX; loners->count++) {
      uint32_t unit = alone[loners->count];
      loners->items[loners->count] = (struct loner){
         .unit = unit, .name = units->items[unit].names[side], .weight = &weights[unit]};
   }
   free(alone);
   return true;
}

/* The best pairs first ----------------------------------------------------- */

struct match {
   const struct loner *sides[PR_SIDES];
   unsigned score;
};

/* The names of a match, the first of both first, so that the order is the same whichever
   side is the older one. */
static int compare_names(enum pr_unit_kind kind, const struct match *a, const struct match *b)
{
   const void *names[2][PR_SIDES];
   const struct match *matches[2] = {a, b};
   for (int m = 0; m < 2; m++) {
      const void *old_name = matches[m]->sides[PR_OLD]->name;
      const void *new_name = matches[m]->sides[PR_NEW]->name;
      bool is_ordered = pr_key_compare(kind, PR_SAME, old_name, new_name) <= 0;
      names[m][0] = is_ordered ? old_name : new_name;
      names[m][1] = is_ordered ? new_name : old_name;
   }
   int order = pr_key_compare(kind, PR_SAME, names[0][0], names[1][0]);
   return order ? order : pr_key_compare(kind, PR_SAME, names[0][1], names[1][1]);
}

static int by_score(const void *left, const void *right, void *context)
{
   const struct match *a = left, *b = right;
   if (a->score != b->score)
      return a->score > b->score ? -1 : 1;
   return compare_names(*(const enum pr_unit_kind *)context, a, b);
}

/* `score` says how alike two are; 0: not enough. */
static bool pair_loners(struct pr_pairing *pairing, enum pr_unit_kind kind,
                        struct loners loners[PR_SIDES],
                        unsigned (*score)(const struct loner *, const struct loner *),
                        uint32_t *merged)
{
   struct pr_units *units = &pairing->units[kind];
   const struct loners *olds = &loners[PR_OLD], *news = &loners[PR_NEW];
   struct match *matches = malloc((olds->count * news->count + 1) * sizeof *matches);
   size_t count = 0;
   if (!matches)
      return false;
   for (size_t o = 0; o < olds->count; o++)
      for (size_t n = 0; n < news->count; n++) {
         struct match match = {{&olds->items[o], &news->items[n]}, 0};
         match.score = score(match.sides[PR_OLD], match.sides[PR_NEW]);
         if (match.score)
            matches[count++] = match;
      }
   qsort_r(matches, count, sizeof *matches, by_score, &kind);
   for (size_t m = 0; m < count; m++) {
      uint32_t old_unit = matches[m].sides[PR_OLD]->unit;
      uint32_t new_unit = matches[m].sides[PR_NEW]->unit;
      if (!units->items[old_unit].names[PR_NEW] && units->items[new_unit].names[PR_NEW])
         pr_unit_merge(units, merged, old_unit, new_unit);
   }
   free(matches);
   return true;
}

static unsigned weight_ratio(const struct loner *a, const struct loner *b, int weight)
{
   return ratio(a->weight->values[PR_OLD][weight], b->weight->values[PR_NEW][weight]);
}

/* Functions ---------------------------------------------------------------- */

static void describe_function(const struct pr_pairing *pairing, enum pr_side side,
                              struct loner *loner)
{
   const struct pr_function *function = loner->name;
   const unsigned char *name = (const unsigned char *)function->name;
   size_t bytes = pr_base_bytes(function->name);
   loner->object = pr_pairing_object(pairing, side, function->object);
   memset(loner->pairs, 0, sizeof loner->pairs);
   for (size_t i = 0; i + 1 < bytes; i++) {
      unsigned bit = (name[i] * 31u + name[i + 1]) % (LETTER_PAIR_WORDS * 64);
      loner->pairs[bit / 64] |= (uint64_t)1 << bit % 64;
   }
   loner->pair_count = 0;
   for (size_t w = 0; w < LETTER_PAIR_WORDS; w++)
      loner->pair_count += (unsigned)__builtin_popcountll(loner->pairs[w]);
}

static unsigned name_likeness(const struct loner *a, const struct loner *b)
{
   unsigned common = 0, all = a->pair_count + b->pair_count;
   for (size_t w = 0; w < LETTER_PAIR_WORDS; w++)
      common += (unsigned)__builtin_popcountll(a->pairs[w] & b->pairs[w]);
   return all ? 2 * common * ALL / all : 0;
}

/* A name that is much like the other and half as many calls at least; or the same numbers
   under whatever name. */
static unsigned score_functions(const struct loner *a, const struct loner *b)
{
   enum { CALLS_TELLING = 16 };
   if (a->object != b->object)
      return 0;
   unsigned name = name_likeness(a, b), calls = weight_ratio(a, b, PR_WEIGHT_COUNT);
   unsigned size = weight_ratio(a, b, PR_WEIGHT_SIZE);
   bool is_same_work =
      calls == ALL
      && (size == ALL
          || (a->weight->values[PR_OLD][PR_WEIGHT_COUNT] >= CALLS_TELLING && size >= 900));
   bool is_alike = name >= 500 && calls >= 500 && size >= 250;
   return is_same_work || is_alike ? 2 * name + calls + size + 1 : 0;
}

bool pr_guess_functions(struct pr_pairing *pairing, const struct pr_weight *weights,
                        uint32_t *merged)
{
   struct loners loners[PR_SIDES] = {{NULL, 0}, {NULL, 0}};
   bool ok = true;
   for (int side = 0; ok && side < PR_SIDES; side++) {
      ok = find_loners(pairing, PR_UNIT_FUNCTION, side, weights, &loners[side]);
      for (size_t i = 0; ok && i < loners[side].count; i++)
         describe_function(pairing, side, &loners[side].items[i]);
   }
   ok = ok && pair_loners(pairing, PR_UNIT_FUNCTION, loners, score_functions, merged);
   free(loners[PR_OLD].items);
   free(loners[PR_NEW].items);
   return ok;
}

/* Inlined functions -------------------------------------------------------- */

/* A function of both sides that makes fewer calls on the one than on the other, where
   another function is gone. */
struct caller {
   uint32_t unit;
   uint32_t object;
   __int128 missing_calls; /* that no inlined function accounts for yet */
   __int128 growth;        /* instructions that it took on */
   const struct pr_function *function;
};

static int by_growth(const void *left, const void *right)
{
   const struct caller *a = left, *b = right;
   if (a->growth != b->growth)
      return a->growth > b->growth ? -1 : 1;
   return pr_key_compare(PR_UNIT_FUNCTION, PR_SAME, a->function, b->function);
}

/* `with` is the side on which functions are on their own. The caller frees; NULL: no memory
   left. */
static struct caller *find_callers(const struct pr_pairing *pairing, enum pr_side with,
                                   const struct pr_weight *weights, size_t *count)
{
   const struct pr_units *units = &pairing->units[PR_UNIT_FUNCTION];
   struct caller *callers = malloc((units->count + 1) * sizeof *callers);
   *count = 0;
   for (size_t u = 0; callers && u < units->count; u++) {
      const struct pr_unit *unit = &units->items[u];
      const __int128 *had = weights[u].values[with], *has = weights[u].values[!with];
      struct caller caller = {
         .unit = (uint32_t)u,
         .missing_calls = had[PR_WEIGHT_CALLS] - has[PR_WEIGHT_CALLS],
         .growth = has[PR_WEIGHT_SIZE] - had[PR_WEIGHT_SIZE],
         .function = unit->names[with],
      };
      if (!unit->names[PR_OLD] || !unit->names[PR_NEW] || caller.missing_calls <= 0
          || caller.growth <= 0)
         continue;
      caller.object = pr_pairing_object(pairing, with, caller.function->object);
      callers[(*count)++] = caller;
   }
   if (callers)
      qsort(callers, *count, sizeof *callers, by_growth);
   if (*count > PR_GUESSES_MAX)
      *count = PR_GUESSES_MAX;
   return callers;
}

/* The first that makes exactly so many fewer calls, else the first that makes more. */
static struct caller *find_caller(struct caller *callers, size_t count, uint32_t object,
                                  __int128 calls)
{
   struct caller *found = NULL;
   for (size_t c = 0; c < count; c++) {
      if (callers[c].object != object || callers[c].missing_calls < calls)
         continue;
      if (callers[c].missing_calls == calls)
         return &callers[c];
      if (!found)
         found = &callers[c];
   }
   return found;
}

static bool guess_inlined_on(struct pr_pairing *pairing, enum pr_side with,
                             const struct pr_weight *weights, uint32_t *merged)
{
   struct pr_units *units = &pairing->units[PR_UNIT_FUNCTION];
   size_t count;
   struct loners loners = {NULL, 0};
   struct caller *callers = find_callers(pairing, with, weights, &count);
   bool ok = callers && find_loners(pairing, PR_UNIT_FUNCTION, with, weights, &loners);
   for (size_t i = 0; ok && i < loners.count; i++) {
      const struct pr_function *function = loners.items[i].name;
      __int128 calls = loners.items[i].weight->values[with][PR_WEIGHT_COUNT];
      uint32_t object = pr_pairing_object(pairing, with, function->object);
      struct caller *caller = calls ? find_caller(callers, count, object, calls) : NULL;
      if (!caller)
         continue;
      caller->missing_calls -= calls;
      pr_unit_merge(units, merged, caller->unit, loners.items[i].unit);
      if (!units->items[caller->unit].inlined[with])
         units->items[caller->unit].inlined[with] = function;
   }
   free(callers);
   free(loners.items);
   return ok;
}

bool pr_guess_inlined(struct pr_pairing *pairing, const struct pr_weight *weights,
                      uint32_t *merged)
{
   return guess_inlined_on(pairing, PR_OLD, weights, merged)
          && guess_inlined_on(pairing, PR_NEW, weights, merged);
}

/* Sites -------------------------------------------------------------------- */

static void describe_site(struct loner *loner)
{
   const struct pr_site *site = loner->name;
   loner->frame_count = site->frame_count < FRAMES_MAX ? site->frame_count : FRAMES_MAX;
   for (size_t f = 0; f < loner->frame_count; f++) {
      const struct pr_function function = {.name = site->frames[f].function};
      loner->frames[f] = pr_key_hash(PR_UNIT_FUNCTION, PR_SAME_BASE, &function);
   }
}

/* The length of the longest common subsequence of frames. */
static size_t common_frames(const struct loner *a, const struct loner *b)
{
   size_t lengths[2][FRAMES_MAX + 1] = {{0}};
   for (size_t i = 0; i < a->frame_count; i++) {
      const size_t *above = lengths[i % 2];
      size_t *row = lengths[(i + 1) % 2];
      for (size_t j = 0; j < b->frame_count; j++)
         if (a->frames[i] == b->frames[j])
            row[j + 1] = above[j] + 1;
         else
            row[j + 1] = above[j + 1] > row[j] ? above[j + 1] : row[j];
   }
   return lengths[a->frame_count % 2][b->frame_count];
}

/* Most of the chain is the same; or less of it, but as many blocks. The outermost frame is
   main in most of them and tells nothing. */
static unsigned score_sites(const struct loner *a, const struct loner *b)
{
   unsigned blocks = weight_ratio(a, b, PR_WEIGHT_COUNT);
   unsigned bytes = weight_ratio(a, b, PR_WEIGHT_SIZE);
   size_t all = a->frame_count + b->frame_count;
   if (all == 0 || blocks < 250)
      return 0;
   size_t common = common_frames(a, b);
   unsigned chain = (unsigned)(2 * common * ALL / all);
   bool is_alike = common >= 2 && chain >= 700;
   bool is_same_work = common >= 1 && chain >= 400 && blocks == ALL && bytes >= 900;
   return is_alike || is_same_work ? 2 * chain + blocks + bytes : 0;
}

bool pr_guess_sites(struct pr_pairing *pairing, const struct pr_weight *weights,
                    uint32_t *merged)
{
   struct loners loners[PR_SIDES] = {{NULL, 0}, {NULL, 0}};
   bool ok = true;
   for (int side = 0; ok && side < PR_SIDES; side++) {
      ok = find_loners(pairing, PR_UNIT_SITE, side, weights, &loners[side]);
      for (size_t i = 0; ok && i < loners[side].count; i++)
         describe_site(&loners[side].items[i]);
   }
   ok = ok && pair_loners(pairing, PR_UNIT_SITE, loners, score_sites, merged);
   free(loners[PR_OLD].items);
   free(loners[PR_NEW].items);
   return ok;
}
