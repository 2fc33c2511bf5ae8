/* SPDX-License-Identifier: GPL-2.0-or-later */
/* atomics.c: locked instructions, which VEX makes loops of its own.
 *
 * lock cmpxchg in retry loops that succeed and fail, 1 to 16 bytes wide, lock
 * xadd, lock inc, xchg, lock bts.
 */
#include "freestanding.h"

static volatile uint64_t word __attribute__((aligned(16)));
static volatile unsigned char octet;
static volatile uint32_t bits;

/* Adds by compare and exchange; every third attempt begins with a stale value. */
static __attribute__((noinline)) void add_by_exchange(uint64_t amount, int stale)
{
   uint64_t expected = word - (stale ? 1 : 0);
   while (!__atomic_compare_exchange_n(&word, &expected, expected + amount, 0, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST))
      ;
}

static __attribute__((noinline)) int exchange_16(volatile uint64_t pair[2], uint64_t low)
{
   uint64_t seen_low = low, seen_high = pair[1];
   unsigned char done;
   __asm__ volatile("lock cmpxchg16b %0\n\tsete %1"
                    : "+m"(*(volatile __int128 *)pair), "=q"(done), "+a"(seen_low), "+d"(seen_high)
                    : "b"(low + 1), "c"(seen_high + 2)
                    : "cc");
   return done;
}

int program(void)
{
   static volatile uint64_t pair[2] __attribute__((aligned(16)));
   int exchanged = 0;
   for (int i = 0; i < 300; i++) {
      add_by_exchange(2, i % 3 == 0);
      __atomic_fetch_add(&word, 5, __ATOMIC_SEQ_CST);
      __asm__ volatile("lock incl %0" : "+m"(bits) : : "cc");
      __asm__ volatile("lock btsl %1, %0" : "+m"(bits) : "r"(20) : "cc");
      octet = __atomic_exchange_n(&octet, (unsigned char)(octet + 1), __ATOMIC_SEQ_CST);
      unsigned char seen = octet;
      __atomic_compare_exchange_n(&octet, &seen, (unsigned char)(seen + 1), 0, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST);
      exchanged += exchange_16(pair, (uint64_t)(i / 2));
   }
   return word == 300 * 7 && exchanged == 150 ? 0 : 1;
}
