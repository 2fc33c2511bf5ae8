/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_copy.c: the whole of a file, written or copied. See run_copy.h. */
#include "run_copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Those of the file that is there, or of any that this process makes. */
static mode_t permissions(const char *path)
{
   struct stat there;
   if (stat(path, &there) == 0)
      return there.st_mode & 07777;
   mode_t mask = umask(0);
   umask(mask);
   return 0666 & ~mask;
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
   bool ok = put_content(content, beside) && fchmod(beside, permissions(path)) == 0
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
   char *followed = realpath(path, NULL), *beside_path = NULL;
   const char *target = followed ? followed : path;
   bool ok = asprintf(&beside_path, "%s.XXXXXX", target) >= 0;
   int beside = ok ? mkstemp(beside_path) : -1;
   ok = beside >= 0 && put_beside(content, beside, beside_path, target);
   int reason = errno;
   free(beside_path);
   free(followed);
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
