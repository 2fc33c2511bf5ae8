/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile.h: what the programs of this folder share: their own ledger of a phase.
 *
 * A program does something awkward inside a phase, enters every call that it makes in
 * an account, and at the end writes what a report must say of the phase to the file
 * that its last argument names, in the form of tests/phases/expect.py. What it prints
 * is the same in every run: it is compared with what it prints under another tool.
 *
 * Sizes and order of events are known here from the program's own arguments and from
 * when its calls began and returned, never from the tool. Nothing here allocates, and
 * nothing but expect() calls the libc, so that handlers can use it.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keeps the function as it is written: a call of it is a call. */
#define FUNCTION __attribute__((noipa))
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

/* ---- The end of a program that has found something wrong itself. */

static inline __attribute__((noreturn)) void stop(const char *what)
{
   static const char start[] = "stopped: ";
   if (write(2, start, sizeof start - 1) < 0 || write(2, what, strlen(what)) < 0 ||
       write(2, "\n", 1) < 0)
      _exit(97);
   _exit(98);
}

static inline void check(bool holds, const char *what)
{
   if (!holds)
      stop(what);
}

/* ---- Sizes: PM_SIZE_PERCENT in the environment makes all of them smaller. */

static FUNCTION __attribute__((unused)) unsigned long scaled(unsigned long full)
{
   const char *percent = getenv("PM_SIZE_PERCENT");
   unsigned long size = full * (percent ? strtoul(percent, NULL, 10) : 100) / 100;
   return size > 0 ? size : 1;
}

/* ---- Lines for the report: a phase, what of it, the value. */

static int ledger_file = -1;

static inline void open_ledger(const char *path)
{
   ledger_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
   check(ledger_file >= 0, "cannot write the ledger");
}

static inline __attribute__((format(printf, 1, 2))) void expect_line(const char *format, ...)
{
   char text[256];
   va_list arguments;
   va_start(arguments, format);
   int bytes = vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   check(bytes > 0 && bytes < (int)sizeof text && write(ledger_file, text, (size_t)bytes) == bytes,
         "cannot write the ledger");
}

static inline void expect(const char *phase, const char *what, long long value)
{
   expect_line("%s\t%s\t%lld\n", phase, what, value);
}

static inline void expect_text(const char *phase, const char *what, const char *value)
{
   expect_line("%s\t%s\t%s\n", phase, what, value);
}

/* A number for people, or for the test itself: not of the report. */
static inline void note(const char *name, long long value)
{
   expect_line("%s=%lld\n", name, value);
}

static inline __attribute__((format(printf, 1, 2))) void print(const char *format, ...)
{
   char text[256];
   va_list arguments;
   va_start(arguments, format);
   int bytes = vsnprintf(text, sizeof text, format, arguments);
   va_end(arguments);
   check(bytes > 0 && bytes < (int)sizeof text && write(1, text, (size_t)bytes) == bytes,
         "cannot print");
}

/* ---- The account. */

/* What one thread, or a handler, has done in the phase. */
struct deeds {
   long long allocations, allocated_bytes, zero_size, failed, temporary;
   long long resizes, resized_bytes, net_bytes, moved, resizes_failed;
   long long releases, released_bytes;
   long long foreign; /* of the releases: of what another thread had obtained */
   unsigned long last_obtained; /* serial of what the last event obtained; 0: it did not */
};

/* What lives, where the order of events is known. */
struct live {
   long long bytes, blocks;      /* now */
   long long peak, peak_blocks;  /* since the phase began */
   long long entry, entry_blocks;
};

static inline void live_add(struct live *live, long long bytes, int blocks)
{
   live->bytes += bytes;
   live->blocks += blocks;
   if (live->bytes > live->peak) {
      live->peak = live->bytes;
      live->peak_blocks = live->blocks;
   }
}

/* The phase begins now. */
static inline void live_enter(struct live *live)
{
   live->entry = live->peak = live->bytes;
   live->entry_blocks = live->peak_blocks = live->blocks;
}

static inline void did_obtain(struct deeds *deeds, unsigned long serial, size_t bytes)
{
   deeds->allocations++;
   deeds->allocated_bytes += (long long)bytes;
   deeds->zero_size += bytes == 0;
   deeds->last_obtained = serial;
}

static inline void did_resize(struct deeds *deeds, size_t old_bytes, size_t bytes, bool moved)
{
   deeds->resizes++;
   deeds->resized_bytes += (long long)bytes;
   deeds->net_bytes += (long long)bytes - (long long)old_bytes;
   deeds->moved += moved;
   deeds->last_obtained = 0;
}

static inline void did_release(struct deeds *deeds, unsigned long serial, size_t bytes,
                               bool foreign)
{
   deeds->releases++;
   deeds->released_bytes += (long long)bytes;
   deeds->foreign += foreign;
   deeds->temporary += deeds->last_obtained == serial;
   deeds->last_obtained = 0;
}

static inline void add_deeds(struct deeds *sum, const struct deeds *more)
{
   sum->allocations += more->allocations;
   sum->allocated_bytes += more->allocated_bytes;
   sum->zero_size += more->zero_size;
   sum->failed += more->failed;
   sum->temporary += more->temporary;
   sum->resizes += more->resizes;
   sum->resized_bytes += more->resized_bytes;
   sum->net_bytes += more->net_bytes;
   sum->moved += more->moved;
   sum->resizes_failed += more->resizes_failed;
   sum->releases += more->releases;
   sum->released_bytes += more->released_bytes;
   sum->foreign += more->foreign;
}

/* All sums of the phase but temporary ones, of which who cannot know the order of one
   thread's events (handlers that may come at any time) cannot say anything. */
static inline void expect_sums(const char *phase, const struct deeds *all)
{
   expect(phase, "allocations.count", all->allocations);
   expect(phase, "allocations.bytes", all->allocated_bytes);
   expect(phase, "allocations.zero-size", all->zero_size);
   expect(phase, "allocations.failed", all->failed);
   expect(phase, "reallocations.count", all->resizes);
   expect(phase, "reallocations.bytes", all->resized_bytes);
   expect(phase, "reallocations.net-bytes", all->net_bytes);
   expect(phase, "reallocations.moved", all->moved);
   expect(phase, "reallocations.failed", all->resizes_failed);
   expect(phase, "deallocations.count", all->releases);
   expect(phase, "deallocations.bytes", all->released_bytes);
   expect(phase, "deallocations.unmatched", 0);
   expect(phase, "deallocations.unseen", 0);
   expect(phase, "traffic.blocks", all->allocations + all->resizes);
   expect(phase, "traffic.bytes", all->allocated_bytes + all->resized_bytes);
}

/* Where nothing that the program does not see lives at the begin: the libc's blocks for
   threads, a pool of the C++ library. */
static inline void expect_live(const char *phase, const struct live *live)
{
   expect(phase, "heap.entry", live->entry);
   expect(phase, "heap.entry-blocks", live->entry_blocks);
   expect(phase, "heap.peak", live->peak);
   expect(phase, "heap.peak-blocks", live->peak_blocks);
   expect(phase, "heap.exit", live->bytes);
   expect(phase, "heap.exit-blocks", live->blocks);
}

static inline void expect_thread(const char *phase, unsigned number, const struct deeds *deeds)
{
   expect_line("%s\tthread@traffic-blocks#%u\t%lld\n", phase, number,
               deeds->allocations + deeds->resizes);
   expect_line("%s\tthread@traffic-bytes#%u\t%lld\n", phase, number,
               deeds->allocated_bytes + deeds->resized_bytes);
   expect_line("%s\tthread@released-blocks#%u\t%lld\n", phase, number, deeds->releases);
   expect_line("%s\tthread@foreign-blocks#%u\t%lld\n", phase, number, deeds->foreign);
}

/* ---- Chance that is the same in every run. */

static inline uint64_t draw(uint64_t *state, uint64_t below)
{
   uint64_t x = *state;
   x ^= x >> 12;
   x ^= x << 25;
   x ^= x >> 27;
   *state = x;
   return (x * UINT64_C(0x2545f4914f6cdd1d) >> 11) % below;
}

/* ---- Lessons: PROGRAM LESSON LEDGER. */

struct lesson {
   const char *name;
   void (*run)(void);
};

static inline int teach(int argc, char **argv, const struct lesson *lessons)
{
   check(argc == 3, "usage: PROGRAM LESSON LEDGER");
   open_ledger(argv[2]);
   for (; lessons->name; lessons++)
      if (strcmp(lessons->name, argv[1]) == 0) {
         lessons->run();
         print("%s: done\n", argv[1]);
         return 0;
      }
   stop("no such lesson");
}

#endif
