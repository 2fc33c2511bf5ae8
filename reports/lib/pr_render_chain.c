/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_render_chain.c: call chains, a line for each frame. See pr_render_chain.h. */
#include "pr_render_chain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_render_breakdown.h"
#include "pr_text.h"

/* " (list.h:12 in app, inlined)"; `out` may be NULL. Returns its columns. */
static size_t write_place(const struct pr_frame *frame, FILE *out)
{
   char line[32];
   size_t columns = pr_text_puts(out, " (");
   if (frame->file) {
      snprintf(line, sizeof line, ":%" PRIu64 " ", frame->line);
      columns += pr_text_puts(out, frame->file) + pr_text_puts(out, line);
   }
   columns += pr_text_puts(out, "in ") + pr_text_puts(out, frame->object);
   return columns + pr_text_puts(out, frame->is_inlined ? ", inlined)" : ")");
}

static bool is_same_frame(const struct pr_frame *a, const struct pr_frame *b)
{
   return strcmp(a->function, b->function) == 0 && strcmp(a->object, b->object) == 0
          && !a->file == !b->file && (!a->file || strcmp(a->file, b->file) == 0)
          && a->line == b->line && a->is_inlined == b->is_inlined;
}

size_t pr_chain_same(const struct pr_frame *frames, size_t count)
{
   size_t same = 1;
   while (same < count && is_same_frame(&frames[0], &frames[same]))
      same++;
   return same;
}

/* `count` frames that look the same. */
static bool print_frame(const struct pr_frame *frame, size_t count, const struct pr_style *style,
                        FILE *out)
{
   size_t columns = 0, taken = PR_ITEM_INDENT + write_place(frame, NULL);
   if (style->width)
      columns = style->width > taken + PR_CUT_NAME_COLUMNS_MIN ? style->width - taken
                                                            : PR_CUT_NAME_COLUMNS_MIN;
   const char *quote = pr_text_is_command(frame->function) ? "'" : "";
   columns -= columns ? 2 * strlen(quote) : 0;
   char *name = pr_render_short_name(frame->function, columns);
   if (!name)
      return false;
   fprintf(out, "%*s%s", PR_ITEM_INDENT, "", quote);
   if (columns)
      pr_text_puts_cut(out, name, columns);
   else
      pr_text_puts(out, name);
   fputs(quote, out);
   pr_style_emphasize(style, PR_FAINT, out);
   write_place(frame, out);
   if (count > 1)
      fprintf(out, ", %zu frames", count);
   pr_style_emphasize(style, PR_PLAIN, out);
   putc('\n', out);
   free(name);
   return true;
}

bool pr_render_chain(const struct pr_site *site, size_t first, size_t count,
                     const struct pr_style *style, FILE *out)
{
   if (site->frame_count == 0) {
      fprintf(out, "%*sno call chain\n", PR_ITEM_INDENT, "");
      return true;
   }
   const struct pr_frame *frames = site->frames + first;
   for (size_t f = 0, same; f < count; f += same) {
      same = pr_chain_same(frames + f, count - f);
      if (!print_frame(&frames[f], same, style, out))
         return false;
   }
   return true;
}

size_t pr_chain_common(const struct pr_site *a, const struct pr_site *b)
{
   size_t count = 0;
   while (count < a->frame_count && count < b->frame_count
          && is_same_frame(&a->frames[a->frame_count - 1 - count],
                           &b->frames[b->frame_count - 1 - count]))
      count++;
   return count;
}
