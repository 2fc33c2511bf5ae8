/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_shape.c: what blocks are like. See pr_shape.h. */
#include "pr_shape.h"

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
