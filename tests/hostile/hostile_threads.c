/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_threads.c: many threads that allocate, and give back each other's blocks.
 *
 *    hostile_threads LESSON LEDGER
 *
 * Blocks hang in slots that all threads share: whoever finds a slot empty hangs a new
 * block there, whoever finds one gives it back or resizes it. Each block holds its size,
 * a serial number and who obtained it, so that the thread that ends it can enter it.
 *
 * The libc obtains blocks for threads itself: their vectors of thread-local storage,
 * which it keeps with the stacks of those that are gone, and what it needs to load the
 * library that unwinds cancelled threads. As many threads as a lesson will have at once
 * therefore come and go before the phase begins, by all ways of leaving.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { SLOTS = 4096, MOST_THREADS = 2048, STACK_BYTES = 256 * 1024 };

struct block {
   size_t size_bytes;    /* asked for, this head included */
   unsigned long serial;
   unsigned owner;       /* thread that obtained it */
};

struct thread {
   struct deeds deeds;
   uint64_t chance;
   unsigned number;      /* by creation; main is 1 */
   unsigned long obtained;
   pthread_t handle;
   int leaves_by;        /* row of ways */
   sem_t waits;
};

static struct block *slots[SLOTS];
static struct thread threads[MOST_THREADS + 1];
static unsigned created = 1;
static struct live live; /* only when one_at_a_time */
static bool one_at_a_time;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_there;
static unsigned long operations;
static pthread_attr_t attributes;

static __thread struct thread *self;

/* ---- Calls and their entries. */

static void changed(long long bytes, int blocks)
{
   if (one_at_a_time)
      live_add(&live, bytes, blocks);
}

static struct block *obtain(struct thread *thread, size_t bytes)
{
   struct block *block = malloc(bytes);
   check(block != NULL, "no memory");
   block->size_bytes = bytes;
   block->owner = thread->number;
   block->serial = (unsigned long)thread->number << 40 | ++thread->obtained;
   did_obtain(&thread->deeds, block->serial, bytes);
   changed((long long)bytes, 1);
   return block;
}

static void give_back(struct thread *thread, struct block *block)
{
   did_release(&thread->deeds, block->serial, block->size_bytes,
               block->owner != thread->number);
   changed(-(long long)block->size_bytes, -1);
   free(block);
}

static struct block *resize(struct thread *thread, struct block *block, size_t bytes)
{
   uintptr_t old = (uintptr_t)block;
   size_t old_bytes = block->size_bytes;
   block = realloc(block, bytes);
   check(block != NULL, "no memory");
   block->size_bytes = bytes;
   did_resize(&thread->deeds, old_bytes, bytes, (uintptr_t)block != old);
   changed((long long)bytes - (long long)old_bytes, 0);
   return block;
}

/* ---- Slots. */

/* Hang the block in some empty slot. */
static void hang(struct thread *thread, struct block *block)
{
   for (;;) {
      struct block *empty = NULL;
      if (__atomic_compare_exchange_n(&slots[draw(&thread->chance, SLOTS)], &empty, block, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
         return;
   }
}

static size_t random_size(struct thread *thread)
{
   size_t most = draw(&thread->chance, 20) == 0 ? 20000 : 300;
   return sizeof(struct block) + draw(&thread->chance, most);
}

static void operate(struct thread *thread)
{
   struct block *block = __atomic_exchange_n(&slots[draw(&thread->chance, SLOTS)], NULL,
                                             __ATOMIC_ACQ_REL);
   if (block == NULL)
      hang(thread, obtain(thread, random_size(thread)));
   else if (draw(&thread->chance, 4) == 0)
      hang(thread, resize(thread, block, random_size(thread)));
   else
      give_back(thread, block);
}

static void operate_many(struct thread *thread, unsigned long count)
{
   for (unsigned long o = 0; o < count; o++) {
      if (one_at_a_time)
         pthread_mutex_lock(&lock);
      operate(thread);
      if (one_at_a_time)
         pthread_mutex_unlock(&lock);
      /* Else one would run all of its operations before the next begins. */
      if (o % 64 == 63)
         sched_yield();
   }
}

/* ---- Threads. */

static struct thread *start(void *(*body)(void *), int leaves_by)
{
   check(created < MOST_THREADS, "too many threads");
   struct thread *thread = &threads[++created];
   *thread = (struct thread){.chance = created * 77, .number = created, .leaves_by = leaves_by};
   check(sem_init(&thread->waits, 0, 0) == 0, "sem_init");
   check(pthread_create(&thread->handle, &attributes, body, thread) == 0, "pthread_create");
   return thread;
}

static void end(struct thread *thread)
{
   check(pthread_join(thread->handle, NULL) == 0, "pthread_join");
}

static void report_all(const char *phase, bool with_order)
{
   struct deeds all = {0};
   for (unsigned t = 1; t <= created; t++) {
      const struct deeds *deeds = &threads[t].deeds;
      add_deeds(&all, deeds);
      if (deeds->allocations + deeds->resizes + deeds->releases > 0)
         expect_thread(phase, t, deeds);
   }
   long long retained = 0;
   for (unsigned s = 0; s < SLOTS; s++)
      retained += slots[s] ? (long long)slots[s]->size_bytes : 0;
   expect_sums(phase, &all);
   expect(phase, "allocations.temporary", all.temporary);
   expect(phase, "heap.retained", retained);
   expect(phase, "heap.released", 0);
   expect(phase, "heap.resized", 0);
   if (with_order) {
      expect(phase, "heap.growth", live.peak);
      expect(phase, "heap.scratch-peak", live.peak);
   }
   check(retained == all.allocated_bytes + all.net_bytes - all.released_bytes,
         "the ledger contradicts itself");
}

/* ---- exchange: 64 threads. */

enum { CROWD = 64 };

static void *exchanges(void *argument)
{
   self = argument;
   pthread_barrier_wait(&all_there);
   operate_many(self, operations);
   pthread_barrier_wait(&all_there);
   return NULL;
}

/* The phase begins when all threads are there, and ends before the first leaves. */
static void crowd(void)
{
   pthread_barrier_init(&all_there, NULL, CROWD + 1);
   struct thread *crowd_of[CROWD];
   for (int t = 0; t < CROWD; t++)
      crowd_of[t] = start(exchanges, 0);
   profmem_begin("crowd");
   pthread_barrier_wait(&all_there);
   pthread_barrier_wait(&all_there);
   profmem_end("crowd");
   for (int t = 0; t < CROWD; t++)
      end(crowd_of[t]);
   report_all("crowd", one_at_a_time);
   print("%d threads, %lu operations each\n", CROWD, operations);
}

static void exchange(void)
{
   operations = scaled(100000);
   crowd();
}

/* Peaks are exact only where calls and their entries have one order. */
static void exchange_in_order(void)
{
   operations = scaled(10000);
   one_at_a_time = true;
   crowd();
}

/* ---- leaving: threads come and go while others run. */

enum { RESIDENTS = 16 };

static pthread_key_t key;
static bool leave_now;
static sem_t blocked;
static int pipe_ends[2];

/* Blocks of thread-local storage: given back, and two times another one put there, so
   that the libc calls this three times. */
static void at_exit_of_thread(void *value)
{
   struct block *block = value, *next = NULL;
   if (block->size_bytes > 1000)
      next = obtain(self, block->size_bytes - 500);
   give_back(self, block);
   pthread_setspecific(key, next);
}

static void cleanup(void *block)
{
   operate_many(self, 5);
   give_back(self, block);
}

static void leave_by_return(void)
{
}

static FUNCTION void leave_here(void)
{
   pthread_exit(NULL);
}

static FUNCTION void leave_from_below(int depth)
{
   if (depth == 0) {
      leave_here();
      return;
   }
   struct block *block = obtain(self, 100);
   pthread_cleanup_push(cleanup, block);
   leave_from_below(depth - 1);
   pthread_cleanup_pop(1);
}

static void leave_by_exit(void)
{
   leave_from_below(20);
}

/* Cancelled while it waits in the kernel. */
static void leave_blocked(void)
{
   struct block *block = obtain(self, 200);
   pthread_cleanup_push(cleanup, block);
   sem_post(&blocked);
   char byte;
   check(read(pipe_ends[0], &byte, 1) == 1, "nothing is written there");
   pthread_cleanup_pop(1);
}

/* Cancelled anywhere in a loop: by a signal whose handler does not return. */
static void leave_running(void)
{
   struct block *block = obtain(self, 300);
   pthread_cleanup_push(cleanup, block);
   pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
   sem_post(&blocked);
   for (;;)
      NO_TAIL_CALL;
   pthread_cleanup_pop(1);
}

/* Cancelled at a point where it asks, after calls with the request pending. */
static void leave_when_asked(void)
{
   struct block *block = obtain(self, 400);
   pthread_cleanup_push(cleanup, block);
   pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
   sem_post(&blocked);
   check(sem_wait(&self->waits) == 0, "sem_wait");
   operate_many(self, 20);
   pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
   for (;;)
      pthread_testcancel();
   pthread_cleanup_pop(1);
}

static const struct {
   void (*leave)(void);
   bool cancelled;
} ways[] = {
   {leave_by_return, false},
   {leave_by_exit, false},
   {leave_blocked, true},
   {leave_running, true},
   {leave_when_asked, true},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void *comes_and_goes(void *argument)
{
   self = argument;
   pthread_setspecific(key, obtain(self, 2000));
   operate_many(self, 50);
   ways[self->leaves_by].leave();
   return NULL;
}

static void let_one_come_and_go(int way)
{
   struct thread *thread = start(comes_and_goes, way);
   if (ways[way].cancelled) {
      check(sem_wait(&blocked) == 0, "sem_wait");
      check(pthread_cancel(thread->handle) == 0, "pthread_cancel");
      sem_post(&thread->waits);
   }
   end(thread);
}

static void *stays(void *argument)
{
   self = argument;
   pthread_barrier_wait(&all_there);
   while (!__atomic_load_n(&leave_now, __ATOMIC_ACQUIRE))
      operate_many(self, 64);
   pthread_barrier_wait(&all_there);
   return NULL;
}

static void *does_nothing(void *argument)
{
   (void)argument;
   pthread_barrier_wait(&all_there);
   return NULL;
}

/* As many stacks as there will be at once, and what cancellation needs. */
static void warm_up(void)
{
   struct thread *idle[RESIDENTS + 1];
   pthread_barrier_init(&all_there, NULL, RESIDENTS + 1);
   for (int t = 0; t <= RESIDENTS; t++)
      idle[t] = start(does_nothing, 0);
   for (int t = 0; t <= RESIDENTS; t++)
      end(idle[t]);
   for (int w = 0; w < WAYS; w++)
      let_one_come_and_go(w);
   for (unsigned s = 0; s < SLOTS; s++)
      if (slots[s]) {
         free(slots[s]);
         slots[s] = NULL;
      }
   for (unsigned t = 1; t <= created; t++)
      threads[t].deeds = (struct deeds){0};
}

static void leaving(void)
{
   unsigned long count = scaled(200);
   check(pthread_key_create(&key, at_exit_of_thread) == 0 && sem_init(&blocked, 0, 0) == 0 &&
            pipe(pipe_ends) == 0, "not to be had");
   warm_up();
   pthread_barrier_init(&all_there, NULL, RESIDENTS + 1);
   struct thread *residents[RESIDENTS];
   for (int t = 0; t < RESIDENTS; t++)
      residents[t] = start(stays, 0);
   profmem_begin("leaving");
   pthread_barrier_wait(&all_there);
   for (unsigned long t = 0; t < count; t++)
      let_one_come_and_go((int)(t % WAYS));
   __atomic_store_n(&leave_now, true, __ATOMIC_RELEASE);
   pthread_barrier_wait(&all_there);
   profmem_end("leaving");
   for (int t = 0; t < RESIDENTS; t++)
      end(residents[t]);
   report_all("leaving", false);
   print("%lu threads came and went\n", count);
}

/* ---- main-leaves: the first thread is gone, the others end the process. */

static void *goes_on(void *argument)
{
   self = argument;
   check(pthread_join(threads[1].handle, NULL) == 0, "pthread_join");
   profmem_begin("without main");
   operate_many(self, operations);
   profmem_end("without main");
   report_all("without main", false);
   print("main-leaves: the last one ends\n");
   return NULL;
}

static void main_leaves(void)
{
   operations = scaled(5000);
   threads[1].handle = pthread_self();
   start(goes_on, 0);
   pthread_exit(NULL);
}

/* ---- instructions: each thread's are its own. */

enum { SPINNERS = 40 };

/* Two instructions for each time around. */
static void spin(unsigned long times)
{
#if defined(__x86_64__)
   __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(times) : : "cc");
#elif defined(__aarch64__)
   __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(times) : : "cc");
#else
#error "add this platform's loop of two instructions"
#endif
}

static FUNCTION void spin_for(const struct thread *thread)
{
   spin(1 + (thread->number * 37 % 100) * 1000);
   NO_TAIL_CALL;
}

static void *spins(void *argument)
{
   for (int round = 0; round < 20; round++) {
      spin_for(argument);
      sched_yield();
   }
   return NULL;
}

/* One after the other, all by the same path: what they execute differs by the times
   around, twice 20 times as many instructions. The first one finds some functions not
   bound yet. */
static void instructions(void)
{
   end(start(spins, 0));
   profmem_begin("spinning");
   for (int t = 0; t < SPINNERS; t++)
      end(start(spins, 0));
   profmem_end("spinning");
   for (unsigned t = 3; t <= created; t++)
      expect_line("spins %u %u\n", t, 2 * 20 * (1 + (t * 37 % 100) * 1000));
   expect("spinning", "@instances", 1);
   print("%d threads spun\n", SPINNERS);
}

static const struct lesson lessons[] = {
   {"exchange", exchange},
   {"exchange-in-order", exchange_in_order},
   {"leaving", leaving},
   {"main-leaves", main_leaves},
   {"instructions", instructions},
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   threads[1].number = 1;
   pthread_attr_init(&attributes);
   pthread_attr_setstacksize(&attributes, STACK_BYTES);
   return teach(argc, argv, lessons);
}
