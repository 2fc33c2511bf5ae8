/* SPDX-License-Identifier: GPL-2.0-or-later */
/* model_random.h: the random numbers of the model tests, and how many traces to run.
 *
 * A trace is a function of its number alone, so that a failure is repeated by that
 * number:
 *    PM_MODEL_TRACES=N   run N traces of each kind instead of the usual few
 *    PM_MODEL_FIRST=N    start with trace N instead of 1
 *    PM_MODEL_VERBOSE=1  print every step
 */
#ifndef MODEL_RANDOM_H
#define MODEL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct model_random {
   uint64_t state;
};

/* splitmix64 */
static inline uint64_t model_u64(struct model_random *random)
{
   uint64_t x = random->state += UINT64_C(0x9e3779b97f4a7c15);
   x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
   x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
   return x ^ (x >> 31);
}

/* From 0 to n - 1. */
static inline uint32_t model_below(struct model_random *random, uint32_t n)
{
   return (uint32_t)(model_u64(random) % n);
}

static inline bool model_chance(struct model_random *random, uint32_t percent)
{
   return model_below(random, 100) < percent;
}

/* A size as programs ask for them: often small, sometimes zero, sometimes huge. */
static inline uint64_t model_size(struct model_random *random)
{
   switch (model_below(random, 8)) {
   case 0: return 0;
   case 1: return model_below(random, 1 << 20);
   case 2: return model_u64(random) >> 24;
   case 3: return 2040 + model_below(random, 16);
   default: return model_below(random, 300);
   }
}

static inline unsigned long model_setting(const char *name, unsigned long usual)
{
   const char *value = getenv(name);
   return value && *value ? strtoul(value, NULL, 10) : usual;
}

#endif
