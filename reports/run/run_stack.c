/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_stack.c: an initial stack of constant size. See run_stack.h.
 *
 * What lies there, above the stack pointer: the number of arguments, a pointer to each
 * argument and to each variable, the auxiliary vector, which has the same size for all,
 * and the strings: arguments, variables, the program's path as it was called. Strings
 * have a NUL behind them. Valgrind puts its preload into LD_PRELOAD, in front of the
 * program's own, and leaves VALGRIND_LIB where it is.
 */
#include "run_stack.h"

#include <string.h>

#include "run_environment.h"

enum {
   FOLDER_STEP = 512,  /* the folder's length is a multiple of it */
   STACK_STEP = 4096,  /* the total is */
};

static const char padding_name[] = "PROFMEM_STACK_PADDING";

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

/* How much Valgrind adds: to the program's own LD_PRELOAD, or as a variable. */
static size_t preload_bytes(const struct run_list *environment, size_t folder_length)
{
   size_t bytes = folder_length + strlen("/vgpreload_core-" RUN_PLATFORM ".so");
   if (run_environment_value(environment, "LD_PRELOAD"))
      return bytes + strlen(":");
   return bytes + sizeof "LD_PRELOAD=" + sizeof(char *);
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
   if (arena->exhausted)
      return;
   size_t bytes = strings_bytes(arguments) + strlen(arguments->items[0]) + 1
                  + strings_bytes(environment) + preload_bytes(environment, folder_length)
                  + sizeof padding_name + sizeof "=" - 1 + sizeof(char *);
   size_t total = rounded_up(bytes, STACK_STEP);
   const char *padding = repeated(arena, '-', total - bytes);
   run_list_add(environment, "%s=%s", padding_name, padding ? padding : "");
   run_fixes_add(fixes, "initial-stack", "%zu bytes", total);
}
