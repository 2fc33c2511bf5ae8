/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_list.c: lists of strings and of named values, in an arena. See run_list.h. */
#include "run_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *formatted(struct pr_arena *arena, const char *format, va_list arguments)
   __attribute__((format(printf, 2, 0)));

static char *formatted(struct pr_arena *arena, const char *format, va_list arguments)
{
   char *text = NULL;
   if (vasprintf(&text, format, arguments) < 0) {
      arena->exhausted = true;
      return NULL;
   }
   char *copy = pr_arena_string(arena, text, strlen(text));
   free(text);
   return copy;
}

char *run_text(struct pr_arena *arena, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   char *text = formatted(arena, format, arguments);
   va_end(arguments);
   return text;
}

static bool append(struct run_list *list, char *text)
{
   char **item = pr_arena_append(list->arena, &list->items, &list->count, sizeof *item);
   if (item)
      *item = text;
   return item;
}

void run_list_add(struct run_list *list, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   append(list, formatted(list->arena, format, arguments));
   va_end(arguments);
}

void run_list_add_first(struct run_list *list, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   char *text = formatted(list->arena, format, arguments);
   va_end(arguments);
   if (!append(list, text))
      return;
   memmove(list->items + 1, list->items, (list->count - 1) * sizeof *list->items);
   list->items[0] = text;
}

char **run_list_end(struct run_list *list)
{
   if (pr_arena_append(list->arena, &list->items, &list->count, sizeof *list->items))
      list->count--;
   return list->items;
}

void run_fixes_add(struct run_fixes *fixes, const char *name, const char *format, ...)
{
   va_list arguments;
   va_start(arguments, format);
   char *value = formatted(fixes->arena, format, arguments);
   va_end(arguments);
   struct run_fix *fix = pr_arena_append(fixes->arena, &fixes->items, &fixes->count, sizeof *fix);
   if (fix)
      *fix = (struct run_fix){name, value};
}
