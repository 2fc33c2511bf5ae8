/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mapped.c: a program's own record of the address range that it maps.
 *
 * Makes every kind of call that maps or unmaps anonymous memory, some inside
 * its own malloc and free, and keeps a record page by page: who mapped it, the
 * program or the allocator, until it is unmapped or something is mapped over
 * it.  Prints what must be reported.  Without a libc nothing else maps.
 *
 * The record is a table of pages that are mapped now, from the arguments and
 * results of the calls alone.
 */
#include "freestanding.h"

#include "print.h"

#define MOST_PAGES 20000

enum owner { NOBODY, PROGRAM, ALLOCATOR };

static struct page {
   uintptr_t number;
   enum owner owner;
} pages[MOST_PAGES];
static unsigned page_count;

static uint64_t now[3], peak[3]; /* pages, by owner */
static enum owner caller = PROGRAM;

static uint64_t random_state = 88172645463325252u;

static uint64_t random_below(uint64_t below)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return random_state % below;
}

static void give_up(int status)
{
   system_call(__NR_exit_group, status, 0, 0, 0, 0, 0);
}

/* ---- The record. */

static void set_owner(uintptr_t number, enum owner owner)
{
   for (unsigned i = 0; i < page_count; i++)
      if (pages[i].number == number) {
         now[pages[i].owner]--;
         pages[i] = pages[--page_count];
         break;
      }
   if (owner == NOBODY)
      return;
   if (page_count == MOST_PAGES)
      give_up(4);
   pages[page_count++] = (struct page){number, owner};
   now[owner]++;
}

static enum owner owner_of(uintptr_t number)
{
   for (unsigned i = 0; i < page_count; i++)
      if (pages[i].number == number)
         return pages[i].owner;
   return NOBODY;
}

static uintptr_t page_after(uintptr_t address)
{
   return (address + PAGE_BYTES - 1) / PAGE_BYTES;
}

static void record(const void *from, size_t bytes, enum owner owner)
{
   uintptr_t first = (uintptr_t)from / PAGE_BYTES, end = page_after((uintptr_t)from + bytes);
   for (uintptr_t number = first; number < end; number++)
      set_owner(number, owner);
}

/* Between two calls: a peak is what lived then. */
static void call_done(void)
{
   for (int owner = PROGRAM; owner <= ALLOCATOR; owner++)
      if (now[owner] > peak[owner])
         peak[owner] = now[owner];
}

/* ---- The calls. */

static char *map_at(void *where, size_t bytes, int protection, int flags, int descriptor)
{
   long result = system_call(__NR_mmap, (long)where, (long)bytes, protection, flags, descriptor, 0);
   if (result < 0 && result > -4096)
      return NULL;
   record((char *)result, bytes, flags & MAP_ANONYMOUS ? caller : NOBODY);
   call_done();
   return (char *)result;
}

static char *map_anonymous(size_t bytes, int protection)
{
   return map_at(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void unmap(char *from, size_t bytes)
{
   if (system_call(__NR_munmap, (long)from, (long)bytes, 0, 0, 0, 0) != 0)
      give_up(5);
   record(from, bytes, NOBODY);
   call_done();
}

static char *remap(char *from, size_t old_bytes, size_t new_bytes, int flags, char *to)
{
   enum owner owner = owner_of((uintptr_t)from / PAGE_BYTES);
   long result = system_call(__NR_mremap, (long)from, (long)old_bytes, (long)new_bytes, flags, (long)to, 0);
   if (result < 0 && result > -4096)
      return NULL;
   record(from, old_bytes, NOBODY);
   record((char *)result, new_bytes, owner);
   call_done();
   return (char *)result;
}

static uintptr_t first_break, present_break;

static void move_break(long by)
{
   uintptr_t result = (uintptr_t)system_call(__NR_brk, (long)present_break + by, 0, 0, 0, 0, 0);
   if (result == present_break)
      return;
   for (uintptr_t n = page_after(present_break); n < page_after(result); n++)
      set_owner(n, caller);
   for (uintptr_t n = page_after(result); n < page_after(present_break); n++)
      set_owner(n, NOBODY);
   present_break = result;
   call_done();
}

/* ---- An allocator of its own: one mapping a block, or the break. */

__attribute__((noipa)) void *malloc(size_t bytes)
{
   caller = ALLOCATOR;
   void *block;
   if (bytes < 10000) {
      block = (void *)present_break;
      move_break((long)bytes);
   } else {
      block = map_anonymous(bytes, PROT_READ | PROT_WRITE);
   }
   caller = PROGRAM;
   return block;
}

/* The size is the test's business: it is told before. */
static size_t size_given_back;

__attribute__((noipa)) void free(void *block)
{
   unmap(block, size_given_back);
}

/* ---- What the program does. */

static void without_effect(void)
{
   char *some = map_anonymous(3 * PAGE_BYTES, PROT_NONE);
   protect(some, PAGE_BYTES, PROT_READ | PROT_WRITE);
   system_call(__NR_madvise, (long)some, PAGE_BYTES, 4 /* MADV_DONTNEED */, 0, 0, 0);
   /* Failures. */
   map_at(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);
   map_at(NULL, (size_t)1 << 62, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);
   system_call(__NR_munmap, (long)some + 1, PAGE_BYTES, 0, 0, 0, 0);
   remap(some, PAGE_BYTES, 0, 0, NULL);
   /* Of a file, without write access. */
   long file = system_call(__NR_openat, -1, (long)"/proc/self/exe", 0, 0, 0, 0);
   char *mapped_file = map_at(NULL, 2 * PAGE_BYTES, PROT_READ, MAP_PRIVATE, (int)file);
   if (file < 0 || mapped_file == NULL)
      give_up(6);
   /* The file over the second page, anonymous memory over the file. */
   map_at(some + PAGE_BYTES, PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_FIXED, (int)file);
   map_at(mapped_file, PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
   unmap(mapped_file, 2 * PAGE_BYTES);
}

static void move_around(void)
{
   char *block = map_anonymous(5 * PAGE_BYTES, PROT_READ | PROT_WRITE);
   char *area = map_anonymous(40 * PAGE_BYTES, PROT_NONE);
   block = remap(block, 5 * PAGE_BYTES, 2 * PAGE_BYTES, 0, NULL);
   block = remap(block, 2 * PAGE_BYTES, 900 * PAGE_BYTES, MREMAP_MAYMOVE, NULL);
   block = remap(block, 900 * PAGE_BYTES, 3 * PAGE_BYTES, MREMAP_MAYMOVE, NULL);
   block = remap(block, 3 * PAGE_BYTES, 3 * PAGE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED,
                 area + 10 * PAGE_BYTES);
   block = remap(block, 3 * PAGE_BYTES, 6 * PAGE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED,
                 area + 20 * PAGE_BYTES);
   if (block == NULL)
      give_up(7);
   unmap(area + 9 * PAGE_BYTES, 2 * PAGE_BYTES);
}

/* Punches holes into an area and fills them. */
static void punch_holes(void)
{
   enum { AREA_PAGES = 120 };
   char *area = map_at(NULL, AREA_PAGES * PAGE_BYTES, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
   for (int i = 0; i < 400; i++) {
      uint64_t first = random_below(AREA_PAGES), count = 1 + random_below(AREA_PAGES - first) / 3;
      char *from = area + first * PAGE_BYTES;
      size_t bytes = count * PAGE_BYTES - random_below(PAGE_BYTES);
      if (random_below(2) == 0)
         unmap(from, bytes);
      else
         map_at(from, bytes, PROT_READ | PROT_WRITE,
                (random_below(4) == 0 ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_FIXED, -1);
   }
}

static void move_breaks(void)
{
   first_break = present_break = (uintptr_t)system_call(__NR_brk, 0, 0, 0, 0, 0, 0);
   move_break(10000);
   move_break(1);
   move_break(5 * PAGE_BYTES);
   move_break(-(3 * PAGE_BYTES + 77));
   move_break(100);
   move_break((long)1 << 40); /* refused */
}

static void allocate(void)
{
   char *first = malloc(1000000), *second = malloc(300000);
   for (int i = 1; i < 20; i++)
      malloc((size_t)i * 100);
   size_given_back = 1000000;
   free(first);
   /* A page of the allocator's that the program unmaps, and one it maps over. */
   unmap(second, PAGE_BYTES);
   map_at(second + 5 * PAGE_BYTES, PAGE_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
   /* And one of the program's that the allocator unmaps. */
   char *third = map_anonymous(7 * PAGE_BYTES, PROT_READ);
   size_given_back = PAGE_BYTES;
   free(third + 2 * PAGE_BYTES);
}

int program(void)
{
   without_effect();
   move_around();
   punch_holes();
   move_breaks();
   allocate();
   char *most = map_anonymous(3000000, PROT_NONE);
   unmap(most, 3000000);
   print("mapped.peak", peak[PROGRAM] * PAGE_BYTES);
   print("mapped.exit", now[PROGRAM] * PAGE_BYTES);
   print("allocator-mapped.peak", peak[ALLOCATOR] * PAGE_BYTES);
   print("allocator-mapped.exit", now[ALLOCATOR] * PAGE_BYTES);
   return 0;
}
