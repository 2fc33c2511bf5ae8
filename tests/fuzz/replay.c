/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay.c: run a fuzz target over a corpus that is kept as text.
 *
 *    replay_TARGET [CORPUS]
 *
 * Without an argument it is PM_CORPUS in the source tree, as in `make check`. It has
 * one input a line: a name, blanks, and the bytes as hexadecimal digits (none for an
 * empty input). Empty lines and lines that begin with # say something to people.
 * Output is TAP, one test an input; an input that fails ends the program by its
 * abort, and the plan, which comes first, tells how many are missing.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static int digit(char c)
{
   static const char digits[] = "0123456789abcdef";
   const char *at = c == '\0' ? NULL : strchr(digits, c);

   return at == NULL ? -1 : (int)(at - digits);
}

/* Run one input; false: that is not hexadecimal. The bytes get memory of exactly
   their size, so that AddressSanitizer sees the first one too many. */
static bool run_hex(const char *hex)
{
   size_t digits = strlen(hex), done = 0;
   uint8_t *bytes = malloc(digits / 2 + (digits == 0));

   if (bytes == NULL)
      return false;
   for (; done < digits / 2; done++) {
      int high = digit(hex[2 * done]), low = digit(hex[2 * done + 1]);

      if (high < 0 || low < 0)
         break;
      bytes[done] = (uint8_t)(high << 4 | low);
   }
   if (2 * done == digits)
      LLVMFuzzerTestOneInput(bytes, done);
   free(bytes);
   return 2 * done == digits;
}

/* The name of the input in this line, and behind it *hex; NULL: no input. */
static char *split(char *line, char **hex)
{
   size_t name = strcspn(line, " \t\n");

   if (name == 0 || line[0] == '#')
      return NULL;
   line[strcspn(line, "\n")] = '\0';
   *hex = line + name + strspn(line + name, " \t");
   line[name] = '\0';
   return line;
}

int main(int argc, char **argv)
{
   const char *top = getenv("abs_top_srcdir");
   char *line = NULL, *hex, path[4096];
   FILE *corpus;
   size_t room = 0;
   int inputs = 0, done = 0, failed = 0;

   snprintf(path, sizeof path, "%s/%s", top != NULL ? top : ".", PM_CORPUS);
   corpus = fopen(argc > 1 ? argv[1] : path, "r");
   if (corpus == NULL) {
      perror(argc > 1 ? argv[1] : path);
      return 2;
   }
   while (getline(&line, &room, corpus) > 0)
      inputs += split(line, &hex) != NULL;
   printf("1..%d\n", inputs);
   rewind(corpus);
   while (getline(&line, &room, corpus) > 0) {
      char *name = split(line, &hex);

      if (name == NULL)
         continue;
      fflush(stdout); /* the next input may be the last one */
      if (run_hex(hex)) {
         printf("ok %d - %s\n", ++done, name);
      } else {
         printf("not ok %d - %s: not hexadecimal\n", ++done, name);
         failed++;
      }
   }
   free(line);
   fclose(corpus);
   return failed > 0 || inputs == 0;
}
