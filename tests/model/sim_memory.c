/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_memory.c: places and pointers; see sim_memory.h. */
#include "sim_memory.h"

uint64_t sim_place_address(int place)
{
   return UINT64_C(0x10000000) + (uint64_t)place * PLACE_BYTES;
}

int sim_take_place(struct sim_memory *memory, struct model_random *random)
{
   int first = (int)model_below(random, PLACES);
   for (int i = 0; i < PLACES; i++) {
      int place = (first + i) % PLACES;
      if (!memory->used[place]) {
         memory->used[place] = true;
         return place;
      }
   }
   return NO_PLACE;
}

void sim_free_place(struct sim_memory *memory, int place)
{
   if (place != NO_PLACE)
      memory->used[place] = false;
}

void sim_hold(struct sim_memory *memory, struct sim_pointer pointer)
{
   if (memory->held_count == HELD_MAX)
      abort();
   memory->held[memory->held_count++] = pointer;
}

bool sim_pick(struct sim_memory *memory, struct model_random *random, const struct sim_call *user,
              sim_may_use *may_use, bool only_own, struct sim_pointer *picked)
{
   if (memory->held_count == 0)
      return false;
   int first = (int)model_below(random, (uint32_t)memory->held_count);
   for (int i = 0; i < memory->held_count; i++) {
      struct sim_pointer *pointer = &memory->held[(first + i) % memory->held_count];
      if (only_own ? pointer->owner == user : may_use(user, pointer->owner)) {
         *picked = *pointer;
         *pointer = memory->held[--memory->held_count];
         return true;
      }
   }
   return false;
}

struct sim_pointer sim_take(struct sim_memory *memory, uint64_t address)
{
   int i = 0;
   while (memory->held[i].address != address)
      if (++i == memory->held_count)
         abort();
   struct sim_pointer taken = memory->held[i];
   memory->held[i] = memory->held[--memory->held_count];
   return taken;
}

void sim_inherit(struct sim_memory *memory, const struct sim_call *from,
                 const struct sim_call *to)
{
   for (int i = 0; i < memory->held_count; i++)
      if (memory->held[i].owner == from)
         memory->held[i].owner = to;
}
