/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_memory.h: memory for the tool's own tables, which can run out.
 *
 * Valgrind's allocator ends the process when there is no memory. Nothing that grows
 * with the program may: its numbers become unavailable, and the program goes on. So
 * the tables' memory is mapped here, and what is asked for is refused while Valgrind
 * itself can still get what it needs.
 */
#ifndef PMH_MEMORY_H
#define PMH_MEMORY_H

#include "pub_tool_basics.h"

/* Members of struct pm_host, which say what they do. */
void *pmh_memory_alloc(SizeT bytes);
void pmh_memory_release(void *p, SizeT bytes);
void *pmh_memory_reserve(SizeT bytes);
void pmh_memory_unreserve(void *p, SizeT bytes);

/* May so many bytes more be had from Valgrind's allocator, for what has to be there?
   Asked for each thing that there may be very many of. */
Bool pmh_memory_for(SizeT bytes);

#endif
