/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ledger.c: random allocation calls, and what a report of them must say.
 *
 *    ledger OPERATIONS SEED THREADS locked|free [FORM...]
 *
 * Makes OPERATIONS calls in THREADS threads on slots that all share, so that
 * blocks are resized and given back by other threads than the one that
 * obtained them; leaves what then lives; prints `name=value` lines, named as
 * the report's metrics.  FORMs are calls left out, because the libc or the
 * allocator at hand has none such.
 *
 *   locked  one lock is held over a call and its entry here: events here have
 *           the same order as in the process, and peaks are exact.
 *   free    only the slot is held.  Sums are exact; peaks are not printed.
 *
 * The method.  What the libraries allocate by themselves before main or for a
 * thread (a pool of libstdc++, thread vectors, the FILEs below) is not in this
 * ledger.  The test therefore runs the program twice, with OPERATIONS 0 and
 * with N, and everything but the operations is the same in both: the sums of
 * run N are those of run 0 plus the ledger's.  What lives at the end of run 0
 * lives during all operations of run N, since all threads are there before the
 * first operation and the libraries give nothing back: a peak of run N is that
 * plus the ledger's peak.
 */
#define _GNU_SOURCE
#include "ledger.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>
#include <unistd.h>

#define SLOTS 3000
#define MOST_THREADS 64
#define MOST_FORMS 128
#define STACK_BYTES (256 * 1024) /* small, so that the libc keeps the stacks */

struct slot {
   struct block block;
   bool taken; /* by the thread that works on it */
};

/* Forms that are not left out, each as often as its weight says. */
struct choice {
   const struct form *forms[MOST_FORMS * 16];
   unsigned count;
};

static struct slot slots[SLOTS];
static struct thread threads[MOST_THREADS];
static struct choice for_empty, for_filled;

static uint64_t operations_each;
static bool one_at_a_time;
static uint64_t next_serial = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_there;

/* Only kept when one_at_a_time. */
static uint64_t live_bytes, live_blocks, peak_bytes, peak_blocks, move_peak_bytes;

__thread struct thread *ledger_thread;

/* Without stdio, which would allocate. */
static void say(int descriptor, const char *format, ...)
{
   char text[256];
   va_list arguments;
   va_start(arguments, format);
   int length = vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   if (write(descriptor, text, (size_t)length) != length)
      _exit(3);
}

static void __attribute__((noreturn)) stop(const char *reason)
{
   say(2, "ledger: error: %s\n", reason);
   _exit(2);
}

uint64_t ledger_random(struct thread *thread, uint64_t below)
{
   uint64_t x = thread->random_state;
   x ^= x >> 12;
   x ^= x << 25;
   x ^= x >> 27;
   thread->random_state = x;
   return (x * UINT64_C(0x2545f4914f6cdd1d) >> 11) % below;
}

/* ---- Marks: first and last byte of a block say whose it is. */

static char mark_of(const struct block *block)
{
   return (char)(block->serial * 37 + 11);
}

static void mark(struct block *block)
{
   if (block->size_bytes == 0)
      return;
   block->address[0] = mark_of(block);
   block->address[block->size_bytes - 1] = mark_of(block);
}

void ledger_check_marks(const struct block *block)
{
   if (block->size_bytes == 0)
      return;
   if (block->address[0] != mark_of(block) ||
       block->address[block->size_bytes - 1] != mark_of(block))
      stop("a block was overwritten");
}

/* ---- Outcomes. */

static void live_changed(int64_t bytes, int blocks)
{
   live_bytes += (uint64_t)bytes;
   live_blocks += (uint64_t)(int64_t)blocks;
   if (live_bytes > peak_bytes) {
      peak_bytes = live_bytes;
      peak_blocks = live_blocks;
   }
   if (live_bytes > move_peak_bytes)
      move_peak_bytes = live_bytes;
}

static void count_obtained(struct thread *thread, uint64_t serial, size_t size_bytes)
{
   thread->sums.allocations_count++;
   thread->sums.allocations_bytes += size_bytes;
   thread->sums.allocations_zero_size += size_bytes == 0;
   thread->last_obtained = serial;
   if (thread->one_at_a_time)
      live_changed((int64_t)size_bytes, 1);
}

static void count_given_back(struct thread *thread, uint64_t serial, size_t size_bytes)
{
   thread->sums.deallocations_count++;
   thread->sums.deallocations_bytes += size_bytes;
   thread->sums.allocations_temporary += thread->last_obtained == serial;
   thread->last_obtained = 0;
   if (thread->one_at_a_time)
      live_changed(-(int64_t)size_bytes, -1);
}

static uint64_t new_serial(void)
{
   return __atomic_fetch_add(&next_serial, 1, __ATOMIC_RELAXED);
}

void ledger_obtained(struct thread *thread, struct block *block, enum family family, void *address,
                     size_t size_bytes)
{
   if (address == NULL)
      stop("a call that should succeed has failed");
   block->address = address;
   block->size_bytes = size_bytes;
   block->family = family;
   block->serial = new_serial();
   mark(block);
   count_obtained(thread, block->serial, size_bytes);
}

void ledger_failed(struct thread *thread)
{
   thread->sums.allocations_failed++;
}

void ledger_resized(struct thread *thread, struct block *block, void *address, size_t size_bytes)
{
   struct sums *sums = &thread->sums;
   bool moved = block->address != address;
   sums->reallocations_count++;
   sums->reallocations_bytes += size_bytes;
   sums->reallocations_net_bytes += (int64_t)size_bytes - (int64_t)block->size_bytes;
   sums->reallocations_moved += moved;
   thread->last_obtained = 0;
   if (thread->one_at_a_time) {
      if (moved && live_bytes + size_bytes > move_peak_bytes)
         move_peak_bytes = live_bytes + size_bytes;
      live_changed((int64_t)size_bytes - (int64_t)block->size_bytes, 0);
   }
   block->address = address;
   block->size_bytes = size_bytes;
   mark(block);
}

void ledger_resize_failed(struct thread *thread)
{
   thread->sums.reallocations_failed++;
}

void ledger_given_back(struct thread *thread, struct block *block)
{
   count_given_back(thread, block->serial, block->size_bytes);
   block->address = NULL;
}

void ledger_passed_through(struct thread *thread, size_t size_bytes)
{
   uint64_t serial = new_serial();
   count_obtained(thread, serial, size_bytes);
   count_given_back(thread, serial, size_bytes);
}

/* ---- Slots. */

static bool take(struct slot *slot)
{
   return !__atomic_exchange_n(&slot->taken, true, __ATOMIC_ACQUIRE);
}

void ledger_return_slot(struct block *block)
{
   struct slot *slot = (struct slot *)((char *)block - offsetof(struct slot, block));
   __atomic_store_n(&slot->taken, false, __ATOMIC_RELEASE);
}

struct block *ledger_take_filled(struct thread *thread, enum family family)
{
   size_t start = ledger_random(thread, SLOTS);
   for (size_t i = 0; i < SLOTS; i++) {
      struct slot *slot = &slots[(start + i) % SLOTS];
      if (!take(slot))
         continue;
      if (slot->block.address != NULL && slot->block.family == family)
         return &slot->block;
      ledger_return_slot(&slot->block);
   }
   return NULL;
}

/* ---- Operations. */

static size_t random_size(struct thread *thread)
{
   uint64_t kind = ledger_random(thread, 1000);
   if (kind < 20)
      return 0;
   if (kind < 800)
      return 1 + ledger_random(thread, 256);
   if (kind < 970)
      return 1 + ledger_random(thread, 4096);
   if (kind < 998)
      return 1 + ledger_random(thread, 32768);
   return 1 + ledger_random(thread, 300000);
}

static void operate(struct thread *thread)
{
   struct slot *slot = &slots[ledger_random(thread, SLOTS)];
   if (!take(slot))
      return;
   struct choice *choice = slot->block.address == NULL ? &for_empty : &for_filled;
   const struct form *form = choice->forms[ledger_random(thread, choice->count)];
   form->call(thread, &slot->block, random_size(thread));
   ledger_return_slot(&slot->block);
}

static void *run_thread(void *argument)
{
   struct thread *thread = argument;
   ledger_thread = thread;
   pthread_barrier_wait(&all_there);
   for (uint64_t i = 0; i < operations_each; i++) {
      if (one_at_a_time)
         pthread_mutex_lock(&lock);
      operate(thread);
      if (one_at_a_time)
         pthread_mutex_unlock(&lock);
      /* Else a thread would run all its operations before the next begins. */
      if (i % 64 == 63)
         sched_yield();
   }
   return NULL;
}

static void run_all(unsigned count)
{
   if (count == 1) {
      run_thread(&threads[0]);
      return;
   }
   pthread_t handles[MOST_THREADS];
   pthread_attr_t attributes;
   pthread_attr_init(&attributes);
   pthread_attr_setstacksize(&attributes, STACK_BYTES);
   for (unsigned i = 0; i < count; i++)
      if (pthread_create(&handles[i], &attributes, run_thread, &threads[i]) != 0)
         stop("cannot start a thread");
   for (unsigned i = 0; i < count; i++)
      pthread_join(handles[i], NULL);
}

/* ---- Arguments and results. */

static bool left_out(const char *name, char **names)
{
   for (; *names != NULL; names++)
      if (strcmp(*names, name) == 0)
         return true;
   return false;
}

static void offer(struct choice *choice, const struct form *forms, char **omitted)
{
   for (; forms->name != NULL; forms++)
      for (unsigned i = 0; i < forms->weight && !left_out(forms->name, omitted); i++) {
         if (choice->count == sizeof choice->forms / sizeof choice->forms[0])
            stop("too many forms");
         choice->forms[choice->count++] = forms;
      }
}

static void print(unsigned count)
{
   struct sums all = {0};
   for (unsigned i = 0; i < count; i++) {
      const struct sums *one = &threads[i].sums;
      all.allocations_count += one->allocations_count;
      all.allocations_bytes += one->allocations_bytes;
      all.allocations_zero_size += one->allocations_zero_size;
      all.allocations_failed += one->allocations_failed;
      all.allocations_temporary += one->allocations_temporary;
      all.reallocations_count += one->reallocations_count;
      all.reallocations_bytes += one->reallocations_bytes;
      all.reallocations_net_bytes += one->reallocations_net_bytes;
      all.reallocations_moved += one->reallocations_moved;
      all.reallocations_failed += one->reallocations_failed;
      all.deallocations_count += one->deallocations_count;
      all.deallocations_bytes += one->deallocations_bytes;
   }
   /* What is live now is counted from the slots, not from the sums. */
   uint64_t exit_bytes = 0, exit_blocks = 0;
   for (unsigned i = 0; i < SLOTS; i++)
      if (slots[i].block.address != NULL) {
         exit_bytes += slots[i].block.size_bytes;
         exit_blocks++;
      }
   if (one_at_a_time) {
      say(1, "heap.peak=%" PRIu64 "\n", peak_bytes);
      say(1, "heap.peak-blocks=%" PRIu64 "\n", peak_blocks);
      say(1, "heap.move-peak=%" PRIu64 "\n", move_peak_bytes);
   }
   say(1, "heap.exit=%" PRIu64 "\n", exit_bytes);
   say(1, "heap.exit-blocks=%" PRIu64 "\n", exit_blocks);
   say(1, "allocations.count=%" PRIu64 "\n", all.allocations_count);
   say(1, "allocations.bytes=%" PRIu64 "\n", all.allocations_bytes);
   say(1, "allocations.zero-size=%" PRIu64 "\n", all.allocations_zero_size);
   say(1, "allocations.failed=%" PRIu64 "\n", all.allocations_failed);
   say(1, "allocations.temporary=%" PRIu64 "\n", all.allocations_temporary);
   say(1, "reallocations.count=%" PRIu64 "\n", all.reallocations_count);
   say(1, "reallocations.bytes=%" PRIu64 "\n", all.reallocations_bytes);
   say(1, "reallocations.net-bytes=%" PRId64 "\n", all.reallocations_net_bytes);
   say(1, "reallocations.moved=%" PRIu64 "\n", all.reallocations_moved);
   say(1, "reallocations.failed=%" PRIu64 "\n", all.reallocations_failed);
   say(1, "deallocations.count=%" PRIu64 "\n", all.deallocations_count);
   say(1, "deallocations.bytes=%" PRIu64 "\n", all.deallocations_bytes);
   say(1, "traffic.blocks=%" PRIu64 "\n", all.allocations_count + all.reallocations_count);
   say(1, "traffic.bytes=%" PRIu64 "\n", all.allocations_bytes + all.reallocations_bytes);
}

static uint64_t number(const char *text, uint64_t least, uint64_t most)
{
   char *end;
   errno = 0;
   uint64_t value = strtoull(text, &end, 10);
   if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
      stop("a number is out of range");
   return value;
}

int main(int argc, char **argv)
{
   if (argc < 5)
      stop("usage: ledger OPERATIONS SEED THREADS locked|free [FORM...]");
   uint64_t operations = number(argv[1], 0, UINT64_MAX / 2);
   uint64_t seed = number(argv[2], 1, UINT32_MAX);
   unsigned count = (unsigned)number(argv[3], 1, MOST_THREADS);
   one_at_a_time = strcmp(argv[4], "locked") == 0;
   operations_each = operations / count;

   offer(&for_empty, ledger_forms_empty, argv + 5);
   offer(&for_filled, ledger_forms_filled, argv + 5);
#ifdef LEDGER_CXX
   offer(&for_empty, ledger_forms_cxx_empty, argv + 5);
   offer(&for_filled, ledger_forms_cxx_filled, argv + 5);
   ledger_forms_cxx_start();
#endif
   for (unsigned i = 0; i < count; i++) {
      threads[i].random_state = (seed << 8) + i + 1;
      threads[i].one_at_a_time = one_at_a_time;
      ledger_forms_start(&threads[i]);
   }
   pthread_barrier_init(&all_there, NULL, count);
   run_all(count);
   print(count);
   _exit(0); /* without destructors, which may give something back */
}
