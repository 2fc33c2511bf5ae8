/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_tree.c: phases in the order of a tree. See pr_tree.h.
 *
 * A report may nest its phases as deep as it has phases, so there is no recursion:
 * the walk goes down by first children, across by next siblings, and up by the way it
 * came. A circle of phases has no root; the walk enters it where the file does, and the
 * marks on what was visited keep it from going round.
 */
#include "pr_tree.h"

#include <stdint.h>
#include <stdlib.h>

enum { NONE = -1 };

/* Of the phase with the same index. */
struct place {
   ptrdiff_t first_child, next_sibling;
   bool is_visited;
};

static ptrdiff_t index_of(const struct pr_report *report, const struct pr_phase *phase)
{
   return phase ? phase - report->phases : NONE;
}

/* Backwards, so that each list of siblings ends up in file order. */
static void link_places(const struct pr_report *report, struct place *places)
{
   for (size_t i = 0; i < report->phase_count; i++)
      places[i] = (struct place){NONE, NONE, false};
   for (size_t i = report->phase_count; i-- > 0;) {
      ptrdiff_t parent = index_of(report, report->phases[i].within);
      if (parent == NONE)
         continue;
      places[i].next_sibling = places[parent].first_child;
      places[parent].first_child = (ptrdiff_t)i;
   }
}

static ptrdiff_t next_unvisited(const struct place *places, ptrdiff_t at)
{
   while (at != NONE && places[at].is_visited)
      at = places[at].next_sibling;
   return at;
}

/* Append the tree below `root` to the nodes; returns the new number of them. */
static size_t walk(const struct pr_report *report, struct place *places, size_t root,
                   struct pr_tree_node *nodes, size_t count)
{
   ptrdiff_t at = (ptrdiff_t)root;
   size_t depth = 0;
   for (;;) {
      places[at].is_visited = true;
      nodes[count++] = (struct pr_tree_node){&report->phases[at], depth};
      ptrdiff_t next = next_unvisited(places, places[at].first_child);
      if (next != NONE)
         depth++;
      while (next == NONE && depth > 0) {
         next = next_unvisited(places, places[at].next_sibling);
         at = index_of(report, report->phases[at].within);
         if (next == NONE)
            depth--;
      }
      if (next == NONE)
         return count;
      at = next;
   }
}

struct pr_tree_node *pr_tree_of_phases(const struct pr_report *report)
{
   size_t phases = report->phase_count, count = 0;
   struct pr_tree_node *nodes = malloc((phases ? phases : 1) * sizeof *nodes);
   struct place *places = malloc((phases ? phases : 1) * sizeof *places);
   if (!nodes || !places) {
      free(nodes);
      free(places);
      return NULL;
   }
   link_places(report, places);
   for (size_t i = 0; i < phases; i++)
      if (!report->phases[i].within)
         count = walk(report, places, i, nodes, count);
   for (size_t i = 0; i < phases; i++)
      if (!places[i].is_visited)
         count = walk(report, places, i, nodes, count);
   free(places);
   return nodes;
}
