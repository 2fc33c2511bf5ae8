/* SPDX-License-Identifier: GPL-2.0-or-later */
/* allocators.c: what programs do with the C library's allocator, and to it.
 *
 *    allocators LESSON FILE
 *
 * The lessons are the table's at the end; FILE is where what is expected goes. The
 * program is linked a second time with own_malloc.c, whose functions take the place of
 * the C library's and bear what the lesson "mistakes" does. It must not print by stdio,
 * whose buffers would be none of the account.
 */
#define _GNU_SOURCE
#include "account.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

/* Calls of built-in functions as they are written. */
static void *(*volatile obtain)(size_t) = malloc;
static void (*volatile give_back)(void *) = free;

/* --- anything goes --------------------------------------------------------------------- */

static void by_calloc(int s, size_t bytes)
{
   size_t width = 1 + bytes % 7;
   account_obtained(s, calloc(bytes / width, width), (long long)(bytes / width * width));
}

static void by_aligned(int s, size_t bytes)
{
   void *address = memalign((size_t)32 << draw(&account.random, 8), bytes);
   account_obtained(s, address, (long long)bytes);
}

/* realloc to 0: glibc's gives the block back and returns NULL, others need not. */
static void to_nothing(int s)
{
   void *address = realloc(account.slot[s].address, 0);
   if (address)
      account_resized(s, address, 0);
   else
      account_given_back(s);
}

/* The whole of a block is the caller's, however little was asked for. */
static void use_all(int s)
{
   char *address = account.slot[s].address;
   size_t bytes = malloc_usable_size(address);
   check(bytes >= (size_t)account.slot[s].bytes, "usable size");
   memset(address, 0x5a, bytes);
}

static void play_everything(long calls)
{
   while (calls-- > 0) {
      int s = (int)draw(&account.random, SLOTS);
      size_t bytes = draw(&account.random, 10) ? draw(&account.random, 2000)
                                               : draw(&account.random, 600000);
      bool full = account.slot[s].address != NULL;
      switch (draw(&account.random, 8)) {
      case 0:
         full ? to_nothing(s) : by_calloc(s, bytes);
         break;
      case 1:
         full ? account_realloc(s, bytes + 1) : by_aligned(s, bytes);
         break;
      case 2:
         if (full)
            use_all(s);
         break;
      default:
         full ? account_free(s) : account_malloc(s, bytes);
      }
   }
}

static void lesson_everything(void)
{
   account_begin("program");
   play_everything((long)scaled(20000));
   account_begin("once more");
   play_everything((long)scaled(20000));
   account_end("once more");
}

/* --- tuning ------------------------------------------------------------------------------ */

/* Memory that glibc says it has from the kernel: its heap, and blocks that it maps one by
   one. It has one arena here. */
static long long from_kernel(void)
{
   struct mallinfo2 info = mallinfo2();
   return (long long)(info.arena + info.hblkhd);
}

static void lesson_tuning(void)
{
   static const int thresholds[] = {64 << 10, 1 << 20, 4 << 20, 0};
   mallopt(M_ARENA_MAX, 1);
   account_begin("program");
   long long peak = 0;
   for (size_t t = 0; t < sizeof thresholds / sizeof *thresholds; t++) {
      mallopt(M_MMAP_THRESHOLD, thresholds[t]);
      mallopt(M_TRIM_THRESHOLD, 8192 << t);
      mallopt(M_TOP_PAD, 4096 << t);
      for (unsigned long i = 0; i < scaled(1000); i++) {
         play_everything(1);
         if (from_kernel() > peak)
            peak = from_kernel();
      }
      malloc_trim((size_t)1 << (14 + t));
   }
   for (int s = 0; s < SLOTS; s += 2)
      if (account.slot[s].address)
         account_free(s);
   malloc_trim(0);
   check(peak > from_kernel() + (1 << 18), "nothing was given back");
   note("allocator-mapped.exit", from_kernel());
   note("least-peak", peak);
}

/* --- the break ------------------------------------------------------------------------------ */

static long long pages(uintptr_t address)
{
   uintptr_t page = (uintptr_t)getpagesize();
   return (long long)((address + page - 1) / page * page);
}

/* The program moves the break, too. What it adds is its own, and malloc goes around it. */
static void lesson_break(void)
{
   account_begin("program");
   long long own = 0, peak = 0;
   for (int round = 0; round < 20; round++) {
      play_everything(20);
      uintptr_t before = (uintptr_t)sbrk(0);
      check(sbrk(5000 + 1000 * round) == (void *)before, "no more break");
      memset((void *)before, 1, 5000 + 1000 * (size_t)round);
      own += pages((uintptr_t)sbrk(0)) - pages(before);
      peak = own > peak ? own : peak;
      if (round % 3 == 2) { /* the last of it back, before malloc follows */
         before = (uintptr_t)sbrk(0);
         check(sbrk(-6000) == (void *)before, "no less break");
         own += pages((uintptr_t)sbrk(0)) - pages(before);
      }
   }
   note("own-exit", own);
   note("own-peak", peak);
}

/* --- arenas --------------------------------------------------------------------------------- */

enum { THREADS = 8 };
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;

/* Each thread has an arena, and gives back blocks of the others'. */
static void *in_arena(void *unused)
{
   pthread_barrier_wait(&all);
   if (pthread_mutex_lock(&turn) == 0 && account.phases == 0)
      account_begin("arenas");
   pthread_mutex_unlock(&turn);
   for (unsigned long i = 0; i < scaled(50); i++) {
      pthread_mutex_lock(&turn);
      play_everything(40);
      pthread_mutex_unlock(&turn);
   }
   pthread_barrier_wait(&all);
   if (pthread_mutex_lock(&turn) == 0 && account.phase[0].open) {
      malloc_trim(0);
      account_end("arenas");
   }
   pthread_mutex_unlock(&turn);
   pthread_barrier_wait(&all); /* nobody ends before */
   return unused;
}

static void lesson_arenas(void)
{
   pthread_t threads[THREADS];
   mallopt(M_ARENA_MAX, THREADS);
   account.among_others = true;
   pthread_barrier_init(&all, NULL, THREADS);
   for (int t = 0; t < THREADS; t++)
      check(pthread_create(&threads[t], NULL, in_arena, NULL) == 0, "no thread");
   for (int t = 0; t < THREADS; t++)
      check(pthread_join(threads[t], NULL) == 0, "no join");
}

/* --- mistakes --------------------------------------------------------------------------------- */

static char foreign[64] = "no block";

/* Given back: what never was a block, the inside of one, one twice. */
static void lesson_mistakes(void)
{
   account_begin("program");
   play_everything((long)scaled(500));
   account_begin("mistakes");
   for (int s = 0; s < SLOTS; s++) {
      if (!account.slot[s].address)
         continue;
      char *block = account.slot[s].address;
      switch (s % 4) {
      case 0:
         give_back(foreign + s % 64);
         account_unmatched();
         break;
      case 1:
         give_back(block + 16);
         account_unmatched();
         break;
      case 2:
         account_free(s);
         give_back(block);
         account_unmatched();
         break;
      default:
         give_back(NULL); /* none */
      }
   }
   account_end("mistakes");
   play_everything((long)scaled(500));
}

/* The same with an allocator that does not bear it: the process ends there. */
static void die_of(void *mistake)
{
   account_unmatched();
   account_print(false);
   give_back(mistake);
   stop("it lives");
}

static void lesson_foreign(void)
{
   account_begin("program");
   play_everything(300);
   die_of(foreign + 16);
}

static void lesson_interior(void)
{
   account_begin("program");
   account_malloc(0, 1000);
   die_of(account.slot[0].address + 64);
}

static void lesson_double(void)
{
   account_begin("program");
   account_malloc(0, 1000);
   char *block = account.slot[0].address;
   account_free(0);
   die_of(block);
}

static const struct lesson lessons[] = {
   {"everything", lesson_everything}, {"tuning", lesson_tuning},
   {"break", lesson_break},           {"arenas", lesson_arenas},
   {"mistakes", lesson_mistakes},     {"foreign", lesson_foreign},
   {"interior", lesson_interior},     {"double", lesson_double},
   {0},
};

int main(int argc, char **argv)
{
   int status = teach(argc, argv, lessons);
   account_print(false);
   return status;
}
