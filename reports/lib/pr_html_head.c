/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_html_head.c: the first section of the page: what was run, on what, how it ended, and what
 * the tool had to say about it. See pr_html_view.h.
 */
#include "pr_html_table.h"
#include "pr_html_view.h"
#include "pr_piece.h"
#include "pr_render.h"
#include "pr_text.h"

/* Facts -------------------------------------------------------------------- */

struct fact {
   const char *label;
   bool (*is_known)(const struct pr_report *report);
   void (*print)(const struct pr_report *report, FILE *out);
};

static bool always(const struct pr_report *report)
{
   return report;
}

static bool has_executable(const struct pr_report *report)
{
   return report->run.executable_path;
}

static bool has_sha256(const struct pr_report *report)
{
   return report->run.executable_path && report->run.executable_sha256;
}

static bool has_options(const struct pr_report *report)
{
   return report->run.option_count > 0;
}

static bool has_environment(const struct pr_report *report)
{
   return report->run.environment_digest;
}

static void print_command(const struct pr_report *report, FILE *out)
{
   pr_render_command(&report->run, out);
}

static void print_executable(const struct pr_report *report, FILE *out)
{
   pr_render_executable(&report->run, out);
}

static void print_sha256(const struct pr_report *report, FILE *out)
{
   pr_text_puts(out, report->run.executable_sha256);
}

static void print_options(const struct pr_report *report, FILE *out)
{
   pr_render_pairs(report->run.options, report->run.option_count, out);
}

static void print_environment(const struct pr_report *report, FILE *out)
{
   char number[PR_NUMBER_TEXT_BYTES];
   uint64_t count = report->run.environment_variables;
   fprintf(out, "%s variable%s, digest ", pr_render_number(number, count),
           pr_render_plural(count));
   pr_text_puts(out, report->run.environment_digest);
}

static void print_end(const struct pr_report *report, FILE *out)
{
   pr_render_end(&report->end, out);
}

static const struct fact facts[] = {
   {"command", always, print_command},
   {"executable", has_executable, print_executable},
   {"sha256", has_sha256, print_sha256},
   {"producer", always, pr_render_producer},
   {"options", has_options, print_options},
   {"environment", has_environment, print_environment},
   {"end", always, print_end},
};

static void set_fact(struct pr_html_view *view, xmlNode *node, const char *attribute,
                     const struct fact *fact, const struct pr_report *report)
{
   struct pr_piece piece;
   FILE *out = pr_piece_open(&piece);
   if (out)
      fact->print(report, out);
   const char *text = pr_piece_text(&piece);
   view->is_exhausted = view->is_exhausted || !text;
   pr_html_set(view, node, attribute, text);
   pr_piece_release(&piece);
}

/* What is the same in both runs stands once. */
static void add_facts(struct pr_html_view *view, xmlNode *section,
                      const struct pr_html_request *request)
{
   const struct pr_report *news = request->report;
   const struct pr_report *olds = request->diff ? request->diff->pairing.reports[PR_OLD] : NULL;
   for (size_t f = 0; f < sizeof facts / sizeof facts[0]; f++) {
      bool in_old = olds && facts[f].is_known(olds), in_new = facts[f].is_known(news);
      if (!in_old && !in_new)
         continue;
      xmlNode *node = pr_html_add(view, section, "fact");
      pr_html_set(view, node, "label", facts[f].label);
      if (in_new)
         set_fact(view, node, "text", &facts[f], news);
      if (in_old)
         set_fact(view, node, "old", &facts[f], olds);
   }
}

/* Lists -------------------------------------------------------------------- */

static void add_fixed(struct pr_html_view *view, xmlNode *section, const struct pr_run *run)
{
   struct pr_html_table table;
   if (run->fix_count == 0)
      return;
   pr_html_table_start(&table, view, section, "held fixed for the run");
   pr_html_add_column(&table, "text", "what");
   pr_html_add_column(&table, "text", "how");
   for (size_t i = 0; i < run->fix_count; i++) {
      pr_html_add_row(&table, NULL);
      pr_html_add_name_cell(&table, run->fixes[i].name);
      pr_html_add_name_cell(&table, run->fixes[i].value);
   }
   pr_html_table_finish(&table);
}

static void add_objects(struct pr_html_view *view, xmlNode *section, const struct pr_run *run)
{
   struct pr_html_table table;
   bool has_digests = false;
   for (size_t i = 0; i < run->object_count; i++)
      has_digests = has_digests || run->objects[i].digest;
   if (run->object_count == 0)
      return;
   pr_html_table_start(&table, view, section, "objects of the run");
   pr_html_add_column(&table, "text", "object");
   pr_html_add_column(&table, "text", "build-id");
   if (has_digests)
      pr_html_add_column(&table, "text", "sha256");
   for (size_t i = 0; i < run->object_count; i++) {
      pr_html_add_row(&table, NULL);
      pr_html_add_name_cell(&table, run->objects[i].name);
      pr_html_add_name_cell(&table, run->objects[i].value);
      if (has_digests)
         pr_html_add_name_cell(&table, run->objects[i].digest);
   }
   pr_html_table_finish(&table);
}

static void add_inputs(struct pr_html_view *view, xmlNode *section, const struct pr_run *run)
{
   struct pr_html_table table;
   if (run->input_count == 0)
      return;
   pr_html_table_start(&table, view, section, "inputs of the run");
   pr_html_add_column(&table, "text", "input");
   pr_html_add_column(&table, "number", "size");
   pr_html_add_column(&table, "text", "sha256");
   for (size_t i = 0; i < run->input_count; i++) {
      pr_html_add_row(&table, NULL);
      pr_html_add_name_cell(&table, run->inputs[i].name);
      pr_html_add_number_cell(&table, run->inputs[i].bytes, true);
      pr_html_add_name_cell(&table, run->inputs[i].value);
   }
   pr_html_table_finish(&table);
}

static void add_diagnostics(struct pr_html_view *view, xmlNode *section,
                            const struct pr_report *report)
{
   for (size_t i = 0; i < report->diagnostic_count; i++) {
      const struct pr_run_diagnostic *diagnostic = &report->diagnostics[i];
      xmlNode *node = pr_html_add(view, section, "diagnostic");
      pr_html_set_name(view, node, "severity", diagnostic->severity);
      pr_html_set_name(view, node, "code", diagnostic->code);
      pr_html_set_number(view, node, "count", diagnostic->count);
      pr_html_set_name(view, node, "phase", diagnostic->phase);
      pr_html_set_name(view, node, "text", diagnostic->text);
   }
}

void pr_html_add_head(const struct pr_html_page *page, xmlNode *section)
{
   const struct pr_report *report = page->request->report;
   const struct pr_run *run = &report->run;
   add_diagnostics(page->view, section, report);
   add_facts(page->view, section, page->request);
   add_fixed(page->view, section, run);
   add_inputs(page->view, section, run);
   add_objects(page->view, section, run);
}
