/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_histogram.h: how many blocks of which size, or lifetime.
 *
 * Bucket 0 counts the value 0; bucket k > 0 counts the values from 2^(k-1) to
 * 2^k - 1, so that 64 more buckets hold every number.
 */
#ifndef PM_HISTOGRAM_H
#define PM_HISTOGRAM_H

#include "pm_host.h"

enum { PM_BUCKETS = 65 };

struct pm_histogram {
   uint64_t blocks[PM_BUCKETS];
};

static inline unsigned pm_bucket_of(uint64_t value)
{
   return value == 0 ? 0 : 64 - (unsigned)__builtin_clzll(value);
}

/* The smallest value of a bucket. */
static inline uint64_t pm_bucket_from(unsigned bucket)
{
   return bucket == 0 ? 0 : UINT64_C(1) << (bucket - 1);
}

static inline void pm_histogram_add(struct pm_histogram *histogram, uint64_t value)
{
   histogram->blocks[pm_bucket_of(value)]++;
}

#endif
