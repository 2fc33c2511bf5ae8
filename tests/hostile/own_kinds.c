/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own_kinds.c: allocation functions under names of the program's own, of every kind that
 * --alloc-fn knows.
 *
 *    own_kinds options        the options that make the functions known
 *    own_kinds random FILE    calls them; what is expected goes to FILE
 *    own_kinds overflows FILE the same of products that overflow, which nobody refuses
 *
 * Behind the functions is one pool of chunks, most recently used first, so that addresses
 * come back. A function refuses when it is told to, as if there were no memory.
 */
#include "account.h"

enum { CHUNKS = 2 * SLOTS, CHUNK_BYTES = 8192 };

static char memory[CHUNKS][CHUNK_BYTES] __attribute__((aligned(CHUNK_BYTES)));
static int unused[CHUNKS], unused_count;
static bool refuses;

static void *take(size_t bytes)
{
   return refuses || bytes > CHUNK_BYTES ? NULL : memory[unused[--unused_count]];
}

static void put(void *block)
{
   unused[unused_count++] = (int)(((char *)block - memory[0]) / CHUNK_BYTES);
}

/* Resizes that stay small stay in place. */
static void *change(void *block, size_t bytes)
{
   if (refuses)
      return NULL;
   if (bytes < CHUNK_BYTES / 2)
      return block;
   void *other = take(bytes);
   put(block);
   return other;
}

FUNCTION void *own_malloc(size_t bytes)
{
   return take(bytes);
}

FUNCTION void *own_calloc(size_t count, size_t bytes)
{
   return take(count * bytes);
}

FUNCTION void *own_aligned(size_t alignment, size_t bytes)
{
   return alignment > CHUNK_BYTES ? NULL : take(bytes);
}

FUNCTION void *own_aligned_calloc(size_t alignment, size_t count, size_t bytes)
{
   return alignment > CHUNK_BYTES ? NULL : take(count * bytes);
}

FUNCTION int own_posix(void **block, size_t alignment, size_t bytes)
{
   void *taken = alignment > CHUNK_BYTES ? NULL : take(bytes);
   if (!taken)
      return 12;
   *block = taken;
   return 0;
}

FUNCTION void *own_realloc(void *block, size_t bytes)
{
   return change(block, bytes);
}

FUNCTION void *own_reallocarray(void *block, size_t count, size_t bytes)
{
   return change(block, count * bytes);
}

FUNCTION void *own_reallocf(void *block, size_t bytes)
{
   void *other = change(block, bytes);
   if (!other)
      put(block);
   return other;
}

FUNCTION void *own_rust_realloc(void *block, size_t old_bytes, size_t alignment, size_t bytes)
{
   return alignment > CHUNK_BYTES || old_bytes > CHUNK_BYTES ? NULL : change(block, bytes);
}

FUNCTION size_t own_xallocx(void *block, size_t bytes, size_t extra, int flags)
{
   return !block || refuses || flags ? 0 : bytes + extra;
}

FUNCTION void own_free(void *block)
{
   put(block);
}

FUNCTION void *own_new(size_t bytes)
{
   return take(bytes);
}

FUNCTION void own_delete(void *block)
{
   put(block);
}

FUNCTION void *own_heap_malloc(const void *heap, size_t bytes)
{
   return heap ? take(bytes) : NULL;
}

FUNCTION void *own_heap_calloc(const void *heap, size_t count, size_t bytes)
{
   return heap ? take(count * bytes) : NULL;
}

FUNCTION void *own_heap_realloc(const void *heap, void *block, size_t bytes)
{
   return heap ? change(block, bytes) : NULL;
}

FUNCTION void *own_heap_reallocarray(const void *heap, void *block, size_t count, size_t bytes)
{
   return heap ? change(block, count * bytes) : NULL;
}

FUNCTION void *own_heap_reallocf(const void *heap, void *block, size_t bytes)
{
   void *other = heap ? change(block, bytes) : NULL;
   if (!other)
      put(block);
   return other;
}

FUNCTION void *own_aligned_realloc(void *block, size_t alignment, size_t bytes)
{
   return alignment > CHUNK_BYTES ? NULL : change(block, bytes);
}

static const char *const options[] = {
   "malloc:own_malloc", "calloc:own_calloc", "aligned-alloc:own_aligned",
   "aligned-calloc:own_aligned_calloc", "posix-memalign:own_posix", "realloc:own_realloc",
   "reallocarray:own_reallocarray", "reallocf:own_reallocf", "rust-realloc:own_rust_realloc",
   "xallocx:own_xallocx", "free:own_free", "new:own_new", "delete:own_delete",
   "heap-malloc:own_heap_malloc", "heap-calloc:own_heap_calloc",
   "heap-realloc:own_heap_realloc", "heap-reallocarray:own_heap_reallocarray",
   "heap-reallocf:own_heap_reallocf", "aligned-realloc:own_aligned_realloc",
};

static const int a_heap = 1;

/* A result that is no block is a failed call. */
static void obtains(int s, size_t width, size_t count)
{
   size_t bytes = width * count;
   void *block = NULL;
   switch (draw(&account.random, 8)) {
   case 0:
      block = own_malloc(bytes);
      break;
   case 1:
      block = own_calloc(count, width);
      break;
   case 2:
      block = own_aligned(64, bytes);
      break;
   case 3:
      block = own_aligned_calloc(64, count, width);
      break;
   case 4:
      check(own_posix(&block, 64, bytes) == 0 || !block, "both");
      break;
   case 5:
      block = own_new(bytes);
      break;
   case 6:
      block = own_heap_malloc(&a_heap, bytes);
      break;
   default:
      block = own_heap_calloc(&a_heap, count, width);
   }
   if (block)
      account_obtained(s, block, (long long)bytes);
   else
      account_failed(false);
}

static void resizes(int s, size_t width, size_t count)
{
   size_t bytes = width * count, old = (size_t)account.slot[s].bytes;
   void *block = account.slot[s].address, *other;
   bool releases = false;
   switch (draw(&account.random, 9)) {
   case 0:
      other = own_realloc(block, bytes);
      break;
   case 1:
      other = own_reallocarray(block, count, width);
      break;
   case 2:
      other = own_reallocf(block, bytes);
      releases = true;
      break;
   case 3:
      other = own_rust_realloc(block, old, 64, bytes);
      break;
   case 4:
      other = own_xallocx(block, bytes, count, 0) >= bytes ? block : NULL;
      break;
   case 5:
      other = own_heap_realloc(&a_heap, block, bytes);
      break;
   case 6:
      other = own_heap_reallocarray(&a_heap, block, count, width);
      break;
   case 7:
      other = own_heap_reallocf(&a_heap, block, bytes);
      releases = true;
      break;
   default:
      other = own_aligned_realloc(block, 64, bytes);
   }
   if (other) {
      account_resized(s, other, (long long)bytes);
      return;
   }
   account_failed(true);
   if (releases)
      account_given_back(s);
}

/* Blocks of products that overflow are none, and resizes to them change nothing. */
static void lesson_overflows(void)
{
   const size_t half = ~(size_t)0 / 2 + 9; /* twice that is 16 */
   account_begin("program");
   for (int s = 0; s < 4; s++) {
      account_obtained(s, own_malloc(1000), 1000);
      void *none = s % 2 ? own_calloc(half, 2) : own_heap_calloc(&a_heap, 2, half);
      check(none != NULL, "refused");
      void *same = s % 2 ? own_reallocarray(account.slot[s].address, 2, half)
                         : own_heap_reallocarray(&a_heap, account.slot[s].address, half, 2);
      check(same == account.slot[s].address, "moved");
      own_free(none);
      account_unmatched();
      own_free(same);
      account_given_back(s);
   }
   expect("-", "!block-too-large", 8);
}

static void lesson_random(void)
{
   account_begin("program");
   account_begin("first half");
   unsigned long calls = scaled(60000);
   for (unsigned long c = 0; c < calls; c++) {
      int s = (int)draw(&account.random, SLOTS);
      size_t width = 1 + draw(&account.random, 16), count = 1 + draw(&account.random, 500);
      refuses = draw(&account.random, 12) == 0;
      if (!account.slot[s].address) {
         obtains(s, width, count);
      } else if (draw(&account.random, 2)) {
         resizes(s, width, count);
      } else {
         void *block = account.slot[s].address;
         c % 2 ? own_free(block) : own_delete(block);
         account_given_back(s);
      }
      if (c == calls / 2)
         account_end("first half");
   }
}

int main(int argc, char **argv)
{
   static const struct lesson lessons[] = {
      {"random", lesson_random}, {"overflows", lesson_overflows}, {0}};
   if (argc == 2 && strcmp(argv[1], "options") == 0) {
      for (size_t o = 0; o < sizeof options / sizeof *options; o++)
         print("--alloc-fn=%s\n", options[o]);
      return 0;
   }
   for (; unused_count < CHUNKS; unused_count++)
      unused[unused_count] = unused_count;
   int status = teach(argc, argv, lessons);
   account_print(false);
   return status;
}
