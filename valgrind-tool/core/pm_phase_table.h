/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_phase_table.h: phases by name, begun and ended as the program asks.
 *
 * The rules of design section 4 for what is asked: a name is copied when it is
 * first used; the same phase may be open on several threads; a second begin on
 * the same thread is an error and ignored; an end closes the caller's own
 * instance, else the only open one, else it is an error; `program` is begun and
 * ended by the process alone, and asking for it is an error. Errors are counted
 * per phase and stand in the report. A name that cannot be one is an error of
 * the table.
 *
 * Cost: a lookup by hash, and what pm_phases.h says; nothing grows with the
 * number of phases that were open before.
 */
#ifndef PM_PHASE_TABLE_H
#define PM_PHASE_TABLE_H

#include "pm_heap.h"

enum { PM_PHASE_NAME_MAX = 255 /* bytes */ };

/* Why a name cannot be one. */
enum pm_name_fault {
   PM_NAME_GOOD = 0,
   PM_NAME_TOO_LONG,
   PM_NAME_NOT_UTF8 /* or with a zero byte */
};

/* Who declared a phase first; as text in the report. */
enum pm_phase_kind {
   PM_PHASE_PROCESS, /* `program` */
   PM_PHASE_REQUEST,
   PM_PHASE_FUNCTION,
   PM_PHASE_MONITOR,
   PM_PHASE_KINDS
};

enum pm_phase_trouble {
   PM_PHASE_BEGUN_TWICE,          /* on one thread; the second was ignored */
   PM_PHASE_ENDED_WITHOUT_BEGIN,  /* `program`: by a request */
   PM_PHASE_ENDED_AMBIGUOUSLY,    /* open on several threads, not on the caller's */
   PM_PHASE_OPEN_AT_END,          /* of the process */
   PM_PHASE_LEFT_BY_JUMP,         /* a function phase, by longjmp or exception */
   PM_PHASE_LEFT_BY_EXIT,         /* by the end of its thread, which the process's is too */
   PM_PHASE_ENDED_BY_OTHER_THREAD,/* allowed */
   PM_PHASE_NEVER_ENTERED,        /* a pattern that never matched */
   PM_PHASE_TROUBLES
};

struct pm_declared {
   struct pm_phase phase;         /* its name is owned by the table */
   enum pm_phase_kind kind;
   bool without_own_thread;       /* begun by something that is no thread */
   uint64_t begins_lost;          /* no memory for an instance: the numbers lack it */
   bool unlisted;                 /* no memory to list an instance singly */
   uint64_t trouble[PM_PHASE_TROUBLES];
   struct pm_declared *next_in_chain;
};

/* Threads by number, as the table's caller knows them. Number 0 is no thread of
   the program: the monitor. */
struct pm_phase_caller {
   uint32_t thread;
   uint64_t (*thread_instrs)(uint32_t thread); /* executed so far */
};

struct pm_phase_table {
   const struct pm_host *host;
   struct pm_heap *heap;
   struct pm_declared **declared; /* in order of declaration, `program` first */
   uint32_t count, capacity;
   struct pm_declared **chains;
   uint32_t chain_count;
   uint64_t names_too_long;
   uint64_t names_not_utf8;
   uint64_t names_unreadable; /* at an address that is none of the program's */
   uint64_t phases_lost;      /* declared without effect: no memory */
};

/* Declares `program`. False: no memory. */
bool pm_phase_table_init(struct pm_phase_table *table, const struct pm_host *host,
                         struct pm_heap *heap);
void pm_phase_table_release(struct pm_phase_table *table);

/* Of a longer name than PM_PHASE_NAME_MAX, the bytes are not looked at. */
enum pm_name_fault pm_phase_name_fault(const char *name, size_t bytes);

/* The phase of that name (`bytes` bytes, no terminator needed), declared with
   kind if it is new. NULL: the name cannot be one, which is counted, or no
   memory. */
struct pm_declared *pm_phase_table_declare(struct pm_phase_table *table, const char *name,
                                           size_t bytes, enum pm_phase_kind kind);

/* The phase of that name, NULL if there is none. */
struct pm_declared *pm_phase_table_find(const struct pm_phase_table *table, const char *name,
                                        size_t bytes);

/* Begin and end as asked; heap->state is current. begin says whether an instance
   was begun, end whether one was ended. */
bool pm_phase_table_begin(struct pm_phase_table *table, struct pm_declared *declared,
                          const struct pm_phase_caller *caller);
bool pm_phase_table_end(struct pm_phase_table *table, struct pm_declared *declared,
                        const struct pm_phase_caller *caller, bool complete);

/* End every open instance, the last begun first: the process ends. All but
   `program` are errors. */
void pm_phase_table_end_all(struct pm_phase_table *table,
                            uint64_t (*thread_instrs)(uint32_t thread));

/* In a forked child: forget every ended instance, and begin those that are open
   anew, in their order. */
void pm_phase_table_after_fork(struct pm_phase_table *table,
                               uint64_t (*thread_instrs)(uint32_t thread));

/* The values of a phase's open instance (the caller's own, else any), or of the
   one that ended last, into value[]. False: it has none. */
bool pm_phase_table_read(const struct pm_phase_table *table, const struct pm_declared *declared,
                         const struct pm_phase_caller *caller, uint64_t value[PM_METRICS]);

#endif
