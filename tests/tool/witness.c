/* SPDX-License-Identifier: GPL-2.0-or-later */
/* witness.c: says what a program can see of the tool that observes it.
 *
 *    witness exit STATUS | signal NUMBER | close STATUS | chdir STATUS
 *
 * Prints its arguments, environment, first free descriptors, limit of
 * descriptors, signal mask and dispositions, working folder; one line to
 * standard error; then ends that way: by exit; by a signal to itself; by exit
 * after it closed every descriptor; by exit after it went to the root folder.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

static void say_descriptors(void)
{
   int first = open("/dev/null", O_RDONLY), second = open("/dev/null", O_RDONLY);
   int high = fcntl(first, F_DUPFD, 20);
   struct rlimit limit;
   getrlimit(RLIMIT_NOFILE, &limit);
   printf("free descriptors %d %d %d, limit %lu\n", first, second, high, (unsigned long)limit.rlim_cur);
   close(first);
   close(second);
   close(high);
}

static void say_signals(void)
{
   sigset_t mask;
   sigprocmask(SIG_BLOCK, NULL, &mask);
   for (int number = 1; number < 32; number++) {
      struct sigaction action;
      if (sigaction(number, NULL, &action) == 0)
         printf("signal %d%s%s\n", number, sigismember(&mask, number) ? " blocked" : "",
                action.sa_handler == SIG_DFL ? "" : " not default");
   }
}

int main(int argc, char **argv)
{
   if (argc != 3)
      return 125;
   for (int i = 1; i < argc; i++)
      printf("argument %s\n", argv[i]);
   for (char **variable = environ; *variable != NULL; variable++)
      printf("environment %s\n", *variable);
   say_descriptors();
   say_signals();
   char folder[4096];
   printf("folder %s\n", getcwd(folder, sizeof folder));
   fprintf(stderr, "the witness's own line\n");
   fflush(NULL);

   char *volatile kept = malloc(1000);
   memset(kept, 1, 1000);
   int number = atoi(argv[2]);
   if (strcmp(argv[1], "signal") == 0) {
      raise(number);
      return 125;
   }
   if (strcmp(argv[1], "close") == 0)
      for (int descriptor = 0; descriptor < 65536; descriptor++)
         close(descriptor);
   if (strcmp(argv[1], "chdir") == 0 && chdir("/") != 0)
      return 125;
   _exit(number);
}
