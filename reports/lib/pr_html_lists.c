/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_lists.c: tables of the first rows of breakdowns. See pr_html_lists.h.
 *
 * They are the rows of `profmem show`, in its order (pr_render_breakdown.h).
 */
#include "pr_html_lists.h"

#include <stdlib.h>
#include <string.h>

#include "pr_render_breakdown.h"

/* Common ------------------------------------------------------------------- */

void pr_html_add_name_columns(struct pr_html_table *table, const struct pr_html_list *list)
{
   for (size_t n = 0; n < PR_HTML_NAMES_MAX && list->names->titles[n]; n++)
      pr_html_add_column(table, "text", list->names->titles[n]);
}

void pr_html_add_words(struct pr_html_table *table, const struct pr_html_list *list,
                       const char *kind, const char *words)
{
   pr_html_add_row(table, kind);
   pr_html_add_text_cell(table, words);
   for (size_t n = 1; n < PR_HTML_NAMES_MAX && list->names->titles[n]; n++)
      pr_html_add_cell(table);
}

bool pr_html_is_in_bytes(const struct pr_html_list *list, size_t column)
{
   const char *name = pr_breakdowns[list->kind].columns[column].name;
   static const char unit[] = "bytes";
   size_t bytes = strlen(name);
   return bytes >= sizeof unit - 1 && strcmp(name + bytes - (sizeof unit - 1), unit) == 0;
}

void pr_html_add_nothing(struct pr_html_view *view, xmlNode *node, const char *title,
                         const char *words, const char *reason)
{
   xmlNode *nothing = pr_html_add(view, node, "nothing");
   pr_html_set(view, nothing, "title", title);
   pr_html_set(view, nothing, "text", words);
   pr_html_set_name(view, nothing, "reason", reason);
}

/* The first rows ----------------------------------------------------------- */

static void add_columns(struct pr_html_table *table, const struct pr_html_list *list)
{
   const struct pr_column *columns = pr_breakdowns[list->kind].columns;
   pr_html_add_name_columns(table, list);
   pr_html_add_column(table, "number", columns[list->key].name);
   pr_html_add_column(table, "share", "share");
   for (size_t i = 0; i < list->further_count; i++)
      pr_html_add_column(table, "number", columns[list->further[i]].name);
}

static void add_values(struct pr_html_table *table, const struct pr_html_list *list,
                       const __int128 *values, __int128 whole)
{
   __int128 key = values[list->key];
   pr_html_add_number_cell(table, key, pr_html_is_in_bytes(list, list->key));
   xmlNode *cell = pr_html_add_cell(table);
   pr_html_set_share(table->view, cell, key, whole);
   pr_html_set_bar(table->view, cell, key, whole);
   for (size_t i = 0; i < list->further_count; i++)
      pr_html_add_number_cell(table, values[list->further[i]],
                              pr_html_is_in_bytes(list, list->further[i]));
}

static void add_rows(struct pr_html_table *table, const struct pr_html_list *list,
                     const struct pr_ranking *ranking, const struct pr_breakdown *breakdown)
{
   __int128 values[PR_COLUMNS_MAX];
   char number[PR_NUMBER_TEXT_BYTES], words[PR_NUMBER_TEXT_BYTES + 32];
   for (size_t i = 0; i < ranking->count; i++) {
      pr_html_add_row(table, NULL);
      list->names->add(table, ranking->rows[i]);
      pr_ranking_values(ranking, i, values);
      add_values(table, list, values, ranking->whole);
   }
   if (ranking->rest_count) {
      snprintf(words, sizeof words, "%s other %s", pr_render_wide(number, ranking->rest_count),
               ranking->rest_count == 1 ? list->names->one : list->names->many);
      pr_html_add_words(table, list, "rest", words);
      add_values(table, list, ranking->rest, ranking->whole);
   }
   for (size_t c = 0; c < pr_breakdowns[list->kind].column_count; c++)
      values[c] = pr_breakdown_sum(breakdown, list->kind, c);
   pr_html_add_words(table, list, "all", "all");
   add_values(table, list, values, 0);
}

static void add_list(const struct pr_html_page *page, xmlNode *node, const struct pr_phase *phase,
                     const struct pr_html_list *list)
{
   struct pr_html_view *view = page->view;
   const struct pr_breakdown *breakdown = phase->breakdowns[list->kind];
   struct pr_ranking ranking;
   struct pr_html_table table;
   if (!pr_ranking_make(&ranking, phase, list->kind, list->key, page->request->top)) {
      view->is_exhausted = true;
      return;
   }
   if (ranking.whole == 0) {
      pr_html_add_nothing(view, node, list->title, "none", NULL);
   } else {
      pr_html_table_start(&table, view, node, list->title);
      add_columns(&table, list);
      add_rows(&table, list, &ranking, breakdown);
      pr_html_table_finish(&table);
   }
   free(ranking.rows);
}

/* Put together ------------------------------------------------------------- */

/* Why the report has no such list. */
static void add_absence(const struct pr_html_page *page, xmlNode *node,
                        const struct pr_html_list *list)
{
   enum pr_name_kind names = pr_breakdowns[list->kind].names;
   const char *reason =
      names == PR_NAME_NONE ? NULL : page->request->report->unavailable[names];
   if (!list->is_optional)
      pr_html_add_nothing(page->view, node, list->title,
                          reason ? "unavailable" : "not in the report", reason);
}

static void add_list_or_changes(const struct pr_html_page *page, xmlNode *node,
                                const struct pr_html_phase *phase,
                                const struct pr_html_list *list)
{
   if (phase->old_phase && phase->old_phase->breakdowns[list->kind]->is_listed)
      pr_html_add_changes(page, node, phase, list);
   else if (phase->phase->breakdowns[list->kind]->is_listed)
      add_list(page, node, phase->phase, list);
   else
      add_absence(page, node, list);
}

void pr_html_add_lists(const struct pr_html_page *page, xmlNode *section,
                       const struct pr_html_list *lists, size_t count)
{
   xmlNode *node;
   for (size_t p = 0; (node = pr_html_next_phase(page, section, &p)); p++)
      for (size_t l = 0; l < count; l++)
         add_list_or_changes(page, node, &page->phases[p], &lists[l]);
}
