/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_names.c: what the rows of breakdowns stand for. See pr_build_names.h. */
#include "pr_build_names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "pr_build_attributes.h"

/* Elements --------------------------------------------------------------- */

bool pr_build_sites_start(struct pr_builder *builder)
{
   return pr_attribute_take_string(builder, "unavailable",
                                   &builder->report->unavailable[PR_BY_SITE]);
}

bool pr_build_site_start(struct pr_builder *builder)
{
   struct pr_site *site = pr_buffer_append(&builder->sites, sizeof *site);
   if (!site)
      return pr_builder_refuse_memory(builder);
   *site = (struct pr_site){.line = (unsigned)builder->line};
   pr_buffer_clear(&builder->frames);
   return pr_attribute_require_number(builder, "id", &site->id)
          && pr_attribute_require_number(builder, "largest-bytes", &site->largest_bytes);
}

bool pr_build_site_end(struct pr_builder *builder)
{
   struct pr_site *site = (struct pr_site *)builder->sites.items + builder->sites.count - 1;
   site->frame_count = builder->frames.count;
   return pr_buffer_copy(&builder->frames, sizeof *site->frames, &builder->report->arena,
                         &site->frames)
          || pr_builder_refuse_memory(builder);
}

bool pr_build_frame_start(struct pr_builder *builder)
{
   struct pr_frame *frame = pr_buffer_append(&builder->frames, sizeof *frame);
   if (!frame)
      return pr_builder_refuse_memory(builder);
   *frame = (struct pr_frame){.line = 0};
   if (!pr_attribute_require_name(builder, "function", &frame->function)
       || !pr_attribute_take_name(builder, "file", &frame->file)
       || (frame->file && !pr_attribute_require_number(builder, "line", &frame->line)))
      return false;
   return pr_attribute_require_name(builder, "object", &frame->object)
          && pr_attribute_take_yes_no(builder, "inlined", &frame->is_inlined);
}

bool pr_build_functions_start(struct pr_builder *builder)
{
   return pr_attribute_take_string(builder, "unavailable",
                                   &builder->report->unavailable[PR_BY_FUNCTION]);
}

bool pr_build_function_start(struct pr_builder *builder)
{
   struct pr_function *function = pr_buffer_append(&builder->functions, sizeof *function);
   if (!function)
      return pr_builder_refuse_memory(builder);
   *function = (struct pr_function){.line = (unsigned)builder->line};
   return pr_attribute_require_number(builder, "id", &function->id)
          && pr_attribute_require_name(builder, "name", &function->name)
          && pr_attribute_require_name(builder, "object", &function->object);
}

/* Ids -------------------------------------------------------------------- */

/* A site or a function, and the last phase that had a row of it, counted from 1. */
struct name {
   uint64_t id;
   const void *what;
   unsigned line;
   size_t phase;
};

static int by_id_then_line(const void *left, const void *right)
{
   const struct name *a = left, *b = right;
   if (a->id != b->id)
      return a->id < b->id ? -1 : 1;
   return (a->line > b->line) - (a->line < b->line);
}

static int compare_id(const void *id, const void *name)
{
   uint64_t wanted = *(const uint64_t *)id, found = ((const struct name *)name)->id;
   return (wanted > found) - (wanted < found);
}

static struct name name_of(const struct pr_report *report, enum pr_breakdown_kind kind, size_t at)
{
   switch (kind) {
   case PR_BY_SITE: {
      const struct pr_site *site = &report->sites[at];
      return (struct name){site->id, site, site->line, 0};
   }
   case PR_BY_FUNCTION: {
      const struct pr_function *function = &report->functions[at];
      return (struct name){function->id, function, function->line, 0};
   }
   case PR_BY_THREAD: /* has no name but its number */
   case PR_BREAKDOWN_KINDS:
      break;
   }
   return (struct name){0, NULL, 0, 0};
}

static bool check_unique(struct pr_builder *builder, const char *element,
                         const struct name *names, size_t count)
{
   for (size_t i = 1; i < count; i++) {
      if (names[i - 1].id != names[i].id)
         continue;
      builder->line = names[i].line;
      return pr_builder_refuse(builder, "<%s> with id %" PRIu64 " appears twice", element,
                               names[i].id);
   }
   return true;
}

static bool resolve_row(struct pr_builder *builder, enum pr_breakdown_kind kind,
                        struct name *names, size_t count, size_t phase, struct pr_row *row)
{
   const char *element = pr_breakdowns[kind].row;
   struct name *name =
      count ? bsearch(&row->id, names, count, sizeof *names, compare_id) : NULL;
   builder->line = row->line;
   if (!name)
      return pr_builder_refuse(builder, "no <%s> has the id %" PRIu64 " of this row", element,
                               row->id);
   if (name->phase == phase)
      return pr_builder_refuse(builder, "<%s> with id %" PRIu64 " appears twice in a phase",
                               element, row->id);
   name->phase = phase;
   if (kind == PR_BY_SITE)
      row->site = name->what;
   else
      row->function = name->what;
   return true;
}

static bool resolve_rows(struct pr_builder *builder, enum pr_breakdown_kind kind,
                         struct name *names, size_t count)
{
   const struct pr_report *report = builder->report;
   for (size_t p = 0; p < report->phase_count; p++) {
      const struct pr_breakdown *breakdown = report->phases[p].breakdowns[kind];
      for (size_t i = 0; i < breakdown->row_count; i++)
         if (!resolve_row(builder, kind, names, count, p + 1, &breakdown->rows[i]))
            return false;
   }
   return true;
}

static bool resolve(struct pr_builder *builder, enum pr_breakdown_kind kind, size_t count)
{
   struct name *names = malloc((count ? count : 1) * sizeof *names);
   if (!names)
      return pr_builder_refuse_memory(builder);
   for (size_t i = 0; i < count; i++)
      names[i] = name_of(builder->report, kind, i);
   qsort(names, count, sizeof *names, by_id_then_line);
   bool ok = check_unique(builder, pr_breakdowns[kind].row, names, count)
             && resolve_rows(builder, kind, names, count);
   free(names);
   return ok;
}

bool pr_build_names_finish(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   report->site_count = builder->sites.count;
   report->sites = pr_buffer_take(&builder->sites);
   report->function_count = builder->functions.count;
   report->functions = pr_buffer_take(&builder->functions);
   return resolve(builder, PR_BY_SITE, report->site_count)
          && resolve(builder, PR_BY_FUNCTION, report->function_count);
}
