/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure.c: run a command and say what it cost.
 *
 *    measure RESULT COMMAND ARGS...
 *
 * RESULT becomes one line: user and system time in microseconds, the largest
 * resident size in KiB, the exit status (128 + number of the signal it died of).
 * They are those of the command and of what it waited for itself. COMMAND is a
 * path.
 *
 * A program of its own, and small, because the resident size that the kernel
 * reports for a process is at least that of the process it was forked from: a
 * script's interpreter would be the floor of every number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void stop(const char *what)
{
   fputs("measure: ", stderr);
   perror(what);
   exit(125);
}

static long long microseconds(struct timeval t)
{
   return t.tv_sec * 1000000LL + t.tv_usec;
}

int main(int argc, char **argv)
{
   if (argc < 3) {
      fputs("usage: measure RESULT COMMAND ARGS...\n", stderr);
      return 125;
   }
   FILE *result = fopen(argv[1], "we"); /* closed in the command */
   if (!result)
      stop(argv[1]);
   pid_t child = fork();
   if (child == -1)
      stop("fork");
   if (child == 0) {
      execv(argv[2], argv + 2);
      perror(argv[2]);
      _exit(127);
   }
   int status;
   struct rusage usage;
   if (wait4(child, &status, 0, &usage) != child)
      stop("wait4");
   int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
   fprintf(result, "%lld %lld %ld %d\n", microseconds(usage.ru_utime),
           microseconds(usage.ru_stime), usage.ru_maxrss, code);
   if (fclose(result) != 0)
      stop(argv[1]);
   return code;
}
