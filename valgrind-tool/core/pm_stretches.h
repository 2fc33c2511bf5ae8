/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_stretches.h: the straight-line pieces that translated code is counted by.
 *
 * A stretch is a run of instructions that execution enters at its first and
 * leaves after its last: between exits and helpers of a translation. Counting
 * adds all of it when its first instruction starts; only a fault can stop it
 * half-way, and then the instructions from the fault on are taken back.
 *
 * The same stretch translated again (translations are discarded and made anew)
 * has the same id, so the table grows with the code, not with its churn.
 *
 * Special stretches do not count all that they hold once: an execution of a rep
 * instruction is counted where it is left, an iteration of it, which weighs nothing,
 * after its body, a locked instruction that must be tried again by -1, and what a
 * fault takes back by the number of instructions that did not happen, negative. All
 * the instructions of a stretch weigh the same: 1, 0 or -1.
 *
 * Memory: 48 bytes and one per instruction, for each stretch; where instructions are
 * told apart, 8 more per instruction.
 */
#ifndef PM_STRETCHES_H
#define PM_STRETCHES_H

#include "pm_host.h"
#include "pm_mix.h"

/* Ids are below this; later stretches share id 0. It bounds the address space
   of a profile array, which is scarce on 32-bit hosts. */
#define PM_STRETCHES_MAX (sizeof(void *) == 8 ? UINT32_C(1) << 24 : UINT32_C(1) << 20)

enum { PM_STRETCH_INSTRS_MAX = 255 };

struct pm_stretch {
   uint64_t address;    /* of its first instruction */
   uint32_t lengths;    /* where the lengths of its instructions start */
   uint32_t next;       /* in its chain of the hash */
   uint32_t place;      /* the caller's number of what its cost is summed up for: a function,
                           or a source line in one; 0 unknown */
   int16_t weight;      /* instructions that one execution counts */
   uint8_t instrs;      /* that it holds */
   int8_t mix[PM_MIX_CLASSES]; /* of its instructions, how many are in each class; of
                                  those that are taken back, negative */
   bool iteration;      /* one execution is an iteration of a rep instruction */
   int8_t calls;        /* executions of its function's first instruction that one execution
                           counts: 1, 0, or -1 where they are taken back */
   bool ends_in_fault_exit; /* may be left before its last instruction by the exit
                               that raises a fault */
};

/* An instruction of a stretch, where they are told apart. */
struct pm_instr {
   uint32_t item;    /* the caller's number of what its executions are summed up for */
   uint32_t classes; /* PM_MIX_ bits of those that it is in */
};

struct pm_stretches {
   const struct pm_host *host;
   struct pm_stretch *table; /* by id; 0 is the stretch of everything beyond */
   uint32_t count, capacity;
   uint8_t *lengths;         /* bytes, of instructions */
   struct pm_instr *told;    /* of each length, the instruction; NULL: not told apart */
   uint32_t lengths_used, lengths_capacity;
   uint32_t *heads;          /* hash of the address -> id */
   uint32_t head_count;
};

/* tells: are instructions told apart? False: no memory. */
bool pm_stretches_init(struct pm_stretches *stretches, const struct pm_host *host, bool tells);
void pm_stretches_release(struct pm_stretches *stretches);

/* The id of the stretch that is like this one (its lengths and next are not looked
   at) with lengths[i] bytes for its instructions, which are told[i], NULL where they are
   not told apart; 0 when the table is full. */
uint32_t pm_stretches_id(struct pm_stretches *stretches, const struct pm_stretch *like,
                         const uint8_t *lengths, const struct pm_instr *told);

/* Instructions of stretch id from the one at ip to its end; 0 when none of its
   instructions is at ip. */
unsigned pm_stretches_left(const struct pm_stretches *stretches, uint32_t id, uint64_t ip);

/* The address of the last instruction of stretch id, and that behind it. */
uint64_t pm_stretches_last(const struct pm_stretches *stretches, uint32_t id);
uint64_t pm_stretches_end(const struct pm_stretches *stretches, uint32_t id);

#endif
