/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_ranges.h: which address ranges are mapped, and on whose behalf.
 *
 * How many bytes has the program mapped by itself, how many has its allocator
 * (design section 3, mapped and allocator-mapped)? A set of half-open
 * intervals [start, end), each with the owner that mapped it. Intervals do not
 * overlap; neighbours of one owner that touch are one interval.
 *
 * The set follows the kernel's calls: a map replaces what was there (MAP_FIXED),
 * an unmap may cut any number of intervals, mremap moves them piece by piece. It
 * knows neither pages nor protections; whoever calls it rounds to whole pages.
 * `start` == `end` is an empty interval and changes nothing; `start` > `end` is a
 * broken invariant.
 *
 * A sorted array with binary search: a call costs O(log n) plus moving the
 * intervals behind; Linux allows a process 65,530 of them by default. Memory: 24
 * bytes an interval, twice that while it grows.
 */
#ifndef PM_RANGES_H
#define PM_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pm_host;

enum pm_range_owner {
   PM_RANGE_PROGRAM,   /* mapped outside allocation functions */
   PM_RANGE_ALLOCATOR, /* mapped by a pending allocation call */
   PM_RANGE_OWNERS
};

struct pm_range {
   uint64_t start, end; /* addresses, start < end */
   enum pm_range_owner owner;
};

struct pm_ranges {
   const struct pm_host *host;
   struct pm_range *sorted; /* by address */
   size_t count;
   size_t room;                      /* intervals that `sorted` has memory for */
   uint64_t bytes[PM_RANGE_OWNERS]; /* total lengths */
};

void pm_ranges_init(struct pm_ranges *ranges, const struct pm_host *host);
void pm_ranges_release(struct pm_ranges *ranges);

/* Each of the following returns false when memory for more intervals is missing;
   the set is then as it was before the call. */

/* [start, end) belongs to `owner` now, whatever was there. */
bool pm_ranges_add(struct pm_ranges *ranges, uint64_t start, uint64_t end,
                   enum pm_range_owner owner);

/* Nothing in [start, end) is mapped any more. */
bool pm_ranges_remove(struct pm_ranges *ranges, uint64_t start, uint64_t end);

/* mremap: what lies in [from_start, from_end) is found in [to_start, to_end)
   instead, in place of whatever was there, each piece with its owner and at its
   distance from the start, gaps remaining gaps. The part of a target that is longer
   belongs to the owner of the last byte of the source, or to nobody if that byte
   was not in the set. The two may overlap or start at the same address (resized in
   place); of a longer source the rest vanishes. An empty target is a removal; an
   empty source leaves nothing in the target. */
bool pm_ranges_move(struct pm_ranges *ranges, uint64_t from_start, uint64_t from_end,
                    uint64_t to_start, uint64_t to_end);

/* Total length of the intervals of one owner. */
uint64_t pm_ranges_bytes(const struct pm_ranges *ranges, enum pm_range_owner owner);

#endif
