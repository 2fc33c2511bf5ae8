/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_random.c: the generator; pm_random.h says which. */
#include "pm_random.h"

static uint64_t splitmix64(uint64_t *state)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

void pm_random_init(struct pm_random *random, uint64_t seed)
{
   *random = (struct pm_random){.bytes = 0};
   for (int s = 0; s < 4; s++)
      random->state[s] = splitmix64(&seed);
}

static uint64_t rotated(uint64_t x, int by)
{
   return x << by | x >> (64 - by);
}

static uint64_t next_word(struct pm_random *random)
{
   uint64_t *s = random->state;
   uint64_t result = rotated(s[1] * 5, 7) * 9, shifted = s[1] << 17;
   s[2] ^= s[0];
   s[3] ^= s[1];
   s[1] ^= s[2];
   s[0] ^= s[3];
   s[2] ^= shifted;
   s[3] = rotated(s[3], 45);
   return result;
}

void pm_random_take(struct pm_random *random, void *to, size_t bytes)
{
   uint8_t *byte = to;
   for (size_t b = 0; b < bytes; b++) {
      if (random->bytes == 0) {
         random->word = next_word(random);
         random->bytes = sizeof random->word;
      }
      byte[b] = (uint8_t)random->word;
      random->word >>= 8;
      random->bytes--;
   }
}

void pm_random_branch(struct pm_random *random, uint64_t number)
{
   pm_random_init(random, next_word(random) ^ number * UINT64_C(0xd6e8feb86659fd93));
}
