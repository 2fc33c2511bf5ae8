/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_pairing_lines.c: source lines that moved. See pr_pairing_guess.h.
 *
 * Lines have numbers for names, and a line put in above renames all below. So where not all
 * lines of a function have their own in the other report, its lines are aligned: they
 * stay in their order, and of all ways to pair them so, that one is taken in which most of
 * the pairs did the same work. Functions with very many lines keep the pairs of the same
 * number.
 */
#include "pr_pairing_guess.h"

#include <stdlib.h>
#include <string.h>

#include "pr_pairing_key.h"

enum { CELLS_MAX = 65536 }; /* of a table of the lines of both sides */

enum { NO_FUNCTION = UINT32_MAX };

struct line {
   uint64_t hash;     /* of what a function's lines have in common */
   uint32_t function; /* the unit; NO_FUNCTION: the report does not list it */
   const struct pr_source_line *name;
   uint32_t at; /* in the report's array */
   enum pr_side side;
};

struct alignment {
   struct pr_pairing *pairing;
   const struct pr_weight *weights;
   unsigned *scores;   /* CELLS_MAX: the best for the first i lines and the first j */
   uint32_t *partners; /* CELLS_MAX of the side that comes first in the table, then as many of
                          the new lines */
};

/* Functions -----------------------------------------------------------------

   Lines have the name of their function, functions have units, which are the same where a
   function was renamed or moved to another object. */

struct function_entry {
   uint64_t hash;
   const struct pr_function *function;
};

static int compare_hashes(const void *left, const void *right)
{
   const struct function_entry *a = left, *b = right;
   return (a->hash > b->hash) - (a->hash < b->hash);
}

/* The functions of a report by the hashes of their names. NULL: no memory left. */
static struct function_entry *sort_functions(const struct pr_report *report)
{
   struct function_entry *entries = malloc((report->function_count + 1) * sizeof *entries);
   if (!entries)
      return NULL;
   for (size_t i = 0; i < report->function_count; i++)
      entries[i] = (struct function_entry){
         pr_key_hash(PR_UNIT_FUNCTION, PR_SAME, &report->functions[i]), &report->functions[i]};
   qsort(entries, report->function_count, sizeof *entries, compare_hashes);
   return entries;
}

/* Names of the same hash are taken for the first of them, if it is the same. */
static uint32_t function_of(const struct pr_pairing *pairing, enum pr_side side,
                            const struct function_entry *entries,
                            const struct pr_source_line *line)
{
   const struct pr_function wanted = {.name = line->function, .object = line->object};
   const struct function_entry key = {pr_key_hash(PR_UNIT_FUNCTION, PR_SAME, &wanted), NULL};
   const struct function_entry *entry =
      bsearch(&key, entries, pairing->reports[side]->function_count, sizeof *entries,
              compare_hashes);
   if (!entry || pr_key_compare(PR_UNIT_FUNCTION, PR_SAME, &wanted, entry->function) != 0)
      return NO_FUNCTION;
   return pr_pairing_function(pairing, side, entry->function);
}

/* What lines of one function have in common: that and the file. */
static struct pr_source_line common_part(const struct line *line)
{
   struct pr_source_line common = *line->name;
   common.number = 0;
   if (line->function != NO_FUNCTION)
      common.function = common.object = "";
   return common;
}

static int compare_functions(const struct line *a, const struct line *b)
{
   if (a->function != b->function)
      return a->function < b->function ? -1 : 1;
   const struct pr_source_line one = common_part(a), other = common_part(b);
   return pr_key_compare(PR_UNIT_LINE, PR_SAME, &one, &other);
}

static int compare_lines(const void *left, const void *right)
{
   const struct line *a = left, *b = right;
   if (a->hash != b->hash)
      return a->hash < b->hash ? -1 : 1;
   int order = compare_functions(a, b);
   if (order == 0)
      order = (int)a->side - (int)b->side;
   if (order == 0)
      order = (a->name->number > b->name->number) - (a->name->number < b->name->number);
   return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* Aligning ----------------------------------------------------------------- */

static const __int128 *work_of(const struct alignment *alignment, const struct line *line)
{
   uint32_t unit = alignment->pairing->units[PR_UNIT_LINE].of[line->side][line->at];
   return alignment->weights[unit].values[line->side];
}

/* How well two lines go together: by how alike their work is; the same number tips the
   balance. Those of other numbers and of quite other work do not go together at all. */
static unsigned score(const struct alignment *alignment, const struct line *a,
                      const struct line *b)
{
   static const struct {
      unsigned percent, points;
   } grades[] = {{100, 16}, {99, 14}, {90, 10}, {50, 4}};
   const __int128 *a_work = work_of(alignment, a), *b_work = work_of(alignment, b);
   __int128 least = a_work[PR_WEIGHT_SIZE], largest = b_work[PR_WEIGHT_SIZE];
   unsigned is_same_number = a->name->number == b->name->number;
   if (least > largest) {
      least = b_work[PR_WEIGHT_SIZE];
      largest = a_work[PR_WEIGHT_SIZE];
   }
   for (size_t g = 0; g < sizeof grades / sizeof grades[0]; g++)
      if (least * 100 >= largest * grades[g].percent)
         return grades[g].points + is_same_number;
   return 2 * is_same_number;
}

static unsigned most(unsigned a, unsigned b)
{
   return a > b ? a : b;
}

/* The longest common subsequence, with points. partners[i] is the line of `b` for the i-th of
   `a`; b_count: none. */
static void align(const struct alignment *alignment, const struct line *a, size_t a_count,
                  const struct line *b, size_t b_count)
{
   unsigned *scores = alignment->scores;
   size_t width = b_count + 1;
   memset(scores, 0, width * sizeof *scores);
   for (size_t i = 0; i < a_count; i++) {
      unsigned *above = scores + i * width, *row = above + width;
      row[0] = 0;
      for (size_t j = 0; j < b_count; j++)
         row[j + 1] = most(above[j] + score(alignment, &a[i], &b[j]), most(above[j + 1], row[j]));
   }
   size_t i = a_count, j = b_count;
   while (i > 0) {
      const unsigned *row = scores + i * width, *above = row - width;
      if (j > 0 && row[j] == row[j - 1]) {
         j--;
      } else if (row[j] == above[j]) {
         alignment->partners[--i] = (uint32_t)b_count;
      } else {
         alignment->partners[--i] = (uint32_t)--j;
      }
   }
}

/* The two sides in an order that does not depend on which is the older one: the side with
   fewer lines first, else that with the smaller numbers. */
static bool is_swapped(const struct line *olds, size_t old_count, const struct line *news,
                       size_t new_count)
{
   if (old_count != new_count)
      return new_count < old_count;
   for (size_t i = 0; i < old_count; i++)
      if (olds[i].name->number != news[i].name->number)
         return news[i].name->number < olds[i].name->number;
   return false;
}

/* Each old line keeps its unit; the new one comes to it, or gets one of its own. */
static void assign(struct pr_units *units, const struct line *olds, size_t old_count,
                   const struct line *news, size_t new_count, const uint32_t *partners)
{
   for (size_t j = 0; j < new_count; j++) {
      struct pr_unit *unit = &units->items[units->of[PR_NEW][news[j].at]];
      unit->names[PR_NEW] = NULL;
      unit->members[PR_NEW] = 0;
   }
   for (size_t j = 0; j < new_count; j++) {
      uint32_t *of = &units->of[PR_NEW][news[j].at];
      if (partners[j] < old_count)
         *of = units->of[PR_OLD][olds[partners[j]].at];
      else if (units->items[*of].names[PR_OLD])
         *of = (uint32_t)units->count++; /* there is room for a unit for every name */
      struct pr_unit *unit = &units->items[*of];
      unit->names[PR_NEW] = news[j].name;
      unit->members[PR_NEW] = 1;
      unit->is_guessed =
         partners[j] < old_count
         && pr_key_compare(PR_UNIT_LINE, PR_SAME, olds[partners[j]].name, news[j].name) != 0;
   }
}

static bool is_paired(const struct pr_units *units, const struct line *olds, size_t old_count,
                      const struct line *news, size_t new_count)
{
   bool is_paired = old_count == new_count;
   for (size_t i = 0; is_paired && i < old_count; i++)
      is_paired = units->of[PR_OLD][olds[i].at] == units->of[PR_NEW][news[i].at];
   return is_paired;
}

/* A line that is inlined into two functions, of which one was inlined into the other. */
static bool has_repeated_number(const struct line *lines, size_t count)
{
   for (size_t i = 1; i < count; i++)
      if (lines[i - 1].name->number == lines[i].name->number)
         return true;
   return false;
}

/* The lines of one function, those of the old report first. */
static void align_function(const struct alignment *alignment, const struct line *lines,
                           size_t old_count, size_t new_count)
{
   const struct line *olds = lines, *news = lines + old_count;
   if (!lines->name->file || old_count == 0 || new_count == 0
       || (old_count + 1) > CELLS_MAX / (new_count + 1)
       || is_paired(&alignment->pairing->units[PR_UNIT_LINE], olds, old_count, news, new_count)
       || has_repeated_number(olds, old_count) || has_repeated_number(news, new_count))
      return;
   uint32_t *of_news = alignment->partners + CELLS_MAX;
   for (size_t j = 0; j < new_count; j++)
      of_news[j] = (uint32_t)old_count;
   if (is_swapped(olds, old_count, news, new_count)) {
      align(alignment, news, new_count, olds, old_count);
      memcpy(of_news, alignment->partners, new_count * sizeof *of_news);
   } else {
      align(alignment, olds, old_count, news, new_count);
      for (size_t i = 0; i < old_count; i++)
         if (alignment->partners[i] < new_count)
            of_news[alignment->partners[i]] = (uint32_t)i;
   }
   assign(&alignment->pairing->units[PR_UNIT_LINE], olds, old_count, news, new_count, of_news);
}

static void align_all(const struct alignment *alignment, const struct line *lines, size_t count)
{
   for (size_t i = 0, olds, all; i < count; i += all) {
      for (olds = all = 0; i + all < count; all++) {
         if (lines[i + all].hash != lines[i].hash
             || compare_functions(&lines[i], &lines[i + all]) != 0)
            break;
         olds += lines[i + all].side == PR_OLD;
      }
      align_function(alignment, lines + i, olds, all - olds);
   }
}

static bool has_loners(const struct pr_units *units)
{
   for (size_t u = 0; u < units->count; u++)
      if (!units->items[u].names[PR_OLD] || !units->items[u].names[PR_NEW])
         return true;
   return false;
}

/* Add the lines of a report. False: no memory left. */
static bool add_lines(const struct pr_pairing *pairing, enum pr_side side, struct line *lines)
{
   const struct pr_report *report = pairing->reports[side];
   struct function_entry *entries = sort_functions(report);
   for (size_t i = 0; entries && i < report->line_count; i++) {
      const struct pr_source_line *name = &report->lines[i];
      struct line *line = &lines[i];
      *line = (struct line){.name = name, .at = (uint32_t)i, .side = side};
      line->function = function_of(pairing, side, entries, name);
      const struct pr_source_line common = common_part(line);
      line->hash = pr_key_hash(PR_UNIT_LINE, PR_SAME, &common) ^ line->function;
   }
   free(entries);
   return entries;
}

bool pr_align_lines(struct pr_pairing *pairing, const struct pr_weight *weights)
{
   size_t old_count = pairing->reports[PR_OLD]->line_count;
   size_t count = old_count + pairing->reports[PR_NEW]->line_count;
   if (!has_loners(&pairing->units[PR_UNIT_LINE]))
      return true;
   struct line *lines = malloc((count + 1) * sizeof *lines);
   struct alignment alignment = {
      .pairing = pairing,
      .weights = weights,
      .scores = malloc(CELLS_MAX * sizeof *alignment.scores),
      .partners = malloc(2 * CELLS_MAX * sizeof *alignment.partners),
   };
   bool ok = lines && alignment.scores && alignment.partners
             && add_lines(pairing, PR_OLD, lines) && add_lines(pairing, PR_NEW, lines + old_count);
   if (ok) {
      qsort(lines, count, sizeof *lines, compare_lines);
      align_all(&alignment, lines, count);
   }
   free(lines);
   free(alignment.scores);
   free(alignment.partners);
   return ok;
}
