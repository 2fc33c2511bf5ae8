/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_sites.h: sites: symbolic call chains, by number.
 *
 * A chain is the running thread's stack up to main, --num-callers deep: function,
 * source file, line and object of each frame, inlined frames included. Names are
 * taken when a list of addresses is first seen, because they are gone when their
 * object is unmapped; lists that say the same have the same number.
 *
 * Cost: an unwinding and a hash lookup per event; names once per list.
 */
#ifndef PMH_SITES_H
#define PMH_SITES_H

#include "pub_tool_basics.h"
#include "pm_report.h"

/* For struct pm_guest: the site of the running thread's present stack; from 1. */
uint32_t pmh_site_now(void);

/* A call was made that will ask for its site when it returns to that address, the stack
   pointer being this: what will be looked at then may come into the cache meanwhile. */
void pmh_site_soon(Addr return_address, Addr stack_pointer);

/* The site of a call that has just been made, for struct pm_guest. */
uint32_t pmh_site_at_entry(const struct pm_entry *entry);

/* Code was unmapped: addresses may mean something else from now on. */
void pmh_sites_code_gone(void);

/* The address space changed: what could be read may be gone. */
void pmh_sites_mappings_changed(void);

/* All sites so far, by number; [0] is the unknown one. */
UInt pmh_sites_known(const struct pm_report_site **sites);

#endif
