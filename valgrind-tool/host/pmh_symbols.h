/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_symbols.h: the objects mapped into the process, and in them the entry points
 * that are observed: allocation functions, and functions that are phases.
 *
 * Found by looking at the mapped files themselves: every file segment that can
 * be executed, read with the core's ELF reader. Valgrind's own reader gives one
 * name per address and passes over some objects; it is asked only for private
 * names of an object that has no symbol table of its own but perhaps separate
 * debug information.
 *
 * Left out: glibc's loader (it has a malloc of its own for its own start) and
 * Valgrind's vgpreload objects.
 *
 * Cost: a look at the segment list whenever executable mappings have changed;
 * reading an object's symbols once per mapping of it.
 */
#ifndef PMH_SYMBOLS_H
#define PMH_SYMBOLS_H

#include "pub_tool_basics.h"
#include "pm_calls.h"
#include "pm_phase_table.h"

/* A function whose entry is observed. */
struct pmh_entry_point {
   Addr address;                 /* of its first instruction */
   ULong size_bytes;             /* of its code; 0 unknown */
   struct pm_function *function; /* it is an allocation function; NULL: it is none */
   struct pm_declared **phases;  /* it is these phases */
   UInt phase_count;
   struct pmh_entry_point *chooses; /* it returns the address of a function that is what
                                       this one says (IFUNC), whose own address is not
                                       used; NULL: it does not */
};

/* --phase-fn: a phase, and which functions are it. */
struct pmh_phase_pattern {
   const HChar *pattern;         /* wildcards over raw and demangled names */
   struct pm_declared *declared;
   ULong matches;                /* functions found */
};

/* A file that was mapped with code. */
struct pmh_object {
   const HChar *path;
   const HChar *name;        /* base name */
   const HChar *build_id;    /* hexadecimal; NULL: it has none */
   ULong device, inode;
   ULong bytes, modified, changed; /* of the file when it was read: size, times in ns */
   Addr start, end;          /* of its first code mapping, end exclusive */
   ULong offset;             /* in the file, of start */
   Bool is_placed;           /* the file says at which addresses it expects this code, */
   Addr moved;               /* which are lower than where it is by this */
   Bool mapped;              /* now */
   Bool was_mapped;          /* before the segments were looked at last */
   Bool asks_valgrind;       /* Valgrind may know names that the file does not hold */
   struct pmh_entry_point **entry_points; /* in no order */
   UInt entry_point_count, entry_point_capacity;
};

/* Before the program starts: built-in and user rows, and what is a phase. */
void pmh_symbols_begin(struct pm_allocfns *fns, struct pmh_phase_pattern *patterns, UInt count);

/* Something executable was mapped or unmapped. */
void pmh_symbols_changed(void);

/* Code of the object at that place of pmh_objects() was unmapped. */
void pmh_symbols_unmapped(UInt object);

/* The observed function that starts at address, NULL if none does.
   first_in_block: Valgrind may be asked as well. */
struct pmh_entry_point *pmh_symbols_at(Addr address, Bool first_in_block);

/* A function that chooses has returned the address of the one that it has chosen. If that
   has run before, by another name, it is observed from its next translation on. */
void pmh_symbols_chosen(const struct pmh_entry_point *chooser, Addr address);

/* The object whose code mapping holds address, NULL if none does. */
const struct pmh_object *pmh_object_at(Addr address);

/* Was there no memory to read all symbols of an object? Then an allocation function may
   have been missed. */
Bool pmh_symbols_lost(void);

/* For struct pm_guest: is the deallocation function called from its own allocator's
   code? */
bool pmh_symbols_own_release(const struct pm_function *function, uint64_t return_address);

/* Every object that ever was mapped, every allocation function that ever was
   found; both in order of discovery. */
UInt pmh_objects(const struct pmh_object ***objects);
UInt pmh_functions(struct pm_function ***functions);

#endif
