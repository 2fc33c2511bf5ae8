/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expected.h: which heap events calls of allocation functions must lead to.
 *
 * The rules of design section 2 ("Order of effects", "Calls within calls") for calls
 * that are known by identity: whoever uses this says "this call has returned" and
 * "this call's frame is gone", where the core must find out by stack pointers and
 * return addresses. The blocks are a plain array that is searched from end to end.
 */
#ifndef EXPECTED_H
#define EXPECTED_H

#include "history.h"
#include "pm_allocfns.h"

enum { EXPECTED_THREADS = 8, EXPECTED_LEVELS = 12, EXPECTED_CALLS = 64, EXPECTED_NONE = -1 };

struct expected_block {
   enum { EXPECTED_GONE, EXPECTED_INNER, EXPECTED_LIVE } state;
   bool filed;          /* is found by its address */
   uint64_t address;
   uint64_t size_bytes;
   uint32_t number;     /* in the history, once it is live */
};

struct expected_call {
   enum pm_alloc_does does;
   uint64_t size_bytes;
   uint64_t old_address;
   int old_block;       /* of old_address, if it was found */
   bool part_of_outer;  /* resizes the outer call's own block */
   size_t entered;      /* moment */
};

/* An inner block, in the list of its level. */
struct expected_inner {
   int block;
   size_t returned; /* moment */
};

/* Calls of one thread that are not set aside by a signal handler. */
struct expected_level {
   struct expected_call *calls[EXPECTED_CALLS];
   int call_count;
   struct expected_inner *inner;
   int inner_count;
};

struct expected_thread {
   struct expected_level levels[EXPECTED_LEVELS];
   int level_count;
};

struct expected {
   struct history history;
   struct expected_block *blocks;
   int block_count;
   size_t moment; /* entries and returns so far */
   struct expected_thread threads[EXPECTED_THREADS]; /* by number */
};

void expected_init(struct expected *x);
void expected_release(struct expected *x);

void expected_thread_begin(struct expected *x, uint32_t thread);

/* A call is entered. The result lives until it has returned or was dropped. */
struct expected_call *expected_enter(struct expected *x, uint32_t thread,
                                     enum pm_alloc_does does, uint64_t size_bytes,
                                     uint64_t old_address);

/* Its own code has jumped to its entry: another release may follow. */
void expected_again(struct expected *x, uint32_t thread, struct expected_call *call,
                    uint64_t old_address);

/* It has returned a block at address; 0: it has not. */
void expected_return(struct expected *x, uint32_t thread, struct expected_call *call,
                     uint64_t address);

/* It is found that its frame is gone. */
void expected_drop(struct expected *x, uint32_t thread, struct expected_call *call);

/* A signal handler begins, and its level is empty and over. */
void expected_level_begin(struct expected *x, uint32_t thread);
void expected_level_end(struct expected *x, uint32_t thread);

bool expected_pending(const struct expected *x, uint32_t thread);

void expected_executed(struct expected *x, uint32_t thread, uint64_t instrs);

/* Blocks announced by requests. */
void expected_announce(struct expected *x, uint32_t thread, uint64_t address,
                       uint64_t size_bytes);
bool expected_announce_resize(struct expected *x, uint32_t thread, uint64_t address,
                              uint64_t size_bytes);
bool expected_announce_end(struct expected *x, uint32_t thread, uint64_t address);

/* The block filed at an address; EXPECTED_NONE. */
int expected_find(const struct expected *x, uint64_t address);

#endif
