/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_ledger.h: the blocks that are live, found by their address.
 *
 * A block is a record; its id stays the same for as long as it lives, through
 * resizes and moves, and is used again afterwards. A block is *filed* while it
 * can be found by its address: a realloc in progress unfiles it, because
 * another thread may be given the old address before the call returns.
 *
 * Layout: records of 48 bytes in chunks that never move, in lists that begin in
 * a table of 4-byte ids, one list for each slot; the table is doubled when there
 * are more blocks than slots. The first one has 64 KiB, so that few blocks have their lists
 * to themselves. While it doubles both tables exist: 48 + 4 + 8 = 60
 * bytes for a live block at the worst moment. A search looks at one slot and, on
 * average, at one record and a half at most; taking a block out looks at no more
 * than that, and the cost of an operation does not depend on what was removed before.
 * What an operation costs with many live blocks is the memory that it touches:
 * neighbours in a page have neighbouring slots, and so share lines of the cache.
 *
 * Blocks of pm_ledger.ordered_from_bytes and more are also kept in address
 * order, for pm_ledger_holding(). The limit starts at PM_STACK_BLOCK_BYTES
 * (the smallest block that can be a stack) and falls to 0 when a program
 * announces pools: from then on every block is ordered.
 *
 * Known limit: 2^32 - 2 live blocks.
 */
#ifndef PM_LEDGER_H
#define PM_LEDGER_H

#include "pm_order.h"

typedef uint32_t pm_block_id; /* 0: no block */

enum { PM_STACK_BLOCK_BYTES = 2048 };

struct pm_block {
   uint64_t address;
   pm_block_id next;       /* in its slot's list; of a free record: the next free one */
   uint32_t sizes;         /* history of sizes, see pm_sizes.h; 0 none */
   uint64_t size_bytes;    /* as requested, now */
   uint64_t birth_event;   /* sequence number of the event that obtained it */
   uint64_t birth_instrs;  /* stamp of that event */
   uint32_t site;          /* where, 0 unknown */
   uint32_t thread_state;  /* pm_block_thread(), pm_block_state(): of one word, since a part
                              that was just written delays who reads the whole */
};

enum pm_block_state {
   PM_BLOCK_FREE,
   PM_BLOCK_LIVE,  /* counted in live bytes */
   PM_BLOCK_INNER, /* obtained inside an allocation call that still runs */
   PM_BLOCK_INNER_GONE, /* such a block, given back before that call was over */
};

enum { PM_BLOCK_STATE_BITS = 2 };

static inline enum pm_block_state pm_block_state(const struct pm_block *block)
{
   return (enum pm_block_state)(block->thread_state & ((1u << PM_BLOCK_STATE_BITS) - 1));
}

/* The number of the thread that obtained it; 0 as long as that is under way. */
static inline uint32_t pm_block_thread(const struct pm_block *block)
{
   return block->thread_state >> PM_BLOCK_STATE_BITS;
}

static inline void pm_block_set(struct pm_block *block, enum pm_block_state state,
                                uint32_t thread)
{
   block->thread_state = thread << PM_BLOCK_STATE_BITS | state;
}

struct pm_ledger {
   const struct pm_host *host;
   struct pm_block **chunks;
   uint32_t chunk_count;
   uint32_t chunk_capacity;
   pm_block_id free_list;
   uint32_t records_used; /* ids ever taken; id 0 is never a block */
   pm_block_id *table;    /* of each slot, the first block in its list */
   uint64_t table_slots;  /* power of two, 0 before the first block */
   uint64_t filed;        /* blocks in the table */
   pm_block_id *sought;   /* where the last search ended, NULL: not known any more. No list
                             has changed since, but by filing what was sought. One event
                             searches its address several times in a row */
   uint64_t sought_address;
   struct pm_order order;
   uint64_t ordered_from_bytes;
};

void pm_ledger_init(struct pm_ledger *ledger, const struct pm_host *host);
void pm_ledger_release(struct pm_ledger *ledger);

/* A record for a new block, not filed, everything but these zero. 0: no memory. */
pm_block_id pm_ledger_new(struct pm_ledger *ledger, uint64_t address, uint64_t size_bytes,
                          enum pm_block_state state);

/* Give an unfiled record back. */
void pm_ledger_drop(struct pm_ledger *ledger, pm_block_id id);

/* The record of a block; stays where it is until it is dropped. */
static inline struct pm_block *pm_ledger_block(const struct pm_ledger *ledger, pm_block_id id);

/* File a block under its address, which no filed block has, with the size it
   has now. False: no memory. */
bool pm_ledger_file(struct pm_ledger *ledger, pm_block_id id);

/* Take a filed block out of the index; the record stays. */
void pm_ledger_unfile(struct pm_ledger *ledger, pm_block_id id);

/* The same by its address; *id is set to its own. NULL: no block is filed there. */
struct pm_block *pm_ledger_take(struct pm_ledger *ledger, uint64_t address, pm_block_id *id);

/* The block that is filed under address, 0 if none is. */
pm_block_id pm_ledger_find(struct pm_ledger *ledger, uint64_t address);

/* The filed block of ordered_from_bytes or more that holds address, 0 if none. */
pm_block_id pm_ledger_holding(const struct pm_ledger *ledger, uint64_t address);

/* Put every filed block in address order from now on. False: no memory. */
bool pm_ledger_order_all(struct pm_ledger *ledger);

/* Memory in use for records and tables, in bytes. */
uint64_t pm_ledger_memory_bytes(const struct pm_ledger *ledger);

/* Records in a chunk: 2^PM_LEDGER_CHUNK_SHIFT. */
enum { PM_LEDGER_CHUNK_SHIFT = 12 };

static inline struct pm_block *pm_ledger_block(const struct pm_ledger *ledger, pm_block_id id)
{
   return &ledger->chunks[id >> PM_LEDGER_CHUNK_SHIFT]
                         [id & ((UINT32_C(1) << PM_LEDGER_CHUNK_SHIFT) - 1)];
}

#endif
