/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_names.c: what the rows of a list are told by. See pr_html_lists.h. */
#include <inttypes.h>

#include "pr_html_lists.h"
#include "pr_piece.h"
#include "pr_render_chain.h"
#include "pr_render_part.h"

/* Chains ------------------------------------------------------------------- */

static void set_place(struct pr_html_view *view, xmlNode *node, const char *file, uint64_t line)
{
   struct pr_piece piece;
   if (!file)
      return;
   FILE *out = pr_piece_open(&piece);
   if (out)
      fprintf(out, "%s:%" PRIu64, file, line);
   const char *text = pr_piece_text(&piece);
   view->is_exhausted = view->is_exhausted || !text;
   pr_html_set_name(view, node, "place", text);
   pr_piece_release(&piece);
}

/* Innermost first; those that look the same, one behind the other, stand once. */
static void add_chain(struct pr_html_view *view, xmlNode *cell, const char *title,
                      const struct pr_site *site)
{
   xmlNode *chain = pr_html_add(view, cell, "chain");
   pr_html_set(view, chain, "title", title);
   for (size_t f = 0, same; f < site->frame_count; f += same) {
      const struct pr_frame *frame = &site->frames[f];
      xmlNode *node = pr_html_add(view, chain, "frame");
      same = pr_chain_same(frame, site->frame_count - f);
      pr_html_set_name(view, node, "function", frame->function);
      set_place(view, node, frame->file, frame->line);
      pr_html_set_name(view, node, "object", frame->object);
      if (frame->is_inlined)
         pr_html_set(view, node, "is-inlined", "yes");
      if (same > 1)
         pr_html_set_number(view, node, "times", (__int128)same);
   }
}

/* A cell that is told by the chain of `site`, of blocks of `origin`'s, if that is not NULL. */
static xmlNode *add_chain_cell(struct pr_html_table *table, const struct pr_site *site,
                               const struct pr_site *origin)
{
   struct pr_piece piece;
   FILE *out = pr_piece_open(&piece);
   if (out) {
      pr_part_write_chain(site, false, out);
      if (origin && origin != site) {
         fputs(", blocks of ", out);
         pr_part_write_chain(origin, false, out);
      }
   }
   const char *text = pr_piece_text(&piece);
   table->view->is_exhausted = table->view->is_exhausted || !text;
   xmlNode *cell = pr_html_add_name_cell(table, text ? text : "");
   pr_piece_release(&piece);
   return cell;
}

static void add_site(struct pr_html_table *table, const struct pr_row *row)
{
   xmlNode *cell = add_chain_cell(table, row->site, NULL);
   add_chain(table->view, cell, NULL, row->site);
}

static void add_pair(struct pr_html_table *table, const struct pr_row *row, const char *both,
                     const char *by)
{
   xmlNode *cell = add_chain_cell(table, row->site, row->origin);
   if (row->site == row->origin) {
      add_chain(table->view, cell, both, row->site);
   } else {
      add_chain(table->view, cell, "obtained", row->origin);
      add_chain(table->view, cell, by, row->site);
   }
}

static void add_resize(struct pr_html_table *table, const struct pr_row *row)
{
   add_pair(table, row, "obtained and resized", "resized");
}

static void add_release(struct pr_html_table *table, const struct pr_row *row)
{
   add_pair(table, row, "obtained and given back", "given back");
}

/* Others ------------------------------------------------------------------- */

static void add_function(struct pr_html_table *table, const struct pr_row *row)
{
   pr_html_add_name_cell(table, row->function->name);
   pr_html_add_name_cell(table, row->function->object);
}

static void add_line(struct pr_html_table *table, const struct pr_row *row)
{
   const struct pr_source_line *line = row->source_line;
   xmlNode *cell = pr_html_add_cell(table);
   if (line->file)
      set_place(table->view, cell, line->file, line->number);
   else
      pr_html_set(table->view, cell, "text", "???");
   pr_html_add_name_cell(table, line->function);
   pr_html_add_name_cell(table, line->object);
}

static void add_thread(struct pr_html_table *table, const struct pr_row *row)
{
   pr_html_setf(table->view, pr_html_add_cell(table), "text", "%" PRIu64, row->id);
}

const struct pr_html_row_names pr_html_sites = {{"site"}, add_site, "site", "sites"};
const struct pr_html_row_names pr_html_resizes = {{"resized by"}, add_resize, "pair", "pairs"};
const struct pr_html_row_names pr_html_releases = {
   {"given back by"}, add_release, "pair", "pairs"};
const struct pr_html_row_names pr_html_functions = {
   {"function", "object"}, add_function, "function", "functions"};
const struct pr_html_row_names pr_html_lines = {
   {"line", "function", "object"}, add_line, "line", "lines"};
const struct pr_html_row_names pr_html_threads = {{"thread"}, add_thread, "thread", "threads"};
