/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_sort.h: sorting of pointers in place, without recursion or memory. */
#ifndef PM_SORT_H
#define PM_SORT_H

#include "pm_host.h"

/* Below 0 when a comes first, above 0 when b does. For the same bytes in every run
   it must be a total order: equal elements come in no particular order. */
typedef int pm_compare(const void *a, const void *b, const void *ctx);

/* Sort count pointers. O(n log n), heap sort. */
void pm_sort(void **pointers, size_t count, pm_compare *compare, const void *ctx);

#endif
