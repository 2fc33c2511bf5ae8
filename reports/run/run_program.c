/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_program.c: which file the program is. See run_program.h. */
#include "run_program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_list.h"

/* 0, or why the file cannot be executed. */
static int refusal(const char *path)
{
   struct stat there;
   if (stat(path, &there) != 0)
      return errno;
   if (S_ISDIR(there.st_mode))
      return EISDIR;
   return access(path, X_OK) == 0 ? 0 : errno;
}

/* The first file along `path` that can be executed, as the shell takes it; else NULL,
   and *reason says what the best candidate lacks. */
static const char *find_in(const char *path, const char *name, struct pr_arena *arena,
                           int *reason)
{
   *reason = ENOENT;
   while (path) {
      size_t length = strcspn(path, ":");
      /* An empty part is the working directory. */
      const char *at = run_text(arena, "%.*s%s%s", (int)length, path, length ? "/" : "./", name);
      int refused = at ? refusal(at) : ENOMEM;
      if (refused == 0)
         return at;
      if (refused == EACCES)
         *reason = refused;
      path = path[length] == ':' ? path + length + 1 : NULL;
   }
   return NULL;
}

static bool refuse(struct run_error *error, const char *name, int reason)
{
   bool missing = reason == ENOENT || reason == ENOTDIR;
   return run_fail(error, missing ? RUN_NOT_FOUND : RUN_NOT_EXECUTABLE, "cannot run '%s': %s",
                   name, strerror(reason));
}

static bool same_file(const char *a, const char *b)
{
   struct stat at_a, at_b;
   return a && b && stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev
          && at_a.st_ino == at_b.st_ino;
}

bool run_program_find(const char *name, const char *path, struct pr_arena *arena,
                      const char **argument, struct run_error *error)
{
   *argument = name;
   int reason;
   if (strchr(name, '/')) {
      reason = refusal(name);
      return reason == 0 || refuse(error, name, reason);
   }
   if (!name[0])
      return refuse(error, name, ENOENT);
   const char *callers = getenv("PATH");
   const char *found = find_in(callers ? callers : path, name, arena, &reason);
   if (!found)
      return refuse(error, name, reason);
   int unused;
   if (same_file(found, path ? find_in(path, name, arena, &unused) : NULL))
      return true;
   char *real = found[0] == '/' ? NULL : realpath(".", NULL);
   if (found[0] != '/')
      found = real ? run_text(arena, "%s/%s", real, found) : NULL;
   free(real);
   *argument = found;
   return found || run_fail(error, RUN_OWN_TROUBLE, "cannot name '%s' in full", name);
}
