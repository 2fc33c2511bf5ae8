/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_environment.c: the environment of the program. See run_environment.h. */
#include "run_environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct run_variable run_variables[] = {
   {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", false,
    "the programs that it starts are the same ones"},
   {"HOME", "/nonexistent", false, "no settings of whoever runs it"},
   {"LC_ALL", "C.UTF-8", false, "no language, and text is UTF-8"},
   {"TZ", "UTC0", false, "spelled so that no file of time zones is read"},
   {"LD_BIND_NOW", "1", true, "symbols are bound before main, not inside of phases"},
   {"GLIBC_TUNABLES", "glibc.malloc.arena_max=8", true,
    "arenas do not depend on the number of processors"},
   {"OMP_WAIT_POLICY", "passive", true, "waiting threads sleep, they do not spin"},
   {"OMP_NUM_THREADS", "4", true, "not the number of processors"},
   {NULL, NULL, false, NULL},
};

static bool is_named(const char *setting, const char *name, size_t length)
{
   return strncmp(setting, name, length) == 0 && setting[length] == '=';
}

/* The last setting of that name; NULL: none. */
static const char *find(const struct run_list *list, const char *name, size_t length)
{
   for (size_t i = list->count; i-- > 0;)
      if (list->items[i] && is_named(list->items[i], name, length))
         return list->items[i];
   return NULL;
}

const char *run_environment_value(const struct run_list *list, const char *name)
{
   const char *setting = find(list, name, strlen(name));
   return setting ? setting + strlen(name) + 1 : NULL;
}

/* Add a setting unless one of that name is there. */
static void add(struct run_list *list, const char *setting)
{
   if (!find(list, setting, strcspn(setting, "=")))
      run_list_add(list, "%s", setting);
}

/* What the caller named for its own, not the program's sake: Valgrind's folder is told
   in a way of its own (run_stack.h). */
static bool is_callers_own(const char *setting)
{
   return is_named(setting, "VALGRIND_LIB", strlen("VALGRIND_LIB"));
}

void run_environment_build(const struct run_request *request, struct run_list *list,
                           struct run_fixes *fixes)
{
   /* Named on the command line they stand first, the last of a name alone. */
   for (size_t i = 0; i < request->variables.count; i++) {
      const char *setting = request->variables.items[i];
      add(list, find(&request->variables, setting, strcspn(setting, "=")));
   }
   bool inherits = request->environment != RUN_ENVIRONMENT_CLEARED;
   for (char **setting = environ; inherits && *setting; setting++)
      if (!is_callers_own(*setting))
         add(list, *setting);
   if (request->environment == RUN_ENVIRONMENT_UNTOUCHED)
      return;
   run_fixes_add(fixes, "environment", "%s", inherits ? "no: inherited" : "cleared");
   for (const struct run_variable *row = run_variables; row->name; row++) {
      if (run_environment_value(list, row->name) || (inherits && !row->also_inherited))
         continue;
      run_list_add(list, "%s=%s", row->name, row->value);
      run_fixes_add(fixes, row->name, "%s", row->value);
   }
}
