/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_nearest.c: what may have been meant by a mistyped name.
 *
 * Near is a small edit distance: insertions, deletions and replacements of
 * single bytes, at most a third of the wanted name's length, or two if that is
 * less than the name has bytes. A name that holds the wanted one as a part
 * ("peak" for "heap.peak") is taken as two edits away.
 * Only names of up to NAME_BYTES_MAX are compared: nobody mistypes longer ones.
 */
#include "pr_nearest.h"

#include <string.h>

enum {
   NAME_BYTES_MAX = 64,
   DISTANCE_OF_PART = 2,
};

void pr_nearest_init(struct pr_nearest *nearest, const char *wanted)
{
   size_t bytes = strlen(wanted);
   size_t edits = bytes / 3 > 2 ? bytes / 3 : 2;
   if (edits >= bytes)
      edits = bytes ? bytes - 1 : 0;
   *nearest = (struct pr_nearest){.wanted = wanted, .distance = edits + 1};
}

static size_t least(size_t a, size_t b, size_t c)
{
   size_t less = a < b ? a : b;
   return less < c ? less : c;
}

/* Levenshtein's distance by its usual row: row[j] is the distance between the
   first i bytes of `a` and the first j of `b`. */
static size_t edit_distance(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
   size_t row[NAME_BYTES_MAX + 1];
   for (size_t j = 0; j <= b_bytes; j++)
      row[j] = j;
   for (size_t i = 1; i <= a_bytes; i++) {
      size_t diagonal = row[0];
      row[0] = i;
      for (size_t j = 1; j <= b_bytes; j++) {
         size_t above = row[j];
         row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
         diagonal = above;
      }
   }
   return row[b_bytes];
}

void pr_nearest_offer(struct pr_nearest *nearest, const char *name)
{
   size_t wanted_bytes = strlen(nearest->wanted), name_bytes = strlen(name);
   if (wanted_bytes == 0 || wanted_bytes > NAME_BYTES_MAX || name_bytes > NAME_BYTES_MAX)
      return;
   size_t distance = edit_distance(nearest->wanted, wanted_bytes, name, name_bytes);
   if (wanted_bytes >= 3 && strstr(name, nearest->wanted) && distance > DISTANCE_OF_PART)
      distance = DISTANCE_OF_PART;
   /* The distance that init set is the first that is too far. */
   if (distance < nearest->distance) {
      nearest->distance = distance;
      nearest->name = name;
   }
}
