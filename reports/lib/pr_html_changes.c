/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_changes.c: tables of the rows of a list that changed most. See pr_html_lists.h.
 *
 * Every row of both lists is in one row of the table, so that each of its columns adds up to
 * what the lists do. Rows are paired, and largest first, as in `profmem diff` (pr_explain.h).
 */
#include <stdlib.h>

#include "pr_html_lists.h"
#include "pr_render_breakdown.h"
#include "pr_render_part.h"

struct changes {
   struct pr_html_table table;
   const struct pr_html_list *list;
   struct pr_rows rows;
   struct pr_parts parts;
   bool is_in_bytes;
   __int128 left[PR_SIDES]; /* what no row so far accounts for */
};

static void add_columns(struct changes *changes)
{
   pr_html_add_name_columns(&changes->table, changes->list);
   pr_html_add_column(&changes->table, "number", "before");
   pr_html_add_column(&changes->table, "number", "now");
   pr_html_add_column(&changes->table, "change", "change");
   pr_html_add_column(&changes->table, "text", "");
}

/* Before, now, change, of a row that has words instead of names, and no notes. */
static void add_values(struct changes *changes, const __int128 values[PR_SIDES])
{
   for (int side = 0; side < PR_SIDES; side++) {
      pr_html_add_number_cell(&changes->table, values[side], changes->is_in_bytes);
      changes->left[side] -= values[side];
   }
   pr_html_add_change_cell(&changes->table, values[PR_OLD], values[PR_NEW], changes->is_in_bytes);
   pr_html_add_cell(&changes->table);
}

/* A part that one of the lists does not have is new or gone; or it may be among those that the
   list only sums up, and then there is no number. */
static bool is_unknown(const struct changes *changes, const struct pr_part *part,
                       enum pr_side side)
{
   return !part->rows[side] && changes->rows.sides[side]->others_count > 0;
}

static void add_value(struct changes *changes, const struct pr_part *part, enum pr_side side)
{
   if (part->rows[side])
      pr_html_add_number_cell(&changes->table, part->values[side], changes->is_in_bytes);
   else if (is_unknown(changes, part, side))
      pr_html_add_text_cell(&changes->table, "not listed");
   else
      pr_html_add_text_cell(&changes->table, side == PR_OLD ? "new" : "gone");
   changes->left[side] -= part->values[side];
}

static void add_part(struct changes *changes, const struct pr_part *part)
{
   struct pr_html_table *table = &changes->table;
   char *notes = pr_part_notes(&changes->rows, part);
   pr_html_add_row(table, NULL);
   if (pr_part_is_guessed(&changes->rows, part))
      pr_html_set(table->view, table->row, "is-guessed", "yes");
   changes->list->names->add(table, pr_part_row(part));
   for (int side = 0; side < PR_SIDES; side++)
      add_value(changes, part, side);
   if (is_unknown(changes, part, PR_OLD) || is_unknown(changes, part, PR_NEW))
      pr_html_set_change(table->view, pr_html_add_cell(table), part->change);
   else
      pr_html_add_change_cell(table, part->values[PR_OLD], part->values[PR_NEW],
                              changes->is_in_bytes);
   table->view->is_exhausted = table->view->is_exhausted || !notes;
   pr_html_add_name_cell(table, notes && notes[0] ? notes : NULL);
   free(notes);
}

/* Those that changed, too. */
static void add_more(struct changes *changes, size_t from)
{
   char number[PR_NUMBER_TEXT_BYTES], words[PR_NUMBER_TEXT_BYTES + 32];
   __int128 values[PR_SIDES] = {0, 0};
   for (size_t i = from; i < changes->parts.count; i++)
      for (int side = 0; side < PR_SIDES; side++)
         values[side] += changes->parts.items[i].values[side];
   if (from >= changes->parts.count)
      return;
   snprintf(words, sizeof words, "%s more that changed",
            pr_render_wide(number, (__int128)(changes->parts.count - from)));
   pr_html_add_words(&changes->table, changes->list, "rest", words);
   add_values(changes, values);
}

static void add_rest(struct changes *changes)
{
   const struct pr_column *column =
      &pr_breakdowns[changes->list->kind].columns[changes->list->key];
   __int128 others[PR_SIDES];
   for (int side = 0; side < PR_SIDES; side++) {
      const uint64_t *values = changes->rows.sides[side]->others;
      others[side] = values ? pr_column_value(column, values[changes->list->key]) : 0;
   }
   if (others[PR_OLD] || others[PR_NEW]) {
      pr_html_add_words(&changes->table, changes->list, "rest",
                        "those that the reports only sum up");
      add_values(changes, others);
   }
   if (changes->left[PR_OLD] || changes->left[PR_NEW]) {
      const __int128 values[PR_SIDES] = {changes->left[PR_OLD], changes->left[PR_NEW]};
      pr_html_add_words(&changes->table, changes->list, "rest", "unchanged");
      add_values(changes, values);
   }
}

static void add_table(const struct pr_html_page *page, xmlNode *node, struct changes *changes,
                      const __int128 sums[PR_SIDES])
{
   size_t top = page->request->top, count = changes->parts.count;
   pr_html_table_start(&changes->table, page->view, node, changes->list->title);
   add_columns(changes);
   for (size_t i = 0; i < count && i < top; i++)
      add_part(changes, &changes->parts.items[i]);
   add_more(changes, count < top ? count : top);
   add_rest(changes);
   pr_html_add_words(&changes->table, changes->list, "all", "all");
   add_values(changes, sums);
   pr_html_table_finish(&changes->table);
}

/* One line says it. */
static void add_unchanged(const struct pr_html_page *page, xmlNode *node,
                          const struct changes *changes, __int128 sum)
{
   char number[PR_NUMBER_TEXT_BYTES], words[PR_NUMBER_TEXT_BYTES + 32];
   snprintf(words, sizeof words, "no change, %s in all", pr_render_wide(number, sum));
   pr_html_add_nothing(page->view, node, changes->list->title, words, NULL);
}

void pr_html_add_changes(const struct pr_html_page *page, xmlNode *node,
                         const struct pr_html_phase *phase, const struct pr_html_list *list)
{
   const struct pr_phase *const phases[PR_SIDES] = {phase->old_phase, phase->phase};
   struct changes changes = {.list = list, .is_in_bytes = pr_html_is_in_bytes(list, list->key)};
   const struct pr_pairing *pairing = &page->request->diff->pairing;
   __int128 sums[PR_SIDES];
   bool ok = pr_rows_gather(&changes.rows, pairing, phases, list->kind);
   if (ok && pr_parts_make(&changes.parts, &changes.rows, list->key, page->request->top)) {
      for (int side = 0; side < PR_SIDES; side++)
         changes.left[side] = sums[side] =
            pr_breakdown_sum(changes.rows.sides[side], list->kind, list->key);
      if (changes.parts.count || changes.parts.others)
         add_table(page, node, &changes, sums);
      else
         add_unchanged(page, node, &changes, sums[PR_NEW]);
      free(changes.parts.items);
   } else {
      page->view->is_exhausted = true;
   }
   pr_rows_release(&changes.rows);
}
