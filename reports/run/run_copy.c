/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_copy.c: the whole of a file, written or copied. See run_copy.h. */
#include "run_copy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool run_is_open_already(const char *path)
{
   static const char *const starts[] = {"/proc/", "/dev/fd/", "/dev/std"};
   for (size_t s = 0; s < sizeof starts / sizeof starts[0]; s++)
      if (strncmp(path, starts[s], strlen(starts[s])) == 0)
         return true;
   return false;
}

/* The next name on the way of a link; NULL: errno says why there is none, EINVAL that it is
   no link. */
static char *next_name(const char *link)
{
   char target[PATH_MAX], *name;
   ssize_t bytes = readlink(link, target, sizeof target - 1);
   const char *slash = strrchr(link, '/');
   if (bytes < 0)
      return NULL;
   target[bytes] = '\0';
   int folder_bytes = target[0] != '/' && slash ? (int)(slash + 1 - link) : 0;
   return asprintf(&name, "%.*s%s", folder_bytes, link, target) < 0 ? NULL : name;
}

char *run_followed(const char *path)
{
   enum { LINKS_MAX = 40 }; /* as the kernel follows */
   char *name = realpath(path, NULL);
   if (name || errno != ENOENT)
      return name;
   name = strdup(path);
   for (int links = 0; name; links++) {
      char *next = next_name(name);
      if (!next && (errno == EINVAL || errno == ENOENT))
         return name;
      if (next && links == LINKS_MAX) {
         free(next);
         next = NULL;
         errno = ELOOP;
      }
      int reason = errno;
      free(name);
      errno = reason;
      name = next;
   }
   return NULL;
}

static bool write_whole(int to, const char *bytes, size_t count)
{
   while (count > 0) {
      ssize_t written = write(to, bytes, count);
      if (written < 0 && errno != EINTR)
         return false;
      if (written > 0)
         bytes += written, count -= (size_t)written;
   }
   return true;
}

bool run_copy(int from, int to)
{
   char bytes[65536];
   off_t offset = 0;
   ssize_t length;
   while ((length = pread(from, bytes, sizeof bytes, offset)) > 0) {
      if (!write_whole(to, bytes, (size_t)length))
         return false;
      offset += length;
   }
   return length == 0;
}

bool run_take_over_rights(int file, const char *path)
{
   struct stat there;
   if (stat(path, &there) == 0) {
      bool is_theirs = fchown(file, there.st_uid, there.st_gid) == 0;
      return fchmod(file, there.st_mode & (is_theirs ? 07777 : 0777)) == 0;
   }
   mode_t mask = umask(0);
   umask(mask);
   return fchmod(file, 0666 & ~mask) == 0;
}

/* What a file is to hold: text, or what another file does. */
struct content {
   const char *text; /* NULL: it is behind `from` */
   size_t bytes;
   int from;
};

static bool put_content(const struct content *content, int to)
{
   return content->text ? write_whole(to, content->text, content->bytes)
                        : run_copy(content->from, to);
}

/* The content is on the disk before the name leads to it, or a machine that loses power
   could keep the name alone. */
static bool put_beside(const struct content *content, int beside, const char *beside_path,
                       const char *path)
{
   bool ok = put_content(content, beside) && run_take_over_rights(beside, path)
             && fsync(beside) == 0;
   int reason = errno;
   if (close(beside) != 0 && ok) {
      reason = errno;
      ok = false;
   }
   if (ok && rename(beside_path, path) == 0)
      return true;
   reason = ok ? errno : reason;
   unlink(beside_path);
   errno = reason;
   return false;
}

static bool put_over(const struct content *content, const char *path)
{
   char *target = run_followed(path), *beside_path = NULL;
   bool ok = target && asprintf(&beside_path, "%s.XXXXXX", target) >= 0;
   int beside = ok ? mkstemp(beside_path) : -1;
   ok = beside >= 0 && put_beside(content, beside, beside_path, target);
   int reason = errno;
   free(beside_path);
   free(target);
   errno = reason;
   return ok;
}

bool run_copy_over(int from, const char *path)
{
   return put_over(&(struct content){.from = from}, path);
}

bool run_write_over(const char *text, size_t bytes, const char *path)
{
   return put_over(&(struct content){.text = text, .bytes = bytes}, path);
}
