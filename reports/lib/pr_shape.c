/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_shape.c: what blocks are like. See pr_shape.h. */
#include "pr_shape.h"

#include <stdlib.h>

const char *const pr_histogram_names[PR_HISTOGRAM_KINDS] = {
   [PR_SIZES] = "sizes",
   [PR_LIFETIMES] = "lifetimes",
};

__int128 pr_histogram_blocks(const struct pr_histogram *histogram)
{
   __int128 sum = 0;
   for (size_t i = 0; i < histogram->count; i++)
      sum += histogram->buckets[i].blocks;
   return sum;
}

static int by_from(const void *left, const void *right)
{
   const struct pr_bucket_change *a = left, *b = right;
   return (a->from > b->from) - (a->from < b->from);
}

/* The buckets of both are put together and sorted, since a report that breaks the rules may
   have them in any order, and twice. */
bool pr_histogram_compare(const struct pr_histogram *old_histogram,
                          const struct pr_histogram *new_histogram,
                          struct pr_bucket_changes *changes)
{
   size_t count = old_histogram->count + new_histogram->count, kept = 0;
   struct pr_bucket_change *items = malloc((count + 1) * sizeof *items);
   *changes = (struct pr_bucket_changes){items, 0};
   if (!items)
      return false;
   for (size_t i = 0; i < count; i++) {
      bool is_old = i < old_histogram->count;
      const struct pr_bucket *bucket = is_old ? &old_histogram->buckets[i]
                                              : &new_histogram->buckets[i - old_histogram->count];
      items[i] = (struct pr_bucket_change){bucket->from, is_old ? bucket->blocks : 0,
                                           is_old ? 0 : bucket->blocks};
   }
   qsort(items, count, sizeof *items, by_from);
   for (size_t i = 0; i < count;) {
      struct pr_bucket_change sum = {.from = items[i].from};
      for (; i < count && items[i].from == sum.from; i++) {
         sum.old_blocks += items[i].old_blocks;
         sum.new_blocks += items[i].new_blocks;
      }
      if (sum.old_blocks != sum.new_blocks)
         items[kept++] = sum;
   }
   changes->count = kept;
   return true;
}
