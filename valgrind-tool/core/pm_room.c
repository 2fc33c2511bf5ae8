/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_room.c: arrays that grow by doubling. */
#include "pm_room.h"

bool pm_grow_by_one(const struct pm_host *host, void **array, uint32_t count,
                    uint32_t *capacity, size_t element_bytes)
{
   uint32_t bigger = *capacity ? *capacity * 2 : 8;
   void *room = bigger > *capacity ? host->alloc(bigger * element_bytes) : NULL;
   if (!room)
      return false;
   if (*array)
      memcpy(room, *array, count * element_bytes);
   host->release(*array, *capacity * element_bytes);
   *array = room;
   *capacity = bigger;
   return true;
}

bool pm_grow_to(const struct pm_host *host, void **array, uint32_t *capacity, uint32_t at,
                size_t element_bytes)
{
   uint32_t bigger = *capacity ? *capacity : 8;
   while (bigger && bigger <= at)
      bigger *= 2;
   void *room = bigger ? host->alloc(bigger * element_bytes) : NULL;
   if (!room)
      return false;
   if (*array)
      memcpy(room, *array, *capacity * element_bytes);
   memset((char *)room + *capacity * element_bytes, 0, (bigger - *capacity) * element_bytes);
   host->release(*array, *capacity * element_bytes);
   *array = room;
   *capacity = bigger;
   return true;
}
