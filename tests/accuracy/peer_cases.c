/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peer_cases.c: small heaps whose numbers are known, for profmem and its peers.
 *
 *    peer_cases CASE
 *
 * Every call of an allocation function is entered in an account, from its arguments and
 * its result alone. At the end the program prints what is true of its heap as lines
 * METRIC=VALUE, in profmem's names; nothing else of it is on the heap.
 */
#include "valgrind/valgrind.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
   size_t live, blocks, peak, peak_blocks, obtained, resized, bytes, failed;
} account;

static void live(size_t plus, size_t minus)
{
   account.live += plus - minus;
   if (account.live > account.peak) {
      account.peak = account.live;
      account.peak_blocks = account.blocks;
   }
}

/* A block of that size has been obtained. */
static void *obtained(void *block, size_t bytes)
{
   if (!block)
      abort();
   account.obtained++;
   account.bytes += bytes;
   account.blocks++;
   live(bytes, 0);
   return block;
}

static void given_back(size_t bytes)
{
   account.blocks--;
   live(0, bytes);
}

/* Two functions, to see which of them a tool names. */
__attribute__((noinline)) static void *first_site(size_t bytes)
{
   return obtained(malloc(bytes), bytes);
}

__attribute__((noinline)) static void *second_site(void *block, size_t old_bytes, size_t bytes)
{
   void *moved = realloc(block, bytes);
   if (!block)
      return obtained(moved, bytes);
   account.resized++;
   account.bytes += bytes;
   live(bytes, old_bytes);
   return moved;
}

static void give_back(void *block, size_t bytes)
{
   free(block);
   given_back(bytes);
}

/* --- cases -------------------------------------------------------------------------- */

enum { LARGE = 1000000 };

static void case_nothing(void)
{
}

/* One large block that does not stay. */
static void case_large(void)
{
   give_back(first_site(LARGE), LARGE);
}

static void case_zero(void)
{
   for (int i = 0; i < 100; i++)
      give_back(first_site(0), 0);
}

/* A heap that only grows. */
static void case_grows(void)
{
   for (int i = 0; i < 1000; i++)
      first_site(1000);
}

/* Many small blocks, then one that is larger than all of them together. */
static void case_small(void)
{
   enum { BLOCKS = 1000, BYTES = 16 };
   static void *block[BLOCKS];
   for (int i = 0; i < BLOCKS; i++)
      block[i] = first_site(BYTES);
   for (int i = 0; i < BLOCKS; i++)
      give_back(block[i], BYTES);
   give_back(first_site(20000), 20000);
}

/* A second peak, half a percent above the first. */
static void case_higher(void)
{
   give_back(first_site(100000), 100000);
   give_back(first_site(100500), 100500);
}

/* A resize that no address space has room for: the block is as before. */
static void case_refused(void)
{
   for (int i = 0; i < 10; i++) {
      void *block = first_site(1000);
      if (realloc(block, (size_t)1 << 46))
         abort();
      account.failed++;
      give_back(block, 1000);
   }
}

/* A resize to 0, which gives the block back with this libc. */
static void case_emptied(void)
{
   for (int i = 0; i < 10; i++) {
      void *block = first_site(1000);
      if (realloc(block, 0))
         abort();
      given_back(1000);
   }
}

static void case_aligned(void)
{
   for (int i = 0; i < 10; i++) {
      void *block = obtained(memalign(64, 1000), 1000);
      give_back(block, 1000);
   }
}

/* A whole page. */
static void case_page(void)
{
   void *block = obtained(pvalloc(1000), 1000);
   give_back(block, 1000);
}

/* Blocks of an allocator of the program's own, which it announces. */
static void case_announced(void)
{
   enum { BLOCKS = 10, BYTES = 1000 };
   static char memory[BLOCKS][BYTES];
   for (int i = 0; i < BLOCKS; i++) {
      VALGRIND_MALLOCLIKE_BLOCK(memory[i], BYTES, 0, 0);
      obtained(memory[i], BYTES);
   }
   for (int i = 0; i < BLOCKS; i++) {
      VALGRIND_FREELIKE_BLOCK(memory[i], 0);
      given_back(BYTES);
   }
}

/* The second site has its most while the process has less than before. */
static void case_later(void)
{
   give_back(first_site(LARGE), LARGE);
   give_back(second_site(NULL, 0, LARGE / 2), LARGE / 2);
}

/* One site obtains a block, another one makes it grow. */
static void case_grown(void)
{
   void *block = first_site(16);
   size_t bytes = 16;
   for (size_t more = 1000; more <= 10000; bytes = more, more += 1000)
      block = second_site(block, bytes, more);
   give_back(block, bytes);
}

/* What the parent had is not the child's. Only the child prints. */
static void case_child(void)
{
   give_back(first_site(LARGE), LARGE);
   pid_t child = fork();
   if (child < 0)
      abort();
   if (child > 0) {
      int status;
      if (waitpid(child, &status, 0) != child)
         abort();
      _exit(WEXITSTATUS(status));
   }
   memset(&account, 0, sizeof account);
   give_back(first_site(10), 10);
}

/* The image ends in another one; what is true of it is printed before. */
static void case_image(void)
{
   give_back(first_site(LARGE), LARGE);
}

static void print_account(void)
{
   printf("heap.peak=%zu\nheap.peak-blocks=%zu\n", account.peak, account.peak_blocks);
   printf("heap.exit=%zu\nheap.exit-blocks=%zu\n", account.live, account.blocks);
   printf("allocations.count=%zu\nreallocations.count=%zu\n", account.obtained, account.resized);
   printf("reallocations.failed=%zu\n", account.failed);
   printf("traffic.blocks=%zu\n", account.obtained + account.resized);
   printf("traffic.bytes=%zu\n", account.bytes);
   fflush(stdout);
}

int main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } cases[] = {
      {"nothing", case_nothing}, {"large", case_large}, {"zero", case_zero},
      {"grows", case_grows},
      {"small", case_small}, {"higher", case_higher}, {"refused", case_refused},
      {"emptied", case_emptied}, {"aligned", case_aligned}, {"page", case_page},
      {"announced", case_announced}, {"later", case_later}, {"grown", case_grown},
      {"child", case_child}, {"image", case_image},
   };
   static char buffer[BUFSIZ]; /* else stdio's is on the heap */
   setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
   for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
      if (argc == 2 && strcmp(argv[1], cases[c].name) == 0) {
         cases[c].run();
         print_account();
         if (cases[c].run == case_image)
            execl("/bin/true", "true", (char *)NULL);
         return 0;
      }
   fputs("usage: peer_cases CASE\n", stderr);
   return 2;
}
