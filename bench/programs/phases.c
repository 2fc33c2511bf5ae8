/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phases.c: what phases cost while they are measured.
 *
 *    phases bare N           2 N client requests that Valgrind itself answers
 *    phases pairs N BEFORE   N times a phase begins and ends; BEFORE other phases, each of
 *                            its own name, have begun and ended before
 *    phases heap N OPEN      N blocks are obtained and given back while OPEN phases are open
 *    phases calls N          a function that does nothing is called N times
 *
 * N may be 0: what remains is the start.
 */
#include "profmem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/valgrind.h>

static void stop(const char *what)
{
   fprintf(stderr, "phases: %s\n", what);
   exit(1);
}

static void begin(const char *name)
{
   if (profmem_watching() && profmem_begin(name) != PROFMEM_DONE)
      stop("a phase that cannot be begun");
}

static void end(const char *name)
{
   if (profmem_watching() && profmem_end(name) != PROFMEM_DONE)
      stop("a phase that cannot be ended");
}

static void bare(long n)
{
   unsigned valgrinds = 0;
   for (long i = 0; i < 2 * n; i++)
      valgrinds += RUNNING_ON_VALGRIND;
   if (valgrinds != 0 && n == 0)
      stop("a request that was not made");
}

static void pairs(long n, int before)
{
   char name[32];
   for (int i = 0; i < before; i++) {
      snprintf(name, sizeof name, "before %d", i);
      begin(name);
      end(name);
   }
   for (long i = 0; i < n; i++) {
      (void)profmem_begin("phase");
      (void)profmem_end("phase");
   }
}

static void heap(long n, int open)
{
   static void *volatile blocks[64];
   char name[32];
   for (int i = 0; i < open; i++) {
      snprintf(name, sizeof name, "open %d", i);
      begin(name);
   }
   for (long i = 0; i < n; i++) {
      free(blocks[i % 64]);
      blocks[i % 64] = malloc((size_t)(i % 500));
   }
   for (int i = 0; i < open; i++) {
      snprintf(name, sizeof name, "open %d", i);
      end(name);
   }
}

__attribute__((noipa)) void called(void);
__attribute__((noipa)) void called(void)
{
}

static void calls(long n)
{
   for (long i = 0; i < n; i++)
      called();
}

int main(int argc, char **argv)
{
   if (argc < 3)
      stop("usage: phases bare|pairs|heap|calls N [NUMBER]");
   long n = atol(argv[2]);
   int number = argc > 3 ? atoi(argv[3]) : 0;
   if (strcmp(argv[1], "bare") == 0)
      bare(n);
   else if (strcmp(argv[1], "pairs") == 0)
      pairs(n, number);
   else if (strcmp(argv[1], "heap") == 0)
      heap(n, number);
   else if (strcmp(argv[1], "calls") == 0)
      calls(n);
   else
      stop("no such work");
   return 0;
}
