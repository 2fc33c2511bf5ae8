/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_libc.c: a static program of which every instruction is counted, musl's too.
 *
 * A little of everything: text, sorting, memory, floating point, and loops that a compiler
 * makes vector code of. Three things differ between a processor and Valgrind, and are kept
 * out: what stands on the initial stack, which is the program's own here; the last bits
 * of x87's numbers, on which no jump depends (musl prints and reads numbers by x87); and
 * whether dc zva of arm64 may be used, by which musl's memset would zero.
 */
#include <elf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 400 };

#if defined(__aarch64__)
void *memset(void *to, int value, size_t bytes)
{
   for (volatile char *byte = to; bytes > 0; bytes--)
      *byte++ = (char)value;
   return to;
}
#endif

static double numbers[NUMBERS];
static int weights[NUMBERS];

static int compare(const void *a, const void *b)
{
   double left = *(const double *)a, right = *(const double *)b;
   return left < right ? -1 : left > right;
}

static double mean_of(const double *values, int count)
{
   double sum = 0;
   for (int i = 0; i < count; i++)
      sum += values[i];
   return sum / count;
}

static int weight_of(const int *values, int count)
{
   int sum = 0;
   for (int i = 0; i < count; i++)
      sum += values[i] * values[i];
   return sum;
}

/* In x87. */
static long double product_of(const double *values, int count)
{
   long double product = 1;
   for (int i = 0; i < count; i++)
      product *= 1 + values[i] / 1000;
   return product;
}

static int measured(void)
{
   char *text = calloc(NUMBERS, 16);
   if (!text)
      return 1;
   for (int i = 0; i < NUMBERS; i++) {
      numbers[i] = sin(i * 0.7) * sqrt(i);
      weights[i] = i * 7919 % 101;
   }
   qsort(numbers, NUMBERS, sizeof *numbers, compare);
   for (int i = 0; i < NUMBERS; i += 7)
      snprintf(text + strlen(text), 16, "%d,", (int)(numbers[i] * 1000));
   long sum = 0;
   for (const char *word = strtok(text, ","); word; word = strtok(NULL, ","))
      sum += strtol(word, NULL, 10);
   printf("%ld %d %d %d\n", sum, (int)(mean_of(numbers, NUMBERS) * 1000),
          weight_of(weights, NUMBERS), product_of(numbers, NUMBERS) > 0);
   return 0; /* what free would do depends on the address */
}

/* ---- The start: as the kernel would have made it, but the same everywhere. */

extern const Elf64_Ehdr __ehdr_start;
extern int __libc_start_main(int (*)(void), int, char **, ...);

static char own_name[] = "mix_libc";
static const char random_bytes[] = "not random at all";

/* From argc on. */
static struct {
   char *argv[2];
   char *envp[1];
   Elf64_auxv_t auxv[5];
} initial = {.argv = {own_name}, .auxv = {{AT_PAGESZ, {4096}}}};

/* noipa: it has no other caller than the line below. */
__attribute__((noipa, used, noreturn)) static void start(void)
{
   initial.auxv[1] = (Elf64_auxv_t){AT_PHDR, {(unsigned long)&__ehdr_start + __ehdr_start.e_phoff}};
   initial.auxv[2] = (Elf64_auxv_t){AT_PHNUM, {__ehdr_start.e_phnum}};
   initial.auxv[3] = (Elf64_auxv_t){AT_RANDOM, {(unsigned long)random_bytes}};
   exit(__libc_start_main(measured, 1, initial.argv, NULL, NULL, NULL));
}

#if defined(__x86_64__)
#define START "and $-16, %rsp\n call start\n"
#elif defined(__aarch64__)
#define START "bl start\n" /* the kernel aligns the stack */
#endif
__asm__(".globl _start\n"
        ".type _start, %function\n"
        "_start: " START
        ".size _start, . - _start\n");
