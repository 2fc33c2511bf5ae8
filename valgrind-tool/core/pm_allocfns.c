/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_allocfns.c: lookup of allocation functions by symbol name. */
#include "pm_allocfns.h"
#include "pm_text.h"

#define NONE PM_ARG_NONE
#define PM_ALLOCKIND(kind, name, does, old, count, size, out)                             \
   [PM_ALLOCKIND_##kind] = {name, PM_DOES_##does, old, count, size, out},

const struct pm_allockind pm_allockinds[PM_ALLOCKINDS] = {
#include "pm_allockinds.def"
};
#undef NONE

#define PM_ALLOCFN(name, kind) {name, PM_ALLOCKIND_##kind},
#define PM_ALLOCFN_PREFIXED(prefix, name, kind) {prefix name, PM_ALLOCKIND_##kind},

static const struct pm_allocfn built_in[] = {
#include "pm_allocfns.def"
};

enum { BUILT_IN = sizeof built_in / sizeof *built_in };

enum pm_allockind_id pm_allockind_by_name(const char *name, size_t bytes)
{
   int k = 0;
   while (k < PM_ALLOCKINDS && !(pm_strlen(pm_allockinds[k].name) == bytes &&
                                 pm_memcmp(pm_allockinds[k].name, name, bytes) == 0))
      k++;
   return k;
}

static bool matches_by_end(const char *name)
{
   return name[0] == '*';
}

static uint32_t slot_of(const struct pm_allocfns *fns, const char *name)
{
   uint64_t hash = pm_fnv1a64(PM_FNV1A64_START, name, pm_strlen(name));
   uint32_t slot = (uint32_t)hash & (fns->slot_count - 1);
   while (fns->slots[slot] && !pm_streq(fns->rows[fns->slots[slot] - 1].name, name))
      slot = (slot + 1) & (fns->slot_count - 1);
   return slot;
}

/* Make room for capacity rows and file those that are there. */
static bool rebuild(struct pm_allocfns *fns, uint32_t capacity)
{
   uint32_t slot_count = 64;
   while (slot_count < capacity * 2)
      slot_count *= 2;
   struct pm_allocfns bigger = {
      .host = fns->host,
      .rows = fns->host->alloc(capacity * sizeof *fns->rows),
      .capacity = capacity,
      .slots = fns->host->alloc(slot_count * sizeof *fns->slots),
      .slot_count = slot_count,
      .suffixes = fns->host->alloc(capacity * sizeof *fns->suffixes),
   };
   if (!bigger.rows || !bigger.slots || !bigger.suffixes) {
      pm_allocfns_release(&bigger);
      return false;
   }
   memset(bigger.slots, 0, slot_count * sizeof *bigger.slots);
   for (uint32_t r = 0; r < fns->count; r++)
      pm_allocfns_add(&bigger, fns->rows[r].name, fns->rows[r].kind);
   pm_allocfns_release(fns);
   *fns = bigger;
   return true;
}

bool pm_allocfns_init(struct pm_allocfns *fns, const struct pm_host *host)
{
   *fns = (struct pm_allocfns){.host = host};
   if (!rebuild(fns, BUILT_IN * 2))
      return false;
   for (uint32_t r = 0; r < BUILT_IN; r++)
      pm_allocfns_add(fns, built_in[r].name, built_in[r].kind);
   return true;
}

void pm_allocfns_release(struct pm_allocfns *fns)
{
   const struct pm_host *host = fns->host;
   host->release(fns->rows, fns->capacity * sizeof *fns->rows);
   host->release(fns->slots, fns->slot_count * sizeof *fns->slots);
   host->release(fns->suffixes, fns->capacity * sizeof *fns->suffixes);
   *fns = (struct pm_allocfns){.host = host};
}

bool pm_allocfns_add(struct pm_allocfns *fns, const char *name, enum pm_allockind_id kind)
{
   if (!matches_by_end(name)) {
      uint32_t slot = slot_of(fns, name);
      if (fns->slots[slot]) {
         fns->rows[fns->slots[slot] - 1].kind = kind;
         return true;
      }
   }
   if (fns->count == fns->capacity && !rebuild(fns, fns->capacity * 2))
      return false;
   uint32_t row = fns->count++;
   fns->rows[row] = (struct pm_allocfn){name, kind};
   if (matches_by_end(name))
      fns->suffixes[fns->suffix_count++] = row;
   else
      fns->slots[slot_of(fns, name)] = row + 1;
   return true;
}

const struct pm_allocfn *pm_allocfns_match(const struct pm_allocfns *fns, const char *symbol)
{
   uint32_t found = fns->slots[slot_of(fns, symbol)];
   if (found)
      return &fns->rows[found - 1];
   size_t length = pm_strlen(symbol);
   for (uint32_t s = fns->suffix_count; s-- > 0;) {
      const struct pm_allocfn *row = &fns->rows[fns->suffixes[s]];
      size_t end = pm_strlen(row->name + 1);
      if (length >= end && pm_memcmp(symbol + length - end, row->name + 1, end) == 0)
         return row;
   }
   return NULL;
}
