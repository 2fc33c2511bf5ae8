/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shared_word.c: two processes that add to one word at once.
 *
 *    shared_word ADDITIONS
 *
 * The translator makes a loop of a locked instruction: when another process has changed
 * the word in between, it is tried again. A processor retires it once. Each process begins
 * two phases around the same loop of three instructions: `one`, with one addition, and
 * `many`. So `many` has exactly three instructions more for each further addition. Prints
 * the word, which has the additions of both.
 */
#include "profmem.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void add(volatile uint64_t *word, long additions)
{
   __asm__ volatile("1:\tlock incq %0\n\t"
                    "decq %1\n\t"
                    "jnz 1b"
                    : "+m"(*word), "+r"(additions)
                    :
                    : "cc", "memory");
}

/* Not inlined: both phases are around the same instructions. */
__attribute__((noinline)) static void phase(const char *name, volatile uint64_t *word,
                                            long additions)
{
   profmem_begin(name);
   add(word, additions);
   profmem_end(name);
}

int main(int argc, char **argv)
{
   long additions = argc == 2 ? atol(argv[1]) : 0;
   if (additions < 1)
      return 2;
   volatile uint64_t *word =
      mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
   if (word == MAP_FAILED)
      return 2;
   pid_t child = fork();
   if (child < 0)
      return 2;
   phase("one", word, 1);
   phase("many", word, additions);
   if (child == 0)
      _exit(0);
   int status;
   if (waitpid(child, &status, 0) != child || status != 0)
      return 2;
   printf("%" PRIu64 "\n", *word);
   return 0;
}
