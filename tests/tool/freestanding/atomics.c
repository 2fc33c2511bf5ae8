/* SPDX-License-Identifier: GPL-2.0-or-later */
/* atomics.c: locked instructions, which VEX makes loops of its own.
 *
 * Compare and exchange in retry loops that succeed and fail, 1 to 16 bytes wide;
 * additions, exchanges and changes of bits. Of arm64 pairs of exclusive loads
 * and stores, which succeed at once where no other thread is.
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

#if defined(__x86_64__)

static void change_bits(void)
{
   __asm__ volatile("lock incl %0" : "+m"(bits) : : "cc");
   __asm__ volatile("lock btsl %1, %0" : "+m"(bits) : "r"(20) : "cc");
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

#elif defined(__aarch64__)

static void change_bits(void)
{
   __atomic_fetch_or(&bits, 1 << 20, __ATOMIC_SEQ_CST);
   __atomic_fetch_and(&bits, ~4u, __ATOMIC_SEQ_CST);
}

static __attribute__((noinline)) int exchange_16(volatile uint64_t pair[2], uint64_t low)
{
   uint64_t seen_low, seen_high;
   unsigned failed = 1;
   __asm__ volatile("1: ldaxp %0, %1, [%3]\n\t"
                    "cmp %0, %4\n\t"
                    "b.ne 2f\n\t"
                    "add %0, %0, #1\n\t"
                    "add %1, %1, #2\n\t"
                    "stlxp %w2, %0, %1, [%3]\n\t"
                    "cbnz %w2, 1b\n"
                    "2:"
                    : "=&r"(seen_low), "=&r"(seen_high), "+&r"(failed)
                    : "r"(pair), "r"(low)
                    : "cc", "memory");
   return !failed;
}

#endif

int program(void)
{
   static volatile uint64_t pair[2] __attribute__((aligned(16)));
   int exchanged = 0;
   for (int i = 0; i < 300; i++) {
      add_by_exchange(2, i % 3 == 0);
      __atomic_fetch_add(&word, 5, __ATOMIC_SEQ_CST);
      change_bits();
      octet = __atomic_exchange_n(&octet, (unsigned char)(octet + 1), __ATOMIC_SEQ_CST);
      unsigned char seen = octet;
      __atomic_compare_exchange_n(&octet, &seen, (unsigned char)(seen + 1), 0, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST);
      exchanged += exchange_16(pair, (uint64_t)(i / 2));
   }
   return word == 300 * 7 && exchanged == 150 ? 0 : 1;
}
