/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_folder.c: the private folder that the tool writes reports into. See run_folder.h. */
#include "run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run_copy.h"
#include "run_list.h"

static const char report_name[] = "report.xml";

static bool begins_with(const char *text, const char *start)
{
   return strncmp(text, start, strlen(start)) == 0;
}

static const char *copied(struct pr_arena *arena, char *allocated)
{
   const char *copy = allocated ? pr_arena_string(arena, allocated, strlen(allocated)) : NULL;
   free(allocated);
   return copy;
}

/* The folder that a file is in or will be in. NULL: errno. */
static const char *parent(struct pr_arena *arena, const char *path)
{
   const char *slash = strrchr(path, '/');
   if (!slash)
      return copied(arena, realpath(".", NULL));
   const char *before = pr_arena_string(arena, path, (size_t)(slash - path) + 1);
   return before ? copied(arena, realpath(before, NULL)) : NULL;
}

static bool refuse(struct run_error *error, const char *report, int reason)
{
   return run_fail(error, RUN_OWN_TROUBLE, "cannot write '%s': %s", report, strerror(reason));
}

/* A name of what is open already may be that of a file with something in it. */
static bool place_direct(struct run_folder *folder, struct run_error *error)
{
   folder->direct = open(folder->target, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC);
   return folder->direct >= 0 || refuse(error, folder->target, errno);
}

/* A name in a folder that nobody else has. NULL: no memory left. */
static char *private_name(struct pr_arena *arena, const char *folder)
{
   return run_text(arena, "%s/.profmem-XXXXXX", folder);
}

/* Can files be made and renamed there? Only trying tells. */
static bool takes_files(struct pr_arena *arena, const char *place)
{
   char *path = private_name(arena, place);
   return path && mkdtemp(path) && rmdir(path) == 0;
}

bool run_folder_place(struct run_folder *folder, const char *report, struct pr_arena *arena,
                      struct run_error *error)
{
   struct stat there;
   const char *slash = strrchr(report, '/');
   const char *name = slash ? slash + 1 : report;
   *folder = (struct run_folder){.target = report, .direct = -1};
   bool exists = stat(report, &there) == 0;
   if (!name[0])
      return refuse(error, report, slash ? EISDIR : ENOENT);
   if (exists && S_ISDIR(there.st_mode))
      return refuse(error, report, EISDIR);
   if (run_is_open_already(report) || (exists && !S_ISREG(there.st_mode)))
      return place_direct(folder, error);
   folder->target = copied(arena, run_followed(report));
   folder->place = folder->target ? parent(arena, folder->target) : NULL;
   if (folder->place && !exists)
      folder->target = run_text(arena, "%s/%s", folder->place, basename(folder->target));
   return (folder->place && folder->target && takes_files(arena, folder->place))
          || refuse(error, report, errno);
}

bool run_folder_make(struct run_folder *folder, struct pr_arena *arena, struct run_error *error)
{
   const char *named = getenv("TMPDIR");
   const char *temporary = named && named[0] == '/' ? named : "/tmp";
   char *path = private_name(arena, temporary);
   if (!path || !mkdtemp(path))
      return run_fail(error, RUN_OWN_TROUBLE, "cannot make a folder in '%s': %s", temporary,
                      strerror(path ? errno : ENOMEM));
   folder->path = path;
   return true;
}

/* A percent sign begins something that the tool expands. */
const char *run_folder_option(const struct run_folder *folder, struct pr_arena *arena)
{
   char *option = pr_arena_alloc(arena, 2 * strlen(folder->path) + 64);
   if (!option)
      return NULL;
   char *to = stpcpy(option, "--profmem-out-file=");
   for (const char *from = folder->path; *from; from++) {
      if (*from == '%')
         *to++ = '%';
      *to++ = *from;
   }
   *to++ = '/';
   strcpy(to, report_name);
   return option;
}

/* Reports --------------------------------------------------------------------------- */

/* What follows the name of a finished report: (.DIGITS)*; NULL: it is something else, as
   one that is still written. */
static const char *suffix_of(const char *name)
{
   if (!begins_with(name, report_name))
      return NULL;
   const char *suffix = name + strlen(report_name);
   for (const char *at = suffix; *at;) {
      size_t digits = at[0] == '.' ? strspn(at + 1, "0123456789") : 0;
      if (digits == 0)
         return NULL;
      at += 1 + digits;
   }
   return suffix;
}

static int by_suffix(const void *a, const void *b)
{
   return strverscmp(((const struct run_finished *)a)->suffix,
                     ((const struct run_finished *)b)->suffix);
}

/* The tool writes under such a name first, and leaves it where it cannot give another: to
   a program that has given up its rights the folder is closed, behind a chroot it is gone. */
static bool is_unnamed(const char *name)
{
   size_t length = strlen(name);
   return begins_with(name, ".profmem.") && length > 4 && strcmp(name + length - 4, ".tmp") == 0;
}

static bool is_complete(const char *path)
{
   static const char end[] = "</profmem>\n";
   char last[sizeof end - 1];
   int file = open(path, O_RDONLY | O_CLOEXEC);
   off_t bytes = file >= 0 ? lseek(file, 0, SEEK_END) : -1;
   bool is = bytes >= (off_t)sizeof last
             && pread(file, last, sizeof last, bytes - (off_t)sizeof last)
                   == (ssize_t)sizeof last
             && memcmp(last, end, sizeof last) == 0;
   if (file >= 0)
      close(file);
   return is;
}

/* Name the first process's report if the tool could not. Children begin theirs when they
   end, so that they have none then. */
static void name_report(const struct run_folder *folder, struct pr_arena *arena)
{
   const char *named = run_text(arena, "%s/%s", folder->path, report_name);
   DIR *directory = opendir(folder->path);
   struct dirent *entry;
   while (directory && named && access(named, F_OK) != 0 && (entry = readdir(directory))) {
      const char *path = is_unnamed(entry->d_name)
                            ? run_text(arena, "%s/%s", folder->path, entry->d_name)
                            : NULL;
      if (path && is_complete(path) && rename(path, named) != 0)
         break;
   }
   if (directory)
      closedir(directory);
}

bool run_folder_list(const struct run_folder *folder, struct pr_arena *arena,
                     struct run_finished **list, size_t *count, struct run_error *error)
{
   *list = NULL;
   *count = 0;
   name_report(folder, arena);
   DIR *directory = opendir(folder->path);
   if (!directory)
      return run_fail(error, RUN_OWN_TROUBLE, "%s: %s", folder->path, strerror(errno));
   struct dirent *entry;
   while ((entry = readdir(directory)) != NULL) {
      const char *suffix = suffix_of(entry->d_name);
      if (!suffix || (folder->direct >= 0 && suffix[0]))
         continue;
      struct run_finished *finished = pr_arena_append(arena, list, count, sizeof *finished);
      if (finished) {
         finished->path = run_text(arena, "%s/%s", folder->path, entry->d_name);
         finished->suffix = run_text(arena, "%s", suffix);
      }
   }
   closedir(directory);
   if (arena->exhausted)
      return run_fail(error, RUN_OWN_TROUBLE, "no memory left");
   if (*count)
      qsort(*list, *count, sizeof **list, by_suffix);
   return true;
}

int run_folder_open(const struct run_folder *folder, struct pr_arena *arena, const char **path,
                    struct run_error *error)
{
   char *name = private_name(arena, folder->place ? folder->place : folder->path);
   int file = name ? mkostemp(name, O_CLOEXEC) : -1;
   if (file < 0)
      refuse(error, folder->target, name ? errno : ENOMEM);
   *path = name;
   return file;
}

bool run_folder_deliver(const struct run_folder *folder, const char *suffix, const char *path,
                        int file, struct pr_arena *arena, struct run_error *error)
{
   const char *target = run_text(arena, "%s%s", folder->target, suffix);
   if (target)
      run_take_over_rights(file, target); /* refused where there are none: it is whole without */
   bool closed = close(file) == 0;
   if (closed && target && rename(path, target) == 0)
      return true;
   refuse(error, target ? target : folder->target, target ? errno : ENOMEM);
   unlink(path);
   return false;
}

void run_folder_remove(struct run_folder *folder)
{
   if (!folder->path)
      return;
   int directory = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   DIR *entries = directory >= 0 ? fdopendir(directory) : NULL;
   if (entries) {
      struct dirent *entry;
      while ((entry = readdir(entries)) != NULL)
         unlinkat(directory, entry->d_name, 0);
      closedir(entries);
   } else if (directory >= 0) {
      close(directory);
   }
   rmdir(folder->path);
   folder->path = NULL;
}
