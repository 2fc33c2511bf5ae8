/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_stacks.h: which addresses lie in the same stack, and which stacks are gone.
 *
 * A call that was left by a jump is told from one that waits on another stack by
 * where the stack pointer goes. A stack is
 *   the range that the program has registered as one (VALGRIND_STACK_REGISTER), or
 *      given to a thread's handlers (sigaltstack), which often is part of that thread's
 *      own stack: an array of a function, thread-local storage; else
 *   the live block that holds the stack pointer, if it is large enough, else
 *   the mapping that does: what one mmap made, also if it touches others.
 * A step further than --max-stackframe is a change of stacks wherever it leads.
 *
 * Cost: O(log n) in the number of registered stacks, large blocks and mappings for a
 * question; a change of mappings moves at most the table of their borders.
 */
#ifndef PMH_STACKS_H
#define PMH_STACKS_H

#include "pub_tool_basics.h"
#include "pm_host.h"

/* Are both stack pointers in the same stack? */
bool pmh_same_stack(uint64_t a, uint64_t b);

/* Memory was mapped by one call; it is unmapped. */
void pmh_stacks_mapped(Addr start, SizeT bytes);
void pmh_stacks_unmapped(Addr start, SizeT bytes);

/* A thread's handlers have another stack of their own, of 0 bytes: none. Held in
   *alternate, which has 0 and 0 before the first one. */
struct pmh_alternate_stack {
   Addr start, end;
};
void pmh_stacks_alternate(struct pmh_alternate_stack *alternate, Addr start, SizeT bytes);

/* After all other listeners of pmh_heap are in place. */
void pmh_stacks_begin(void);

void pmh_stacks_register(void);

#endif
