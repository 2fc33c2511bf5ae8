/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_shape.h: what blocks are like, and how live memory goes up and down.
 *
 * A histogram counts the blocks of a phase by size or by lifetime: a bucket holds the
 * values from its first to twice that, exclusive; the one from 0 holds 0 alone. The
 * timeline has the live bytes of the whole run over its instructions, cut into intervals
 * of equal width.
 */
#ifndef PR_SHAPE_H
#define PR_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pr_histogram_kind {
   PR_SIZES,     /* in bytes, of blocks obtained or resized */
   PR_LIFETIMES, /* in instructions, of blocks obtained and given back inside */
   PR_HISTOGRAM_KINDS
};

/* Elements: "sizes", "lifetimes". */
extern const char *const pr_histogram_names[PR_HISTOGRAM_KINDS];

struct pr_bucket {
   uint64_t from; /* the smallest value in it */
   uint64_t blocks;
   unsigned line; /* in the file */
};

struct pr_histogram {
   bool is_listed; /* an empty one is, too */
   struct pr_bucket *buckets;
   size_t count;
   unsigned line; /* in the file */
};

__int128 pr_histogram_blocks(const struct pr_histogram *histogram);

/* A bucket that has other blocks in another histogram of the kind. */
struct pr_bucket_change {
   uint64_t from;
   __int128 old_blocks, new_blocks; /* 0: no such bucket there */
};

struct pr_bucket_changes {
   struct pr_bucket_change *items; /* by `from` */
   size_t count;
};

/* The caller frees .items. False: no memory left. */
bool pr_histogram_compare(const struct pr_histogram *old_histogram,
                          const struct pr_histogram *new_histogram,
                          struct pr_bucket_changes *changes);

struct pr_point {
   uint64_t most_bytes; /* live at once in the interval */
   uint64_t last_bytes; /* live at its end */
   unsigned line;       /* in the file */
};

struct pr_timeline {
   bool is_listed;
   uint64_t interval_instructions; /* point n is the interval from n times that on */
   struct pr_point *points;
   size_t count;
   unsigned line; /* in the file */
};

#endif
