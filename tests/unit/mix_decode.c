/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mix_decode.c: the core's classes of the instructions that objdump lists.
 *
 *    objdump -dw FILE | mix_decode x86-64|i386|arm64
 *
 * Only the bytes of a line are read; its text is handed on for mix_referee.py to judge.
 * Each instruction becomes one line of three fields, separated by tabs: the classes as
 * letters (v vector, f scalar-float, l load, s store, b branch, c call, y syscall; - for
 * none), the bytes, and objdump's text. Other lines are dropped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm_mix.h"

enum { BYTES_MAX = 32 };

static const struct platform {
   const char *name;
   pm_mix_fn *mix;
} platforms[] = {
   {"x86-64", pm_mix_x86_64}, {"i386", pm_mix_x86_32}, {"arm64", pm_mix_arm64},
};

/* x86 is listed byte by byte, arm64 as one number of 32 bits. The result is the number of
   bytes; 0: that is no list of bytes. */
static unsigned read_bytes(const char *text, uint8_t bytes[BYTES_MAX])
{
   unsigned count = 0;
   for (char *end; count < BYTES_MAX; text = end) {
      unsigned long number = strtoul(text, &end, 16);
      size_t digits = strspn(text, " ");
      digits = (size_t)(end - text) - digits;
      if (end == text)
         break;
      if (digits == 8 && count == 0) {
         for (; count < 4; count++)
            bytes[count] = (uint8_t)(number >> 8 * count);
      } else if (digits == 2) {
         bytes[count++] = (uint8_t)number;
      } else {
         return 0;
      }
   }
   return count;
}

static void print(unsigned classes, const char *bytes, const char *text)
{
   for (unsigned c = 0; c < PM_MIX_CLASSES; c++)
      if (classes >> c & 1)
         putchar("vflsbcy"[c]);
   printf("%s\t%s\t%s", classes == 0 ? "-" : "", bytes, text);
}

int main(int argc, char **argv)
{
   pm_mix_fn *mix = NULL;
   for (size_t p = 0; argc == 2 && p < sizeof platforms / sizeof *platforms; p++)
      if (strcmp(argv[1], platforms[p].name) == 0)
         mix = platforms[p].mix;
   if (mix == NULL) {
      fprintf(stderr, "usage: mix_decode x86-64|i386|arm64\n");
      return 2;
   }

   char *line = NULL;
   size_t room = 0;
   while (getline(&line, &room, stdin) > 0) {
      char *hex = strchr(line, '\t');
      char *text = hex != NULL ? strchr(hex + 1, '\t') : NULL;
      if (text == NULL)
         continue;
      *text = '\0';
      uint8_t bytes[BYTES_MAX];
      unsigned count = read_bytes(hex + 1, bytes);
      if (count > 0)
         print(mix(bytes, count), hex + 1, text + 1);
   }
   free(line);
   return ferror(stdin) || fflush(stdout) != 0;
}
