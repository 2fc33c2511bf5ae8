/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_ledger.c: records and index of live blocks; pm_ledger.h has the layout. */
#include "pm_ledger.h"

enum { CHUNK_RECORDS = 1 << PM_LEDGER_CHUNK_SHIFT, FIRST_TABLE_SLOTS = 16384 };

void pm_ledger_init(struct pm_ledger *ledger, const struct pm_host *host)
{
   *ledger = (struct pm_ledger){
      .host = host, .records_used = 1, .ordered_from_bytes = PM_STACK_BLOCK_BYTES};
   pm_order_init(&ledger->order, host);
}

void pm_ledger_release(struct pm_ledger *ledger)
{
   const struct pm_host *host = ledger->host;
   for (uint32_t c = 0; c < ledger->chunk_count; c++)
      host->release(ledger->chunks[c], CHUNK_RECORDS * sizeof(struct pm_block));
   host->release(ledger->chunks, ledger->chunk_capacity * sizeof *ledger->chunks);
   host->release(ledger->table, ledger->table_slots * sizeof *ledger->table);
   pm_order_release(&ledger->order);
   pm_ledger_init(ledger, host);
}

PM_SELDOM static bool add_chunk(struct pm_ledger *ledger)
{
   const struct pm_host *host = ledger->host;
   if (ledger->chunk_count == ledger->chunk_capacity) {
      uint32_t capacity = ledger->chunk_capacity ? ledger->chunk_capacity * 2 : 64;
      struct pm_block **chunks = host->alloc(capacity * sizeof *chunks);
      if (!chunks)
         return false;
      if (ledger->chunks)
         memcpy(chunks, ledger->chunks, ledger->chunk_count * sizeof *chunks);
      host->release(ledger->chunks, ledger->chunk_capacity * sizeof *chunks);
      ledger->chunks = chunks;
      ledger->chunk_capacity = capacity;
   }
   struct pm_block *chunk = host->alloc(CHUNK_RECORDS * sizeof *chunk);
   if (!chunk)
      return false;
   ledger->chunks[ledger->chunk_count++] = chunk;
   return true;
}

pm_block_id pm_ledger_new(struct pm_ledger *ledger, uint64_t address, uint64_t size_bytes,
                          enum pm_block_state state)
{
   pm_block_id id = ledger->free_list;
   if (id) {
      ledger->free_list = pm_ledger_block(ledger, id)->next;
      /* The next block's, which is long not touched where many were given back. */
      __builtin_prefetch(pm_ledger_block(ledger, ledger->free_list), 1);
   } else {
      if (ledger->records_used == UINT32_MAX)
         return 0;
      if (ledger->records_used >> PM_LEDGER_CHUNK_SHIFT >= ledger->chunk_count &&
          !add_chunk(ledger))
         return 0;
      id = ledger->records_used++;
   }
   *pm_ledger_block(ledger, id) =
      (struct pm_block){.address = address, .size_bytes = size_bytes, .thread_state = state};
   return id;
}

void pm_ledger_drop(struct pm_ledger *ledger, pm_block_id id)
{
   struct pm_block *block = pm_ledger_block(ledger, id);
   PM_ASSERT(ledger->host, pm_block_state(block) != PM_BLOCK_FREE);
   pm_block_set(block, PM_BLOCK_FREE, 0);
   block->next = ledger->free_list;
   ledger->free_list = id;
}

/* Neighbours in a page of 4 KiB have neighbouring slots, 16 bytes apart, from one on that is
   as good as chance; two multiplications, since with one the pages of large blocks at equal
   distances still crowd (blocks of 4096 bytes under glibc, 4112 apart, are one). */
static uint64_t slot_of(const struct pm_ledger *ledger, uint64_t address)
{
   uint64_t page = (address >> 12) * UINT64_C(0x9e3779b97f4a7c15);
   page ^= page >> 32;
   page *= UINT64_C(0xd6e8feb86659fd93);
   return ((address >> 4) + (page ^ (page >> 32))) & (ledger->table_slots - 1);
}

/* What holds the id of the block that is filed under address, or 0 at the end of the list
   that it belongs to. The table is not empty. */
static pm_block_id *link_of(struct pm_ledger *ledger, uint64_t address)
{
   if (ledger->sought && address == ledger->sought_address)
      return ledger->sought;
   pm_block_id *link = &ledger->table[slot_of(ledger, address)];
   while (*link) {
      struct pm_block *block = pm_ledger_block(ledger, *link);
      if (block->address == address)
         break;
      link = &block->next;
   }
   ledger->sought = link;
   ledger->sought_address = address;
   return link;
}

PM_SELDOM static bool grow_table(struct pm_ledger *ledger)
{
   uint64_t old_slots = ledger->table_slots;
   pm_block_id *old = ledger->table;
   uint64_t slots = old_slots ? old_slots * 2 : FIRST_TABLE_SLOTS;
   pm_block_id *table = ledger->host->alloc(slots * sizeof *table);
   if (!table)
      return false;
   memset(table, 0, slots * sizeof *table);
   ledger->table = table;
   ledger->table_slots = slots;
   ledger->sought = NULL;
   for (uint64_t s = 0; s < old_slots; s++)
      for (pm_block_id id = old[s], next; id; id = next) {
         struct pm_block *block = pm_ledger_block(ledger, id);
         next = block->next;
         pm_block_id *list = &table[slot_of(ledger, block->address)];
         block->next = *list;
         *list = id;
      }
   ledger->host->release(old, old_slots * sizeof *old);
   return true;
}

bool pm_ledger_file(struct pm_ledger *ledger, pm_block_id id)
{
   if (ledger->filed >= ledger->table_slots && !grow_table(ledger))
      return false;
   struct pm_block *block = pm_ledger_block(ledger, id);
   if (block->size_bytes >= ledger->ordered_from_bytes &&
       !pm_order_add(&ledger->order, block->address, id))
      return false;
   pm_block_id *link = link_of(ledger, block->address);
   PM_ASSERT(ledger->host, !*link);
   *link = id;
   block->next = 0;
   ledger->filed++;
   return true;
}

/* The block at link, which its list holds, is filed no more. */
static inline void take_out(struct pm_ledger *ledger, pm_block_id *link,
                            const struct pm_block *block)
{
   *link = block->next;
   ledger->sought = NULL;
   ledger->filed--;
   if (block->size_bytes >= ledger->ordered_from_bytes)
      pm_order_remove(&ledger->order, block->address);
}

void pm_ledger_unfile(struct pm_ledger *ledger, pm_block_id id)
{
   const struct pm_block *block = pm_ledger_block(ledger, id);
   pm_block_id *link = link_of(ledger, block->address);
   PM_ASSERT(ledger->host, *link == id);
   take_out(ledger, link, block);
}

struct pm_block *pm_ledger_take(struct pm_ledger *ledger, uint64_t address, pm_block_id *id)
{
   pm_block_id *link = ledger->table_slots ? link_of(ledger, address) : NULL;
   if (!link || !*link)
      return NULL;
   *id = *link;
   struct pm_block *block = pm_ledger_block(ledger, *id);
   take_out(ledger, link, block);
   return block;
}

pm_block_id pm_ledger_find(struct pm_ledger *ledger, uint64_t address)
{
   return ledger->table_slots ? *link_of(ledger, address) : 0;
}

pm_block_id pm_ledger_holding(const struct pm_ledger *ledger, uint64_t address)
{
   pm_block_id id = pm_order_at_or_below(&ledger->order, address);
   if (!id)
      return 0;
   const struct pm_block *block = pm_ledger_block(ledger, id);
   return address - block->address < block->size_bytes ? id : 0;
}

bool pm_ledger_order_all(struct pm_ledger *ledger)
{
   uint64_t from = ledger->ordered_from_bytes;
   if (from == 0)
      return true;
   for (uint64_t s = 0; s < ledger->table_slots; s++)
      for (pm_block_id id = ledger->table[s]; id; id = pm_ledger_block(ledger, id)->next) {
         const struct pm_block *block = pm_ledger_block(ledger, id);
         if (block->size_bytes < from && !pm_order_add(&ledger->order, block->address, id))
            return false;
      }
   ledger->ordered_from_bytes = 0;
   return true;
}

uint64_t pm_ledger_memory_bytes(const struct pm_ledger *ledger)
{
   return (uint64_t)ledger->chunk_count * CHUNK_RECORDS * sizeof(struct pm_block) +
          ledger->chunk_capacity * sizeof *ledger->chunks +
          ledger->table_slots * sizeof *ledger->table +
          (uint64_t)ledger->order.capacity * sizeof *ledger->order.nodes;
}
