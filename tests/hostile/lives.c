/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lives.c: lives of processes, with an account of each one's heap.
 *
 *    lives forks N             N forked children, some with a child of their own
 *    lives vforks N            N children by vfork
 *    lives thread-forks N      a second thread forks N times while others allocate
 *    lives spawns N            N images by posix_spawn and system; some cannot be
 *    lives chain N [OF]        an image that execs itself N times, after failed execs
 *    lives thread-exec         a second thread execs while others allocate
 *    lives daemon              forks twice, in the manner of daemons
 *    lives end HOW             and ends
 *    lives image FILE          plays, and writes what is expected to FILE
 *
 * What is expected of the first process goes to the file "expected", and of its
 * children's reports to "expected.1" and on, with the numbers that the reports have.
 * Standard output is the program's own.
 */
#define _GNU_SOURCE
#include "account.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

extern char **environ;

static char *self; /* this program's file */

static void close_numbered(const char *of, int number, bool exec)
{
   char file[64];
   snprintf(file, sizeof file, "%s.%d", of, number);
   account_close(file, exec);
}

static void wait_for(pid_t pid, const char *what)
{
   int status;
   check(waitpid(pid, &status, 0) == pid, "waiting");
   print("%s: %s %d\n", what, WIFEXITED(status) ? "status" : "signal",
       WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

/* Instructions that no child may count as its own. */
static void burn(void)
{
   for (volatile int i = 0; i < 5000000; i++)
      ;
}

/* --- fork ----------------------------------------------------------------------------- */

static _Noreturn void forked(int number)
{
   char name[32];
   account_forked();
   account_play(number * 3 % 100);
   if (number % 3 == 0)
      account_end("to the end");
   account_play(number * 7 % 50);
   if (number % 4 == 1) {
      account_begin("the child's own");
      account_play(40);
      if (number % 8 == 1)
         account_end("the child's own");
   }
   if (number % 10 == 5) {
      pid_t pid = fork();
      check(pid >= 0, "no fork");
      if (pid == 0) {
         account_forked();
         account_play(30);
         snprintf(name, sizeof name, "expected.%d", number);
         close_numbered(name, 1, false);
         _exit(1);
      }
      int status;
      check(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 1, "the grandchild");
   }
   close_numbered("expected", number, false);
   _exit(number % 100);
}

static void run_forks(int count)
{
   account_begin("program");
   account_play(400);
   account_begin("to the end");
   account_play(100);
   burn();
   pid_t pids[5];
   for (int number = 1; number <= count; number++) {
      if (number == count / 3 + 1)
         account_begin("for a while");
      if (number == count * 2 / 3 + 1)
         account_end("for a while");
      account_play(20);
      int one = (number - 1) % 5; /* of five at a time */
      pids[one] = fork();
      check(pids[one] >= 0, "no fork");
      if (pids[one] == 0)
         forked(number);
      account_play(20);
      if (one == 4 || number == count)
         for (int i = 0; i <= one; i++)
            wait_for(pids[i], "child");
   }
   account_end("to the end");
   account_close("expected", false);
}

/* What a child has to report that does nothing but end. */
static void expect_of_idle_child(int number)
{
   static struct phase_account kept[PHASES];
   memcpy(kept, account.phase, sizeof kept);
   account_forked();
   close_numbered("expected", number, false);
   memcpy(account.phase, kept, sizeof kept);
}

static void run_vforks(int count)
{
   account_begin("program");
   account_play(300);
   account_begin("over the forks");
   burn();
   static volatile int number; /* the child may change nothing else */
   for (number = 1; number <= count; number++) {
      account_play(20);
      expect_of_idle_child(number);
      pid_t pid = vfork();
      if (pid == 0)
         _exit(number % 100);
      check(pid > 0, "no vfork");
      wait_for(pid, "child");
   }
   account_close("expected", false);
}

/* --- threads ------------------------------------------------------------------------------ */

enum { OTHERS = 3 };
static atomic_bool stopping;
static pthread_barrier_t step;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void play_in_turn(long calls)
{
   pthread_mutex_lock(&turn);
   account_play(calls);
   pthread_mutex_unlock(&turn);
}

/* Enters what it does in the account until the first fork is over. Then it obtains and
   gives back without an end, so that later forks find it anywhere. */
static void *other(void *number)
{
   unsigned long size = (unsigned long)number;
   pthread_barrier_wait(&step);
   play_in_turn(100);
   pthread_barrier_wait(&step); /* a thread forks */
   pthread_barrier_wait(&step);
   play_in_turn(100);
   pthread_barrier_wait(&step);
   pthread_barrier_wait(&step); /* the account is closed */
   while (!atomic_load(&stopping)) {
      void *volatile block = malloc(1 + size++ * 37 % 5000);
      free(block);
   }
   return NULL;
}

/* What the C library holds for threads is no part of the account, but of the whole heap. */
static void account_goes_on_top(void)
{
   struct profmem_numbers numbers;
   if (profmem_read("program", &numbers) == PROFMEM_DONE) {
      account.live = (long long)numbers.heap_exit.value;
      account.blocks = (long long)numbers.heap_exit_blocks.value;
   }
}

static _Noreturn void forked_by_thread(int number)
{
   account_forked();
   if (number == 1)
      account_begin("program");
   else
      account.among_others = true;
   account_begin("alone");
   account_play(200);
   account_end("alone");
   close_numbered("expected", number, false);
   _exit(number % 100);
}

static void fork_in_thread(int number)
{
   pid_t pid = fork();
   check(pid >= 0, "no fork");
   if (pid == 0)
      forked_by_thread(number);
   wait_for(pid, "child");
}

static void *forks(void *count)
{
   account_goes_on_top();
   account_begin("of all threads");
   pthread_barrier_wait(&step);
   play_in_turn(100);
   pthread_barrier_wait(&step);
   fork_in_thread(1);
   pthread_barrier_wait(&step);
   play_in_turn(100);
   pthread_barrier_wait(&step);
   account_end("of all threads");
   pthread_barrier_wait(&step);
   for (int number = 2; number <= *(int *)count; number++)
      fork_in_thread(number);
   return NULL;
}

static void start_others(void *(*last)(void *), void *argument)
{
   pthread_t threads[OTHERS + 1];
   pthread_barrier_init(&step, NULL, OTHERS + 1);
   for (unsigned long i = 0; i < OTHERS; i++)
      check(pthread_create(&threads[i], NULL, other, (void *)i) == 0, "no thread");
   check(pthread_create(&threads[OTHERS], NULL, last, argument) == 0, "no thread");
   check(pthread_join(threads[OTHERS], NULL) == 0, "no join");
   atomic_store(&stopping, true);
   for (int i = 0; i < OTHERS; i++)
      check(pthread_join(threads[i], NULL) == 0, "no join");
}

static void run_thread_forks(int count)
{
   start_others(forks, &count);
   account_close("expected", false);
}

/* --- images ----------------------------------------------------------------------------------- */

static void run_image(const char *file)
{
   account_begin("program");
   account_play(150);
   account_begin("in the image");
   account_play(150);
   account_end("in the image");
   account_close(file, false);
}

/* An image by each way in turn, the number'th child, and one that cannot be. */
static void run_spawns(int count)
{
   account_begin("program");
   account_play(300);
   account_begin("over the images");
   for (int number = 1; number <= count; number++) {
      char file[32], command[4096];
      /* A shell is an image of its own, before the other one. */
      snprintf(file, sizeof file, number % 3 ? "expected.%d.1" : "expected.%d.1.1", number);
      snprintf(command, sizeof command, "exec '%s' image '%s'", self, file);
      account_play(20);
      pid_t pid;
      int status;
      switch (number % 3) {
      case 0:
         print("system: %d\n", system(command));
         break;
      case 1:
         check(posix_spawn(&pid, self, NULL, NULL,
                           (char *[]){self, (char *)"image", file, NULL}, environ) == 0,
               "no image");
         wait_for(pid, "spawned");
         break;
      default: /* the child has nothing to do but to fail */
         expect_of_idle_child(number);
         status = posix_spawn(&pid, "./absent", NULL, NULL,
                              (char *[]){(char *)"./absent", NULL}, environ);
         print("spawn of nothing: %s\n", strerror(status));
         if (status == 0)
            wait_for(pid, "spawned");
      }
   }
   account_close("expected", false);
}

static void fail_to_exec(const char *path)
{
   execl(path, path, (char *)NULL);
   print("exec of %s: %s\n", path, strerror(errno));
}

/* The images' reports are FILE, FILE.1, FILE.1.1 and on. */
static void run_chain(int left, const char *of)
{
   char next[256], number[16];
   account_begin("program");
   account_play(200 + left);
   account_begin("before the exec");
   account_play(100);
   for (int i = 0; i < 3; i++) {
      fail_to_exec("./absent");
      fail_to_exec("./not-executable");
      fail_to_exec("./no-program"); /* looks like one, and the kernel refuses it */
      fail_to_exec("/");
      account_play(10);
   }
   if (left == 0) {
      account_close(of, false);
      return;
   }
   account_close(of, true);
   snprintf(next, sizeof next, "%s.1", of);
   snprintf(number, sizeof number, "%d", left - 1);
   execl(self, self, "chain", number, next, (char *)NULL);
   stop("no exec");
}

static void *execs(void *unused)
{
   account_goes_on_top();
   account_begin("of all threads");
   pthread_barrier_wait(&step);
   play_in_turn(100);
   pthread_barrier_wait(&step);
   pthread_barrier_wait(&step);
   play_in_turn(100);
   pthread_barrier_wait(&step);
   account_end("of all threads");
   pthread_barrier_wait(&step);
   fail_to_exec("./no-program");
   account_close("expected", true);
   execl(self, self, "image", "expected.1", (char *)NULL);
   stop("no exec");
   return unused;
}

/* --- daemons ------------------------------------------------------------------------------------ */

static void run_daemon(void)
{
   account_begin("program");
   account_play(200);
   account_begin("all the while");
   if (fork() > 0) {
      account_close("expected", false);
      _exit(0);
   }
   account_forked();
   account_play(20);
   if (setsid() < 0)
      stop("no session");
   int here = open(".", O_RDONLY | O_DIRECTORY);
   pid_t pid = fork();
   if (pid > 0) {
      close_numbered("expected", 1, false);
      _exit(0);
   }
   account_forked();
   check(fchdir(here) == 0, "no folder");
   /* Everything is written before, since nothing can be after: the rest is no event. */
   account_play(100);
   close_numbered("expected.1", 1, false);
   umask(077);
   check(chdir("/") == 0, "no root");
   struct rlimit limit;
   getrlimit(RLIMIT_NOFILE, &limit);
   for (int fd = 0; fd < (int)limit.rlim_cur; fd++)
      close(fd);
   /* What daemons do with their standard descriptors, and a look at all others. */
   for (int fd = 0; fd < 3; fd++)
      if (open("/dev/null", O_RDWR) != fd)
         _exit(70 + fd);
   _exit(0);
}

/* --- ends ------------------------------------------------------------------------------------------ */

static void at_exit(void)
{
   account_play(50);
   account_close("expected", false);
   print("the exit handler\n");
}

static void at_quick(void)
{
   account_close("expected", false);
   print("the quick exit handler\n");
}

static void by_exit(void)
{
   exit(11);
}

static void by_underscore(void)
{
   account_close("expected", false);
   _exit(12);
}

static void by_quick_exit(void)
{
   quick_exit(13);
}

static void by_abort(void)
{
   account_close("expected", false);
   abort();
}

static void by_signal(void)
{
   account_close("expected", false);
   kill(getpid(), SIGUSR2);
   sigsuspend(&(sigset_t){0});
}

static pthread_t first;

static void *alone_at_last(void *unused)
{
   check(pthread_join(first, NULL) == 0, "the first thread");
   account.among_others = true;
   account_begin("the last thread's");
   account_play(300);
   account_close("expected", false);
   print("the last thread\n");
   return unused;
}

/* The first thread leaves, and the process ends when the other one does. */
static void by_last_thread(void)
{
   pthread_t last;
   first = pthread_self();
   check(pthread_create(&last, NULL, alone_at_last, NULL) == 0, "no thread");
   pthread_exit(NULL);
}

static const struct {
   const char *name;
   void (*end)(void);
} ends[] = {
   {"exit", by_exit},     {"_exit", by_underscore}, {"quick_exit", by_quick_exit},
   {"abort", by_abort},   {"signal", by_signal},    {"last-thread", by_last_thread},
};

/* The C library has blocks for threads: nothing is said of the whole heap. */
static void *ends_in_thread(void *end)
{
   account.among_others = true;
   account_begin("the ending thread's");
   account_play(300);
   ((void (*)(void))end)();
   return NULL;
}

/* HOW is a name of the table, or that after "thread-": from another thread. */
static void run_end(const char *how)
{
   bool in_thread = strncmp(how, "thread-", 7) == 0;
   void (*end)(void) = NULL;
   for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
      if (strcmp(ends[e].name, in_thread ? how + 7 : how) == 0)
         end = ends[e].end;
   check(end != NULL, "no such end");
   check(end != by_exit || atexit(at_exit) == 0, "no handler");
   check(end != by_quick_exit || at_quick_exit(at_quick) == 0, "no handler");
   if (in_thread) {
      pthread_t thread;
      check(pthread_create(&thread, NULL, ends_in_thread, (void *)end) == 0, "no thread");
      for (;;)
         pause();
   }
   if (end != by_last_thread) {
      account_begin("program");
      account_play(300);
   }
   end();
}

int main(int argc, char **argv)
{
   self = argv[0];
   const char *what = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "";
   if (strcmp(what, "forks") == 0)
      run_forks(atoi(argument));
   else if (strcmp(what, "vforks") == 0)
      run_vforks(atoi(argument));
   else if (strcmp(what, "thread-forks") == 0)
      run_thread_forks(atoi(argument));
   else if (strcmp(what, "spawns") == 0)
      run_spawns(atoi(argument));
   else if (strcmp(what, "chain") == 0)
      run_chain(atoi(argument), argc > 3 ? argv[3] : "expected");
   else if (strcmp(what, "thread-exec") == 0)
      start_others(execs, NULL);
   else if (strcmp(what, "daemon") == 0)
      run_daemon();
   else if (strcmp(what, "end") == 0)
      run_end(argument);
   else if (strcmp(what, "image") == 0)
      run_image(argument);
   else
      stop("usage: see lives.c");
   return 0;
}
