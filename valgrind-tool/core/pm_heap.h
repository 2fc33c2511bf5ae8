/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_heap.h: heap events, and what they do to the numbers.
 *
 * The events are those of design section 3: a block is obtained, resized or
 * given back. This module owns the ledger of live blocks, the state that phase
 * instances look at, and the rules of every heap metric; it does not know
 * where events come from (pm_calls.h does).
 *
 * scratch and resized compare a block's size with the size it had when an
 * instance began. A block keeps past sizes only while an open instance is
 * younger than the block: a node says "the size before event E was S", so its
 * size at an instance's begin is that of the oldest node whose event is inside
 * the instance, or the present size. Nodes that no open instance can ask for
 * are dropped when the next one is made, which bounds the list by the number
 * of open instances.
 *
 * When memory for the ledger runs out the heap numbers end: `lost` says so,
 * every further event is ignored, and the report says unavailable. The ledger is
 * released when the next block asks for a record.
 */
#ifndef PM_HEAP_H
#define PM_HEAP_H

#include "pm_fates.h"
#include "pm_ledger.h"
#include "pm_phases.h"
#include "pm_sites.h"
#include "pm_thread_counts.h"
#include "pm_timeline.h"

/* What the heap knows of a thread. */
struct pm_heap_thread {
   uint32_t number;      /* by creation, from 1, never used again */
   uint64_t fresh_event; /* number of the thread's last heap event if it obtained
                            a block, else 0 */
   uint32_t site;        /* of the event at hand; 0 unknown */
};

/* No block is larger: no process has more address space. A request for more that was
   granted or announced, as by a calloc() that does not see its product overflow, says
   nothing of the block, and sums with such sizes would say nothing of the others. */
#define PM_BLOCK_BYTES_MAX ((UINT64_C(1) << 48) - 1)

/* One past size of a block, newest first. */
struct pm_past_size {
   uint64_t size_bytes; /* before the event */
   uint64_t event;
   uint32_t older;      /* node number, 0 none. Of a free node: the next free one */
};

struct pm_heap {
   const struct pm_host *host;
   struct pm_ledger ledger;
   struct pm_phases phases;
   struct pm_state state;
   /* Called, if set, when [start, end) is no part of a live block any more, for ranges of
      ledger.ordered_from_bytes or more: in a smaller one nobody has anything. */
   void (*range_gone)(void *ctx, uint64_t start, uint64_t end);
   void *range_gone_ctx;
   struct pm_fates *fates; /* told of resizes and deallocations; NULL: nobody is */
   struct pm_timeline timeline; /* of live bytes; without points unless it is begun */
   bool lost; /* out of memory: heap numbers are not to be had any more */
   uint64_t blocks_too_large; /* obtained, or resized to such a size, which was ignored */
   struct pm_past_size *past; /* past[0] is unused */
   uint32_t past_capacity;
   uint32_t past_used;
   uint32_t past_free;
};

void pm_heap_init(struct pm_heap *heap, const struct pm_host *host);
void pm_heap_release(struct pm_heap *heap);

/* The heap is lost: what knew its blocks goes back, so that there is memory for what
   goes on. Once more does nothing. Nobody holds a block's record. */
void pm_heap_give_up(struct pm_heap *heap);

/* Is no block as large? Then what asks for it is ignored, and counted here. */
static inline bool pm_heap_ignores(struct pm_heap *heap, uint64_t size_bytes)
{
   bool too_large = size_bytes > PM_BLOCK_BYTES_MAX;
   heap->blocks_too_large += too_large;
   return too_large;
}

/* A record for a block at address, filed, in state PM_BLOCK_INNER: found by
   its address, not yet an event. An older block at that address must have been
   ended before. 0: no memory, the heap is lost, or no block is as large. */
pm_block_id pm_heap_file(struct pm_heap *heap, uint64_t address, uint64_t size_bytes);

/* Forget an inner block. */
void pm_heap_unfile_inner(struct pm_heap *heap, pm_block_id id);

/* Event: thread has obtained the inner block id. */
void pm_heap_obtained(struct pm_heap *heap, struct pm_heap_thread *thread, pm_block_id id);

/* Event: a live block, unfiled, is now at new_address with new_size_bytes, and
   is filed there. */
void pm_heap_resized(struct pm_heap *heap, struct pm_heap_thread *thread, pm_block_id id,
                     uint64_t new_address, uint64_t new_size_bytes);

/* Event: a live block was given back. filed: it is still in the index. */
void pm_heap_given_back(struct pm_heap *heap, struct pm_heap_thread *thread, pm_block_id id,
                        bool filed);

/* File a live block again under its own address, which no block has. */
void pm_heap_refile(struct pm_heap *heap, pm_block_id id);

#endif
