/* SPDX-License-Identifier: GPL-2.0-or-later */
/* random_phases.c: phases begun and ended at random around random allocations, and a
 * ledger of the program's own for each of them.
 *
 *    random_phases OPERATIONS SEED THREADS [LISTED]
 *
 * THREADS threads make OPERATIONS operations in all, one at a time under a lock: they
 * obtain, resize and give back blocks in slots that all share, and begin, end and read
 * back phases, up to eight instances at once. All that comes of it is kept here in the
 * slow, obvious way: after each event every slot is looked at for every open instance.
 * Numbers read back are compared at once; what the report must say is printed at the
 * end, for each phase over its instances, and for the first LISTED (20) instances of
 * each. Some instances are then still open, which is one of the errors that are counted.
 *
 * What the C library obtained for itself before does not change meanwhile; it is taken
 * from the numbers at the begin of the first phase.
 *
 * Static memory only: the ledger must not be part of what it counts.
 */
#define _GNU_SOURCE
#include "profmem.h"
#include "say.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { SLOTS = 40, NAMES = 12, OPEN = 8, THREADS = 8, LISTED = 100 };

/* Every metric that the ledger knows, with how instances make a phase's value. */
enum over { FIRST, LAST, SUM, MOST, AT_PEAK };
#define METRICS(row)                                                                      \
   row(ENTRY, "heap.entry", FIRST) row(ENTRY_BLOCKS, "heap.entry-blocks", FIRST)          \
   row(PEAK, "heap.peak", MOST) row(PEAK_BLOCKS, "heap.peak-blocks", AT_PEAK)             \
   row(EXIT, "heap.exit", LAST) row(EXIT_BLOCKS, "heap.exit-blocks", LAST)                \
   row(GROWTH, "heap.growth", MOST) row(SCRATCH, "heap.scratch-peak", MOST)               \
   row(RETAINED, "heap.retained", SUM) row(RELEASED, "heap.released", SUM)                \
   row(RESIZED, "heap.resized", SUM) row(MOVE_PEAK, "heap.move-peak", MOST)               \
   row(A_COUNT, "allocations.count", SUM) row(A_BYTES, "allocations.bytes", SUM)          \
   row(A_ZERO, "allocations.zero-size", SUM) row(A_FAILED, "allocations.failed", SUM)     \
   row(A_TEMPORARY, "allocations.temporary", SUM)                                         \
   row(R_COUNT, "reallocations.count", SUM) row(R_BYTES, "reallocations.bytes", SUM)      \
   row(R_NET, "reallocations.net-bytes", SUM) row(R_MOVED, "reallocations.moved", SUM)    \
   row(R_FAILED, "reallocations.failed", SUM) row(D_COUNT, "deallocations.count", SUM)    \
   row(D_BYTES, "deallocations.bytes", SUM)                                               \
   row(D_UNMATCHED, "deallocations.unmatched", SUM)                                       \
   row(T_BLOCKS, "traffic.blocks", SUM) row(T_BYTES, "traffic.bytes", SUM)
enum metric {
#define ROW(id, name, over) id,
   METRICS(ROW)
#undef ROW
   METRIC_COUNT
};
static const struct {
   const char *name;
   enum over over;
} metrics[] = {
#define ROW(id, name, over) {name, over},
   METRICS(ROW)
#undef ROW
};

struct slot {
   char *address;       /* NULL: empty */
   int64_t size_bytes;
   uint64_t birth;      /* number of the event that obtained it */
};
static struct slot slots[SLOTS];

/* An instance: what it was at its begin, and what has come of it since. */
struct instance {
   int name, thread;
   int number;             /* among those of its phase, from 0 */
   uint64_t begun;         /* number of the begin, over all phases */
   uint64_t begin_event;   /* events before it */
   struct slot before[SLOTS];
   int64_t value[METRIC_COUNT];
};
static struct instance open_instances[OPEN]; /* in order of their begins */
static int open_count;

static struct {
   char name[8];
   int begun, ended;
   int earliest, highest;    /* numbers of the first begun of those that ended, and of
                                the first with the highest peak */
   bool overlapping, parents_differ, cut_short;
   int parent;               /* name; -1: program */
   int64_t value[METRIC_COUNT], least[METRIC_COUNT], most[METRIC_COUNT];
   int64_t ended_last[METRIC_COUNT];
   int64_t listed[LISTED][METRIC_COUNT];
   int listed_parent[LISTED], listed_thread[LISTED];
   bool listed_ended[LISTED];
   bool asked;               /* some request named it: it stands in the report */
   int twice, without, ambiguous, by_other, left_open;
} phases[NAMES];

static int64_t live_bytes, live_blocks; /* with what the C library has */
static uint64_t events, begins;
static uint64_t random_state;
static struct {
   pthread_t id;
   uint64_t fresh;      /* birth of the block that its last heap event obtained, or 0 */
   int operations;
} threads[THREADS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned pick(unsigned below)
{
   random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (unsigned)((random_state >> 33) % below);
}

/* --- heap events -------------------------------------------------------------- */

/* The size that an older block had at the begin; -1: obtained inside. */
static int64_t size_before(const struct instance *instance, int slot)
{
   return slots[slot].birth > instance->begin_event ? -1 : instance->before[slot].size_bytes;
}

/* All that can be read off the slots now. */
static void look(struct instance *instance)
{
   int64_t scratch = 0, retained = 0;
   for (int s = 0; s < SLOTS; s++) {
      if (slots[s].address == NULL)
         continue;
      int64_t before = size_before(instance, s);
      if (before < 0)
         scratch += slots[s].size_bytes, retained += slots[s].size_bytes;
      else if (slots[s].size_bytes > before)
         scratch += slots[s].size_bytes - before;
   }
   int64_t *value = instance->value;
   if (scratch > value[SCRATCH])
      value[SCRATCH] = scratch;
   value[RETAINED] = retained;
   value[EXIT] = live_bytes;
   value[EXIT_BLOCKS] = live_blocks;
   if (live_bytes > value[PEAK]) {
      value[PEAK] = live_bytes;
      value[PEAK_BLOCKS] = live_blocks;
   }
   if (live_bytes > value[MOVE_PEAK])
      value[MOVE_PEAK] = live_bytes;
   value[GROWTH] = value[PEAK] - value[ENTRY];
   value[T_BLOCKS] = value[A_COUNT] + value[R_COUNT];
   value[T_BYTES] = value[A_BYTES] + value[R_BYTES];
}

static void look_all(void)
{
   for (int i = 0; i < open_count; i++)
      look(&open_instances[i]);
}

static void obtained(int thread, int slot, void *address, int64_t bytes)
{
   check(address != NULL, "no memory");
   slots[slot] = (struct slot){address, bytes, ++events};
   threads[thread].fresh = events;
   live_bytes += bytes;
   live_blocks++;
   for (int i = 0; i < open_count; i++) {
      int64_t *value = open_instances[i].value;
      value[A_COUNT]++;
      value[A_BYTES] += bytes;
      value[A_ZERO] += bytes == 0;
   }
   look_all();
}

static void resized(int thread, int slot, void *address, int64_t bytes)
{
   check(address != NULL, "no memory");
   int64_t more = bytes - slots[slot].size_bytes;
   bool moved = address != slots[slot].address;
   events++;
   threads[thread].fresh = 0;
   for (int i = 0; i < open_count; i++) {
      struct instance *instance = &open_instances[i];
      int64_t *value = instance->value;
      value[R_COUNT]++;
      value[R_BYTES] += bytes;
      value[R_NET] += more;
      value[R_MOVED] += moved;
      if (size_before(instance, slot) >= 0)
         value[RESIZED] += more;
      if (moved && live_bytes + bytes > value[MOVE_PEAK])
         value[MOVE_PEAK] = live_bytes + bytes;
   }
   live_bytes += more;
   slots[slot].address = address;
   slots[slot].size_bytes = bytes;
   look_all();
}

static void given_back(int thread, int slot)
{
   int64_t bytes = slots[slot].size_bytes;
   bool at_once = threads[thread].fresh == slots[slot].birth;
   events++;
   threads[thread].fresh = 0;
   live_bytes -= bytes;
   live_blocks--;
   for (int i = 0; i < open_count; i++) {
      struct instance *instance = &open_instances[i];
      int64_t *value = instance->value;
      value[D_COUNT]++;
      value[D_BYTES] += bytes;
      if (size_before(instance, slot) >= 0)
         value[RELEASED] += bytes;
      else
         value[A_TEMPORARY] += at_once;
   }
   slots[slot].address = NULL;
   look_all();
}

static size_t some_size(void)
{
   unsigned kind = pick(20);
   return kind == 0 ? 0 : kind == 1 ? pick(300000) : kind < 6 ? pick(5000) : pick(300);
}

static void *obtain(size_t bytes)
{
   void *block = NULL;
   switch (pick(4)) {
   case 0:
      return calloc(bytes, 1);
   case 1:
      return posix_memalign(&block, (size_t)16 << pick(5), bytes) == 0 ? block : NULL;
   default:
      return malloc(bytes);
   }
}

static void heap_operation(int thread)
{
   int slot = (int)pick(SLOTS);
   size_t bytes = some_size();
   if (slots[slot].address == NULL) {
      obtained(thread, slot, obtain(bytes), (int64_t)bytes);
      if (pick(4) == 0) {
         free(slots[slot].address);
         given_back(thread, slot);
      }
   } else if (pick(2)) {
      void *address = realloc(slots[slot].address, bytes);
      if (bytes == 0 && address == NULL)
         given_back(thread, slot);
      else
         resized(thread, slot, address, (int64_t)bytes);
   } else {
      free(slots[slot].address);
      given_back(thread, slot);
   }
   if (pick(64) == 0) {
      /* More than there can be; hidden from a compiler that would warn. */
      volatile size_t much = SIZE_MAX / 2;
      check(malloc(much) == NULL, "endless memory");
      for (int i = 0; i < open_count; i++)
         open_instances[i].value[A_FAILED]++;
   }
}

/* --- phases ---------------------------------------------------------------------- */

/* Place among the open instances: thread's own one of the name (-1: any thread's),
   the one begun last; -1: none. */
static int open_place(int name, int thread)
{
   for (int i = open_count; i-- > 0;)
      if (open_instances[i].name == name && (thread < 0 || open_instances[i].thread == thread))
         return i;
   return -1;
}

static int open_of(int name)
{
   int count = 0;
   for (int i = 0; i < open_count; i++)
      count += open_instances[i].name == name;
   return count;
}

static void begin(int thread, int name)
{
   phases[name].asked = true;
   if (open_place(name, thread) >= 0) {
      check(profmem_begin(phases[name].name) == PROFMEM_BEGUN_TWICE, "begun twice");
      phases[name].twice++;
      return;
   }
   if (open_count == OPEN)
      return;
   check(profmem_begin(phases[name].name) == PROFMEM_DONE, "not begun");
   phases[name].overlapping |= open_of(name) > 0;
   struct instance *instance = &open_instances[open_count++];
   memset(instance, 0, sizeof *instance);
   instance->name = name;
   instance->thread = thread;
   instance->number = phases[name].begun++;
   instance->begun = ++begins;
   instance->begin_event = events;
   memcpy(instance->before, slots, sizeof slots);
   instance->value[ENTRY] = live_bytes;
   instance->value[ENTRY_BLOCKS] = instance->value[PEAK_BLOCKS] = live_blocks;
   instance->value[PEAK] = live_bytes;
   look(instance);
}

static void close_instance(int place, bool complete)
{
   struct instance *ended = &open_instances[place];
   int name = ended->name;
   int number = ended->number;
   /* Those before it in the order of begins are still open, or would not be there. */
   int parent = place > 0 ? open_instances[place - 1].name : -1;
   if (phases[name].ended > 0 && parent != phases[name].parent)
      phases[name].parents_differ = true;
   phases[name].parent = parent;
   phases[name].cut_short |= !complete;

   bool first = phases[name].ended++ == 0;
   bool earliest = first || number < phases[name].earliest;
   bool highest = first || ended->value[PEAK] > phases[name].most[PEAK] ||
                  (ended->value[PEAK] == phases[name].most[PEAK] && number < phases[name].highest);
   if (earliest)
      phases[name].earliest = number;
   if (highest)
      phases[name].highest = number;
   for (int m = 0; m < METRIC_COUNT; m++) {
      int64_t value = ended->value[m];
      if (first || value < phases[name].least[m])
         phases[name].least[m] = value;
      if (first || value > phases[name].most[m])
         phases[name].most[m] = value;
      int64_t *over = &phases[name].value[m];
      switch (metrics[m].over) {
      case FIRST:   *over = earliest ? value : *over; break;
      case LAST:    *over = value; break;
      case SUM:     *over = first ? value : *over + value; break;
      case MOST:    *over = phases[name].most[m]; break;
      case AT_PEAK: *over = highest ? value : *over; break;
      }
      phases[name].ended_last[m] = value;
      if (number < LISTED)
         phases[name].listed[number][m] = value;
   }
   if (number < LISTED) {
      phases[name].listed_parent[number] = parent;
      phases[name].listed_thread[number] = ended->thread;
      phases[name].listed_ended[number] = true;
   }
   memmove(ended, ended + 1, (size_t)(open_count - place - 1) * sizeof *ended);
   open_count--;
}

static void end(int thread, int name)
{
   phases[name].asked = true;
   int result = profmem_end(phases[name].name);
   int place = open_place(name, thread);
   if (place < 0) {
      int count = open_of(name);
      if (count == 0) {
         phases[name].without++;
         check(result == PROFMEM_NOT_OPEN, "ended without a begin");
         return;
      }
      if (count > 1) {
         phases[name].ambiguous++;
         check(result == PROFMEM_AMBIGUOUS, "ended, whichever it was");
         return;
      }
      phases[name].by_other++;
      place = open_place(name, -1);
   }
   check(result == PROFMEM_DONE, "not ended");
   close_instance(place, true);
}

static void same(const struct profmem_value *read, int64_t value)
{
   check(read->available && (int64_t)read->value == value, "a number read back");
}

static void read_back(int thread, int name)
{
   struct profmem_numbers n;
   int result = profmem_read(phases[name].name, &n);
   int place = open_place(name, thread);
   if (place < 0)
      place = open_place(name, -1);
   if (place < 0 && phases[name].ended == 0) {
      check(result == PROFMEM_NOT_OPEN, "read before there was one");
      return;
   }
   check(result == PROFMEM_DONE, "not read");
   const int64_t *v = place >= 0 ? open_instances[place].value : phases[name].ended_last;
   same(&n.heap_entry, v[ENTRY]);
   same(&n.heap_entry_blocks, v[ENTRY_BLOCKS]);
   same(&n.heap_peak, v[PEAK]);
   same(&n.heap_peak_blocks, v[PEAK_BLOCKS]);
   same(&n.heap_exit, v[EXIT]);
   same(&n.heap_exit_blocks, v[EXIT_BLOCKS]);
   same(&n.heap_growth, v[GROWTH]);
   same(&n.heap_scratch_peak, v[SCRATCH]);
   same(&n.heap_retained, v[RETAINED]);
   same(&n.heap_released, v[RELEASED]);
   same(&n.heap_resized, v[RESIZED]);
   same(&n.allocations_count, v[A_COUNT]);
   same(&n.allocations_bytes, v[A_BYTES]);
   same(&n.allocations_failed, v[A_FAILED]);
   same(&n.allocations_temporary, v[A_TEMPORARY]);
   same(&n.reallocations_count, v[R_COUNT]);
   same(&n.reallocations_bytes, v[R_BYTES]);
   same(&n.deallocations_count, v[D_COUNT]);
   same(&n.deallocations_bytes, v[D_BYTES]);
   same(&n.deallocations_unmatched, v[D_UNMATCHED]);
   same(&n.traffic_blocks, v[T_BLOCKS]);
   same(&n.traffic_bytes, v[T_BYTES]);
   check(n.instructions_own_thread.value <= n.instructions_total.value, "own-thread is a part");
}

static void phase_operation(int thread)
{
   int name = (int)pick(NAMES);
   switch (pick(8)) {
   case 0:
   case 1:
   case 2:
      begin(thread, name);
      break;
   case 3:
      read_back(thread, name);
      break;
   case 4:
      end(thread, name); /* mostly an error */
      break;
   default:
      if (open_count > 0)
         name = open_instances[pick((unsigned)open_count)].name;
      end(thread, name);
      read_back(thread, name);
      break;
   }
}

/* --- run and print ------------------------------------------------------------------ */

static pthread_barrier_t all_done;

static void work(int thread)
{
   for (int i = 0; i < threads[thread].operations; i++) {
      pthread_mutex_lock(&lock);
      if (pick(6) == 0)
         phase_operation(thread);
      else
         heap_operation(thread);
      pthread_mutex_unlock(&lock);
   }
   pthread_barrier_wait(&all_done);
}

/* Stays until the process ends: an end would give back what the C library has
   obtained for the thread. */
static void *run(void *argument)
{
   work((int)(intptr_t)argument);
   while (pause() != 0)
      continue;
   return argument;
}

static const char *name_of(int name)
{
   return name < 0 ? "program" : phases[name].name;
}

static void print_listed(int name, int listed)
{
   const char *text = phases[name].name;
   int count = 0;
   for (int i = 0; i < listed && i < phases[name].begun; i++) {
      if (!phases[name].listed_ended[i])
         continue;
      count++;
      if (phases[name].ended < 2)
         continue;
      char what[64];
      for (int m = 0; m < METRIC_COUNT; m++) {
         snprintf(what, sizeof what, "%s#%d", metrics[m].name, i + 1);
         expect(text, what, phases[name].listed[i][m]);
      }
      snprintf(what, sizeof what, "@parent#%d", i + 1);
      expect_text(text, what, name_of(phases[name].listed_parent[i]));
      snprintf(what, sizeof what, "@thread#%d", i + 1);
      expect(text, what, phases[name].listed_thread[i] + 1);
   }
   expect(text, "instances-listed", phases[name].ended < 2 ? 0 : count);
}

static void print(int listed)
{
   for (int name = 0; name < NAMES; name++) {
      if (!phases[name].asked)
         continue;
      const char *text = phases[name].name;
      expect(text, "@instances", phases[name].ended);
      expect_text(text, "@complete", phases[name].cut_short ? "no" : "yes");
      expect_text(text, "@overlapping", phases[name].overlapping ? "yes" : "absent");
      expect(text, "!phase-begun-twice", phases[name].twice);
      expect(text, "!phase-ended-without-begin", phases[name].without);
      expect(text, "!phase-ended-ambiguously", phases[name].ambiguous);
      expect(text, "!phase-ended-by-other-thread", phases[name].by_other);
      expect(text, "!phase-open-at-end", phases[name].left_open);
      if (phases[name].ended == 0) {
         expect_text(text, "heap.peak", "unavailable");
         continue;
      }
      expect_text(text, "@parent", name_of(phases[name].parents_differ ? -1 : phases[name].parent));
      for (int m = 0; m < METRIC_COUNT; m++) {
         expect(text, metrics[m].name, phases[name].value[m]);
         if (phases[name].ended < 2)
            continue;
         char what[64];
         snprintf(what, sizeof what, "%s:min", metrics[m].name);
         expect(text, what, phases[name].least[m]);
         snprintf(what, sizeof what, "%s:max", metrics[m].name);
         expect(text, what, phases[name].most[m]);
      }
      print_listed(name, listed);
   }
}

int main(int argc, char **argv)
{
   if (argc < 4)
      stop("usage: random_phases OPERATIONS SEED THREADS [LISTED]");
   int operations = atoi(argv[1]), count = atoi(argv[3]);
   random_state = strtoull(argv[2], NULL, 10);
   int listed = argc > 4 ? atoi(argv[4]) : 20;
   check(count >= 1 && count <= THREADS && listed <= LISTED, "out of range");
   for (int name = 0; name < NAMES; name++)
      snprintf(phases[name].name, sizeof phases[name].name, "p%d", name);

   /* All threads are there before the first phase, with what the C library obtains
      for them. */
   check(pthread_barrier_init(&all_done, NULL, (unsigned)count) == 0, "no barrier");
   pthread_mutex_lock(&lock);
   for (int t = 0; t < count; t++) {
      threads[t].operations = operations / count;
      if (t > 0)
         check(pthread_create(&threads[t].id, NULL, run, (void *)(intptr_t)t) == 0, "no thread");
   }
   struct profmem_numbers base;
   check(profmem_read("program", &base) == PROFMEM_DONE, "not under profmem");
   live_bytes = (int64_t)base.heap_exit.value;
   live_blocks = (int64_t)base.heap_exit_blocks.value;
   pthread_mutex_unlock(&lock);
   work(0);

   while (open_count > 0) {
      phases[open_instances[open_count - 1].name].left_open++;
      close_instance(open_count - 1, false);
   }
   print(listed);
   _exit(0);
}
