/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_diff_shape.c: how the histograms of a phase differ. See pr_render_diff.h. */
#include "pr_render_breakdown.h"
#include "pr_render_diff.h"

/* Change in blocks; first and last value of the bucket; old, arrow, new. */
static const char alignment[] = "rrlrlr";

static bool print_buckets(const struct pr_bucket_changes *changes, const struct pr_style *style,
                          FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   struct pr_table table;
   pr_table_init(&table, alignment);
   for (size_t i = 0; i < changes->count; i++) {
      const struct pr_bucket_change *bucket = &changes->items[i];
      __int128 from = bucket->from;
      pr_table_add(&table, pr_render_change(number, bucket->new_blocks - bucket->old_blocks));
      pr_table_add(&table, pr_render_wide(number, from));
      if (from > 1)
         pr_table_addf(&table, "to %s", pr_render_wide(number, 2 * from - 1));
      else
         pr_table_add(&table, "");
      pr_table_add(&table, pr_render_wide(number, bucket->old_blocks));
      pr_table_add(&table, "->");
      pr_table_add(&table, pr_render_wide(number, bucket->new_blocks));
   }
   bool ok = !table.exhausted;
   if (ok)
      pr_table_print(&table, 2 * PR_INDENT, style, out);
   pr_table_release(&table);
   return ok;
}

bool pr_render_histogram_changes(const struct pr_phase_change *phase,
                                 const struct pr_diff_view *view, FILE *out)
{
   bool ok = true;
   for (int kind = 0; ok && kind < PR_HISTOGRAM_KINDS; kind++) {
      const struct pr_bucket_changes *changes = &phase->histograms[kind];
      if (changes->count == 0)
         continue;
      fprintf(out, "%*s", PR_INDENT, "");
      pr_style_emphasize(&view->style, PR_STRONG, out);
      fputs(pr_histogram_names[kind], out);
      pr_style_emphasize(&view->style, PR_PLAIN, out);
      fprintf(out, ", %s\n", pr_histogram_words[kind].title);
      ok = view->is_brief || print_buckets(changes, &view->style, out);
   }
   return ok;
}
