/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_build_breakdown.c: the sites, functions, lines and threads of a phase, in numbers.
 * See the header.
 */
#include "pr_build_breakdown.h"

#include <string.h>

#include "pr_build_attributes.h"

static struct pr_build_breakdown *open_breakdown(struct pr_builder *builder)
{
   return &builder->breakdowns[builder->kind];
}

/* Its element says of which kind it is. */
bool pr_build_breakdown_start(struct pr_builder *builder)
{
   const char *element = pr_builder_element(builder);
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++)
      if (strcmp(pr_breakdowns[kind].list, element) == 0)
         builder->kind = kind;
   open_breakdown(builder)->is_listed = true;
   return true;
}

static bool take_value(struct pr_builder *builder, const struct pr_column *column, uint64_t *value)
{
   *value = 0;
   if (column->flags & PR_COLUMN_OPTIONAL && !pr_attribute_find(builder, column->name))
      return true;
   if (!(column->flags & PR_COLUMN_SIGNED))
      return pr_attribute_require_number(builder, column->name, value);
   int64_t number = 0;
   bool ok = pr_attribute_require_signed(builder, column->name, &number);
   *value = (uint64_t)number;
   return ok;
}

bool pr_build_row_start(struct pr_builder *builder)
{
   const struct pr_breakdown_info *info = &pr_breakdowns[builder->kind];
   struct pr_build_breakdown *breakdown = open_breakdown(builder);
   struct pr_row *row = pr_buffer_append(&breakdown->rows, sizeof *row);
   if (!row)
      return pr_builder_refuse_memory(builder);
   *row = (struct pr_row){.line = (unsigned)builder->line};
   if ((info->origin && !pr_attribute_require_number(builder, info->origin, &row->origin_id))
       || !pr_attribute_require_number(builder, info->id, &row->id))
      return false;
   for (size_t c = 0; c < info->column_count; c++) {
      uint64_t *value = pr_buffer_append(&breakdown->values, sizeof *value);
      if (!value)
         return pr_builder_refuse_memory(builder);
      if (!take_value(builder, &info->columns[c], value))
         return false;
   }
   return true;
}

bool pr_build_others_start(struct pr_builder *builder)
{
   const struct pr_breakdown_info *info = &pr_breakdowns[builder->kind];
   struct pr_build_breakdown *breakdown = open_breakdown(builder);
   if (breakdown->has_others)
      return pr_builder_refuse(builder, "<others> appears twice in <%s> of a phase", info->list);
   breakdown->has_others = true;
   if (!pr_attribute_require_number(builder, info->others, &breakdown->others_count))
      return false;
   for (size_t c = 0; c < info->column_count; c++)
      if (!take_value(builder, &info->columns[c], &breakdown->others[c]))
         return false;
   return true;
}

void pr_build_breakdowns_clear(struct pr_builder *builder)
{
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++) {
      struct pr_build_breakdown *breakdown = &builder->breakdowns[kind];
      breakdown->is_listed = false;
      breakdown->has_others = false;
      pr_buffer_clear(&breakdown->rows);
      pr_buffer_clear(&breakdown->values);
   }
}

/* NULL: no memory left. */
static const struct pr_breakdown *copy(struct pr_arena *arena, enum pr_breakdown_kind kind,
                                       struct pr_build_breakdown *from)
{
   /* One for all that are empty: its element is shorter than a copy. */
   static const struct pr_breakdown empty = {.is_listed = true};
   if (from->rows.count == 0 && !from->has_others)
      return &empty;
   size_t columns = pr_breakdowns[kind].column_count;
   const struct pr_buffer others = {from->others, columns, 0};
   const uint64_t *values = NULL;
   struct pr_breakdown *to = pr_arena_alloc(arena, sizeof *to);
   if (!to || !pr_buffer_copy(&from->rows, sizeof *to->rows, arena, &to->rows)
       || !pr_buffer_copy(&from->values, sizeof *values, arena, &values))
      return NULL;
   to->is_listed = true;
   to->row_count = from->rows.count;
   for (size_t i = 0; i < to->row_count; i++)
      to->rows[i].values = values + i * columns;
   if (from->has_others) {
      to->others_count = from->others_count;
      if (!pr_buffer_copy(&others, sizeof *to->others, arena, &to->others))
         return NULL;
   }
   return to;
}

static bool is_any_listed(const struct pr_builder *builder)
{
   bool is_any = false;
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++)
      is_any = is_any || builder->breakdowns[kind].is_listed;
   return is_any;
}

bool pr_build_breakdowns_end(struct pr_builder *builder, struct pr_phase *phase)
{
   struct pr_arena *arena = &builder->report->arena;
   phase->breakdowns = pr_breakdowns_absent;
   if (!is_any_listed(builder))
      return true;
   const struct pr_breakdown **breakdowns = pr_arena_alloc(arena, sizeof pr_breakdowns_absent);
   if (!breakdowns)
      return pr_builder_refuse_memory(builder);
   memcpy(breakdowns, pr_breakdowns_absent, sizeof pr_breakdowns_absent);
   phase->breakdowns = breakdowns;
   for (int kind = 0; kind < PR_BREAKDOWN_KINDS; kind++) {
      if (builder->breakdowns[kind].is_listed)
         breakdowns[kind] = copy(arena, kind, &builder->breakdowns[kind]);
      if (!breakdowns[kind])
         return pr_builder_refuse_memory(builder);
   }
   return true;
}
