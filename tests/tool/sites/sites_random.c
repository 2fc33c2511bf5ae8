/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_random.c: random heap calls at random places, in random phases.
 *
 *    sites_random OPERATIONS SEED THREADS [depth=N]
 *
 * Blocks are obtained, resized and given back at the end of random walks through two
 * functions that call each other, by the thread that obtained them and by others. The heap
 * rises in teeth; blocks are often exchanged for others of the same size, so that the live
 * bytes reach the maximum again with other sites. Each thread begins and ends phases of
 * the same names as it goes.
 */
#include "sites_ledger.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLOTS = 2000, MOST_THREADS = 4, MOST_LEVELS = 3, TOOTH = 300 };

static const char *const phase_names[] = {"often", "seldom", "long"};
enum { PHASES = sizeof phase_names / sizeof *phase_names };
/* One in so many operations begins it, or ends it if it is open. */
static const unsigned one_in[PHASES] = {20, 150, 900};

static struct slot {
   void *block; /* NULL: none is in it */
   size_t bytes;
} slots[SLOTS];

/* What one operation is. */
struct work {
   unsigned kind;
   size_t bytes;
   struct slot *slot;
};

static unsigned long operations; /* of each thread */
static uint64_t seed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_there, all_done;

static unsigned random_below(uint64_t *state, unsigned below)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (unsigned)((*state >> 33) % below);
}

/* ---- Calls. */

SITES_FUNCTION static void obtain(const struct work *work, size_t bytes)
{
   struct slot *slot = work->slot;
   slot->bytes = bytes;
   if (work->kind % 4 == 0)
      slot->block = OBTAIN(malloc(bytes), bytes);
   else if (work->kind % 4 == 1)
      slot->block = OBTAIN(calloc(bytes, 1), bytes);
   else if (work->kind % 4 == 2)
      slot->block = OBTAIN(aligned_alloc(32, bytes), bytes);
   else
      slot->block = OBTAIN(realloc(NULL, bytes), bytes);
}

SITES_FUNCTION static void give_back(struct slot *slot)
{
   GIVE_BACK(free, slot->block);
   slot->block = NULL;
}

SITES_FUNCTION static void act(const struct work *work)
{
   struct slot *slot = work->slot;
   pthread_mutex_lock(&lock);
   if (!slot->block) {
      HERE(obtain(work, work->bytes));
      if (work->kind == 0) /* at once: it is temporary */
         HERE(give_back(slot));
   } else if (work->kind % 3 == 0) {
      slot->bytes = work->bytes ? work->bytes : 32; /* resized to nothing, it is given back */
      slot->block = RESIZE(slot->block, slot->bytes);
   } else {
      HERE(give_back(slot));
      if (work->kind % 3 == 1) /* exchanged */
         HERE(obtain(work, slot->bytes));
   }
   pthread_mutex_unlock(&lock);
}

static void right(unsigned levels, unsigned path, const struct work *work);

SITES_FUNCTION static void left(unsigned levels, unsigned path, const struct work *work)
{
   if (levels == 0)
      HERE(act(work));
   else if (path & 1)
      HERE((path & 2 ? left : right)(levels - 1, path >> 2, work));
   else
      HERE((path & 2 ? left : right)(levels - 1, path >> 2, work));
}

SITES_FUNCTION static void right(unsigned levels, unsigned path, const struct work *work)
{
   if (levels == 0)
      HERE(act(work));
   else if (path & 1)
      HERE((path & 2 ? left : right)(levels - 1, path >> 2, work));
   else
      HERE((path & 2 ? left : right)(levels - 1, path >> 2, work));
}

/* ---- Random ones. */

/* The tide: more slots are in use in the second half of a tooth, and from tooth to
   tooth. */
static unsigned slots_in_use(unsigned long operation)
{
   unsigned tooth = (unsigned)(operation / TOOTH), at = (unsigned)(operation % TOOTH);
   unsigned most = 40 + tooth * 7 % (SLOTS - 40);
   return at < TOOTH / 2 ? most / 2 : most;
}

SITES_FUNCTION static void operate(uint64_t *state, unsigned long operation)
{
   struct work work = {
      .kind = random_below(state, 12),
      .bytes = 32 * (size_t)random_below(state, random_below(state, 20) ? 5 : 300),
      .slot = &slots[random_below(state, slots_in_use(operation))],
   };
   /* Now and then deeper than call chains are taken. */
   unsigned levels = random_below(state, 40) ? random_below(state, MOST_LEVELS + 1) : 14;
   unsigned path = levels > MOST_LEVELS ? 0 : random_below(state, 1 << 2 * MOST_LEVELS);
   HERE((path & 1 ? left : right)(levels, path, &work));
}

static void change_phases(uint64_t *state, bool *is_open)
{
   pthread_mutex_lock(&lock);
   for (unsigned p = 0; p < PHASES; p++)
      if (random_below(state, one_in[p]) == 0) {
         (is_open[p] ? sites_end : sites_begin)(phase_names[p]);
         is_open[p] = !is_open[p];
      }
   pthread_mutex_unlock(&lock);
}

SITES_FUNCTION static void operate_all(unsigned thread)
{
   uint64_t state = seed * MOST_THREADS + thread;
   bool is_open[PHASES] = {false};
   for (unsigned long i = 0; i < operations; i++) {
      change_phases(&state, is_open);
      HERE(operate(&state, i));
   }
}

static void *run_thread(void *number)
{
   pthread_barrier_wait(&all_there);
   HERE(operate_all((unsigned)(uintptr_t)number));
   pthread_barrier_wait(&all_done);
   pause(); /* what a thread's end gives back is not in the account */
   return NULL;
}

int main(int argc, char **argv)
{
   if (argc < 4)
      sites_stop("usage: sites_random OPERATIONS SEED THREADS [depth=N]");
   unsigned threads = (unsigned)strtoul(argv[3], NULL, 10);
   if (threads < 1 || threads > MOST_THREADS)
      sites_stop("too many threads");
   operations = strtoul(argv[1], NULL, 10) / threads;
   seed = strtoul(argv[2], NULL, 10);
   sites_start(argc, argv);
   if (threads == 1) {
      HERE(operate_all(0));
   } else {
      pthread_t handle;
      pthread_barrier_init(&all_there, NULL, threads);
      pthread_barrier_init(&all_done, NULL, threads + 1);
      for (unsigned t = 0; t < threads; t++)
         if (pthread_create(&handle, NULL, run_thread, (void *)(uintptr_t)t) != 0)
            sites_stop("cannot start a thread");
      pthread_barrier_wait(&all_done);
   }
   sites_report();
   _exit(0);
}
