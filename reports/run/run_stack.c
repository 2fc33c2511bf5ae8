/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_stack.c: an initial stack of constant size. See run_stack.h.
 *
 * What lies there, from the stack pointer upwards: the number of arguments, a pointer to
 * each argument and to each variable, the auxiliary vector, which has the same size for
 * all, and the strings: arguments, variables, the program's path as it was called. Strings
 * have a NUL behind them. The path on top moves all that is below it: the last variable
 * makes up for that. The arguments at the bottom move nothing but the stack pointer: the
 * first variable makes up for them.
 *
 * Valgrind puts its preload into LD_PRELOAD, in front of the program's own, where that
 * variable stands; it is added empty, since Valgrind would add it behind the last one.
 */
#include "run_stack.h"

#include <string.h>

#include "run_environment.h"

enum {
   FOLDER_STEP = 512, /* the folder's length is a multiple of it */
   PATH_STEP = 512,   /* so is the length of the program's path with its padding */
   STACK_STEP = 4096, /* and the total a multiple of this */
};

static const char first_padding[] = "PROFMEM_PADDING_1=", last_padding[] = "PROFMEM_PADDING_2=";

static size_t rounded_up(size_t value, size_t step)
{
   return (value + step - 1) / step * step;
}

static size_t strings_bytes(const struct run_list *list)
{
   size_t bytes = 0;
   for (size_t i = 0; i < list->count; i++)
      bytes += strlen(list->items[i]) + 1 + sizeof(char *);
   return bytes;
}

static char *repeated(struct pr_arena *arena, char c, size_t count)
{
   char *text = pr_arena_alloc(arena, count + 1);
   if (text)
      memset(text, c, count);
   return text;
}

void run_stack_build(const struct run_request *request, const char *folder,
                     const struct run_list *arguments, struct run_list *environment,
                     struct run_fixes *fixes)
{
   struct pr_arena *arena = environment->arena;
   if (request->is_host) {
      run_list_add(environment, "VALGRIND_LIB=%s", folder);
      return;
   }
   size_t length = strlen(folder), folder_length = rounded_up(length, FOLDER_STEP);
   const char *slashes = repeated(arena, '/', folder_length - length);
   run_list_add(environment, "VALGRIND_LIB=%s%s", slashes ? slashes : "", folder);
   if (!run_environment_value(environment, "LD_PRELOAD"))
      run_list_add(environment, "LD_PRELOAD=");
   size_t path_bytes = strlen(arguments->items[0]) + 1;
   size_t path_total = rounded_up(path_bytes, PATH_STEP);
   const char *above = repeated(arena, '-', path_total - path_bytes);
   run_list_add(environment, "%s%s", last_padding, above ? above : "");
   if (arena->exhausted)
      return;
   size_t preload_bytes = folder_length + strlen("/vgpreload_core-" RUN_PLATFORM ".so:");
   size_t bytes = strings_bytes(arguments) + sizeof first_padding + sizeof(char *)
                  + strings_bytes(environment) + preload_bytes + path_bytes;
   size_t total = rounded_up(bytes, STACK_STEP);
   const char *below = repeated(arena, '-', total - bytes);
   run_list_add_first(environment, "%s%s", first_padding, below ? below : "");
   run_fixes_add(fixes, "initial-stack", "%zu bytes", total);
}
