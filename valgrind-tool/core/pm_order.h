/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_order.h: block ids ordered by address, to answer "which block holds X?".
 *
 * The ledger's own index is a hash, which finds blocks by their first byte
 * only. Two questions need an order: does an announced pool block lie inside
 * another block, and which block serves as the stack that a stack pointer is
 * in. This treap answers them; the ledger files a block here only when one of
 * the questions can concern it (see pm_ledger.h).
 *
 * Priorities come from the address, so the shape depends on nothing else.
 * Cost: O(log n) expected for each operation, 24 bytes per entry.
 */
#ifndef PM_ORDER_H
#define PM_ORDER_H

#include "pm_host.h"

struct pm_order_node {
   uint64_t address; /* key */
   uint32_t id;      /* the caller's, never 0 */
   uint32_t left;    /* node numbers, 0 none */
   uint32_t right;   /* of a free node: the next free one */
};

struct pm_order {
   const struct pm_host *host;
   struct pm_order_node *nodes; /* nodes[0] is unused */
   uint32_t capacity;           /* of nodes */
   uint32_t used;               /* nodes ever taken, nodes[0] included */
   uint32_t free_list;
   uint32_t root;
};

void pm_order_init(struct pm_order *order, const struct pm_host *host);
void pm_order_release(struct pm_order *order);

/* File id under address, which must not be filed. False: no memory. */
bool pm_order_add(struct pm_order *order, uint64_t address, uint32_t id);

/* Take address out; nothing happens when it is not filed. */
void pm_order_remove(struct pm_order *order, uint64_t address);

/* The id with the greatest address <= the given one; 0: there is none. */
uint32_t pm_order_at_or_below(const struct pm_order *order, uint64_t address);

/* The id with the smallest address >= the given one; 0: there is none. */
uint32_t pm_order_at_or_above(const struct pm_order *order, uint64_t address);

#endif
