/* SPDX-License-Identifier: GPL-2.0-or-later */
/* many.c: very many live blocks: what do they cost the tool?
 *
 *    many BLOCKS
 *
 * Obtains BLOCKS blocks in ten equal parts and gives all back, in another
 * order.  Nothing of the program's own grows: its allocator (below) only adds
 * to a pointer and no block is ever touched.  What /proc/self/status says of the
 * process is therefore the tool's.  Prints the growth of its memory at the
 * highest (VmHWM), table growth included, and the processor time per call of the
 * first and of the last five parts: a table that doubles makes one part dearer
 * than its neighbours.
 */
#include "freestanding.h"

#include <time.h>

#include "print.h"

#define PARTS 10
#define BLOCK_BYTES 16

static char *next = (char *)0x100000000000; /* never touched, never mapped */

__attribute__((noipa)) void *malloc(size_t bytes)
{
   (void)bytes;
   char *block = next;
   next += BLOCK_BYTES;
   return block;
}

__attribute__((noipa)) void free(void *block)
{
   (void)block;
}

static uint64_t number_at(const char *text)
{
   uint64_t value = 0;
   while (*text == ' ' || *text == '\t')
      text++;
   while (*text >= '0' && *text <= '9')
      value = value * 10 + (uint64_t)(*text++ - '0');
   return value;
}

/* VmHWM of the process, in bytes. */
static uint64_t highest_memory(void)
{
   static char text[8192];
   long file = system_call(__NR_openat, -1, (long)"/proc/self/status", 0, 0, 0, 0);
   long length = system_call(__NR_read, file, (long)text, sizeof text - 1, 0, 0, 0);
   system_call(__NR_close, file, 0, 0, 0, 0, 0);
   for (long i = 0; i + 6 < length; i++)
      if (text[i] == 'V' && text[i + 1] == 'm' && text[i + 2] == 'H' && text[i + 3] == 'W' &&
          text[i + 4] == 'M' && text[i + 5] == ':')
         return number_at(text + i + 6) * 1024;
   return 0;
}

static uint64_t processor_time_ns(void)
{
   struct timespec time;
   system_call(__NR_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&time, 0, 0, 0, 0);
   return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int program(void)
{
   if (*initial_stack_pointer != 2)
      return 2;
   uint64_t blocks = number_at(((char **)initial_stack_pointer)[2]), part = blocks / PARTS;
   uint64_t times[PARTS], memory = highest_memory();
   char *first = next;

   for (int i = 0; i < PARTS; i++) {
      uint64_t start = processor_time_ns();
      for (uint64_t j = 0; j < part; j++)
         malloc(24);
      times[i] = (processor_time_ns() - start) / part;
   }
   memory = highest_memory() - memory;
   uint64_t start = processor_time_ns();
   for (uint64_t stride = 0; stride < 7; stride++)
      for (uint64_t j = stride; j < part * PARTS; j += 7)
         free(first + j * BLOCK_BYTES);
   print("heap.peak", 24 * part * PARTS);
   print("heap.peak-blocks", part * PARTS);
   print("heap.exit", 0);
   print("deallocations.unmatched", 0);
   print("tool-bytes-per-block", memory / (part * PARTS));
   print("first-half-ns-per-call", (times[0] + times[1] + times[2] + times[3] + times[4]) / 5);
   print("second-half-ns-per-call", (times[5] + times[6] + times[7] + times[8] + times[9]) / 5);
   print("free-ns-per-call", (processor_time_ns() - start) / (part * PARTS));
   return 0;
}
