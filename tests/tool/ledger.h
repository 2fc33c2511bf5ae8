/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ledger.h: a program's own account of what it asks its allocator for.
 *
 * ledger.c drives random allocation calls and keeps the account; the calls
 * themselves are forms, rows of the tables in ledger_forms.c (C) and
 * ledger_forms_cxx.cc (C++).  A form makes one call and tells the ledger what
 * came of it, from its own arguments and the call's result alone.
 *
 * Memory for the ledger is static: it must not be part of what it counts.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a block was obtained, and so which calls may resize it or give it back. */
enum family {
   FAMILY_MALLOC,
   FAMILY_NEW,
   FAMILY_NEW_ARRAY,
   FAMILY_NEW_ALIGNED,
   FAMILY_NEW_ARRAY_ALIGNED,
};

/* A slot for a block; address NULL: none is in it. */
struct block {
   char *address;
   size_t size_bytes;
   size_t alignment;   /* as asked for; only of the aligned families */
   uint64_t serial;    /* identity, kept when resized */
   enum family family;
};

/* Names are the report's; a sum over all threads each. */
struct sums {
   uint64_t allocations_count, allocations_bytes, allocations_zero_size, allocations_failed;
   uint64_t allocations_temporary;
   uint64_t reallocations_count, reallocations_bytes, reallocations_moved, reallocations_failed;
   int64_t reallocations_net_bytes;
   uint64_t deallocations_count, deallocations_bytes;
};

struct thread {
   uint64_t random_state;
   struct sums sums;
   uint64_t last_obtained; /* serial of the block that this thread's last heap
                              event obtained; 0 if it was another event */
   FILE *short_lines;      /* for getline, see ledger_forms.c */
   FILE *long_lines;
   bool one_at_a_time;     /* every call and its entry happen under one lock */
};

struct form {
   const char *name;
   unsigned weight;        /* how often it is chosen, among those for the slot */
   /* Makes one call on an empty or a filled slot, by the table it stands in.
      size_bytes: what to ask for, where the form does not choose itself. */
   void (*call)(struct thread *thread, struct block *block, size_t size_bytes);
};

/* Both tables end with a row without a name. */
extern const struct form ledger_forms_empty[], ledger_forms_filled[];
#ifdef LEDGER_CXX
extern const struct form ledger_forms_cxx_empty[], ledger_forms_cxx_filled[];
void ledger_forms_cxx_start(void);
#endif
void ledger_forms_start(struct thread *thread);

/* Outcomes.  A block's contents are marked, and checked when it changes hands. */
void ledger_obtained(struct thread *thread, struct block *block, enum family family, void *address,
                     size_t size_bytes);
void ledger_failed(struct thread *thread);
void ledger_resized(struct thread *thread, struct block *block, void *address, size_t size_bytes);
void ledger_resize_failed(struct thread *thread);
void ledger_given_back(struct thread *thread, struct block *block);
/* A block that came and went inside one call, as an exception does. */
void ledger_passed_through(struct thread *thread, size_t size_bytes);

/* Before a call that changes or ends a block: the contents are as marked. */
void ledger_check_marks(const struct block *block);

/* A filled slot of the family that nobody else works on, or NULL: for a
   new_handler.  ledger_return_slot when done. */
struct block *ledger_take_filled(struct thread *thread, enum family family);
void ledger_return_slot(struct block *block);

/* The thread that runs. */
extern __thread struct thread *ledger_thread;

uint64_t ledger_random(struct thread *thread, uint64_t below);

#ifdef __cplusplus
}
#endif

#endif
