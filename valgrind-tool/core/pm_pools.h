/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_pools.h: blocks that the program announces by client requests.
 *
 * A program with an allocator of its own can tell Valgrind's tools of the blocks
 * it hands out: one by one (VALGRIND_MALLOCLIKE_BLOCK and friends) or in named
 * pools (VALGRIND_MEMPOOL_ALLOC and friends). A block that lies outside every
 * other one is a heap block like any other. One that lies inside a live block is
 * carved out of memory that counts already: it goes to the pool metrics instead,
 * never added twice. When the memory around it is given back, it is gone too.
 *
 * Cost: O(log n) per request, for each block of the pool where it is about all of them;
 * nothing in programs that make none, but for a comparison when a block is given back.
 */
#ifndef PM_POOLS_H
#define PM_POOLS_H

#include "pm_calls.h"

struct pm_pool_block {
   uint64_t address;
   uint64_t size_bytes;
   uint32_t pool;    /* the pool's number; 0: announced by itself */
   bool inside;      /* of another block: counted by the pool metrics. If not, it is
                        also a block of the ledger */
   uint32_t newer, older; /* its neighbours in the pool; 0 none. older of a free record:
                             the next free one */
};

/* A pool that has blocks. */
struct pm_pool {
   uint64_t name;       /* the program's */
   uint32_t newest;     /* of its blocks. Of a free record: the next free one */
};

struct pm_pools {
   const struct pm_host *host;
   struct pm_calls *calls;
   struct pm_pool_block *blocks; /* blocks[0] is unused */
   uint32_t capacity, used, free_list;
   struct pm_order order; /* by address */
   struct pm_pool *named; /* named[0] is unused */
   uint32_t named_capacity, named_used, named_free;
   struct pm_order names; /* of the pools */
   uint32_t walk;         /* the block that a walk through a pool comes to next; 0 none */
};

/* calls and its heap outlive the pools; the heap tells them of ranges that are
   gone. */
void pm_pools_init(struct pm_pools *pools, const struct pm_host *host, struct pm_calls *calls);

/* For tests: the tool never gives it back. */
void pm_pools_release(struct pm_pools *pools);

/* Blocks announced one by one; pool is 0 for them. An address that is 0 is
   ignored. */
void pm_pools_alloc(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool,
                    uint64_t address, uint64_t size_bytes);
void pm_pools_resize(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t address,
                     uint64_t size_bytes);
void pm_pools_free(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t address);

/* What the requests on named pools mean for their blocks: all of them end; those
   outside a range end, and the others lose what lies outside; they belong to another
   pool; one of them is moved or resized. No pool is called 0. */
void pm_pools_destroy(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool);
void pm_pools_trim(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool,
                   uint64_t address, uint64_t size_bytes);
void pm_pools_rename(struct pm_pools *pools, uint64_t pool, uint64_t new_pool);
void pm_pools_change(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool,
                     uint64_t address, uint64_t new_address, uint64_t size_bytes);

#endif
