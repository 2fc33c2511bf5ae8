/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_stretches.c: the table of stretches; pm_stretches.h has the terms. */
#include "pm_stretches.h"
#include "pm_text.h"

enum { FIRST_CAPACITY = 4096, LENGTHS_PER_STRETCH = 6 };

bool pm_stretches_init(struct pm_stretches *stretches, const struct pm_host *host, bool tells)
{
   *stretches = (struct pm_stretches){
      .host = host,
      .capacity = FIRST_CAPACITY,
      .lengths_capacity = FIRST_CAPACITY * LENGTHS_PER_STRETCH,
      .head_count = FIRST_CAPACITY,
      .table = host->alloc(FIRST_CAPACITY * sizeof *stretches->table),
      .lengths = host->alloc(FIRST_CAPACITY * LENGTHS_PER_STRETCH),
      .heads = host->alloc(FIRST_CAPACITY * sizeof *stretches->heads),
   };
   if (tells)
      stretches->told = host->alloc(stretches->lengths_capacity * sizeof *stretches->told);
   if (!stretches->table || !stretches->lengths || !stretches->heads ||
       (tells && !stretches->told)) {
      pm_stretches_release(stretches);
      return false;
   }
   memset(stretches->heads, 0, FIRST_CAPACITY * sizeof *stretches->heads);
   stretches->table[0] = (struct pm_stretch){.weight = 0};
   stretches->count = 1;
   return true;
}

void pm_stretches_release(struct pm_stretches *stretches)
{
   const struct pm_host *host = stretches->host;
   host->release(stretches->table, stretches->capacity * sizeof *stretches->table);
   host->release(stretches->lengths, stretches->lengths_capacity);
   if (stretches->told)
      host->release(stretches->told, stretches->lengths_capacity * sizeof *stretches->told);
   host->release(stretches->heads, stretches->head_count * sizeof *stretches->heads);
   *stretches = (struct pm_stretches){.host = host};
}

static uint32_t head_of(const struct pm_stretches *stretches, uint64_t address)
{
   return (uint32_t)((address * UINT64_C(0x9e3779b97f4a7c15)) >> 32) &
          (stretches->head_count - 1);
}

/* Twice the room for stretches. */
static bool grow_table(struct pm_stretches *stretches)
{
   const struct pm_host *host = stretches->host;
   uint32_t capacity = stretches->capacity * 2;
   struct pm_stretch *table = host->alloc(capacity * sizeof *table);
   uint32_t *heads = host->alloc(capacity * sizeof *heads);
   if (!table || !heads) {
      host->release(table, capacity * sizeof *table);
      host->release(heads, capacity * sizeof *heads);
      return false;
   }
   memcpy(table, stretches->table, stretches->count * sizeof *table);
   host->release(stretches->table, stretches->capacity * sizeof *table);
   host->release(stretches->heads, stretches->head_count * sizeof *heads);
   memset(heads, 0, capacity * sizeof *heads);
   stretches->table = table;
   stretches->heads = heads;
   stretches->capacity = stretches->head_count = capacity;
   for (uint32_t id = 1; id < stretches->count; id++) {
      uint32_t *head = &heads[head_of(stretches, table[id].address)];
      table[id].next = *head;
      *head = id;
   }
   return true;
}

static bool grow_lengths(struct pm_stretches *stretches, unsigned instrs)
{
   if (stretches->lengths_used + instrs <= stretches->lengths_capacity)
      return true;
   if (stretches->lengths_capacity > UINT32_MAX / 2)
      return false;
   const struct pm_host *host = stretches->host;
   size_t capacity = stretches->lengths_capacity * (size_t)2, used = stretches->lengths_used;
   struct pm_instr *told = stretches->told ? host->alloc(capacity * sizeof *told) : NULL;
   uint8_t *lengths = host->alloc(capacity);
   if (!lengths || (stretches->told && !told)) {
      host->release(lengths, capacity);
      host->release(told, capacity * sizeof *told);
      return false;
   }
   memcpy(lengths, stretches->lengths, used);
   host->release(stretches->lengths, stretches->lengths_capacity);
   if (told) {
      memcpy(told, stretches->told, used * sizeof *told);
      host->release(stretches->told, stretches->lengths_capacity * sizeof *told);
   }
   stretches->lengths = lengths;
   stretches->told = told;
   stretches->lengths_capacity = (uint32_t)capacity;
   return true;
}

static bool is_like(const struct pm_stretches *stretches, const struct pm_stretch *s,
                    const struct pm_stretch *like, const uint8_t *lengths,
                    const struct pm_instr *told)
{
   return s->address == like->address && s->place == like->place &&
          s->weight == like->weight && s->instrs == like->instrs &&
          s->iteration == like->iteration && s->calls == like->calls &&
          s->ends_in_fault_exit == like->ends_in_fault_exit &&
          pm_memcmp(s->mix, like->mix, sizeof s->mix) == 0 &&
          pm_memcmp(stretches->lengths + s->lengths, lengths, like->instrs) == 0 &&
          (!told ||
           pm_memcmp(stretches->told + s->lengths, told, like->instrs * sizeof *told) == 0);
}

uint32_t pm_stretches_id(struct pm_stretches *stretches, const struct pm_stretch *like,
                         const uint8_t *lengths, const struct pm_instr *told)
{
   uint32_t id = stretches->heads[head_of(stretches, like->address)];
   while (id && !is_like(stretches, &stretches->table[id], like, lengths, told))
      id = stretches->table[id].next;
   if (id)
      return id;
   if (stretches->count == PM_STRETCHES_MAX ||
       (stretches->count == stretches->capacity && !grow_table(stretches)) ||
       !grow_lengths(stretches, like->instrs))
      return 0;

   id = stretches->count++;
   uint32_t *head = &stretches->heads[head_of(stretches, like->address)];
   stretches->table[id] = *like;
   stretches->table[id].lengths = stretches->lengths_used;
   stretches->table[id].next = *head;
   *head = id;
   if (like->instrs)
      memcpy(stretches->lengths + stretches->lengths_used, lengths, like->instrs);
   if (like->instrs && told)
      memcpy(stretches->told + stretches->lengths_used, told, like->instrs * sizeof *told);
   stretches->lengths_used += like->instrs;
   return id;
}

unsigned pm_stretches_left(const struct pm_stretches *stretches, uint32_t id, uint64_t ip)
{
   const struct pm_stretch *s = &stretches->table[id];
   uint64_t at = s->address;
   for (unsigned i = 0; i < s->instrs; i++) {
      if (at == ip)
         return s->instrs - i;
      at += stretches->lengths[s->lengths + i];
   }
   return 0;
}

uint64_t pm_stretches_last(const struct pm_stretches *stretches, uint32_t id)
{
   const struct pm_stretch *s = &stretches->table[id];
   uint64_t at = s->address;
   for (unsigned i = 0; i + 1 < s->instrs; i++)
      at += stretches->lengths[s->lengths + i];
   return at;
}

uint64_t pm_stretches_end(const struct pm_stretches *stretches, uint32_t id)
{
   const struct pm_stretch *s = &stretches->table[id];
   uint64_t at = s->address;
   for (unsigned i = 0; i < s->instrs; i++)
      at += stretches->lengths[s->lengths + i];
   return at;
}
