/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_sort.c: heap sort. */
#include "pm_sort.h"

/* Let the element at `at` sink to its place in the heap of count elements, whose
   greatest is on top. */
static void sink(void **heap, size_t at, size_t count, pm_compare *compare, const void *ctx)
{
   void *element = heap[at];
   for (size_t child; (child = 2 * at + 1) < count; at = child) {
      if (child + 1 < count && compare(heap[child], heap[child + 1], ctx) < 0)
         child++;
      if (compare(element, heap[child], ctx) >= 0)
         break;
      heap[at] = heap[child];
   }
   heap[at] = element;
}

void pm_sort(void **pointers, size_t count, pm_compare *compare, const void *ctx)
{
   for (size_t at = count / 2; at-- > 0;)
      sink(pointers, at, count, compare, ctx);
   for (size_t left = count; left > 1; left--) {
      void *greatest = pointers[0];
      pointers[0] = pointers[left - 1];
      pointers[left - 1] = greatest;
      sink(pointers, 0, left - 1, compare, ctx);
   }
}
