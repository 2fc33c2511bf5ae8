/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_view.c: the sections of the page. See pr_html_view.h. */
#include "pr_html_view.h"

#include "pr_piece.h"
#include "pr_render.h"

/* In the order of the page. */
static const struct {
   const char *id;
   void (*add)(struct pr_html_view *view, xmlNode *section, const struct pr_html_request *request);
   bool is_of_baseline; /* there is none without */
} sections[] = {
   {"head", pr_html_add_head, false},
   {"explanation", NULL, true},
   {"phases", pr_html_add_phases, false},
   {"timeline", NULL, false},
   {"memory", NULL, false},
   {"functions", NULL, false},
   {"mix", NULL, false},
   {"histograms", NULL, false},
   {"threads", NULL, false},
   {"coverage", NULL, false},
};

/* The command, as the title. */
static void set_title(struct pr_html_view *view, xmlNode *page, const struct pr_run *run)
{
   struct pr_piece piece;
   FILE *out = pr_piece_open(&piece);
   if (out)
      pr_render_command(run, out);
   const char *text = pr_piece_text(&piece);
   view->is_exhausted = view->is_exhausted || !text;
   pr_html_set(view, page, "command", text);
   pr_piece_release(&piece);
}

void pr_html_fill(struct pr_html_view *view, xmlNode *page, const struct pr_html_request *request)
{
   set_title(view, page, &request->report->run);
   pr_html_set(view, page, "generator", "profmem " PROFMEM_VERSION);
   for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
      if (sections[s].is_of_baseline && !request->diff)
         continue;
      xmlNode *section = pr_html_add(view, page, "section");
      pr_html_set(view, section, "id", sections[s].id);
      if (sections[s].add)
         sections[s].add(view, section, request);
   }
}
