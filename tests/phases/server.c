/* SPDX-License-Identifier: GPL-2.0-or-later */
/* server.c: waits for lines on standard input, for as long as it takes, and answers
 * each on standard output.
 *
 *    keep BYTES    obtains a block and keeps it
 *    drop          gives the block obtained last back
 *    phase NAME    begins a phase by a request
 *    quit          ends
 *
 * Lines are read without the C library's buffers: nothing else is allocated.
 */
#include "profmem.h"
#include "say.h"

enum { BLOCKS = 1000 };

/* False: the end of the input. */
static int read_line(char *line, size_t room)
{
   size_t used = 0;
   while (used + 1 < room && read(0, line + used, 1) == 1) {
      if (line[used] == '\n') {
         line[used] = '\0';
         return 1;
      }
      used++;
   }
   return 0;
}

int main(void)
{
   static void *blocks[BLOCKS];
   static char line[256];
   int count = 0;
   while (read_line(line, sizeof line)) {
      if (strncmp(line, "keep ", 5) == 0 && count < BLOCKS)
         blocks[count++] = malloc((size_t)atol(line + 5));
      else if (strcmp(line, "drop") == 0 && count > 0)
         free(blocks[--count]);
      else if (strncmp(line, "phase ", 6) == 0)
         (void)profmem_begin(line + 6);
      else if (strcmp(line, "quit") == 0)
         return 0;
      say("%s: done\n", line);
   }
   return 1;
}
