/* SPDX-License-Identifier: GPL-2.0-or-later */
/* processes.c: phases over fork and exec, and what each report must say.
 *
 *    processes fork EXPECTED-OF-CHILD     prints what is expected of the parent's
 *    processes threads-fork EXPECTED-OF-CHILD
 *    processes exec                       becomes another image with a phase open
 *    processes image                      is that image
 */
#define _GNU_SOURCE
#include "profmem.h"
#include "say.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>

#define FUNCTION __attribute__((noipa))
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

static void *obtain(size_t bytes)
{
   void *block = malloc(bytes);
   check(block != NULL, "no memory");
   return block;
}

FUNCTION void use(size_t bytes)
{
   free(obtain(bytes));
   NO_TAIL_CALL;
}

/* From now on what is expected goes to the file. */
static void expect_in(const char *file)
{
   int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
   check(fd >= 0 && dup2(fd, 1) == 1, "no file");
}

/* --- fork ------------------------------------------------------------------------- */

static void *kept;
static long long entry_before_fork;

/* A function that is a phase, and both processes return from it. */
FUNCTION pid_t forks(void)
{
   use(20);
   kept = obtain(300);
   struct profmem_numbers numbers;
   check(profmem_read("by request", &numbers) == PROFMEM_DONE, "read");
   entry_before_fork = (long long)numbers.heap_entry.value;
   pid_t child = fork();
   check(child >= 0, "no fork");
   use(child == 0 ? 4000 : 5000);
   return child;
}

static void in_child(void)
{
   /* 300 bytes more than the parent had at its begin of the phase, all older now. */
   struct profmem_numbers numbers;
   check(profmem_read("by request", &numbers) == PROFMEM_DONE, "read");
   check((long long)numbers.heap_entry.value == entry_before_fork + 300 &&
            numbers.heap_retained.value == 0 && numbers.allocations_bytes.value == 4000,
         "begun at the fork");
   check(profmem_read("ended before", &numbers) == PROFMEM_NOT_OPEN, "the parent's own");
   free(kept);
   check(profmem_end("by request") == PROFMEM_DONE, "ended");
   check(profmem_begin("of the child") == PROFMEM_DONE, "begun");
   use(7);
   check(profmem_end("of the child") == PROFMEM_DONE, "ended");

   expect("by request", "@instances", 1);
   expect_text("by request", "@complete", "yes");
   expect_text("by request", "@parent", "program");
   expect("by request", "heap.entry", entry_before_fork + 300);
   expect("by request", "allocations.bytes", 4000);
   expect("by request", "heap.released", 300);
   expect("by request", "heap.scratch-peak", 4000);
   expect("forks", "@instances", 1);
   expect_text("forks", "@complete", "yes");
   expect_text("forks", "@parent", "never ended");
   expect("forks", "allocations.bytes", 4000);
   expect("never ended", "@instances", 1);
   expect_text("never ended", "@complete", "no");
   expect("never ended", "!phase-open-at-end", 1);
   expect("never ended", "!phase-begun-twice", 0); /* the parent's */
   expect("ended before", "@instances", 0);
   expect_text("ended before", "heap.peak", "unavailable");
   expect("of the child", "@instances", 1);
   expect("of the child", "allocations.bytes", 7);
   _exit(0);
}

static void fork_lesson(const char *of_child)
{
   check(profmem_begin("ended before") == PROFMEM_DONE, "begun");
   check(profmem_end("ended before") == PROFMEM_DONE, "ended");
   check(profmem_begin("by request") == PROFMEM_DONE, "begun");
   check(profmem_begin("never ended") == PROFMEM_DONE, "begun");
   check(profmem_begin("never ended") == PROFMEM_BEGUN_TWICE, "twice");
   if (forks() == 0) {
      expect_in(of_child);
      in_child();
   }
   int status;
   check(wait(&status) > 0 && status == 0, "the child");
   free(kept);
   check(profmem_end("by request") == PROFMEM_DONE, "ended");
   expect("by request", "@instances", 1);
   expect("by request", "heap.entry", entry_before_fork);
   expect("by request", "allocations.bytes", 20 + 300 + 5000);
   expect("by request", "heap.released", 0);
   expect("forks", "@instances", 1);
   expect_text("forks", "@complete", "yes");
   expect_text("forks", "@parent", "never ended");
   expect("forks", "allocations.bytes", 20 + 300 + 5000);
   expect("never ended", "@instances", 1);
   expect("never ended", "!phase-open-at-end", 1);
   expect("never ended", "!phase-begun-twice", 1);
   expect("ended before", "@instances", 1);
   _exit(0);
}

/* --- a fork of one of several threads ---------------------------------------------------- */

static pthread_barrier_t steps;

FUNCTION void waits(void)
{
   check(profmem_begin("of the thread") == PROFMEM_DONE, "begun");
   pthread_barrier_wait(&steps); /* main forks */
   pthread_barrier_wait(&steps);
   check(profmem_end("of the thread") == PROFMEM_DONE, "ended");
}

static void *thread(void *unused)
{
   waits();
   return unused;
}

static void threads_fork_lesson(const char *of_child)
{
   pthread_t id;
   pthread_barrier_init(&steps, NULL, 2);
   check(pthread_create(&id, NULL, thread, NULL) == 0, "no thread");
   pthread_barrier_wait(&steps);
   pid_t child = fork();
   check(child >= 0, "no fork");
   if (child == 0) {
      /* The thread is not here; its phase by request is, and can be ended. */
      expect_in(of_child);
      use(60);
      check(profmem_end("of the thread") == PROFMEM_DONE, "ended");
      check(profmem_begin("of the thread") == PROFMEM_DONE, "begun");
      use(1);
      check(profmem_end("of the thread") == PROFMEM_DONE, "ended");
      expect("of the thread", "@instances", 2);
      expect("of the thread", "allocations.bytes", 61);
      expect("of the thread", "!phase-ended-by-other-thread", 1);
      expect("waits", "@instances", 0);
      expect_text("waits", "heap.peak", "unavailable");
      expect("waits", "!phase-never-entered", 1);
      _exit(0);
   }
   int status;
   check(wait(&status) > 0 && status == 0, "the child");
   pthread_barrier_wait(&steps);
   check(pthread_join(id, NULL) == 0, "no join");
   expect("of the thread", "@instances", 1);
   expect("of the thread", "allocations.bytes", 0);
   expect("waits", "@instances", 1);
   expect_text("waits", "@complete", "yes");
}

/* --- exec --------------------------------------------------------------------------------- */

FUNCTION void becomes(char *program)
{
   use(11);
   check(profmem_begin("before the exec") == PROFMEM_DONE, "begun");
   kept = obtain(22);
   expect("becomes", "@instances", 1);
   expect_text("becomes", "@complete", "no");
   expect("becomes", "allocations.bytes", 33);
   expect("before the exec", "@instances", 1);
   expect_text("before the exec", "@complete", "no");
   expect_text("before the exec", "@parent", "becomes");
   expect("before the exec", "heap.retained", 22);
   /* The first one fails, and changes nothing. */
   char *const absent[] = {(char *)"./absent", NULL};
   execv(absent[0], absent);
   char *const words[] = {program, (char *)"image", NULL};
   execv(program, words);
   stop("no exec");
}

static void image(void)
{
   struct profmem_numbers numbers;
   check(profmem_read("before the exec", &numbers) == PROFMEM_NOT_OPEN, "the old image's");
   check(profmem_begin("in the image") == PROFMEM_DONE, "begun");
   use(33);
   check(profmem_end("in the image") == PROFMEM_DONE, "ended");
}

int main(int argc, char **argv)
{
   if (argc == 3 && strcmp(argv[1], "fork") == 0)
      fork_lesson(argv[2]);
   else if (argc == 3 && strcmp(argv[1], "threads-fork") == 0)
      threads_fork_lesson(argv[2]);
   else if (argc == 2 && strcmp(argv[1], "exec") == 0)
      becomes(argv[0]);
   else if (argc == 2 && strcmp(argv[1], "image") == 0)
      image();
   else
      stop("usage: processes LESSON [FILE]");
   return 0;
}
