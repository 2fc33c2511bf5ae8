/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strings_c.c: strings and copies of many lengths, by the C library, in measured(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 3000 };

unsigned long measured(const char *from, char *to);

__attribute__((noinline)) unsigned long measured(const char *from, char *to)
{
   unsigned long sum = 0;
   for (size_t length = 1; length < LONGEST; length++) {
      memcpy(to, from, length);
      to[length] = '\0';
      char *copy = strdup(to), *end = strchr(to, '\0');
      if (!copy)
         abort();
      sum += strlen(copy) + (size_t)(end - to) + (strcmp(from, to) != 0);
      sum += memcmp(from, to, length) == 0;
      memmove(copy, copy + 1, length);
      memset(copy, 'y', length / 2);
      sum += strstr(to, "zz") == NULL;
      free(copy);
   }
   return sum;
}

int main(void)
{
   static char from[LONGEST + 1], to[LONGEST + 1];
   memset(from, 'x', LONGEST);
   printf("%lu\n", measured(from, to));
   return 0;
}
