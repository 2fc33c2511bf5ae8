/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_pairs.c: the first pairs of sites of a phase: of a block's two events, who
 * obtained it and who then resized it, or gave it back.
 *
 * The two call chains mostly come from the same place; what they have in common stands
 * once, below both.
 */
#include <stdlib.h>

#include "pr_render_breakdown.h"
#include "pr_render_chain.h"

struct pair_list {
   enum pr_breakdown_kind kind;
   size_t bytes, blocks; /* columns */
   size_t net_bytes;     /* PR_COLUMNS_MAX: none */
   const char *title;
   bool (*print_item)(const struct pr_row *, const struct pr_view *, FILE *);
};

/* Table ------------------------------------------------------------------- */

/* Number; bytes exact, in larger units, as a share and as a bar; blocks, net bytes. */
static const char alignment[] = "rrrrlrr";

static void add_row(struct pr_table *table, const struct pr_ranking *ranking,
                    const struct pair_list *list, const char *number, const __int128 *values)
{
   char text[PR_NUMBER_TEXT_BYTES], share[PR_SHARE_TEXT_BYTES], bar[PR_BAR_COLUMNS + 1];
   __int128 bytes = values[list->bytes];
   pr_table_add(table, number);
   pr_table_add(table, pr_render_wide(text, bytes));
   pr_table_add(table, pr_render_scaled(text, bytes));
   pr_table_add(table, pr_render_share(share, bytes, ranking->whole));
   pr_table_add(table, pr_render_bar(bar, PR_BAR_COLUMNS, bytes, ranking->whole));
   pr_table_add(table, pr_render_wide(text, values[list->blocks]));
   pr_table_add(table, list->net_bytes < PR_COLUMNS_MAX
                          ? pr_render_wide(text, values[list->net_bytes])
                          : "");
}

static void fill_table(struct pr_table *table, const struct pr_ranking *ranking,
                       const struct pair_list *list)
{
   const struct pr_column *columns = pr_breakdowns[list->kind].columns;
   table->emphasis = PR_FAINT;
   pr_table_add(table, "");
   pr_table_add(table, columns[list->bytes].name);
   pr_table_add(table, "");
   pr_table_add(table, "share");
   pr_table_add(table, "");
   pr_table_add(table, columns[list->blocks].name);
   pr_table_add(table, list->net_bytes < PR_COLUMNS_MAX ? columns[list->net_bytes].name : "");
   table->emphasis = PR_PLAIN;
   for (size_t i = 0; i < ranking->count; i++) {
      __int128 values[PR_COLUMNS_MAX];
      char number[32];
      snprintf(number, sizeof number, "%zu.", i + 1);
      pr_ranking_values(ranking, i, values);
      add_row(table, ranking, list, number, values);
   }
   if (ranking->rest_count)
      add_row(table, ranking, list, "", ranking->rest);
}

/* Chains ------------------------------------------------------------------ */

static void print_heading(const char *text, const char *more, const struct pr_style *style,
                          FILE *out)
{
   fprintf(out, "%*s", PR_ITEM_INDENT - PR_INDENT, "");
   pr_style_emphasize(style, PR_FAINT, out);
   fprintf(out, "%s%s", text, more);
   pr_style_emphasize(style, PR_PLAIN, out);
   putc('\n', out);
}

/* `by`: what the second chain did to the block. */
static bool print_pair(const struct pr_row *row, const char *by, const struct pr_style *style,
                       FILE *out)
{
   const struct pr_site *origin = row->origin, *site = row->site;
   if (origin == site) {
      print_heading("obtained and ", by, style, out);
      return pr_render_chain(site, 0, site->frame_count, style, out);
   }
   /* Each keeps a frame of its own, which says where the call was. */
   size_t common = pr_chain_common(origin, site);
   if (common > 0 && (common == origin->frame_count || common == site->frame_count))
      common--;
   size_t own = site->frame_count - common;
   print_heading("obtained", "", style, out);
   bool ok = pr_render_chain(origin, 0, origin->frame_count - common, style, out);
   print_heading(by, "", style, out);
   ok = ok && pr_render_chain(site, 0, own, style, out);
   if (common == 0)
      return ok;
   print_heading("both called by", "", style, out);
   return ok && pr_render_chain(site, own, common, style, out);
}

static bool print_resize(const struct pr_row *row, const struct pr_view *view, FILE *out)
{
   return print_pair(row, "resized", &view->style, out);
}

static bool print_release(const struct pr_row *row, const struct pr_view *view, FILE *out)
{
   return print_pair(row, "given back", &view->style, out);
}

/* Put together ------------------------------------------------------------ */

static bool render(const struct pr_phase *phase, const struct pair_list *list,
                   const struct pr_view *view, FILE *out)
{
   struct pr_ranking ranking;
   char number[PR_NUMBER_TEXT_BYTES];
   if (!phase->breakdowns[list->kind]->is_listed)
      return true;
   if (!pr_ranking_make(&ranking, phase, list->kind, list->bytes, view->top))
      return false;
   pr_render_list_title(pr_breakdowns[list->kind].list, phase, &view->style, out);
   fprintf(out, ", by %s: %s", list->title, pr_render_wide(number, ranking.whole));
   pr_render_unit("byte", ranking.whole, out);
   putc('\n', out);
   bool ok = true;
   if (ranking.whole) {
      struct pr_table table;
      pr_table_init(&table, alignment);
      fill_table(&table, &ranking, list);
      ok = pr_ranking_print(&ranking, &table, "pair", list->print_item, view, out);
      pr_table_release(&table);
   }
   free(ranking.rows);
   return ok;
}

bool pr_render_resizes(const struct pr_phase *phase, const struct pr_view *view, FILE *out)
{
   static const struct pair_list resizes = {
      .kind = PR_BY_RESIZE,
      .bytes = PR_RESIZE_BYTES,
      .blocks = PR_RESIZE_BLOCKS,
      .net_bytes = PR_RESIZE_NET_BYTES,
      .title = "their new sizes",
      .print_item = print_resize,
   };
   return render(phase, &resizes, view, out);
}

bool pr_render_releases(const struct pr_phase *phase, const struct pr_view *view, FILE *out)
{
   static const struct pair_list releases = {
      .kind = PR_BY_RELEASE,
      .bytes = PR_RELEASE_BYTES,
      .blocks = PR_RELEASE_BLOCKS,
      .net_bytes = PR_COLUMNS_MAX,
      .title = "what was given back",
      .print_item = print_release,
   };
   return render(phase, &releases, view, out);
}
