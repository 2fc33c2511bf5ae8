/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_memory.h: the memory of a simulated program: what is really in use, and which
 * pointers the program holds.
 *
 * Memory is a number of places of PLACE_BYTES; a block takes one, whatever its size,
 * and places are used again at once, so that addresses return often. A pointer is
 * held by the allocation call whose business it is, or by the program: owner NULL.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "model_random.h"

struct sim_call;

enum {
   PLACES = 160,
   PLACE_BYTES = 4096,
   BLOCK_BYTES = PLACE_BYTES - 128, /* the largest block, wherever it starts in a place */
   NO_PLACE = -1,
   HELD_MAX = 512
};

struct sim_pointer {
   uint64_t address;
   int place; /* that it points into */
   const struct sim_call *owner;
};

struct sim_memory {
   bool used[PLACES];
   struct sim_pointer held[HELD_MAX];
   int held_count;
};

uint64_t sim_place_address(int place);

/* A free place, now used; NO_PLACE: none is left. */
int sim_take_place(struct sim_memory *memory, struct model_random *random);
void sim_free_place(struct sim_memory *memory, int place);

void sim_hold(struct sim_memory *memory, struct sim_pointer pointer);

/* Whether call, or a call around it, owns a pointer. */
typedef bool sim_may_use(const struct sim_call *user, const struct sim_call *owner);

/* One of the pointers that a call (NULL: the program) may use, no longer held.
   only_own: of its own. False: there is none. */
bool sim_pick(struct sim_memory *memory, struct model_random *random, const struct sim_call *user,
              sim_may_use *may_use, bool only_own, struct sim_pointer *picked);

/* The pointer that is held at address, no longer held. */
struct sim_pointer sim_take(struct sim_memory *memory, uint64_t address);

/* What `from` held, `to` holds now. */
void sim_inherit(struct sim_memory *memory, const struct sim_call *from,
                 const struct sim_call *to);

#endif
