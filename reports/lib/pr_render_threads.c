/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_threads.c: the first threads of a phase. */
#include <inttypes.h>
#include <stdlib.h>

#include "pr_render_breakdown.h"

/* Thread, instructions, share, bar, then the other columns in the format's order. */
static const char thread_alignment[] = "lrrlrrrr";

static void add_thread_row(struct pr_table *table, const struct pr_ranking *ranking,
                           const __int128 *values)
{
   char number[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[PR_BAR_COLUMNS + 1];
   __int128 instructions = values[PR_THREAD_INSTRUCTIONS];
   pr_table_add(table, pr_render_wide(number, instructions));
   pr_table_add(table, pr_render_share(share, instructions, ranking->whole));
   pr_table_add(table, pr_render_bar(bar, PR_BAR_COLUMNS, instructions, ranking->whole));
   for (size_t c = PR_THREAD_INSTRUCTIONS + 1; c < PR_THREAD_COLUMNS; c++)
      pr_table_add(table, pr_render_wide(number, values[c]));
}

static void fill_thread_table(struct pr_table *table, const struct pr_ranking *ranking)
{
   const struct pr_column *columns = pr_breakdowns[PR_BY_THREAD].columns;
   table->emphasis = PR_FAINT;
   pr_table_add(table, "thread");
   pr_table_add(table, columns[PR_THREAD_INSTRUCTIONS].name);
   pr_table_add(table, "share");
   pr_table_add(table, "");
   for (size_t c = PR_THREAD_INSTRUCTIONS + 1; c < PR_THREAD_COLUMNS; c++)
      pr_table_add(table, columns[c].name);
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      __int128 values[PR_COLUMNS_MAX];
      pr_ranking_values(ranking, i, values);
      pr_table_addf(table, "%" PRIu64, ranking->rows[i]->id);
      add_thread_row(table, ranking, values);
   }
   if (ranking->rest_count) {
      char number[PR_NUMBER_TEXT_BYTES];
      pr_table_addf(table, "%s other%s", pr_render_wide(number, ranking->rest_count),
                    ranking->rest_count == 1 ? "" : "s");
      add_thread_row(table, ranking, ranking->rest);
   }
}

bool pr_render_threads(const struct pr_phase *phase, const struct pr_view *view, FILE *out)
{
   const struct pr_breakdown *threads = phase->breakdowns[PR_BY_THREAD];
   struct pr_ranking ranking;
   struct pr_table table;
   if (threads->row_count + (threads->others != NULL) < 2)
      return true;
   if (!pr_ranking_make(&ranking, phase, PR_BY_THREAD, PR_THREAD_INSTRUCTIONS, view->top))
      return false;
   pr_render_list_title("threads", phase, &view->style, out);
   fputs(", by what they executed, numbered in the order of their creation\n", out);
   pr_table_init(&table, thread_alignment);
   fill_thread_table(&table, &ranking);
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, PR_INDENT, &view->style, out);
   pr_table_release(&table);
   free(ranking.rows);
   return ok;
}
