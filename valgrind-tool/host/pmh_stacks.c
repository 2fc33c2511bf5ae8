/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_stacks.c: registered stacks, blocks and mappings as stacks.
 *
 * Valgrind joins mappings that touch, so their borders are kept here: the ends of
 * every mmap, without those that a later one has covered. Borders inside memory
 * that is no longer mapped do no harm, and are dropped.
 */
#include "pmh_stacks.h"
#include "pmh_core.h"
#include "pmh_measure.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_tooliface.h"

/* --- registered ------------------------------------------------------------------ */

/* The stacks that the program has registered, or given to handlers, sorted, none over
   another: Valgrind does not tell when one is no longer a stack, but a later one in its
   place counts, and none outlives its memory. */
static struct stack {
   Addr start, end; /* end exclusive */
} *stacks;
static UInt stack_count, stack_room;

/* The number of registered stacks that end at or below the address. */
static UInt stacks_below(Addr address)
{
   UInt low = 0, high = stack_count;
   while (low < high) {
      UInt middle = low + (high - low) / 2;
      if (stacks[middle].end <= address)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

/* The registered stack that holds the address; NULL: none. */
static const struct stack *registered_stack(Addr address)
{
   UInt at = stacks_below(address);
   return at < stack_count && stacks[at].start <= address ? &stacks[at] : NULL;
}

/* Those that share a byte with [start, end) are none any more. Where one could be. */
static UInt forget_stacks(Addr start, Addr end)
{
   UInt from = stacks_below(start), to = from;
   while (to < stack_count && stacks[to].start < end)
      to++;
   if (to > from)
      VG_(memmove)(&stacks[from], &stacks[to], (stack_count - to) * sizeof *stacks);
   stack_count -= to - from;
   return from;
}

static void stack_registered(Addr a, Addr b)
{
   struct stack stack = {a < b ? a : b, a < b ? b : a};
   if (stack.start == stack.end)
      return;
   UInt at = forget_stacks(stack.start, stack.end);
   if (stack_count == stack_room) {
      stack_room = stack_room ? stack_room * 2 : 16;
      stacks = VG_(realloc)("profmem.stacks", stacks, stack_room * sizeof *stacks);
   }
   VG_(memmove)(&stacks[at + 1], &stacks[at], (stack_count - at) * sizeof *stacks);
   stacks[at] = stack;
   stack_count++;
}

void pmh_stacks_alternate(struct pmh_alternate_stack *alternate, Addr start, SizeT bytes)
{
   if (alternate->start < alternate->end)
      (void)forget_stacks(alternate->start, alternate->end);
   *alternate = (struct pmh_alternate_stack){start, start + bytes};
   stack_registered(alternate->start, alternate->end);
}

/* --- borders of mappings ----------------------------------------------------------- */

static Addr *borders; /* sorted */
static UInt border_count, border_room;

/* The number of borders below the address. */
static UInt borders_below(Addr address)
{
   UInt low = 0, high = border_count;
   while (low < high) {
      UInt middle = low + (high - low) / 2;
      if (borders[middle] < address)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

/* Let [start, end] hold these borders and no others. */
static void set_borders(Addr start, Addr end, const Addr *within, UInt count)
{
   UInt from = borders_below(start), to = borders_below(end + 1);
   UInt needed = border_count - (to - from) + count;
   if (needed > border_room) {
      border_room = needed * 2;
      borders = VG_(realloc)("profmem.borders", borders, border_room * sizeof *borders);
   }
   VG_(memmove)(&borders[from + count], &borders[to], (border_count - to) * sizeof *borders);
   for (UInt i = 0; i < count; i++)
      borders[from + i] = within[i];
   border_count = needed;
}

void pmh_stacks_mapped(Addr start, SizeT bytes)
{
   const Addr ends[] = {start, start + bytes};
   if (bytes > 0)
      set_borders(ends[0], ends[1], ends, 2);
}

static bool same_mapping(Addr a, Addr b)
{
   Addr lower = a < b ? a : b, upper = a < b ? b : a;
   const NSegment *segment = VG_(am_find_nsegment)(lower);
   return segment && upper <= segment->end &&
          borders_below(lower + 1) == borders_below(upper + 1);
}

/* --- questions --------------------------------------------------------------------- */

bool pmh_same_stack(uint64_t a, uint64_t b)
{
   uint64_t step = a > b ? a - b : b - a;
   if (step > (uint64_t)VG_(clo_max_stackframe))
      return false;
   /* A stack holds the byte below its pointer, also when it is empty. */
   a--;
   b--;
   const struct stack *stack_a = registered_stack((Addr)a), *stack_b = registered_stack((Addr)b);
   if (stack_a || stack_b)
      return stack_a == stack_b;
   pm_block_id block_a = pm_ledger_holding(&pmh_heap.ledger, a);
   pm_block_id block_b = pm_ledger_holding(&pmh_heap.ledger, b);
   if (block_a || block_b)
      return block_a == block_b;
   return same_mapping((Addr)a, (Addr)b);
}

/* --- stacks that are gone ------------------------------------------------------------ */

static void gone(Addr start, Addr end)
{
   (void)forget_stacks(start, end);
   pmh_activations_gone(start, end);
}

void pmh_stacks_unmapped(Addr start, SizeT bytes)
{
   if (bytes == 0)
      return;
   set_borders(start, start + bytes, NULL, 0);
   gone(start, start + bytes);
}

/* The heap has one listener, and pools were first. */
static void (*next_listener)(void *ctx, uint64_t start, uint64_t end);

static void block_gone(void *ctx, uint64_t start, uint64_t end)
{
   next_listener(ctx, start, end);
   if (end - start >= PM_STACK_BLOCK_BYTES)
      gone((Addr)start, (Addr)end);
}

void pmh_stacks_begin(void)
{
   next_listener = pmh_heap.range_gone;
   pmh_heap.range_gone = block_gone;
}

void pmh_stacks_register(void)
{
   VG_(track_register_stack)(stack_registered);
}
