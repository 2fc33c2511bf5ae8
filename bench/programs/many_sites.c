/* SPDX-License-Identifier: GPL-2.0-or-later */
/* many_sites.c: 1,024 places that allocate, each called from several others.
 *
 * Whoever keeps numbers per place of allocation has many of them here.
 */
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 4000 };

typedef void *place(unsigned size);

/* The volatile is what makes each a place of its own: no call in the tail, no
   two of them merged. */
#define PLACE(n)                                                                          \
   __attribute__((noinline)) static void *place_##n(unsigned size)                        \
   {                                                                                      \
      void *volatile block = malloc(size + 0x##n % 61);                                   \
      return block;                                                                       \
   }
#define NAME(n) place_##n,

#define TIMES_4(what, n) what(n##0) what(n##1) what(n##2) what(n##3)
#define TIMES_16(what, n) \
   TIMES_4(what, n##0) TIMES_4(what, n##1) \
   TIMES_4(what, n##2) TIMES_4(what, n##3)
#define TIMES_64(what, n) \
   TIMES_16(what, n##0) TIMES_16(what, n##1) \
   TIMES_16(what, n##2) TIMES_16(what, n##3)
#define TIMES_256(what, n) \
   TIMES_64(what, n##0) TIMES_64(what, n##1) \
   TIMES_64(what, n##2) TIMES_64(what, n##3)
#define TIMES_1024(what) \
   TIMES_256(what, 0) TIMES_256(what, 1) \
   TIMES_256(what, 2) TIMES_256(what, 3)

TIMES_1024(PLACE)

static place *const places[] = {TIMES_1024(NAME)};
enum { PLACES = sizeof places / sizeof *places };

static void *blocks[PLACES];

__attribute__((noinline)) static void odd(unsigned p, unsigned size)
{
   blocks[p] = places[p](size + 1);
}

__attribute__((noinline)) static void even(unsigned p, unsigned size)
{
   blocks[p] = places[p](size);
}

int main(void)
{
   unsigned long sum = 0;
   for (unsigned i = 0; i < ROUNDS; i++) {
      for (unsigned p = 0; p < PLACES; p++)
         ((p ^ i) & 1 ? odd : even)(p, i % 32);
      for (unsigned p = 0; p < PLACES; p++) {
         sum += blocks[p] != NULL;
         free(blocks[p]);
      }
   }
   printf("%lu\n", sum);
   return sum == (unsigned long)ROUNDS * PLACES ? 0 : 1;
}
