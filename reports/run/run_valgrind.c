/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_valgrind.c: which Valgrind and which build of the tool a run uses. See
 * run_valgrind.h.
 *
 * The tool. Named by --valgrind-lib or by VALGRIND_LIB in the caller's environment, it
 * must be there. Otherwise the one that belongs to this very program comes first, found
 * from where its file is: in the build tree, then in the prefix it is installed in, which
 * may have been moved; then where configure meant to install it, then among Valgrind's
 * own tools.
 *
 * The launcher. Distributions put a shell script before it that sets variables, all of
 * which the program under observation would see and pay for (Debian's: three); the
 * launcher itself stands beside it with ".bin" behind its name.
 */
#include "run_valgrind.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char tool_name[] = "profmem-" RUN_PLATFORM;

static bool is_executable(const char *path)
{
   struct stat there;
   return stat(path, &there) == 0 && S_ISREG(there.st_mode) && access(path, X_OK) == 0;
}

/* The tool ------------------------------------------------------------------------- */

/* A Valgrind without the core's preload would end every program's start with a message. */
static bool holds_tool(struct pr_arena *arena, const char *folder)
{
   const char *tool = run_text(arena, "%s/%s", folder, tool_name);
   const char *preload = run_text(arena, "%s/vgpreload_core-%s.so", folder, RUN_PLATFORM);
   return tool && preload && is_executable(tool) && access(preload, R_OK) == 0;
}

/* The folder of this program's file; NULL: not known. */
static const char *own_folder(struct pr_arena *arena)
{
   char path[PATH_MAX];
   ssize_t length = readlink("/proc/self/exe", path, sizeof path);
   if (length <= 0 || (size_t)length == sizeof path)
      return NULL;
   const char *slash = memrchr(path, '/', (size_t)length);
   return slash ? pr_arena_string(arena, path, (size_t)(slash - path)) : NULL;
}

/* The shortest absolute name, so that what the program sees of it has no "..". */
static const char *real_folder(struct pr_arena *arena, const char *folder)
{
   char *real = realpath(folder, NULL);
   const char *copy = real ? pr_arena_string(arena, real, strlen(real)) : NULL;
   free(real);
   return copy;
}

static bool find_folder(struct run_request *request, struct run_valgrind *valgrind,
                        struct run_error *error)
{
   struct pr_arena *arena = &request->arena;
   const char *named = request->valgrind_lib, *by = "--valgrind-lib";
   if (!named && (named = getenv("VALGRIND_LIB")) != NULL)
      by = "VALGRIND_LIB";
   if (named) {
      if (!holds_tool(arena, named))
         return run_fail(error, RUN_OWN_TROUBLE, "%s: '%s' does not hold %s and Valgrind's files",
                         by, named, tool_name);
      valgrind->folder = real_folder(arena, named);
      return valgrind->folder || run_fail(error, RUN_OWN_TROUBLE, "%s: %s", named, strerror(errno));
   }
   const char *own = own_folder(arena);
   const char *const candidates[] = {
      own ? run_text(arena, "%s/valgrind-tool/lib", own) : NULL,
      own ? run_text(arena, "%s/../libexec/profmem", own) : NULL,
      RUN_TOOL_FOLDER,
      RUN_VALGRIND_TOOLS,
   };
   for (size_t c = 0; c < sizeof candidates / sizeof *candidates; c++)
      if (candidates[c] && holds_tool(arena, candidates[c])) {
         valgrind->folder = real_folder(arena, candidates[c]);
         if (valgrind->folder)
            return true;
      }
   return run_fail(error, RUN_OWN_TROUBLE,
                   "cannot find %s; --valgrind-lib=FOLDER says where it is, looked in %s and %s",
                   tool_name, RUN_TOOL_FOLDER, RUN_VALGRIND_TOOLS);
}

/* The launcher --------------------------------------------------------------------- */

static bool is_elf(const char *path)
{
   char magic[4];
   int file = is_executable(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
   bool is = file >= 0 && read(file, magic, sizeof magic) == sizeof magic
             && memcmp(magic, "\177ELF", sizeof magic) == 0;
   if (file >= 0)
      close(file);
   return is;
}

/* PATH itself, or what it wraps; NULL: neither is a launcher. */
static const char *launcher_at(struct pr_arena *arena, const char *path)
{
   if (is_elf(path))
      return path;
   const char *wrapped = run_text(arena, "%s.bin", path);
   return wrapped && is_elf(wrapped) ? wrapped : NULL;
}

/* The first one along the caller's PATH; NULL: none. */
static const char *launcher_in_path(struct pr_arena *arena)
{
   const char *path = getenv("PATH");
   while (path && *path) {
      size_t length = strcspn(path, ":");
      const char *at = run_text(arena, "%.*s/valgrind", (int)length, path);
      const char *launcher = at && at[0] == '/' ? launcher_at(arena, at) : NULL;
      if (launcher)
         return launcher;
      path += length + (path[length] == ':');
   }
   return NULL;
}

static bool find_launcher(struct run_request *request, struct run_valgrind *valgrind,
                          struct run_error *error)
{
   struct pr_arena *arena = &request->arena;
   if (request->valgrind) {
      valgrind->launcher = launcher_at(arena, request->valgrind);
      return valgrind->launcher
             || run_fail(error, RUN_OWN_TROUBLE, "--valgrind: '%s' is not Valgrind's launcher",
                         request->valgrind);
   }
   valgrind->launcher = launcher_at(arena, RUN_LAUNCHER);
   if (!valgrind->launcher)
      valgrind->launcher = launcher_in_path(arena);
   return valgrind->launcher
          || run_fail(error, RUN_OWN_TROUBLE,
                      "cannot find Valgrind's launcher (%s, PATH); --valgrind=FILE names it",
                      RUN_LAUNCHER);
}

bool run_valgrind_find(struct run_request *request, struct run_valgrind *valgrind,
                       struct run_error *error)
{
   return find_folder(request, valgrind, error) && find_launcher(request, valgrind, error);
}
