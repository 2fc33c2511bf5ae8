/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixed_cpu.c: a program that says what processor it sees, NAME=VALUE a line. */
#include <cpuid.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

/* The kernel's vector, not what a C library has made of it. */
static unsigned long auxiliary(char **environment, unsigned long type)
{
   while (*environment)
      environment++;
   const Elf64_auxv_t *vector = (const Elf64_auxv_t *)(environment + 1);
   while (vector->a_type != AT_NULL && vector->a_type != type)
      vector++;
   return vector->a_type == type ? vector->a_un.a_val : 0;
}

static unsigned long long saved_state(void)
{
   unsigned low, high;
   __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
   return (unsigned long long)high << 32 | low;
}

int main(int argc, char **argv, char **environment)
{
   unsigned a, b, c, d, b7 = 0, c7 = 0, d7 = 0;
   char brand[49] = "";
   __cpuid(1, a, b, c, d);
   __get_cpuid_count(7, 0, &a, &b7, &c7, &d7);
   printf("sse3=%d\nssse3=%d\nsse42=%d\npopcnt=%d\n", !!(c & bit_SSE3), !!(c & bit_SSSE3),
          !!(c & bit_SSE4_2), !!(c & bit_POPCNT));
   printf("avx=%d\nfma=%d\nf16c=%d\nrdrand=%d\n", !!(c & bit_AVX), !!(c & bit_FMA),
          !!(c & bit_F16C), !!(c & bit_RDRND));
   printf("avx2=%d\nbmi2=%d\nerms=%d\nrdseed=%d\navx512f=%d\n", !!(b7 & bit_AVX2),
          !!(b7 & bit_BMI2), !!(b7 & 1 << 9), !!(b7 & bit_RDSEED), !!(b7 & bit_AVX512F));
   printf("hwcap-is-edx=%d\nhwcap2=%lu\n", auxiliary(environment, AT_HWCAP) == d,
          auxiliary(environment, AT_HWCAP2));
   if (argc > 1 && strcmp(argv[1], "state") == 0)
      printf("state=%llu\n", saved_state());
   for (unsigned leaf = 0; leaf < 3; leaf++) {
      unsigned words[4];
      __cpuid(0x80000002 + leaf, words[0], words[1], words[2], words[3]);
      memcpy(brand + 16 * leaf, words, 16);
   }
   printf("brand=%s\n", brand);
   return 0;
}
