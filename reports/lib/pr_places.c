/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_places.c: the place that accounts for most of a part. See the header. */
#include "pr_places.h"

#include <string.h>

enum { PLACES_MAX = 64 }; /* of both sides together: each is compared with each */

/* Chains of one unit have the same functions, if they are not guessed to be the same. */
static bool is_same_site(const struct pr_site *a, const struct pr_site *b)
{
   if (a->frame_count != b->frame_count)
      return false;
   for (size_t f = 0; f < a->frame_count; f++) {
      const struct pr_frame *one = &a->frames[f], *other = &b->frames[f];
      if (one->line != other->line || !one->file != !other->file
          || (one->file && strcmp(one->file, other->file) != 0))
         return false;
   }
   return true;
}

static bool is_same_place(const struct pr_row *a, const struct pr_row *b)
{
   return is_same_site(a->site, b->site) && (!a->origin || is_same_site(a->origin, b->origin));
}

struct place {
   const struct pr_entry *entry;
   __int128 change; /* new less old; of one that is paired, the new one has it and the old 0 */
   bool is_paired;
};

static bool is_same_number(const struct place *olds, const struct place *news)
{
   return olds->change + news->change == 0;
}

static bool has_same_lines(const struct place *olds, const struct place *news)
{
   return is_same_place(olds->entry->row, news->entry->row);
}

static bool is_left_over(const struct place *olds, const struct place *news)
{
   (void)olds, (void)news;
   return true;
}

/* Pair each old place with the first new one that is the same. */
static void pair(struct place *places, size_t count,
                 bool (*is_alike)(const struct place *olds, const struct place *news))
{
   for (size_t o = 0; o < count; o++)
      for (size_t n = 0; n < count && !places[o].is_paired; n++) {
         struct place *olds = &places[o], *news = &places[n];
         if (olds->entry->side != PR_OLD || news->entry->side != PR_NEW || news->is_paired
             || !is_alike(olds, news))
            continue;
         news->change += olds->change;
         olds->change = 0;
         olds->is_paired = news->is_paired = true;
      }
}

void pr_places_tell(const struct pr_rows *rows, size_t column, const struct pr_entry *entries,
                    size_t count, struct pr_part *part)
{
   const struct pr_column *info = &pr_breakdowns[rows->kind].columns[column];
   struct place places[PLACES_MAX];
   bool is_by_sites = rows->kind == PR_BY_SITE || rows->kind == PR_BY_RESIZE
                      || rows->kind == PR_BY_RELEASE;
   if (!is_by_sites || count > PLACES_MAX)
      return;
   for (size_t i = 0; i < count; i++) {
      __int128 value = pr_column_value(info, entries[i].row->values[column]);
      places[i] = (struct place){&entries[i], entries[i].side == PR_OLD ? -value : value, false};
   }
   pair(places, count, has_same_lines);
   pair(places, count, is_same_number);
   pair(places, count, is_left_over);
   __int128 most = 0;
   for (int side = PR_NEW; side >= PR_OLD; side--)
      for (size_t i = 0; i < count; i++) {
         __int128 same_way = part->change < 0 ? -places[i].change : places[i].change;
         if (places[i].entry->side != (enum pr_side)side || same_way <= most)
            continue;
         most = same_way;
         part->told = places[i].entry->row;
         part->told_side = side;
      }
}
