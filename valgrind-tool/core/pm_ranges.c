/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_ranges.c: which address ranges are mapped, and on whose behalf; see
 * pm_ranges.h.
 *
 * Every change is one operation: what lies in a span is replaced by given pieces
 * (none for an unmap, one for a map, several for a move). Intervals that reach out
 * of the span keep their ends outside, and touching pieces of the same owner are
 * joined on the way. Memory is made available before anything changes, so that a
 * failure leaves the set as it was.
 */
#include "pm_ranges.h"

#include "pm_host.h"

enum { FIRST_ROOM = 64 };

void pm_ranges_init(struct pm_ranges *ranges, const struct pm_host *host)
{
   memset(ranges, 0, sizeof *ranges);
   ranges->host = host;
}

void pm_ranges_release(struct pm_ranges *ranges)
{
   ranges->host->release(ranges->sorted, ranges->room * sizeof *ranges->sorted);
   pm_ranges_init(ranges, ranges->host);
}

uint64_t pm_ranges_bytes(const struct pm_ranges *ranges, enum pm_range_owner owner)
{
   return ranges->bytes[owner];
}

/* Memory for `more` intervals than there are. */
static bool make_room(struct pm_ranges *ranges, size_t more)
{
   const struct pm_host *host = ranges->host;
   size_t room = ranges->room == 0 ? FIRST_ROOM : ranges->room;
   struct pm_range *sorted;

   while (room < ranges->count + more)
      room *= 2;
   if (room == ranges->room)
      return true;
   sorted = host->alloc(room * sizeof *sorted);
   if (sorted == NULL)
      return false;
   if (ranges->count > 0)
      memcpy(sorted, ranges->sorted, ranges->count * sizeof *sorted);
   host->release(ranges->sorted, ranges->room * sizeof *sorted);
   ranges->sorted = sorted;
   ranges->room = room;
   return true;
}

/* The first interval that ends behind `address`; count: none. */
static size_t first_ending_after(const struct pm_ranges *ranges, uint64_t address)
{
   size_t low = 0, high = ranges->count;

   while (low < high) {
      size_t middle = low + (high - low) / 2;

      if (ranges->sorted[middle].end > address)
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

static bool is_empty(const struct pm_range *range)
{
   return range->start >= range->end;
}

/* Let [start, end), not empty, hold the `n` pieces and nothing else. The pieces lie
   inside, sorted, joined among themselves; they may be changed. There is room for
   n + 1 intervals more: one that reaches out on both sides becomes two. */
static void replace(struct pm_ranges *ranges, uint64_t start, uint64_t end,
                    struct pm_range *pieces, size_t n)
{
   struct pm_range *sorted = ranges->sorted;
   size_t first = first_ending_after(ranges, start), behind = first, at, inserted;
   struct pm_range left = {0}, right = {0}; /* what stays on either side of the span */

   /* Intervals that only touch the span take part, so that they can join. */
   if (first > 0 && sorted[first - 1].end == start)
      first--;
   while (behind < ranges->count && sorted[behind].start <= end)
      behind++;
   if (first < behind) {
      left = sorted[first];
      left.end = left.end < start ? left.end : start;
      right = sorted[behind - 1];
      right.start = right.start > end ? right.start : end;
   }
   for (size_t i = first; i < behind; i++)
      ranges->bytes[sorted[i].owner] -= sorted[i].end - sorted[i].start;

   if (n > 0 && !is_empty(&left) && left.owner == pieces[0].owner && left.end == pieces[0].start) {
      pieces[0].start = left.start;
      left.end = left.start;
   }
   if (n > 0 && !is_empty(&right) && right.owner == pieces[n - 1].owner &&
       right.start == pieces[n - 1].end) {
      pieces[n - 1].end = right.end;
      right.start = right.end;
   }

   inserted = n + !is_empty(&left) + !is_empty(&right);
   memmove(sorted + first + inserted, sorted + behind, (ranges->count - behind) * sizeof *sorted);
   ranges->count = ranges->count - (behind - first) + inserted;
   at = first;
   if (!is_empty(&left))
      sorted[at++] = left;
   for (size_t i = 0; i < n; i++)
      sorted[at++] = pieces[i];
   if (!is_empty(&right))
      sorted[at++] = right;
   for (size_t i = first; i < at; i++)
      ranges->bytes[sorted[i].owner] += sorted[i].end - sorted[i].start;
}

bool pm_ranges_add(struct pm_ranges *ranges, uint64_t start, uint64_t end,
                   enum pm_range_owner owner)
{
   struct pm_range piece = {.start = start, .end = end, .owner = owner};

   PM_ASSERT(ranges->host, start <= end);
   if (start == end)
      return true;
   if (!make_room(ranges, 2))
      return false;
   replace(ranges, start, end, &piece, 1);
   return true;
}

bool pm_ranges_remove(struct pm_ranges *ranges, uint64_t start, uint64_t end)
{
   PM_ASSERT(ranges->host, start <= end);
   if (start == end)
      return true;
   if (!make_room(ranges, 1))
      return false;
   replace(ranges, start, end, NULL, 0);
   return true;
}

/* What [from, from + bytes) holds, `bytes` > 0, moved to `to`, into `pieces`; `first` is
   the first interval that ends behind `from`. The result is the number of pieces. */
static size_t moved_pieces(const struct pm_ranges *ranges, size_t first, uint64_t from,
                           uint64_t bytes, uint64_t to, struct pm_range *pieces)
{
   size_t n = 0;

   for (size_t i = first; i < ranges->count && ranges->sorted[i].start < from + bytes; i++) {
      struct pm_range piece = ranges->sorted[i];

      piece.start = piece.start > from ? piece.start : from;
      piece.end = piece.end < from + bytes ? piece.end : from + bytes;
      piece.start += to - from;
      piece.end += to - from;
      pieces[n++] = piece;
   }
   return n;
}

bool pm_ranges_move(struct pm_ranges *ranges, uint64_t from_start, uint64_t from_end,
                    uint64_t to_start, uint64_t to_end)
{
   const struct pm_host *host = ranges->host;
   uint64_t from_bytes = from_end - from_start, to_bytes = to_end - to_start;
   uint64_t kept_bytes = from_bytes < to_bytes ? from_bytes : to_bytes;
   size_t first, overlapping = 0, n;
   struct pm_range *pieces = NULL;

   PM_ASSERT(host, from_start <= from_end && to_start <= to_end);
   if (from_bytes == 0)
      return pm_ranges_remove(ranges, to_start, to_end);
   if (to_bytes == 0)
      return pm_ranges_remove(ranges, from_start, from_end);
   first = first_ending_after(ranges, from_start);
   for (size_t i = first; i < ranges->count && ranges->sorted[i].start < from_end; i++)
      overlapping++;
   /* The removal may split an interval, and the target another one. */
   if (!make_room(ranges, overlapping + 2))
      return false;
   if (overlapping > 0) {
      pieces = host->alloc(overlapping * sizeof *pieces);
      if (pieces == NULL)
         return false;
   }
   n = moved_pieces(ranges, first, from_start, kept_bytes, to_start, pieces);
   /* The last byte of the source was in the set, and has not been cut off. */
   if (n > 0 && pieces[n - 1].end == to_start + from_bytes)
      pieces[n - 1].end = to_end;
   replace(ranges, from_start, from_end, NULL, 0);
   replace(ranges, to_start, to_end, pieces, n);
   host->release(pieces, overlapping * sizeof *pieces);
   return true;
}
