/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.c: small lives of processes for processes.bats.
 *
 *    processes fork            a child that allocates 7 bytes, after 100 of its own
 *    processes exec FILE       execs FILE; if that fails: the reason, status 3
 *    processes fexecve FILE    allocates 4,242 bytes, then execs FILE by descriptor
 *    processes reload A B      loads A as ./plug.so, calls go(10), unloads it, writes B
 *                              into the same file, and does it again
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *volatile kept;

static int run_fork(void)
{
   kept = malloc(100);
   pid_t child = fork();
   if (child == 0) {
      kept = malloc(7);
      _exit(0);
   }
   return waitpid(child, NULL, 0) == child ? 0 : 1;
}

static int run_exec(const char *file)
{
   execl(file, file, "x", (char *)NULL);
   perror("exec");
   return 3;
}

static int run_fexecve(const char *file)
{
   char *args[] = {(char *)file, "x", NULL};
   kept = malloc(4242);
   free(kept);
   fexecve(open(file, O_RDONLY), args, environ);
   return 1;
}

static void copy_into(const char *from, const char *to)
{
   static char bytes[1 << 20];
   int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0777);
   ssize_t count = read(in, bytes, sizeof bytes);
   if (count <= 0 || write(out, bytes, (size_t)count) != count)
      exit(2);
   close(in);
   close(out);
}

static int run_reload(const char *first, const char *second)
{
   const char *files[] = {first, second};
   for (int f = 0; f < 2; f++) {
      copy_into(files[f], "plug.so");
      void *plug = dlopen("./plug.so", RTLD_NOW);
      void *(*go)(long) = plug ? (void *(*)(long))dlsym(plug, "go") : NULL;
      if (!go)
         return 2;
      go(10);
      dlclose(plug);
   }
   return 0;
}

int main(int argc, char **argv)
{
   const char *what = argc > 1 ? argv[1] : "";
   if (strcmp(what, "fork") == 0)
      return run_fork();
   if (strcmp(what, "exec") == 0 && argc == 3)
      return run_exec(argv[2]);
   if (strcmp(what, "fexecve") == 0 && argc == 3)
      return run_fexecve(argv[2]);
   if (strcmp(what, "reload") == 0 && argc == 4)
      return run_reload(argv[2], argv[3]);
   fprintf(stderr, "processes: error: usage: see processes.c\n");
   return 64;
}
