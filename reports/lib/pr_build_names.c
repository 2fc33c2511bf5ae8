/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_names.c: what the rows of breakdowns stand for. See pr_build_names.h. */
#include "pr_build_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pr_build_attributes.h"

/* Elements --------------------------------------------------------------- */

/* Its element says which names they are. */
bool pr_build_names_start(struct pr_builder *builder)
{
   const char *element = pr_builder_element(builder);
   const char **reason = NULL;
   for (int kind = 0; kind < PR_NAME_KINDS; kind++)
      if (strcmp(pr_names[kind].list, element) == 0)
         reason = &builder->report->unavailable[kind];
   return pr_attribute_take_string(builder, "unavailable", reason);
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

bool pr_build_line_start(struct pr_builder *builder)
{
   struct pr_source_line *line = pr_buffer_append(&builder->lines, sizeof *line);
   if (!line)
      return pr_builder_refuse_memory(builder);
   *line = (struct pr_source_line){.line = (unsigned)builder->line};
   return pr_attribute_require_number(builder, "id", &line->id)
          && pr_attribute_require_name(builder, "function", &line->function)
          && pr_attribute_require_name(builder, "object", &line->object)
          && pr_attribute_take_name(builder, "file", &line->file)
          && (!line->file || pr_attribute_require_number(builder, "line", &line->number));
}

bool pr_build_code_file_start(struct pr_builder *builder)
{
   struct pr_code_file *file = pr_arena_alloc(&builder->report->arena, sizeof *file);
   if (!file)
      return pr_builder_refuse_memory(builder);
   *file = (struct pr_code_file){.path = NULL};
   builder->code_file = file;
   return pr_attribute_require_name(builder, "name", &file->object)
          && pr_attribute_take_string(builder, "path", &file->path)
          && pr_attribute_take_string(builder, "build-id", &file->build_id);
}

/* 0x and a hexadecimal number of at most 64 bits, which has one spelling. */
static bool is_address(const char *text)
{
   if (strncmp(text, "0x", 2) != 0)
      return false;
   size_t digits = strspn(text + 2, "0123456789abcdef");
   return digits >= 1 && digits <= 16 && text[2 + digits] == '\0'
          && (text[2] != '0' || digits == 1);
}

static bool take_address(struct pr_builder *builder, const char **address)
{
   if (!pr_attribute_take_string(builder, "address", address))
      return false;
   return !*address || is_address(*address)
          || pr_builder_refuse(builder, "address '%.80s' is not 0x and a hexadecimal number",
                               *address);
}

bool pr_build_instruction_start(struct pr_builder *builder)
{
   struct pr_instruction *instruction =
      pr_buffer_append(&builder->instructions, sizeof *instruction);
   if (!instruction)
      return pr_builder_refuse_memory(builder);
   *instruction =
      (struct pr_instruction){.file = builder->code_file, .line = (unsigned)builder->line};
   return pr_attribute_require_number(builder, "id", &instruction->id)
          && take_address(builder, &instruction->address)
          && pr_attribute_require_name(builder, "function", &instruction->function)
          && pr_attribute_take_name(builder, "file", &instruction->source)
          && (!instruction->source
              || pr_attribute_require_number(builder, "line", &instruction->number));
}

/* Ids -------------------------------------------------------------------- */

/* What an id is of, and the last phase that had a row of it, counted from 1. */
struct name {
   uint64_t id;
   const void *what;
   unsigned line;
   size_t phase;
};

/* All names of one kind, in the order of their ids. */
struct names {
   enum pr_name_kind kind;
   struct name *items;
   size_t count;
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

static size_t count_of(const struct pr_report *report, enum pr_name_kind kind)
{
   switch (kind) {
   case PR_NAME_SITE: return report->site_count;
   case PR_NAME_FUNCTION: return report->function_count;
   case PR_NAME_LINE: return report->line_count;
   case PR_NAME_INSTRUCTION: return report->instruction_count;
   case PR_NAME_NONE: break;
   }
   return 0;
}

static struct name name_of(const struct pr_report *report, enum pr_name_kind kind, size_t at)
{
   switch (kind) {
   case PR_NAME_SITE: {
      const struct pr_site *site = &report->sites[at];
      return (struct name){site->id, site, site->line, 0};
   }
   case PR_NAME_FUNCTION: {
      const struct pr_function *function = &report->functions[at];
      return (struct name){function->id, function, function->line, 0};
   }
   case PR_NAME_LINE: {
      const struct pr_source_line *line = &report->lines[at];
      return (struct name){line->id, line, line->line, 0};
   }
   case PR_NAME_INSTRUCTION: {
      const struct pr_instruction *instruction = &report->instructions[at];
      return (struct name){instruction->id, instruction, instruction->line, 0};
   }
   case PR_NAME_NONE:
      break;
   }
   return (struct name){0, NULL, 0, 0};
}

static bool check_unique(struct pr_builder *builder, const struct names *names)
{
   for (size_t i = 1; i < names->count; i++) {
      if (names->items[i - 1].id != names->items[i].id)
         continue;
      builder->line = names->items[i].line;
      return pr_builder_refuse(builder, "<%s> with id %" PRIu64 " appears twice",
                               pr_names[names->kind].item, names->items[i].id);
   }
   return true;
}

/* NULL: the report is refused. */
static struct name *find(struct pr_builder *builder, const struct names *names, uint64_t id)
{
   struct name *name =
      names->count ? bsearch(&id, names->items, names->count, sizeof *names->items, compare_id)
                   : NULL;
   if (!name)
      pr_builder_refuse(builder, "no <%s> has the id %" PRIu64 " of this row",
                        pr_names[names->kind].item, id);
   return name;
}

/* A row takes the pointer in the place of the id. */
static bool resolve_single(struct pr_builder *builder, const struct names *names, size_t phase,
                           struct pr_row *row)
{
   struct name *name = find(builder, names, row->id);
   if (!name)
      return false;
   if (name->phase == phase)
      return pr_builder_refuse(builder, "<%s> with id %" PRIu64 " appears twice in a phase",
                               pr_names[names->kind].item, row->id);
   name->phase = phase;
   switch (names->kind) {
   case PR_NAME_SITE: row->site = name->what; break;
   case PR_NAME_FUNCTION: row->function = name->what; break;
   case PR_NAME_LINE: row->source_line = name->what; break;
   case PR_NAME_INSTRUCTION: row->instruction = name->what; break;
   case PR_NAME_NONE: break;
   }
   return true;
}

static bool resolve_pair(struct pr_builder *builder, const struct names *names, struct pr_row *row)
{
   const struct name *origin = find(builder, names, row->origin_id);
   const struct name *site = origin ? find(builder, names, row->id) : NULL;
   if (!site)
      return false;
   row->origin = origin->what;
   row->site = site->what;
   return true;
}

static int by_pair_then_line(const void *left, const void *right)
{
   const struct pr_row *a = *(const struct pr_row *const *)left;
   const struct pr_row *b = *(const struct pr_row *const *)right;
   if (a->origin->id != b->origin->id)
      return a->origin->id < b->origin->id ? -1 : 1;
   if (a->site->id != b->site->id)
      return a->site->id < b->site->id ? -1 : 1;
   return (a->line > b->line) - (a->line < b->line);
}

static bool check_pairs(struct pr_builder *builder, enum pr_breakdown_kind kind,
                        const struct pr_breakdown *breakdown)
{
   if (breakdown->row_count < 2)
      return true;
   const struct pr_row **rows = malloc(breakdown->row_count * sizeof *rows);
   if (!rows)
      return pr_builder_refuse_memory(builder);
   for (size_t i = 0; i < breakdown->row_count; i++)
      rows[i] = &breakdown->rows[i];
   qsort(rows, breakdown->row_count, sizeof *rows, by_pair_then_line);
   bool ok = true;
   for (size_t i = 1; i < breakdown->row_count && ok; i++) {
      if (rows[i - 1]->origin != rows[i]->origin || rows[i - 1]->site != rows[i]->site)
         continue;
      builder->line = rows[i]->line;
      ok = pr_builder_refuse(builder,
                             "<%s> of origin %" PRIu64 " and site %" PRIu64
                             " appears twice in a phase",
                             pr_breakdowns[kind].row, rows[i]->origin->id, rows[i]->site->id);
   }
   free(rows);
   return ok;
}

static bool resolve_breakdown(struct pr_builder *builder, const struct names *names,
                              enum pr_breakdown_kind kind, size_t phase,
                              const struct pr_breakdown *breakdown)
{
   bool is_pair = pr_breakdowns[kind].origin != NULL;
   for (size_t i = 0; i < breakdown->row_count; i++) {
      struct pr_row *row = &breakdown->rows[i];
      builder->line = row->line;
      if (!(is_pair ? resolve_pair(builder, names, row)
                    : resolve_single(builder, names, phase, row)))
         return false;
   }
   return !is_pair || check_pairs(builder, kind, breakdown);
}

static bool resolve_rows(struct pr_builder *builder, const struct names *names)
{
   const struct pr_report *report = builder->report;
   for (size_t p = 0; p < report->phase_count; p++)
      for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++)
         if (pr_breakdowns[kind].names == names->kind
             && !resolve_breakdown(builder, names, kind, p + 1,
                                   report->phases[p].breakdowns[kind]))
            return false;
   return true;
}

static bool resolve(struct pr_builder *builder, enum pr_name_kind kind)
{
   struct names names = {.kind = kind, .count = count_of(builder->report, kind)};
   names.items = malloc((names.count ? names.count : 1) * sizeof *names.items);
   if (!names.items)
      return pr_builder_refuse_memory(builder);
   for (size_t i = 0; i < names.count; i++)
      names.items[i] = name_of(builder->report, kind, i);
   qsort(names.items, names.count, sizeof *names.items, by_id_then_line);
   bool ok = check_unique(builder, &names) && resolve_rows(builder, &names);
   free(names.items);
   return ok;
}

bool pr_build_names_finish(struct pr_builder *builder)
{
   struct pr_report *report = builder->report;
   report->site_count = builder->sites.count;
   report->sites = pr_buffer_take(&builder->sites);
   report->function_count = builder->functions.count;
   report->functions = pr_buffer_take(&builder->functions);
   report->line_count = builder->lines.count;
   report->lines = pr_buffer_take(&builder->lines);
   report->instruction_count = builder->instructions.count;
   report->instructions = pr_buffer_take(&builder->instructions);
   for (int kind = 0; kind < PR_NAME_KINDS; kind++)
      if (!resolve(builder, kind))
         return false;
   return true;
}
