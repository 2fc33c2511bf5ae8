/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inlined.c: a function and its only caller, for tests of `profmem diff`.
 *
 * -DREGRESSION: the function is inlined into it. (Not a regression; it is what changes.)
 */
#ifdef REGRESSION
#define INLINING __attribute__((always_inline)) inline
#else
#define INLINING __attribute__((noinline))
#endif

static unsigned table[64];

static INLINING unsigned look_up(unsigned key)
{
   return table[key & 63] * 31 + key;
}

__attribute__((noinline)) static unsigned walk(unsigned count)
{
   unsigned sum = 0;
   for (unsigned i = 0; i < count; i++)
      sum += look_up(sum ^ i);
   return sum;
}

int main(void)
{
   for (unsigned i = 0; i < 64; i++)
      table[i] = i * i;
   return walk(1000) == 1;
}
