/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_room.h: arrays that grow by doubling. */
#ifndef PM_ROOM_H
#define PM_ROOM_H

#include "pm_host.h"

/* The part of the functions below that is seldom needed. */
PM_SELDOM bool pm_grow_by_one(const struct pm_host *host, void **array, uint32_t count,
                              uint32_t *capacity, size_t element_bytes);
PM_SELDOM bool pm_grow_to(const struct pm_host *host, void **array, uint32_t *capacity,
                          uint32_t at, size_t element_bytes);

/* Make room for one more element in an array of `count` elements; the contents
   may move. False: no memory, and nothing has changed. */
static inline bool pm_reserve_one(const struct pm_host *host, void **array, uint32_t count,
                                  uint32_t *capacity, size_t element_bytes)
{
   return count < *capacity || pm_grow_by_one(host, array, count, capacity, element_bytes);
}

/* Make room for the element at `at` in an array whose elements beyond what was
   written are zero; it grows by doubling. False: no memory, and nothing has changed. */
static inline bool pm_reach(const struct pm_host *host, void **array, uint32_t *capacity,
                            uint32_t at, size_t element_bytes)
{
   return at < *capacity || pm_grow_to(host, array, capacity, at, element_bytes);
}

#endif
