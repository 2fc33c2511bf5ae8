/* SPDX-License-Identifier: GPL-2.0-or-later */
/* large_code.c: 4,096 functions, each executed a few times.
 *
 *    large_code [ROUNDS]
 *
 * Nearly all that happens under Valgrind is translation, so this is what a tool's
 * own part of it costs.
 */
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION(n)                                                                       \
   __attribute__((noinline)) static unsigned function_##n(unsigned v)                     \
   {                                                                                      \
      v = v * 0x1##n##u + 0x##n;                                                          \
      if (v & 1)                                                                          \
         v ^= v >> 0x##n % 13;                                                            \
      for (unsigned i = 0; i < (v & 3); i++)                                              \
         v += table[(v + i) % 64];                                                        \
      return v & 8 ? v + 0x##n : v - 0x##n;                                               \
   }
#define NAME(n) function_##n,

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
#define TIMES_1024(what, n) \
   TIMES_256(what, n##0) TIMES_256(what, n##1) \
   TIMES_256(what, n##2) TIMES_256(what, n##3)
#define TIMES_4096(what) \
   TIMES_1024(what, 0) TIMES_1024(what, 1) \
   TIMES_1024(what, 2) TIMES_1024(what, 3)

static unsigned table[64];

TIMES_4096(FUNCTION)

static unsigned (*const functions[])(unsigned) = {TIMES_4096(NAME)};

int main(int argc, char **argv)
{
   unsigned v = 1, rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 4;
   for (unsigned i = 0; i < 64; i++)
      table[i] = i * i;
   for (unsigned round = 0; round < rounds; round++)
      for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++)
         v = functions[f](v);
   printf("%u\n", v);
   return 0;
}
