/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_sites.c: the first sites of a phase, with their call chains. */
#include <stdlib.h>
#include <string.h>

#include "pr_render_breakdown.h"
#include "pr_render_chain.h"

struct site_order {
   const char *title;
   enum pr_site_column key;
   enum pr_site_column other; /* the blocks of the key; if that is in blocks, the same */
};

static const struct site_order orders[PR_SITE_ORDERS] = {
   [PR_SITES_BY_PEAK] = {"live at the peak", PR_SITE_PEAK_BYTES, PR_SITE_PEAK_BLOCKS},
   [PR_SITES_BY_TRAFFIC] = {"obtained or resized", PR_SITE_TRAFFIC_BYTES, PR_SITE_TRAFFIC_BLOCKS},
   [PR_SITES_BY_TEMPORARY] = {"temporary", PR_SITE_TEMPORARY_BLOCKS, PR_SITE_TEMPORARY_BLOCKS},
   [PR_SITES_BY_RETAINED] = {"obtained inside and live at the end", PR_SITE_RETAINED_BYTES,
                             PR_SITE_RETAINED_BLOCKS},
};

const char *const pr_site_order_names[PR_SITE_ORDERS] = {
   [PR_SITES_BY_PEAK] = "peak",
   [PR_SITES_BY_TRAFFIC] = "traffic",
   [PR_SITES_BY_TEMPORARY] = "temporary",
   [PR_SITES_BY_RETAINED] = "retained",
};

static bool is_in_bytes(const struct site_order *order)
{
   return order->key != order->other;
}

/* Room for the words and two numbers of 64 bits. */
enum { QUANTITY_BYTES = 128 };

/* "traffic 9,000 bytes in 12 blocks", "temporary 2". */
static void write_quantity(char text[QUANTITY_BYTES], const struct pr_row *row,
                           enum pr_site_order order)
{
   char number[PR_NUMBER_TEXT_BYTES], blocks[PR_NUMBER_TEXT_BYTES];
   uint64_t key = row->values[orders[order].key], other = row->values[orders[order].other];
   pr_render_number(number, key);
   if (!is_in_bytes(&orders[order]))
      snprintf(text, QUANTITY_BYTES, "%s %s", pr_site_order_names[order], number);
   else
      snprintf(text, QUANTITY_BYTES, "%s %s byte%s in %s block%s", pr_site_order_names[order],
               number, pr_render_plural(key), pr_render_number(blocks, other),
               pr_render_plural(other));
}

/* The quantities that the row above does not show, in as many lines as they need. */
static void print_rest(const struct pr_row *row, const struct pr_view *view, FILE *out)
{
   char texts[PR_SITE_ORDERS][QUANTITY_BYTES], number[PR_NUMBER_TEXT_BYTES];
   size_t count = 0, used = 0;
   for (int order = 0; order < PR_SITE_ORDERS; order++)
      if (order != (int)view->sites)
         write_quantity(texts[count++], row, order);
   snprintf(texts[count++], QUANTITY_BYTES, "largest %s byte%s",
            pr_render_number(number, row->site->largest_bytes),
            pr_render_plural(row->site->largest_bytes));
   pr_style_emphasize(&view->style, PR_FAINT, out);
   for (size_t i = 0; i < count; i++) {
      const char *joint = i + 1 < count ? "," : "";
      size_t needed = 1 + strlen(texts[i]) + strlen(joint);
      bool fits = used > 0 && (!view->style.width || used + needed <= view->style.width);
      if (!fits) {
         fprintf(out, "%s%*s", i ? "\n" : "", PR_ITEM_INDENT - 3, "");
         used = PR_ITEM_INDENT - 3;
      }
      fprintf(out, " %s%s", texts[i], joint);
      used += needed;
   }
   pr_style_emphasize(&view->style, PR_PLAIN, out);
   putc('\n', out);
}

static bool print_site(const struct pr_row *row, const struct pr_view *view, FILE *out)
{
   print_rest(row, view, out);
   return pr_render_chain(row->site, 0, row->site->frame_count, &view->style, out);
}

static void add_site_row(struct pr_table *table, const struct pr_ranking *ranking,
                         const struct site_order *order, const char *number,
                         __int128 key, __int128 other)
{
   char text[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[PR_BAR_COLUMNS + 1];
   pr_table_add(table, number);
   pr_table_add(table, pr_render_wide(text, key));
   pr_table_add(table, is_in_bytes(order) ? pr_render_scaled(text, key) : "");
   pr_table_add(table, pr_render_share(share, key, ranking->whole));
   pr_table_add(table, pr_render_bar(bar, PR_BAR_COLUMNS, key, ranking->whole));
   pr_table_add(table, is_in_bytes(order) ? pr_render_wide(text, other) : "");
}

/* Number; key exact, in larger units, as a share and as a bar; blocks. */
static const char site_alignment[] = "rrrrlr";

static void fill_site_table(struct pr_table *table, const struct pr_ranking *ranking,
                            const struct site_order *order)
{
   const struct pr_column *columns = pr_breakdowns[PR_BY_SITE].columns;
   table->emphasis = PR_FAINT;
   pr_table_add(table, "");
   pr_table_add(table, columns[order->key].name);
   pr_table_add(table, "");
   pr_table_add(table, "share");
   pr_table_add(table, "");
   pr_table_add(table, is_in_bytes(order) ? columns[order->other].name : "");
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      char number[32];
      snprintf(number, sizeof number, "%zu.", i + 1);
      add_site_row(table, ranking, order, number, ranking->rows[i]->values[order->key],
                   ranking->rows[i]->values[order->other]);
   }
   if (ranking->rest_count)
      add_site_row(table, ranking, order, "", ranking->rest[order->key],
                   ranking->rest[order->other]);
}

static bool print_sites(const struct pr_ranking *ranking, const struct pr_view *view, FILE *out)
{
   struct pr_table table;
   pr_table_init(&table, site_alignment);
   fill_site_table(&table, ranking, &orders[view->sites]);
   bool ok = pr_ranking_print(ranking, &table, "site", print_site, view, out);
   pr_table_release(&table);
   return ok;
}

bool pr_render_sites(const struct pr_report *report, const struct pr_phase *phase,
                     const struct pr_view *view, FILE *out)
{
   const struct site_order *order = &orders[view->sites];
   struct pr_ranking ranking;
   char number[PR_NUMBER_TEXT_BYTES];
   if (pr_render_absence(report, phase, PR_BY_SITE, &view->style, out))
      return true;
   if (!pr_ranking_make(&ranking, phase, PR_BY_SITE, order->key, view->top))
      return false;
   pr_render_list_title("sites", phase, &view->style, out);
   fprintf(out, ", by what was %s: %s", order->title, pr_render_wide(number, ranking.whole));
   pr_render_unit(is_in_bytes(order) ? "byte" : "block", ranking.whole, out);
   if (view->sites == PR_SITES_BY_PEAK && phase->instances > 1)
      fputs("\n  (the peak of the first instance that reached the highest one)", out);
   putc('\n', out);
   bool ok = ranking.whole == 0 || print_sites(&ranking, view, out);
   free(ranking.rows);
   return ok;
}
