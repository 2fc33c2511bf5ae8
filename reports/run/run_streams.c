/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_streams.c: the program's standard streams. See run_streams.h. */
#include "run_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct run_stream unchanged = {-1, -1, -1};

static bool fail(struct run_error *error, const char *what)
{
   return run_fail(error, RUN_OWN_TROUBLE, "cannot make %s for the program: %s", what,
                   strerror(errno));
}

static bool replace_by_pipe(struct run_stream *stream, int target, struct run_error *error)
{
   int ends[2];
   if (pipe2(ends, O_CLOEXEC) != 0)
      return fail(error, "a pipe");
   *stream = (struct run_stream){.program = ends[1], .source = ends[0], .target = target};
   return true;
}

static bool replace_by_terminal(struct run_stream *stream, struct run_error *error)
{
   int source = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
   const char *name = source >= 0 && grantpt(source) == 0 && unlockpt(source) == 0
                         ? ptsname(source)
                         : NULL;
   int program = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
   if (program < 0) {
      fail(error, "a terminal");
      if (source >= 0)
         close(source);
      return false;
   }
   *stream = (struct run_stream){.program = program, .source = source, .target = -1};
   return true;
}

static bool replace_by_file(struct run_stream *stream, const char *path, int flags,
                            struct run_error *error)
{
   int file = open(path, O_CREAT | O_CLOEXEC | flags, 0600);
   if (file < 0)
      return fail(error, "a file");
   *stream = (struct run_stream){.program = file, .source = -1, .target = -1};
   return true;
}

/* By one of the same kind. */
static bool replace(struct run_stream *stream, int file, const char *folder,
                    struct run_error *error)
{
   struct stat there;
   char path[4096];
   *stream = unchanged;
   /* A descriptor that is closed when a program is executed is not the caller's. */
   if (fstat(file, &there) != 0 || fcntl(file, F_GETFD) & FD_CLOEXEC)
      return true;
   int flags = fcntl(file, F_GETFL) & (O_ACCMODE | O_APPEND);
   if (isatty(file))
      return replace_by_terminal(stream, error);
   if (S_ISFIFO(there.st_mode) || S_ISSOCK(there.st_mode))
      return replace_by_pipe(stream, -1, error);
   if (S_ISCHR(there.st_mode))
      return replace_by_file(stream, "/dev/null", flags, error);
   snprintf(path, sizeof path, "%s/stream.%d", folder, file);
   return replace_by_file(stream, path, flags, error);
}

bool run_streams_first(struct run_stream *streams, bool keeps_terminal, struct run_error *error)
{
   for (int file = 0; file < RUN_STREAMS; file++)
      streams[file] = unchanged;
   if (keeps_terminal || !isatty(STDOUT_FILENO))
      return true;
   return replace_by_pipe(&streams[STDOUT_FILENO], STDOUT_FILENO, error);
}

bool run_streams_again(struct run_stream *streams, const char *folder, struct run_error *error)
{
   for (int file = 0; file < RUN_STREAMS; file++)
      streams[file] = unchanged;
   bool ok = isatty(STDOUT_FILENO) ? replace_by_pipe(&streams[STDOUT_FILENO], -1, error)
                                   : replace(&streams[STDOUT_FILENO], STDOUT_FILENO, folder, error);
   return ok && replace(&streams[STDERR_FILENO], STDERR_FILENO, folder, error);
}

void run_streams_close(struct run_stream *streams)
{
   for (int file = 0; file < RUN_STREAMS; file++) {
      if (streams[file].program >= 0)
         close(streams[file].program);
      if (streams[file].source >= 0)
         close(streams[file].source);
      streams[file] = unchanged;
   }
}

bool run_input_mark(off_t *start, struct run_error *error)
{
   struct stat there;
   *start = -1;
   /* A terminal asks again; a program that reads none of it, as most do, never notices. */
   if (fstat(STDIN_FILENO, &there) != 0 || S_ISCHR(there.st_mode))
      return true;
   if (S_ISREG(there.st_mode) && (*start = lseek(STDIN_FILENO, 0, SEEK_CUR)) >= 0)
      return true;
   return run_fail(error, RUN_OWN_TROUBLE,
                   "standard input cannot be read again; with --aa let it be a file or "
                   "/dev/null");
}

bool run_input_rewind(off_t start, struct run_error *error)
{
   return start < 0 || lseek(STDIN_FILENO, start, SEEK_SET) == start
          || run_fail(error, RUN_OWN_TROUBLE, "cannot read standard input again: %s",
                      strerror(errno));
}
