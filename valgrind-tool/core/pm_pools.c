/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_pools.c: announced blocks; pm_pools.h has the terms. */
#include "pm_pools.h"
#include "pm_room.h"

static void add_to_gauge(struct pm_pools *pools, uint64_t bytes)
{
   struct pm_heap *heap = pools->calls->heap;
   heap->state.gauge[PM_GAUGE_POOL_BYTES] += bytes;
   pm_phases_gauge(&heap->phases, &heap->state, PM_GAUGE_POOL_BYTES);
}

static uint32_t take_block(struct pm_pools *pools)
{
   uint32_t b = pools->free_list;
   if (b) {
      pools->free_list = pools->blocks[b].older;
      return b;
   }
   return pm_reserve_one(pools->host, (void **)&pools->blocks, pools->used, &pools->capacity,
                         sizeof *pools->blocks)
             ? pools->used++
             : 0;
}

static uint32_t find(const struct pm_pools *pools, uint64_t address)
{
   uint32_t b = pm_order_at_or_below(&pools->order, address);
   return b && pools->blocks[b].address == address ? b : 0;
}

/* --- pools by name ---------------------------------------------------------- */

/* The number of the pool; 0: it has no blocks. */
static uint32_t pool_named(const struct pm_pools *pools, uint64_t name)
{
   uint32_t p = name ? pm_order_at_or_below(&pools->names, name) : 0;
   return p && pools->named[p].name == name ? p : 0;
}

static uint64_t name_of(const struct pm_pools *pools, const struct pm_pool_block *block)
{
   return block->pool ? pools->named[block->pool].name : 0;
}

/* The same, made if it is new; 0: no memory. */
static uint32_t pool_made(struct pm_pools *pools, uint64_t name)
{
   uint32_t p = pool_named(pools, name);
   if (p)
      return p;
   p = pools->named_free;
   if (p)
      pools->named_free = pools->named[p].newest;
   else if (pm_reserve_one(pools->host, (void **)&pools->named, pools->named_used,
                           &pools->named_capacity, sizeof *pools->named))
      p = pools->named_used++;
   else
      return 0;
   pools->named[p] = (struct pm_pool){.name = name};
   return pm_order_add(&pools->names, name, p) ? p : 0;
}

static void forget_pool(struct pm_pools *pools, uint32_t p)
{
   pm_order_remove(&pools->names, pools->named[p].name);
   pools->named[p].newest = pools->named_free;
   pools->named_free = p;
}

static void join(struct pm_pools *pools, uint32_t p, uint32_t b)
{
   struct pm_pool_block *block = &pools->blocks[b];
   block->pool = p;
   block->newer = 0;
   block->older = pools->named[p].newest;
   if (block->older)
      pools->blocks[block->older].newer = b;
   pools->named[p].newest = b;
}

static void leave(struct pm_pools *pools, uint32_t b)
{
   const struct pm_pool_block *block = &pools->blocks[b];
   if (pools->walk == b)
      pools->walk = block->older;
   if (block->older)
      pools->blocks[block->older].newer = block->newer;
   if (block->newer)
      pools->blocks[block->newer].older = block->older;
   else
      pools->named[block->pool].newest = block->older;
   if (!block->newer && !block->older)
      forget_pool(pools, block->pool);
}

/* --- blocks ----------------------------------------------------------------- */

/* Forget a block; the ledger's part of it is the caller's business. */
static void drop(struct pm_pools *pools, uint32_t b)
{
   struct pm_pool_block *block = &pools->blocks[b];
   pm_order_remove(&pools->order, block->address);
   if (block->inside)
      add_to_gauge(pools, -block->size_bytes);
   if (block->pool)
      leave(pools, b);
   block->older = pools->free_list;
   pools->free_list = b;
}

static void end_block(struct pm_pools *pools, struct pm_call_thread *thread, uint32_t b)
{
   struct pm_pool_block block = pools->blocks[b];
   drop(pools, b);
   if (!block.inside)
      pm_calls_announce_end(pools->calls, thread, block.address);
}

/* Does the range lie inside a block of the ledger? A block that the pending call
   itself has obtained is its raw material, not a container. */
static bool lies_inside(struct pm_pools *pools, uint64_t address, uint64_t size_bytes)
{
   struct pm_heap *heap = pools->calls->heap;
   if (heap->lost)
      return false;
   if (!pm_ledger_order_all(&heap->ledger)) {
      heap->lost = true;
      return false;
   }
   pm_block_id id = pm_ledger_holding(&heap->ledger, address);
   if (!id)
      return false;
   const struct pm_block *block = pm_ledger_block(&heap->ledger, id);
   return pm_block_state(block) == PM_BLOCK_LIVE &&
          size_bytes <= block->size_bytes - (address - block->address);
}

void pm_pools_alloc(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool,
                    uint64_t address, uint64_t size_bytes)
{
   if (!address || pm_heap_ignores(pools->calls->heap, size_bytes))
      return;
   uint32_t old = find(pools, address);
   if (old)
      end_block(pools, thread, old);
   bool inside = lies_inside(pools, address, size_bytes);
   uint32_t p = pool ? pool_made(pools, pool) : 0;
   uint32_t b = take_block(pools);
   if (!b || (pool && !p) || !pm_order_add(&pools->order, address, b)) {
      pools->calls->heap->lost = true;
      return;
   }
   pools->blocks[b] = (struct pm_pool_block){
      .address = address, .size_bytes = size_bytes, .inside = inside};
   if (p)
      join(pools, p, b);
   if (inside) {
      pools->calls->heap->state.counter[PM_COUNT_POOL_BLOCKS]++;
      add_to_gauge(pools, size_bytes);
   } else {
      pm_calls_announce(pools->calls, thread, address, size_bytes);
   }
}

void pm_pools_resize(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t address,
                     uint64_t size_bytes)
{
   uint32_t b = find(pools, address);
   if (!b || pm_heap_ignores(pools->calls->heap, size_bytes))
      return;
   struct pm_pool_block *block = &pools->blocks[b];
   uint64_t change = size_bytes - block->size_bytes;
   block->size_bytes = size_bytes;
   if (block->inside)
      add_to_gauge(pools, change);
   else
      pm_calls_announce_resize(pools->calls, thread, address, size_bytes);
}

void pm_pools_free(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t address)
{
   uint32_t b = find(pools, address);
   if (b)
      end_block(pools, thread, b);
   else if (address)
      pools->calls->heap->state.counter[PM_COUNT_DEALLOCATIONS_UNMATCHED]++;
}

/* What is left of a block inside the range that is kept; false: nothing. */
static bool intersect(const struct pm_pool_block *block, uint64_t keep_start,
                      uint64_t keep_bytes, uint64_t *start, uint64_t *bytes)
{
   uint64_t before = block->address < keep_start ? keep_start - block->address : 0;
   uint64_t offset = block->address < keep_start ? 0 : block->address - keep_start;
   if (offset >= keep_bytes || (before > 0 && before >= block->size_bytes))
      return false;
   uint64_t left = block->size_bytes - before, room = keep_bytes - offset;
   *start = block->address + before;
   *bytes = left < room ? left : room;
   return true;
}

/* A block loses its ends. */
static void cut(struct pm_pools *pools, struct pm_call_thread *thread, uint32_t b,
                uint64_t start, uint64_t bytes)
{
   struct pm_pool_block *block = &pools->blocks[b];
   if (start == block->address) {
      if (bytes != block->size_bytes)
         pm_pools_resize(pools, thread, start, bytes);
   } else if (find(pools, start)) {
      end_block(pools, thread, b); /* another one starts there */
   } else if (!block->inside) {
      pm_pools_change(pools, thread, name_of(pools, block), block->address, start, bytes);
   } else {
      pm_order_remove(&pools->order, block->address);
      add_to_gauge(pools, bytes - block->size_bytes);
      block->address = start;
      block->size_bytes = bytes;
      bool filed = pm_order_add(&pools->order, start, b);
      PM_ASSERT(pools->host, filed); /* in the room of the old one */
   }
}

void pm_pools_trim(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool,
                   uint64_t address, uint64_t size_bytes)
{
   /* What ends a block can take others with it that lie inside; leave() sees to it that
      the walk does not come to them. */
   uint32_t p = pool_named(pools, pool);
   pools->walk = p ? pools->named[p].newest : 0;
   for (uint32_t b; (b = pools->walk);) {
      uint64_t start, bytes;
      pools->walk = pools->blocks[b].older;
      if (intersect(&pools->blocks[b], address, size_bytes, &start, &bytes))
         cut(pools, thread, b, start, bytes);
      else
         end_block(pools, thread, b);
   }
}

void pm_pools_destroy(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool)
{
   pm_pools_trim(pools, thread, pool, 0, 0);
}

void pm_pools_rename(struct pm_pools *pools, uint64_t pool, uint64_t new_pool)
{
   uint32_t p = pool_named(pools, pool), other = pool_named(pools, new_pool);
   if (!p || p == other || !new_pool)
      return;
   if (!other) {
      pm_order_remove(&pools->names, pool);
      pools->named[p].name = new_pool;
      bool filed = pm_order_add(&pools->names, new_pool, p);
      PM_ASSERT(pools->host, filed); /* in the room of the old one */
      return;
   }
   for (uint32_t b = pools->named[p].newest, older; b; b = older) {
      older = pools->blocks[b].older;
      join(pools, other, b);
   }
   forget_pool(pools, p);
}

void pm_pools_change(struct pm_pools *pools, struct pm_call_thread *thread, uint64_t pool,
                     uint64_t address, uint64_t new_address, uint64_t size_bytes)
{
   uint32_t b = find(pools, address);
   if (b && new_address == address) {
      pm_pools_resize(pools, thread, address, size_bytes);
      return;
   }
   if (b)
      end_block(pools, thread, b);
   pm_pools_alloc(pools, thread, pool, new_address, size_bytes);
}

static void container_gone(void *ctx, uint64_t start, uint64_t end)
{
   struct pm_pools *pools = ctx;
   if (!pools->order.root)
      return;
   for (uint32_t b; (b = pm_order_at_or_above(&pools->order, start));) {
      const struct pm_pool_block *block = &pools->blocks[b];
      if (block->address >= end)
         return;
      start = block->address + 1;
      if (block->inside)
         drop(pools, b);
   }
}

void pm_pools_init(struct pm_pools *pools, const struct pm_host *host, struct pm_calls *calls)
{
   *pools = (struct pm_pools){.host = host, .calls = calls, .used = 1, .named_used = 1};
   pm_order_init(&pools->order, host);
   pm_order_init(&pools->names, host);
   calls->heap->range_gone = container_gone;
   calls->heap->range_gone_ctx = pools;
}

void pm_pools_release(struct pm_pools *pools)
{
   const struct pm_host *host = pools->host;
   host->release(pools->blocks, pools->capacity * sizeof *pools->blocks);
   host->release(pools->named, pools->named_capacity * sizeof *pools->named);
   pm_order_release(&pools->order);
   pm_order_release(&pools->names);
}
