/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_random.h: random numbers that are the same in every run.
 *
 * What a program asks the system for comes from one stream of bytes, which depends on
 * a seed and on how much was taken before, not on how it was asked for. The generator
 * is xoshiro256** (Blackman and Vigna), its state filled by splitmix64, as its authors
 * advise. It is no source of secrets: a program that runs under it must not make keys
 * that are used afterwards.
 */
#ifndef PM_RANDOM_H
#define PM_RANDOM_H

#include "pm_host.h"

struct pm_random {
   uint64_t state[4];
   uint64_t word;  /* the bytes of it that are not taken yet, lowest first */
   unsigned bytes; /* how many these are */
};

void pm_random_init(struct pm_random *random, uint64_t seed);

/* Take the next bytes of the stream. */
void pm_random_take(struct pm_random *random, void *to, size_t bytes);

/* Go on in another stream, which depends on `number`: in a process that starts where
   another one was, and must not draw what that one draws. */
void pm_random_branch(struct pm_random *random, uint64_t number);

#endif
