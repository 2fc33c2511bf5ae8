/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ledger_forms.c: the C library's ways to obtain, resize and give back memory.
 *
 * Sizes that cannot be had are beyond PTRDIFF_MAX or overflow a product.  They
 * are volatile, and built-in knowledge of these functions is switched off, so
 * that the compiler makes every call as it stands.
 */
#define _GNU_SOURCE
#include "ledger.h"

#include <limits.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile size_t beyond = (size_t)PTRDIFF_MAX + 100;
static volatile size_t nearly_all = SIZE_MAX - 100;
static volatile size_t half = SIZE_MAX / 2;

static size_t random_alignment(struct thread *thread)
{
   return (size_t)16 << ledger_random(thread, 9); /* up to 4096 */
}

/* ---- On an empty slot: success. */

static void by_malloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   ledger_obtained(thread, block, FAMILY_MALLOC, malloc(size_bytes), size_bytes);
}

static void by_calloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   size_t width = 1 + ledger_random(thread, 12), count = size_bytes / width;
   char *address = calloc(count, width);
   if (address != NULL && count > 0 && (address[0] != 0 || address[count * width - 1] != 0))
      abort();
   ledger_obtained(thread, block, FAMILY_MALLOC, address, count * width);
}

static void by_realloc_null(struct thread *thread, struct block *block, size_t size_bytes)
{
   ledger_obtained(thread, block, FAMILY_MALLOC, realloc(NULL, size_bytes), size_bytes);
}

static void by_reallocarray_null(struct thread *thread, struct block *block, size_t size_bytes)
{
   size_t width = 1 + ledger_random(thread, 12), count = size_bytes / width;
   ledger_obtained(thread, block, FAMILY_MALLOC, reallocarray(NULL, count, width), count * width);
}

static void by_aligned_alloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   size_t alignment = random_alignment(thread);
   ledger_obtained(thread, block, FAMILY_MALLOC, aligned_alloc(alignment, size_bytes), size_bytes);
}

static void by_memalign(struct thread *thread, struct block *block, size_t size_bytes)
{
   size_t alignment = random_alignment(thread);
   ledger_obtained(thread, block, FAMILY_MALLOC, memalign(alignment, size_bytes), size_bytes);
}

static void by_posix_memalign(struct thread *thread, struct block *block, size_t size_bytes)
{
   void *address = NULL;
   if (posix_memalign(&address, random_alignment(thread), size_bytes) != 0)
      abort();
   ledger_obtained(thread, block, FAMILY_MALLOC, address, size_bytes);
}

static void by_valloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   ledger_obtained(thread, block, FAMILY_MALLOC, valloc(size_bytes), size_bytes);
}

#ifdef __GLIBC__
static void by_pvalloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   ledger_obtained(thread, block, FAMILY_MALLOC, pvalloc(size_bytes), size_bytes);
}
#endif

/* strdup's and strndup's inner call asks for the text and its zero. */
static void by_strdup(struct thread *thread, struct block *block, size_t size_bytes)
{
   static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz";
   const char *text = letters + ledger_random(thread, sizeof letters);
   size_t most = size_bytes % 40, length = strnlen(text, most);
   char *copy = size_bytes % 2 ? strdup(text) : strndup(text, most);
   ledger_obtained(thread, block, FAMILY_MALLOC, copy,
                   1 + (size_bytes % 2 ? strlen(text) : length));
}

/* getline says in its second argument how large the buffer is that it asked
 * for.  It asks once a call, since the whole line is in the stream's buffer,
 * where one character was read and put back before; and since the line is
 * shorter than what the C library begins with, or the buffer was there. */
static void refill(FILE *lines)
{
   int c = getc(lines);
   if (c == EOF) {
      rewind(lines);
      c = getc(lines);
   }
   ungetc(c, lines);
}

static void by_getline(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)size_bytes;
   char *address = NULL;
   size_t capacity = 0;
   refill(thread->short_lines);
   if (getline(&address, &capacity, thread->short_lines) <= 0)
      abort();
   ledger_obtained(thread, block, FAMILY_MALLOC, address, capacity);
}

/* ---- On an empty slot: failure. */

static void must_fail(struct thread *thread, void *address)
{
   if (address != NULL)
      abort();
   ledger_failed(thread);
}

static void no_malloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)block;
   must_fail(thread, malloc(beyond + size_bytes));
   must_fail(thread, malloc(nearly_all));
}

static void no_calloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)block;
   must_fail(thread, calloc(half, 3 + size_bytes));
   must_fail(thread, calloc(1, beyond));
}

static void no_realloc_null(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)block;
   must_fail(thread, realloc(NULL, beyond + size_bytes));
   must_fail(thread, reallocarray(NULL, half, 3));
}

static void no_aligned(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)block;
   must_fail(thread, aligned_alloc(64, beyond + size_bytes));
   must_fail(thread, memalign(256, beyond));
   must_fail(thread, valloc(beyond));
}

#ifdef __GLIBC__
static void no_pvalloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)block;
   must_fail(thread, pvalloc(beyond + size_bytes));
}
#endif

static void no_posix_memalign(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)block;
   void *address;
   static volatile size_t no_power_of_two = 24;
   if (posix_memalign(&address, 64, beyond + size_bytes) == 0 ||
       posix_memalign(&address, no_power_of_two, 100) == 0)
      abort();
   ledger_failed(thread);
   ledger_failed(thread);
}

/* Nothing is given back by this: no event. */
static void free_null(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)thread;
   (void)block;
   (void)size_bytes;
   static void *volatile nothing;
   free(nothing);
}

/* ---- On a filled slot.  The C++ families have forms of their own. */

static bool is_ours(const struct block *block)
{
   if (block->family != FAMILY_MALLOC)
      return false;
   ledger_check_marks(block);
   return true;
}

static void by_free(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)size_bytes;
   if (!is_ours(block))
      return;
   free(block->address);
   ledger_given_back(thread, block);
}

static void by_realloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   if (!is_ours(block) || size_bytes == 0)
      return;
   void *address = realloc(block->address, size_bytes);
   if (address == NULL)
      abort();
   ledger_resized(thread, block, address, size_bytes);
}

/* Steps of a growing buffer, which often stay in place, or double and move. */
static void by_realloc_grow(struct thread *thread, struct block *block, size_t size_bytes)
{
   bool doubles = size_bytes % 4 == 0 && block->size_bytes < 1000000;
   by_realloc(thread, block, block->size_bytes + (doubles ? block->size_bytes : 0) + 1 + size_bytes % 32);
}

/* A deallocation if NULL comes back, else a block of 0 bytes. */
static void by_realloc_zero(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)size_bytes;
   if (!is_ours(block))
      return;
   void *address = realloc(block->address, 0);
   if (address == NULL)
      ledger_given_back(thread, block);
   else
      ledger_resized(thread, block, address, 0);
}

static void by_reallocarray(struct thread *thread, struct block *block, size_t size_bytes)
{
   size_t width = 1 + ledger_random(thread, 12), count = size_bytes / width;
   if (!is_ours(block) || count == 0)
      return;
   void *address = reallocarray(block->address, count, width);
   if (address == NULL)
      abort();
   ledger_resized(thread, block, address, count * width);
}

static void by_getline_grow(struct thread *thread, struct block *block, size_t size_bytes)
{
   (void)size_bytes;
   if (!is_ours(block) || block->size_bytes == 0)
      return;
   char *address = block->address;
   size_t capacity = block->size_bytes;
   refill(thread->long_lines);
   if (getline(&address, &capacity, thread->long_lines) <= 0)
      abort();
   if (capacity != block->size_bytes) {
      ledger_resized(thread, block, address, capacity);
   } else {
      /* The line was written over the marks: once more, by the same rules. */
      address = realloc(block->address, capacity);
      if (address == NULL)
         abort();
      ledger_resized(thread, block, address, capacity);
   }
}

static void no_realloc(struct thread *thread, struct block *block, size_t size_bytes)
{
   if (!is_ours(block))
      return;
   if (realloc(block->address, beyond + size_bytes) != NULL)
      abort();
   ledger_resize_failed(thread);
   if (reallocarray(block->address, half, 3) != NULL)
      abort();
   ledger_resize_failed(thread);
   ledger_check_marks(block);
}

const struct form ledger_forms_empty[] = {
   {"malloc", 12, by_malloc},
   {"calloc", 6, by_calloc},
   {"realloc-null", 4, by_realloc_null},
   {"reallocarray-null", 2, by_reallocarray_null},
   {"aligned_alloc", 3, by_aligned_alloc},
   {"memalign", 2, by_memalign},
   {"posix_memalign", 3, by_posix_memalign},
   {"valloc", 1, by_valloc},
   {"strdup", 4, by_strdup},
   {"getline", 2, by_getline},
   {"malloc-fails", 1, no_malloc},
   {"calloc-fails", 1, no_calloc},
   {"realloc-null-fails", 1, no_realloc_null},
   {"aligned-fails", 1, no_aligned},
   {"posix_memalign-fails", 1, no_posix_memalign},
   {"free-null", 1, free_null},
#ifdef __GLIBC__
   {"pvalloc", 1, by_pvalloc},
   {"pvalloc", 1, no_pvalloc},
#endif
   {NULL, 0, NULL},
};

const struct form ledger_forms_filled[] = {
   {"free", 15, by_free},
   {"realloc", 5, by_realloc},
   {"realloc-grow", 3, by_realloc_grow},
   {"realloc-zero", 2, by_realloc_zero},
   {"reallocarray", 3, by_reallocarray},
   {"getline-grow", 2, by_getline_grow},
   {"realloc-fails", 1, no_realloc},
   {NULL, 0, NULL},
};

/* A stream over 64 lines of which the shortest and the longest have so many
   characters; its buffer, static as well, holds them all. */
static FILE *lines_between(size_t shortest, size_t longest, char *buffer, size_t buffer_bytes)
{
   int descriptor = memfd_create("lines", 0);
   char line[512];
   if (descriptor < 0)
      abort();
   for (size_t i = 0; i < 64; i++) {
      size_t length = shortest + i * (longest - shortest) / 63;
      memset(line, 'a' + (int)(i % 26), length);
      line[length] = '\n';
      if (write(descriptor, line, length + 1) != (ssize_t)length + 1)
         abort();
   }
   FILE *stream = fdopen(descriptor, "r");
   if (stream == NULL || setvbuf(stream, buffer, _IOFBF, buffer_bytes) != 0)
      abort();
   rewind(stream);
   return stream;
}

void ledger_forms_start(struct thread *thread)
{
   static char buffers[128][32768];
   static unsigned used;
   if (used + 2 > sizeof buffers / sizeof buffers[0])
      abort();
   thread->short_lines = lines_between(0, 100, buffers[used], sizeof buffers[used]);
   thread->long_lines = lines_between(100, 400, buffers[used + 1], sizeof buffers[used + 1]);
   used += 2;
}
