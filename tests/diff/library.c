/* SPDX-License-Identifier: GPL-2.0-or-later */
/* library.c: a library that a program uses, for tests of `profmem diff`.
 *
 * -DREGRESSION: another build of it, which does the same work in more steps.
 */
unsigned library_mix(unsigned value);
unsigned library_work(unsigned count);

unsigned library_mix(unsigned value)
{
#ifdef REGRESSION
   for (unsigned i = 0; i < 8; i++)
      value = value << 1 ^ value >> 31 ^ i;
#endif
   return value * 2654435761u + 1;
}

unsigned library_work(unsigned count)
{
   unsigned value = 0;
   for (unsigned i = 0; i < count; i++)
      value = library_mix(value ^ i);
   return value;
}
