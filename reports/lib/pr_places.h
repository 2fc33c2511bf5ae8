/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_places.h: of the places that a part stands for, the one that accounts for most of it.
 *
 * Sites that differ by their lines alone are one unit. When the unit changed, one of its
 * places may be new, or gone, while the others are what they were: its line is the one to
 * tell. Places are the same on both sides if all their lines are; as lines move, those left
 * over that have the same number are taken for the same, then others in their order.
 */
#ifndef PR_PLACES_H
#define PR_PLACES_H

#include "pr_explain.h"

/* Set part->told and part->told_side, by the entries of the part, which has a change in this
   column. Of a part with very many places, or by something else than sites, they stay. */
void pr_places_tell(const struct pr_rows *rows, size_t column, const struct pr_entry *entries,
                    size_t count, struct pr_part *part);

#endif
