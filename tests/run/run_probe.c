/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run_probe.c: says what a program sees of how it was started.
 *
 *   stack          the address of the initial stack, and that of each variable's text
 *   descriptors    which descriptors below 200 are open, and on what
 *   signals        which signals are blocked and which ignored
 *   environment    every variable, in its order
 *   numbers        its process number, that of its parent, of processors it may use
 *   count SIGNAL   writes "ready", counts these signals until a second after the first, or for
 *                  half a minute, writes the count
 *   stop SIGNAL    stops itself by this signal, then writes "continued"
 *   seek           writes, moves back in its output, writes again
 *   die SIGNAL     dies of it
 *   grow FILE      makes FILE a byte longer, allocates 1000 times its size, and ends with
 *                  that size as its status if it is more than 9
 *   kinds FILE     adds to FILE what its standard streams are
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t counted;

static void count_one(int number)
{
   (void)number;
   counted++;
}

static void show_stack(char **argv)
{
   printf("stack %p\n", (void *)(argv - 1));
   for (char **variable = environ; *variable; variable++)
      if (strncmp(*variable, "PROFMEM_PADDING", 15) != 0)
         printf("%.*s %p\n", (int)strcspn(*variable, "="), *variable, (void *)*variable);
}

static void show_descriptors(void)
{
   for (int file = 0; file < 200; file++) {
      char name[64], path[4096];
      int flags = fcntl(file, F_GETFL);
      if (flags < 0)
         continue;
      snprintf(name, sizeof name, "/proc/self/fd/%d", file);
      ssize_t length = readlink(name, path, sizeof path);
      printf("%d %#o %.*s\n", file, (unsigned)flags, length > 0 ? (int)length : 0, path);
   }
}

static void show_signals(void)
{
   sigset_t blocked;
   sigprocmask(SIG_SETMASK, NULL, &blocked);
   for (int number = 1; number < 32; number++) {
      struct sigaction action;
      if (sigaction(number, NULL, &action) == 0)
         printf("%d%s%s\n", number, sigismember(&blocked, number) ? " blocked" : "",
                action.sa_handler == SIG_IGN ? " ignored" : "");
   }
}

static void show_numbers(void)
{
   cpu_set_t set;
   CPU_ZERO(&set);
   sched_getaffinity(0, sizeof set, &set);
   printf("process %d parent %d processors %d policy %d\n", (int)getpid(), (int)getppid(),
          CPU_COUNT(&set), sched_getscheduler(0));
}

static void count(int number)
{
   struct sigaction action = {.sa_handler = count_one};
   struct timespec left = {1, 0}, moment = {0, 1000000};
   sigaction(number, &action, NULL);
   puts("ready");
   fflush(stdout);
   for (int waited = 0; !counted && waited < 30000; waited++)
      nanosleep(&moment, NULL);
   while (nanosleep(&left, &left) != 0 && errno == EINTR)
      ;
   printf("%d\n", (int)counted);
}

static void seek(void)
{
   puts("one two three");
   fflush(stdout);
   if (lseek(STDOUT_FILENO, -6, SEEK_CUR) >= 0)
      puts("four");
}

__attribute__((noinline)) static int grow(const char *path)
{
   struct stat there;
   FILE *file = fopen(path, "a");
   if (!file || putc('x', file) == EOF || fclose(file) != 0 || stat(path, &there) != 0)
      return 1;
   char *volatile block = malloc(1000 * (size_t)there.st_size);
   free(block);
   return there.st_size > 9 ? (int)there.st_size : 0;
}

static void show_kinds(const char *path)
{
   FILE *out = fopen(path, "a");
   for (int file = 0; out && file < 3; file++) {
      struct stat there;
      fprintf(out, "%o %d ", fstat(file, &there) == 0 ? there.st_mode & S_IFMT : 0, isatty(file));
   }
   fputs("\n", out);
   fclose(out);
}

int main(int argc, char **argv)
{
   const char *what = argc > 1 ? argv[1] : "";
   int number = argc > 2 ? atoi(argv[2]) : 0;
   if (strcmp(what, "stack") == 0)
      show_stack(argv);
   else if (strcmp(what, "descriptors") == 0)
      show_descriptors();
   else if (strcmp(what, "signals") == 0)
      show_signals();
   else if (strcmp(what, "environment") == 0)
      for (char **variable = environ; *variable; variable++)
         puts(*variable);
   else if (strcmp(what, "numbers") == 0)
      show_numbers();
   else if (strcmp(what, "count") == 0)
      count(number);
   else if (strcmp(what, "seek") == 0)
      seek();
   else if (strcmp(what, "stop") == 0)
      raise(number), puts("continued");
   else if (strcmp(what, "die") == 0)
      raise(number);
   else if (strcmp(what, "grow") == 0)
      return grow(argv[2]);
   else if (strcmp(what, "kinds") == 0)
      show_kinds(argv[2]);
   else
      return 2;
   return 0;
}
