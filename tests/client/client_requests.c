/* SPDX-License-Identifier: GPL-2.0-or-later */
/* client_requests.c: every call of the client, right and wrong, and what it says.
 *
 * Prints a line "CASE: RESULT" for each call, and for the phase `numbers` a line
 * "METRIC=VALUE" for each number that can be read back. client_requests.bats knows
 * what must stand there, under profmem and elsewhere. Compiled twice: with profmem.h
 * alone, and with VIA_LIBRARY for libprofmem-client's calls.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef VIA_LIBRARY
#include "profmem-client.h"
#define begin_n profmem_client_begin
#define end_n profmem_client_end
#define watching profmem_client_watching
static int begin(const char *name)
{
   return profmem_client_begin(name, strlen(name));
}
static int end(const char *name)
{
   return profmem_client_end(name, strlen(name));
}
static int read_n(const char *name, size_t bytes, struct profmem_numbers *numbers)
{
   return profmem_client_read(name, bytes, numbers, sizeof *numbers);
}
#else
#include "profmem.h"
#define begin profmem_begin
#define begin_n profmem_begin_n
#define end profmem_end
#define end_n profmem_end_n
#define read_n profmem_read_n
#define watching profmem_watching
#endif

static const char *const result_names[] = {
   [PROFMEM_NOT_WATCHING] = "not watching",
   [PROFMEM_DONE] = "done",
   [PROFMEM_BEGUN_TWICE] = "begun twice",
   [PROFMEM_NOT_OPEN] = "not open",
   [PROFMEM_AMBIGUOUS] = "ambiguous",
   [PROFMEM_NAME_TOO_LONG] = "name too long",
   [PROFMEM_NAME_NOT_UTF8] = "name not UTF-8",
   [PROFMEM_NAME_UNREADABLE] = "unreadable",
   [PROFMEM_NO_MEMORY] = "no memory",
};

static void say(const char *what, int result)
{
   printf("%s: %s\n", what, result_names[result]);
}

/* The members of struct profmem_numbers and the metrics that they are. */
#define MEMBERS(member) \
   member(heap_entry, "heap.entry") member(heap_entry_blocks, "heap.entry-blocks") \
   member(heap_peak, "heap.peak") member(heap_peak_blocks, "heap.peak-blocks") \
   member(heap_exit, "heap.exit") member(heap_exit_blocks, "heap.exit-blocks") \
   member(heap_growth, "heap.growth") member(heap_scratch_peak, "heap.scratch-peak") \
   member(heap_retained, "heap.retained") member(heap_released, "heap.released") \
   member(heap_resized, "heap.resized") member(allocations_count, "allocations.count") \
   member(allocations_bytes, "allocations.bytes") \
   member(allocations_failed, "allocations.failed") \
   member(allocations_temporary, "allocations.temporary") \
   member(reallocations_count, "reallocations.count") \
   member(reallocations_bytes, "reallocations.bytes") \
   member(deallocations_count, "deallocations.count") \
   member(deallocations_bytes, "deallocations.bytes") \
   member(deallocations_unmatched, "deallocations.unmatched") \
   member(traffic_blocks, "traffic.blocks") member(traffic_bytes, "traffic.bytes") \
   member(mapped_peak, "mapped.peak") member(allocator_mapped_peak, "allocator-mapped.peak") \
   member(instructions_total, "instructions.total") \
   member(instructions_allocator, "instructions.allocator") \
   member(instructions_program, "instructions.program") \
   member(instructions_own_thread, "instructions.own-thread") \
   member(syscalls_count, "syscalls.count")

#define COUNT(member, metric) +1
_Static_assert((MEMBERS(COUNT)) * sizeof(struct profmem_value) == sizeof(struct profmem_numbers),
               "every member is listed");

static void print_numbers(const struct profmem_numbers *numbers)
{
#define PRINT(member, metric) \
   if (numbers->member.available) \
      printf(metric "=%" PRId64 "\n", (int64_t)numbers->member.value); \
   else \
      printf(metric "=unavailable\n");
   MEMBERS(PRINT)
}

/* Allocation functions that the compiler knows nothing about. */
static void *(*volatile obtain)(size_t) = malloc;
static void *(*volatile resize)(void *, size_t) = realloc;
static void (*volatile give_back)(void *) = free;

static void reading(void)
{
   struct profmem_numbers n;
   void *older = obtain(3000);
   void *given_back = obtain(500);

   say("read before begin", read_n("numbers", 7, &n));
   say("begin", begin("numbers"));
   void *inside = obtain(10000);
   say("read open", read_n("numbers", 7, &n));
   printf("open retained=%" PRIu64 "\n", n.heap_retained.value);
   give_back(inside);
   give_back(given_back);
   older = resize(older, 1000);
   say("end", end("numbers"));
   say("read", read_n("numbers", 7, &n));
   print_numbers(&n);
   give_back(older);
   say("read later", read_n("numbers", 7, &n));
   printf("still exit=%" PRIu64 "\n", n.heap_exit.available ? n.heap_exit.value : 0);
}

static void mistakes(void)
{
   struct profmem_numbers n;
   say("end never begun", end("never begun"));
   say("read never begun", read_n("never begun", 11, &n));
   say("read never heard of", read_n("never heard of", 14, &n));
   say("begin", begin("twice"));
   say("begin twice", begin("twice"));
   say("end", end("twice"));
   say("end twice", end("twice"));
   say("begin the process", begin("program"));
   say("end the process", end("program"));
   say("read the process", read_n("program", 7, &n));
}

/* Names at the end of what can be read. */
static void names(void)
{
   struct profmem_numbers n;
   const size_t page = (size_t)sysconf(_SC_PAGESIZE);
   char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   char *hole = pages + page;
   char text[257];

   if (pages == MAP_FAILED || mprotect(hole, page, PROT_NONE) != 0)
      exit(EXIT_FAILURE);
   memset(pages, 'm', page);
   memset(text, 'n', sizeof text);

   say("255 bytes", begin_n(text, 255));
   say("the same in another place", end_n(memset(pages, 'n', 255), 255));
   say("256 bytes", begin_n(text, 256));
   say("end of 256 bytes", end_n(text, 256));
   say("read of 256 bytes", read_n(text, 256, &n));
   say("just readable", begin_n(hole - 3, 3));
   say("end", end_n(hole - 3, 3));
   say("a byte too far", begin_n(hole - 3, 4));
   say("too long, and not there", begin_n(hole - 1, 1UL << 40));
   say("read of that", read_n(hole - 1, 1UL << 40, &n));
   say("nothing there", begin_n(hole, 3));
   say("null", begin_n(NULL, 3));
   say("end of null", end_n(NULL, 3));
   say("read of null", read_n(NULL, 3, &n));
   say("empty", begin_n(NULL, 0));
   say("end of empty", end_n("", 0));
   say("byte ff", begin_n("\xff", 1));
   say("cut off", begin_n("\xc3\xa9", 1));
   say("overlong", begin_n("\xc0\xae", 2));
   say("surrogate", begin_n("\xed\xa0\x80", 3));
   say("beyond Unicode", begin_n("\xf4\x90\x80\x80", 4));
   say("read of byte ff", read_n("\xff", 1, &n));
   say("zero inside", begin_n("a\0b", 3));
   say("hostile", begin_n("<a b=\"&\">\n\x1b[31m\xc3\xa9", 17));
   say("end of hostile", end_n("<a b=\"&\">\n\x1b[31m\xc3\xa9", 17));
#ifndef VIA_LIBRARY
   say("header, no end in sight", begin(hole - 3));
   memset(pages, 'l', page);
   say("header, no end in 255 bytes", begin(hole - 300));
   say("header, null without a length", begin(NULL));
#endif
   munmap(pages, 2 * page);
}

static pthread_barrier_t begun, ended;

static void *hold(void *name)
{
   int result = begin(name);
   pthread_barrier_wait(&begun);
   pthread_barrier_wait(&ended);
   end(name);
   return (void *)(intptr_t)result;
}

/* threads: how many hold the phase that the main thread ends. */
static void threads(const char *name, unsigned count)
{
   pthread_t held[2];
   pthread_barrier_init(&begun, NULL, count + 1);
   pthread_barrier_init(&ended, NULL, count + 1);
   for (unsigned t = 0; t < count; t++)
      pthread_create(&held[t], NULL, hold, (void *)name);
   pthread_barrier_wait(&begun);
   say(name, end(name));
   pthread_barrier_wait(&ended);
   for (unsigned t = 0; t < count; t++)
      pthread_join(held[t], NULL);
   pthread_barrier_destroy(&begun);
   pthread_barrier_destroy(&ended);
}

/* Into a struct of that many bytes. */
static int request_read(void *numbers, size_t bytes)
{
#ifdef VIA_LIBRARY
   return profmem_client_read("numbers", 7, numbers, bytes);
#else
   memset(numbers, 0, bytes);
   return profmem_request_(PROFMEM_REQUEST_READ, (unsigned long)"numbers", 7,
                           (unsigned long)numbers, bytes);
#endif
}

/* The structs of an older and of a newer profmem.h. */
static void sizes(void)
{
   struct {
      struct profmem_value entry, entry_blocks;
      unsigned char after[sizeof(struct profmem_numbers)];
   } older;
   struct {
      struct profmem_numbers known;
      struct profmem_value newer[3];
   } newer;
   struct profmem_numbers n;

   read_n("numbers", 7, &n);

   memset(&older, 0xa5, sizeof older);
   say("older", request_read(&older, 2 * sizeof(struct profmem_value)));
   int same = older.entry.value == n.heap_entry.value &&
              older.entry_blocks.value == n.heap_entry_blocks.value &&
              older.entry_blocks.available == n.heap_entry_blocks.available;
   for (size_t b = 0; b < sizeof older.after; b++)
      same = same && older.after[b] == 0xa5;
   printf("older struct filled, nothing beyond: %s\n", same ? "yes" : "no");

   memset(&older, 0xa5, sizeof older);
   say("half a member", request_read(&older, 24));
   printf("half a member left alone: %s\n",
          older.entry.value == n.heap_entry.value && older.entry_blocks.value == 0 ? "yes" : "no");

   memset(&newer, 0xa5, sizeof newer);
   say("newer", request_read(&newer, sizeof newer));
   same = memcmp(&newer.known, &n, sizeof n) == 0;
   for (unsigned m = 0; m < 3; m++)
      same = same && !newer.newer[m].available;
   printf("newer struct filled, the rest unavailable: %s\n", same ? "yes" : "no");

   say("no bytes", request_read(&newer, 0));
}

/* Where numbers cannot be written; and outside profmem nobody tries. */
static void unwritable(void)
{
#ifdef VIA_LIBRARY
   say("null", profmem_client_read("numbers", 7, NULL, sizeof(struct profmem_numbers)));
#else
   static const struct profmem_numbers read_only;
   const unsigned long bytes = sizeof read_only, name = (unsigned long)"numbers";
   const unsigned long request = PROFMEM_REQUEST_READ, there = (unsigned long)&read_only;
   say("null", profmem_request_(request, name, 7, 0, bytes));
   say("header, read-only", profmem_request_(request, name, 7, there, bytes));
   say("header, around the end", profmem_request_(request, name, 7, there, ~0UL));
#endif
}

int main(void)
{
   /* Its buffer is not part of what the phase `numbers` sees. */
   setvbuf(stdout, NULL, _IONBF, 0);

   printf("watching: %s\n", watching() ? "yes" : "no");
   reading();
   mistakes();
   names();
   threads("held by one other", 1);
   threads("held by two others", 2);
   sizes();
   unwritable();
   return EXIT_SUCCESS;
}
