/* SPDX-License-Identifier: GPL-2.0-or-later */
/* buffers.c: data turned over through a buffer, for tests of `profmem diff`.
 *
 * The peak of the whole run is elsewhere: what the buffer does to the phase `turn` is seen
 * in that phase alone. -DREGRESSION: the buffer is twice as large.
 */
#include <stdlib.h>
#include <string.h>

#include "profmem.h"

#ifdef REGRESSION
enum { BUFFERS = 2 };
#else
enum { BUFFERS = 1 };
#endif
enum { DATA_BYTES = 64 * 1024, ELSEWHERE_BYTES = 1024 * 1024 };

static char *make_buffer(size_t bytes)
{
   return calloc(bytes, 1);
}

static void turn(char *data, size_t bytes)
{
   char *buffer = make_buffer(bytes * BUFFERS);
   if (!buffer)
      abort();
   for (size_t i = 0; i < bytes; i++)
      buffer[i] = data[bytes - 1 - i];
   memcpy(data, buffer, bytes);
   free(buffer);
}

int main(void)
{
   char *elsewhere = calloc(ELSEWHERE_BYTES, 1);
   free(elsewhere);
   char *data = calloc(DATA_BYTES, 1);
   if (!elsewhere || !data)
      return 1;
   profmem_begin("turn");
   turn(data, DATA_BYTES);
   profmem_end("turn");
   free(data);
   return 0;
}
