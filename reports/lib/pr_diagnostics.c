/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_diagnostics.c: what is wrong with a file, and where. See the header. */
#include "pr_diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pr_diagnostics_init(struct pr_diagnostics *list)
{
   *list = (struct pr_diagnostics){0};
}

void pr_diagnostics_release(struct pr_diagnostics *list)
{
   for (size_t i = 0; i < list->count; i++) {
      free(list->items[i].file);
      free(list->items[i].reason);
   }
   free(list->items);
   pr_diagnostics_init(list);
}

bool pr_diagnostics_is_full(const struct pr_diagnostics *list)
{
   return list->count >= PR_DIAGNOSTICS_MAX;
}

static bool make_room(struct pr_diagnostics *list)
{
   if (list->count < list->capacity)
      return true;
   size_t capacity = list->capacity ? list->capacity * 2 : 4;
   struct pr_diagnostic *items = realloc(list->items, capacity * sizeof *items);
   if (!items)
      return false;
   list->items = items;
   list->capacity = capacity;
   return true;
}

static void add(struct pr_diagnostics *list, const char *file, unsigned long line,
                unsigned long column, const char *format, va_list arguments)
   __attribute__((format(printf, 5, 0)));

static void add(struct pr_diagnostics *list, const char *file, unsigned long line,
                unsigned long column, const char *format, va_list arguments)
{
   struct pr_diagnostic item = {.line = line, .column = column};
   if (!pr_diagnostics_is_full(list) && make_room(list)) {
      if (vasprintf(&item.reason, format, arguments) < 0)
         item.reason = NULL;
      item.file = strdup(file);
   }
   if (!item.reason || !item.file) {
      free(item.reason);
      free(item.file);
      list->dropped++;
      return;
   }
   list->items[list->count++] = item;
}

void pr_diagnostics_vadd(struct pr_diagnostics *list, const char *file, unsigned long line,
                         const char *format, va_list arguments)
{
   add(list, file, line, 0, format, arguments);
}

void pr_diagnostics_add(struct pr_diagnostics *list, const char *file, unsigned long line,
                        const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   add(list, file, line, 0, format, arguments);
   va_end(arguments);
}

void pr_diagnostics_add_at(struct pr_diagnostics *list, const char *file, unsigned long line,
                           unsigned long column, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   add(list, file, line, column, format, arguments);
   va_end(arguments);
}
