/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_view.c: the sections of the page, and the phases that have tables in them. See
 * pr_html_view.h.
 */
#include "pr_html_view.h"

#include <stdlib.h>
#include <string.h>

#include "pr_piece.h"
#include "pr_render.h"

/* In the order of the page. */
static const struct section {
   const char *id;
   void (*add)(const struct pr_html_page *page, xmlNode *section);
   bool is_of_baseline; /* there is none without */
} sections[] = {
   {"head", pr_html_add_head, false},
   {"explanation", pr_html_add_explanation, true},
   {"phases", pr_html_add_phases, false},
   {"timeline", pr_html_add_timeline, false},
   {"memory", pr_html_add_memory, false},
   {"functions", pr_html_add_functions, false},
   {"mix", pr_html_add_mix, false},
   {"histograms", pr_html_add_histograms, false},
   {"threads", pr_html_add_threads, false},
   {"coverage", pr_html_add_coverage, false},
};

/* Phases ------------------------------------------------------------------- */

static int by_name(const void *left, const void *right)
{
   const struct pr_phase *a = *(const struct pr_phase *const *)left;
   const struct pr_phase *b = *(const struct pr_phase *const *)right;
   return strcmp(a->name, b->name);
}

/* False: no memory left. */
static bool find_old_phases(struct pr_html_phase *phases, size_t count,
                            const struct pr_report *old_report)
{
   const struct pr_phase **olds = malloc((old_report->phase_count + 1) * sizeof *olds);
   if (!olds)
      return false;
   for (size_t i = 0; i < old_report->phase_count; i++)
      olds[i] = &old_report->phases[i];
   qsort(olds, old_report->phase_count, sizeof *olds, by_name);
   for (size_t i = 0; i < count; i++) {
      const struct pr_phase **found =
         bsearch(&phases[i].phase, olds, old_report->phase_count, sizeof *olds, by_name);
      phases[i].old_phase = found ? *found : NULL;
   }
   free(olds);
   return true;
}

/* A phase among those of which some get tables. */
struct candidate {
   struct pr_html_phase *phase;
   size_t change;         /* its place among those that changed, the largest change first */
   uint64_t instructions;
   size_t place;          /* in the report */
};

static int by_weight(const void *left, const void *right)
{
   const struct candidate *a = left, *b = right;
   if (a->change != b->change)
      return a->change > b->change ? 1 : -1;
   if (a->instructions != b->instructions)
      return a->instructions < b->instructions ? 1 : -1;
   return (a->place > b->place) - (a->place < b->place);
}

static uint64_t instructions_of(const struct pr_phase *phase)
{
   const struct pr_metric *metric =
      pr_metric_list_available(&phase->metrics, PR_METRIC_INSTRUCTIONS_TOTAL);
   return metric ? metric->value.as_unsigned : 0;
}

/* Gives tables to the phases that changed most, or executed most. False: no memory left. */
static bool choose_phases(struct pr_html_page *page)
{
   const struct pr_html_request *request = page->request;
   const struct pr_report *report = request->report;
   size_t count = report->phase_count;
   struct candidate *candidates = malloc((count + 1) * sizeof *candidates);
   struct candidate **of_phases = malloc((count + 1) * sizeof *of_phases);
   bool ok = candidates && of_phases;
   for (size_t i = 0; ok && i < count; i++) {
      const struct pr_phase *phase = page->phases[i].phase;
      size_t place = (size_t)(phase - report->phases);
      candidates[i] =
         (struct candidate){&page->phases[i], SIZE_MAX, instructions_of(phase), place};
      of_phases[place] = &candidates[i];
   }
   for (size_t c = 0; ok && request->diff && c < request->diff->count; c++) {
      const struct pr_phase *phase = request->diff->phases[c].phases[PR_NEW];
      if (phase)
         of_phases[phase - report->phases]->change = c;
   }
   if (ok)
      qsort(candidates, count, sizeof *candidates, by_weight);
   for (size_t i = 0; ok && i < count && i < request->phases; i++) {
      candidates[i].phase->has_tables = true;
      page->tables++;
   }
   free(candidates);
   free(of_phases);
   return ok;
}

/* False: no memory left. */
static bool make_phases(struct pr_html_page *page)
{
   const struct pr_report *report = page->request->report;
   struct pr_tree_node *nodes = pr_tree_of_phases(report);
   page->phases = malloc((report->phase_count + 1) * sizeof *page->phases);
   bool ok = nodes && page->phases;
   for (size_t i = 0; ok && i < report->phase_count; i++)
      page->phases[i] = (struct pr_html_phase){.phase = nodes[i].phase, .depth = nodes[i].depth};
   free(nodes);
   if (ok && page->request->diff)
      ok = find_old_phases(page->phases, report->phase_count,
                           page->request->diff->pairing.reports[PR_OLD]);
   return ok && choose_phases(page);
}

xmlNode *pr_html_next_phase(const struct pr_html_page *page, xmlNode *section, size_t *p)
{
   size_t count = page->request->report->phase_count;
   while (*p < count && !page->phases[*p].has_tables)
      ++*p;
   if (*p == count)
      return NULL;
   xmlNode *node = pr_html_add(page->view, section, "phase");
   pr_html_set_name(page->view, node, "name", page->phases[*p].phase->name);
   return node;
}

/* Put together ------------------------------------------------------------- */

/* The command, as the title. */
static void set_command(struct pr_html_view *view, xmlNode *root, const struct pr_run *run)
{
   struct pr_piece piece;
   FILE *out = pr_piece_open(&piece);
   if (out)
      pr_render_command(run, out);
   const char *text = pr_piece_text(&piece);
   view->is_exhausted = view->is_exhausted || !text;
   pr_html_set(view, root, "command", text);
   pr_piece_release(&piece);
}

/* That not all phases have tables. */
static void set_phases(const struct pr_html_page *page, xmlNode *root)
{
   size_t count = page->request->report->phase_count;
   pr_html_set_number(page->view, root, "tables", (__int128)page->tables);
   pr_html_set_number(page->view, root, "phases", (__int128)count);
   if (page->tables < count)
      pr_html_set(page->view, root, "is-bounded", "yes");
}

void pr_html_fill(struct pr_html_view *view, xmlNode *root, const struct pr_html_request *request)
{
   struct pr_html_page page = {.view = view, .request = request};
   set_command(view, root, &request->report->run);
   pr_html_set(view, root, "generator", "profmem " PROFMEM_VERSION);
   if (request->diff)
      pr_html_set(view, root, "has-baseline", "yes");
   bool ok = make_phases(&page);
   view->is_exhausted = view->is_exhausted || !ok;
   if (ok)
      set_phases(&page, root);
   for (size_t s = 0; ok && s < sizeof sections / sizeof sections[0]; s++) {
      if (sections[s].is_of_baseline && !request->diff)
         continue;
      xmlNode *section = pr_html_add(view, root, "section");
      pr_html_set(view, section, "id", sections[s].id);
      sections[s].add(&page, section);
   }
   free(page.phases);
}
