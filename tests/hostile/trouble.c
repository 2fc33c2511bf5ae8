/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trouble.c: programs that ask for much of the tool and for nothing of the machine.
 *
 *    trouble blocks N      N live blocks, one behind the other, of 16 bytes each, in a
 *                          phase, and another phase when they are gone; their addresses
 *                          are only numbers. It needs --alloc-fn=malloc:take and
 *                          --alloc-fn=free:put
 *    trouble phases N      N phases, each with its part of the blocks
 *    trouble grow          maps memory until there is no more, and then calls functions
 *                          that it has not called before
 *    trouble limit N       lowers the limit of descriptors to N, forks, and ends
 *    trouble file-limit N  lowers the limit of the size of files to N, not the limit of
 *                          what it may raise it to, forks, and says what the limit is
 *    trouble file-limits N both of them
 *
 * What is printed is the same in every run.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <math.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static uintptr_t next_block = 0x100000000000;

FUNCTION void *take(size_t bytes)
{
   next_block += bytes;
   return (void *)(next_block - bytes);
}

FUNCTION void put(void *block)
{
   NO_TAIL_CALL;
   (void)block;
}

static void run_blocks(unsigned long count)
{
   uintptr_t first = next_block;
   profmem_begin("blocks");
   for (unsigned long i = 0; i < count; i++)
      take(16);
   profmem_end("blocks");
   for (uintptr_t block = first; block < next_block; block += 16)
      put((void *)block);
   profmem_begin("afterwards");
   for (int i = 0; i < 1000; i++)
      put(take(32));
   profmem_end("afterwards");
   print("%lu blocks\n", count);
}

static void run_phases(unsigned long count)
{
   for (unsigned long i = 0; i < count; i++) {
      char name[32];
      snprintf(name, sizeof name, "phase %lu", i);
      profmem_begin(name);
      take(i);
      profmem_end(name);
   }
   print("%lu phases\n", count);
}

static void run_grow(void)
{
   unsigned long pieces = 0;
   size_t bytes = 64 << 20;
   for (; bytes >= 4096; bytes /= 2)
      while (mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
             MAP_FAILED)
         if (++pieces > 100000)
            stop("there is no limit");
   volatile double x = 2;
   x = exp(x) + sin(x) + pow(x, x) + lgamma(x) + erf(x);
   char text[64];
   snprintf(text, sizeof text, "%.3f %a", x, x);
   print("%s\n", text);
}

static void run_limit(unsigned long count)
{
   struct rlimit limit;
   check(getrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit");
   limit.rlim_cur = count;
   check(setrlimit(RLIMIT_NOFILE, &limit) == 0, "no limit");
   int pair[2];
   print("pipe: %d\n", pipe(pair));
   pid_t child = fork();
   int status = -1;
   if (child == 0)
      _exit(5);
   waitpid(child, &status, 0);
   print("child: %d\n", WEXITSTATUS(status));
}

static void run_file_limit(unsigned long bytes, bool for_ever)
{
   struct rlimit limit;
   check(getrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit");
   limit.rlim_cur = bytes;
   if (for_ever)
      limit.rlim_max = bytes;
   check(setrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit");
   pid_t pid = fork();
   check(pid >= 0, "no fork");
   if (pid == 0)
      _exit(5);
   check(waitpid(pid, NULL, 0) == pid, "no child");
   check(getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == bytes, "another limit");
   print("%d\n", (int)limit.rlim_cur);
}

int main(int argc, char **argv)
{
   const char *what = argc > 1 ? argv[1] : "";
   unsigned long number = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
   if (strcmp(what, "blocks") == 0)
      run_blocks(number);
   else if (strcmp(what, "phases") == 0)
      run_phases(number);
   else if (strcmp(what, "grow") == 0)
      run_grow();
   else if (strcmp(what, "limit") == 0)
      run_limit(number);
   else if (strcmp(what, "file-limit") == 0)
      run_file_limit(number, false);
   else if (strcmp(what, "file-limits") == 0)
      run_file_limit(number, true);
   else
      stop("usage: see trouble.c");
   return 0;
}
