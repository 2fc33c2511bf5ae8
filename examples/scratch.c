/* SPDX-License-Identifier: BSD-2-Clause */
/* scratch.c: a program that knows what one of its phases needs, and checks it.
 *
 * It keeps 4 KiB, and needs 64 KiB more for a while. Under profmem it prints
 *
 *    entry=4096 peak=69632 exit=4096 scratch-peak=65536
 *
 * from what it read back, without what was live before its first own block: the C
 * library's own. Elsewhere it prints "unavailable".
 *
 *    cc -I PREFIX/include -o scratch scratch.c
 *    valgrind --tool=profmem ./scratch
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profmem.h"

/* Where the optimiser must expect that somebody looks: one that saw all of an
   array's life could do without it. */
static unsigned char *volatile seen;

static unsigned char *array_of(int byte, size_t bytes)
{
   unsigned char *array = malloc(bytes);

   if (array == NULL) {
      perror("scratch");
      exit(EXIT_FAILURE);
   }
   memset(array, byte, bytes);
   seen = array;
   return array;
}

/* Bytes live now; 0 outside profmem. */
static uint64_t live(void)
{
   struct profmem_numbers now;

   profmem_begin("now");
   profmem_end("now");
   profmem_read("now", &now);
   return now.heap_exit.available ? now.heap_exit.value : 0;
}

int main(void)
{
   uint64_t runtime = live();
   unsigned char *kept = array_of(3, 4096);
   struct profmem_numbers n;

   profmem_begin("scratch");
   free(array_of(1, 65536));
   profmem_end("scratch");

   profmem_read("scratch", &n);
   if (n.heap_entry.available) {
      printf("entry=%" PRIu64 " peak=%" PRIu64 " exit=%" PRIu64 " scratch-peak=%" PRIu64 "\n",
             n.heap_entry.value - runtime, n.heap_peak.value - runtime,
             n.heap_exit.value - runtime, n.heap_scratch_peak.value);
      assert(n.heap_peak.value - n.heap_entry.value <= 65536);
   } else {
      puts("unavailable");
   }
   free(kept);
   return EXIT_SUCCESS;
}
