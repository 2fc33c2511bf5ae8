/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sites_fixed.c: calls whose sites are told apart by one thing each.
 *
 *    sites_fixed [depth=N] [frames=functions|none]
 *
 * By line; by depth of a recursion; by object, of functions with the same name, file and
 * lines; by file; by who resizes. In `program` and in phase `again`, which has four
 * instances: the third one's peak is the highest, and the last one's is as high.
 */
#include "sites_ledger.h"

#include <stdlib.h>
#include <unistd.h>

/* In their libraries. */
extern void *(*const twin_a)(size_t bytes);
extern void *(*const twin_b)(size_t bytes);

enum { DEEPEST = 30 };

/* ---- By line. */

SITES_FUNCTION static void *two_lines(int first, size_t bytes)
{
   if (first)
      return OBTAIN(malloc(bytes), bytes);
   return OBTAIN(malloc(bytes), bytes);
}

SITES_FUNCTION static void by_line(void)
{
   void *blocks[4];
   HERE(blocks[0] = two_lines(1, 1000));
   HERE(blocks[1] = two_lines(0, 300));
   HERE(blocks[2] = two_lines(0, 20));
   for (int i = 0; i < 2; i++)
      HERE(blocks[3] = two_lines(i, 5));
   GIVE_BACK(free, blocks[1]);
   GIVE_BACK(free, blocks[3]); /* this one is temporary, or would be without the other */
   HERE(blocks[3] = two_lines(0, 7));
   GIVE_BACK(free, blocks[3]);
}

/* ---- By depth. */

SITES_FUNCTION static void *descend(int levels, size_t bytes)
{
   void *block;
   if (levels == 0)
      return OBTAIN(malloc(bytes), bytes);
   HERE(block = descend(levels - 1, bytes));
   return block;
}

/* A and B in turn, so that a frame repeats every second level. */
static void *pong(int levels, size_t bytes);
SITES_FUNCTION static void *ping(int levels, size_t bytes)
{
   void *block;
   if (levels == 0)
      return OBTAIN(calloc(1, bytes), bytes);
   HERE(block = pong(levels - 1, bytes));
   return block;
}
SITES_FUNCTION static void *pong(int levels, size_t bytes)
{
   void *block;
   if (levels == 0)
      return OBTAIN(calloc(bytes, 1), bytes);
   HERE(block = ping(levels - 1, bytes));
   return block;
}

SITES_FUNCTION static void by_depth(void)
{
   void *block;
   for (int levels = 0; levels < DEEPEST; levels++) {
      HERE(block = descend(levels, 100 + (size_t)levels));
      if (levels % 3)
         GIVE_BACK(free, block);
      HERE(block = ping(levels, 1 + (size_t)levels));
   }
}

/* ---- By object and by file: both functions have namesakes in the libraries. */

SITES_FUNCTION static void *twin(size_t bytes)
{
   return OBTAIN(malloc(bytes), bytes);
}

SITES_FUNCTION static void *outer_twin(size_t bytes)
{
   void *block;
   HERE(block = twin(bytes));
   return block;
}

SITES_FUNCTION static void by_object(void)
{
   void *blocks[3];
   /* From one line: between the first two, only the object tells. */
   void *(*const twins[])(size_t) = {twin_a, twin_b, outer_twin};
   for (size_t i = 0; i < 3; i++)
      HERE(blocks[i] = twins[i](10000 * (i + 1)));
   GIVE_BACK(free, blocks[1]);
}

/* ---- By who resizes. */

SITES_FUNCTION static void *origin(size_t bytes)
{
   return OBTAIN(malloc(bytes), bytes);
}

SITES_FUNCTION static void *grow(void *block, size_t bytes)
{
   return RESIZE(block, bytes);
}

SITES_FUNCTION static void *shrink(void *block, size_t bytes)
{
   return RESIZE(block, bytes);
}

SITES_FUNCTION static void by_resize(void)
{
   void *block, *other;
   HERE(block = origin(64));
   HERE(block = grow(block, 70000));
   HERE(other = origin(0)); /* a block of 0 bytes is one */
   HERE(block = shrink(block, 17));
   HERE(block = grow(block, 400));
   GIVE_BACK(free, other);
   HERE(other = origin(9));
   HERE(other = grow(other, 11));
   GIVE_BACK(free, other); /* the resize lies between: not temporary */
   /* From nothing, realloc obtains. */
   void *fresh = OBTAIN(realloc(NULL, 33), 33);
   GIVE_BACK(free, fresh);
}

/* ---- Other functions that obtain. */

SITES_FUNCTION static void *aligned(size_t bytes)
{
   void *block;
   return OBTAIN(posix_memalign(&block, 256, bytes) == 0 ? block : NULL, bytes);
}

SITES_FUNCTION static void by_function(void)
{
   void *blocks[3];
   HERE(blocks[0] = aligned(513));
   blocks[1] = OBTAIN(aligned_alloc(64, 128), 128);
   blocks[2] = OBTAIN(calloc(3, 7), 21);
   for (int i = 0; i < 3; i++)
      GIVE_BACK(free, blocks[i]);
}

/* ---- By instance. */

SITES_FUNCTION static void instance(size_t bytes, int line)
{
   void *blocks[2];
   HERE(blocks[0] = two_lines(line, bytes));
   HERE(blocks[1] = two_lines(1, 500000 - bytes));
   GIVE_BACK(free, blocks[0]);
   if (bytes % 2)
      GIVE_BACK(free, blocks[1]);
   else
      HERE(blocks[1] = grow(blocks[1], 1));
}

SITES_FUNCTION static void by_instance(void)
{
   void *block;
   sites_begin("empty"); /* its peak is what was there */
   sites_end("empty");
   sites_begin("again");
   HERE(instance(200, 0));
   sites_end("again");
   sites_begin("again"); /* lower */
   HERE(block = two_lines(1, 3));
   sites_end("again");
   HERE(block = grow(block, 100000)); /* outside, but live from here on */
   sites_begin("again"); /* the highest */
   HERE(instance(301, 0));
   sites_end("again");
   sites_begin("again"); /* as high */
   HERE(instance(401, 1));
   GIVE_BACK(free, block); /* obtained outside */
   sites_end("again");
}

int main(int argc, char **argv)
{
   sites_start(argc, argv);
   HERE(by_line());
   HERE(by_depth());
   HERE(by_object());
   HERE(by_resize());
   HERE(by_function());
   HERE(by_instance());
   HERE(by_line());
   sites_report();
   _exit(0);
}
