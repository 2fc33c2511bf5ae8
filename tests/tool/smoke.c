/* SPDX-License-Identifier: GPL-2.0-or-later */
/* smoke.c: a program whose heap is known from its source, on any platform.
 *
 * It uses no stdio, so that no block obtained after main's begin is the C
 * library's. What must be reported stands beside each call: live bytes after it,
 * and blocks. With an argument it obtains nothing: what is reported then is what
 * the C library keeps from before main.
 */
#include <stdlib.h>
#include <unistd.h>

/* Keeps the compiler from removing an allocation that nothing reads. */
static void *volatile seen;

int main(int argc, char **argv)
{
   void *blocks[10];

   (void)argv;
   if (argc > 1)
      return 3;
   for (size_t i = 0; i < 10; i++) {
      blocks[i] = malloc(100 * (i + 1));        /* 5500, 10 blocks */
      seen = blocks[i];
   }
   for (size_t i = 0; i < 10; i += 2)
      free(blocks[i]);                          /* 3000 = 200+400+600+800+1000 */
   seen = blocks[1] = realloc(blocks[1], 7200); /* 10000, the peak, 5 blocks */
   seen = blocks[0] = calloc(3, 0);             /* 10000, 6 blocks */
   free(blocks[1]);                             /* 2800, 5 blocks */
   free(NULL);
   return write(STDOUT_FILENO, "smoke\n", 6) == 6 ? 3 : 1;
}
