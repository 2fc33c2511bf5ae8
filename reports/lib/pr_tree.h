/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_tree.h: phases in the order of a tree. */
#ifndef PR_TREE_H
#define PR_TREE_H

#include "pr_report.h"

struct pr_tree_node {
   const struct pr_phase *phase;
   size_t depth; /* 0: within none */
};

/* Every phase of the report once: each behind the one it lies within, siblings in file
   order. Phases that lie within each other in a circle hang from the first of them.
   An array of phase_count nodes, which the caller frees; NULL: no memory left. */
struct pr_tree_node *pr_tree_of_phases(const struct pr_report *report);

#endif
