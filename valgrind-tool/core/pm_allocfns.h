/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_allocfns.h: which symbols are allocation functions, and what they do.
 *
 * The rows of pm_allocfns.def and those the user adds with --alloc-fn, looked
 * up by symbol name while symbol tables are read.
 */
#ifndef PM_ALLOCFNS_H
#define PM_ALLOCFNS_H

#include "pm_host.h"

enum pm_allockind_id {
#define PM_ALLOCKIND(kind, name, does, old, count, size, out) PM_ALLOCKIND_##kind,
#include "pm_allockinds.def"
#undef PM_ALLOCKIND
   PM_ALLOCKINDS
};

enum pm_alloc_does {
   PM_DOES_OBTAIN,
   PM_DOES_RESIZE,
   PM_DOES_RESIZE_OR_RELEASE,
   PM_DOES_RESIZE_IN_PLACE,
   PM_DOES_RELEASE,
};

enum { PM_ARG_NONE = -1, PM_ARGS = 4 /* arguments a kind may name */ };

struct pm_allockind {
   const char *name;
   enum pm_alloc_does does;
   signed char old, count, size, out; /* argument numbers or PM_ARG_NONE */
};

extern const struct pm_allockind pm_allockinds[PM_ALLOCKINDS];

/* The kind with that name; PM_ALLOCKINDS: none has it. */
enum pm_allockind_id pm_allockind_by_name(const char *name, size_t bytes);

struct pm_allocfn {
   const char *name; /* lives as long as the table */
   enum pm_allockind_id kind;
};

struct pm_allocfns {
   const struct pm_host *host;
   struct pm_allocfn *rows; /* the user's rows last: they win */
   uint32_t count;
   uint32_t capacity;
   uint32_t *slots; /* row number + 1, by hash of the name; 0 empty */
   uint32_t slot_count;
   uint32_t *suffixes; /* rows that match by the end of the name */
   uint32_t suffix_count;
};

/* All built-in rows. False: no memory. */
bool pm_allocfns_init(struct pm_allocfns *fns, const struct pm_host *host);
void pm_allocfns_release(struct pm_allocfns *fns);

/* One more row; name must outlive the table. A name that is there already gets
   the new kind. False: no memory. */
bool pm_allocfns_add(struct pm_allocfns *fns, const char *name, enum pm_allockind_id kind);

/* The row that matches a symbol's name, NULL if it is no allocation function. */
const struct pm_allocfn *pm_allocfns_match(const struct pm_allocfns *fns, const char *symbol);

#endif
