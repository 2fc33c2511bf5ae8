/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_order.c: the treap behind pm_order.h.
 *
 * A binary search tree by address that is also a heap by priority, the
 * priority being a mix of the address. Insertion and removal walk down with a
 * pointer to the link to change (split and merge without recursion), so depth
 * costs no stack.
 */
#include "pm_order.h"

static uint64_t priority(uint64_t address)
{
   uint64_t x = address * UINT64_C(0x9e3779b97f4a7c15);
   x ^= x >> 29;
   x *= UINT64_C(0xbf58476d1ce4e5b9);
   return x ^ (x >> 32);
}

void pm_order_init(struct pm_order *order, const struct pm_host *host)
{
   *order = (struct pm_order){.host = host, .used = 1};
}

void pm_order_release(struct pm_order *order)
{
   order->host->release(order->nodes, order->capacity * sizeof *order->nodes);
   pm_order_init(order, order->host);
}

static bool grow(struct pm_order *order)
{
   uint32_t capacity = order->capacity ? order->capacity * 2 : 64;
   if (capacity <= order->capacity)
      return false;
   struct pm_order_node *nodes = order->host->alloc(capacity * sizeof *nodes);
   if (!nodes)
      return false;
   if (order->nodes)
      memcpy(nodes, order->nodes, order->used * sizeof *nodes);
   order->host->release(order->nodes, order->capacity * sizeof *nodes);
   order->nodes = nodes;
   order->capacity = capacity;
   return true;
}

static uint32_t take_node(struct pm_order *order)
{
   uint32_t n = order->free_list;
   if (n) {
      order->free_list = order->nodes[n].right;
      return n;
   }
   if (order->used >= order->capacity && !grow(order))
      return 0;
   return order->used++;
}

bool pm_order_add(struct pm_order *order, uint64_t address, uint32_t id)
{
   uint32_t n = take_node(order);
   if (!n)
      return false;
   struct pm_order_node *nodes = order->nodes;
   uint64_t rank = priority(address);

   uint32_t *link = &order->root;
   while (*link && priority(nodes[*link].address) >= rank) {
      PM_ASSERT(order->host, nodes[*link].address != address);
      link = address < nodes[*link].address ? &nodes[*link].left : &nodes[*link].right;
   }

   /* The subtree below the new node's place is split around its address. */
   uint32_t rest = *link;
   *link = n;
   nodes[n] = (struct pm_order_node){.address = address, .id = id};
   uint32_t *below = &nodes[n].left, *above = &nodes[n].right;
   while (rest) {
      if (nodes[rest].address < address) {
         *below = rest;
         below = &nodes[rest].right;
         rest = *below;
      } else {
         *above = rest;
         above = &nodes[rest].left;
         rest = *above;
      }
   }
   *below = *above = 0;
   return true;
}

void pm_order_remove(struct pm_order *order, uint64_t address)
{
   struct pm_order_node *nodes = order->nodes;
   uint32_t *link = &order->root;
   while (*link && nodes[*link].address != address)
      link = address < nodes[*link].address ? &nodes[*link].left : &nodes[*link].right;
   uint32_t n = *link;
   if (!n)
      return;

   uint32_t left = nodes[n].left, right = nodes[n].right;
   while (left && right) {
      if (priority(nodes[left].address) >= priority(nodes[right].address)) {
         *link = left;
         link = &nodes[left].right;
         left = *link;
      } else {
         *link = right;
         link = &nodes[right].left;
         right = *link;
      }
   }
   *link = left ? left : right;
   nodes[n].right = order->free_list;
   order->free_list = n;
}

uint32_t pm_order_at_or_below(const struct pm_order *order, uint64_t address)
{
   uint32_t best = 0;
   for (uint32_t n = order->root; n;) {
      const struct pm_order_node *node = &order->nodes[n];
      if (node->address <= address) {
         best = node->id;
         n = node->right;
      } else {
         n = node->left;
      }
   }
   return best;
}

uint32_t pm_order_at_or_above(const struct pm_order *order, uint64_t address)
{
   uint32_t best = 0;
   for (uint32_t n = order->root; n;) {
      const struct pm_order_node *node = &order->nodes[n];
      if (node->address >= address) {
         best = node->id;
         n = node->left;
      } else {
         n = node->right;
      }
   }
   return best;
}
