/* SPDX-License-Identifier: GPL-2.0-or-later */
/* announced.c: blocks announced by Valgrind's client requests, at random.
 *
 *    announced random FILE
 *    announced too-large FILE
 *
 * Some lie in blocks of malloc: they are a pool's, counted apart, and gone with the memory
 * around them. The others lie in memory mapped by the program: blocks like any other. Both
 * kinds are announced one by one or as part of one of several pools. An area is cells, of
 * which each holds one announced block at most.
 */
#include "account.h"

#include <sys/mman.h>
#include <valgrind/valgrind.h>

enum { AREAS = 24, OUTSIDE = 6, CELLS = 12, CELL_BYTES = 512, POOLS = 5, ONE_BY_ONE = -1 };

struct cell {
   char *address; /* NULL: nothing is announced there */
   size_t bytes;
   int pool;      /* ONE_BY_ONE, or a number of a pool */
   long birth;    /* the later the larger */
};

/* The first OUTSIDE areas are mapped and always there; the others are malloc's. Those are
   in the slots of the account with their numbers, and blocks outside in the slots behind. */
static char *area[AREAS];
static struct cell cells[AREAS][CELLS];
static char handle[2 * POOLS]; /* what a pool is known by is any address */
static char *name[POOLS];

/* Of the phases in the account's order. */
static long long pool_live, pool_count[PHASES], pool_entry[PHASES], pool_peak[PHASES];

static void pool_change(long long bytes, bool obtained)
{
   pool_live += bytes;
   for (int p = 0; p < account.phases; p++) {
      if (!account.phase[p].open)
         continue;
      pool_count[p] += obtained;
      if (pool_live > pool_peak[p])
         pool_peak[p] = pool_live;
   }
}

static void begin(const char *phase)
{
   pool_entry[account.phases] = pool_peak[account.phases] = pool_live;
   account_begin(phase);
}

static int slot_of(int a, int c)
{
   return AREAS + a * CELLS + c;
}

/* --- what is entered ----------------------------------------------------------------------- */

static void obtained(int a, int c, char *address, size_t bytes, int pool)
{
   static long births;
   cells[a][c] = (struct cell){address, bytes, pool, ++births};
   if (a < OUTSIDE)
      account_obtained(slot_of(a, c), address, (long long)bytes);
   else
      pool_change((long long)bytes, true);
}

static void resized(int a, int c, size_t bytes)
{
   if (a < OUTSIDE)
      account_resized(slot_of(a, c), cells[a][c].address, (long long)bytes);
   else
      pool_change((long long)bytes - (long long)cells[a][c].bytes, false);
   cells[a][c].bytes = bytes;
}

static void gone(int a, int c)
{
   if (a < OUTSIDE)
      account_given_back(slot_of(a, c));
   else
      pool_change(-(long long)cells[a][c].bytes, false);
   cells[a][c].address = NULL;
}

/* --- requests --------------------------------------------------------------------------------- */

static void announce(int a, int c)
{
   size_t start = draw(&account.random, CELL_BYTES / 2), bytes = draw(&account.random, CELL_BYTES / 2);
   char *address = area[a] + CELL_BYTES * c + start;
   int pool = (int)draw(&account.random, POOLS + 3);
   if (pool >= POOLS) {
      pool = ONE_BY_ONE;
      VALGRIND_MALLOCLIKE_BLOCK(address, bytes, 8, 0);
   } else {
      VALGRIND_MEMPOOL_ALLOC(name[pool], address, bytes);
   }
   obtained(a, c, address, bytes, pool);
}

static void end(int a, int c)
{
   struct cell *cell = &cells[a][c];
   if (cell->pool == ONE_BY_ONE)
      VALGRIND_FREELIKE_BLOCK(cell->address, 8);
   else
      VALGRIND_MEMPOOL_FREE(name[cell->pool], cell->address);
   gone(a, c);
}

static void resize(int a, int c)
{
   struct cell *cell = &cells[a][c];
   size_t bytes = draw(&account.random, CELL_BYTES / 2);
   if (cell->pool == ONE_BY_ONE)
      VALGRIND_RESIZEINPLACE_BLOCK(cell->address, cell->bytes, bytes, 8);
   else
      VALGRIND_MEMPOOL_CHANGE(name[cell->pool], cell->address, cell->address, bytes);
   resized(a, c, bytes);
}

/* A pool's block goes elsewhere: one has ended, another begun. */
static void move(int a, int c)
{
   int to_a = (int)draw(&account.random, AREAS), to_c = (int)draw(&account.random, CELLS);
   struct cell old = cells[a][c];
   if (old.pool == ONE_BY_ONE || !area[to_a] || cells[to_a][to_c].address)
      return;
   char *address = area[to_a] + CELL_BYTES * to_c;
   VALGRIND_MEMPOOL_CHANGE(name[old.pool], old.address, address, old.bytes + 1);
   gone(a, c);
   obtained(to_a, to_c, address, old.bytes + 1, old.pool);
}

/* All of a pool, the newest first, but for those in the cells that are kept, if any are:
   first and count of area a. */
static void all_gone(int pool, int a, int first, int count)
{
   for (;;) {
      int newest = -1;
      for (int n = 0; n < AREAS * CELLS; n++) {
         const struct cell *cell = &cells[n / CELLS][n % CELLS];
         bool kept = n / CELLS == a && n % CELLS >= first && n % CELLS < first + count;
         if (cell->address && cell->pool == pool && !kept &&
             (newest < 0 || cell->birth > cells[newest / CELLS][newest % CELLS].birth))
            newest = n;
      }
      if (newest < 0)
         return;
      gone(newest / CELLS, newest % CELLS);
   }
}

static void destroy_pool(int pool)
{
   VALGRIND_DESTROY_MEMPOOL(name[pool]);
   all_gone(pool, 0, 0, 0);
   VALGRIND_CREATE_MEMPOOL(name[pool], 0, 0);
}

/* What is kept is a part of one area that ends between cells. */
static void trim_pool(int pool)
{
   int a = (int)draw(&account.random, AREAS);
   int first = (int)draw(&account.random, CELLS), count = 1 + (int)draw(&account.random, 6);
   if (!area[a])
      return;
   char *start = area[a] + CELL_BYTES * first;
   VALGRIND_MEMPOOL_TRIM(name[pool], start, (size_t)count * CELL_BYTES);
   all_gone(pool, a, first, count);
}

static void rename_pool(int pool)
{
   char *other = handle + (name[pool] - handle + POOLS) % (2 * POOLS);
   VALGRIND_MOVE_MEMPOOL(name[pool], other);
   name[pool] = other;
}

/* --- what lies around them -------------------------------------------------------------------- */

static void cells_gone(int a, int from)
{
   for (int c = from; c < CELLS; c++)
      if (cells[a][c].address)
         gone(a, c);
}

static void change_area(int a)
{
   if (!area[a]) {
      account_malloc(a, CELLS * CELL_BYTES);
      area[a] = account.slot[a].address;
   } else if (draw(&account.random, 2)) {
      cells_gone(a, 0);
      account_free(a);
      area[a] = NULL;
   } else {
      /* Moved or not, by a little or by much, it has room for the cells. */
      account_realloc(a, CELLS * CELL_BYTES + draw(&account.random, 40000));
      if (account.slot[a].address != area[a])
         cells_gone(a, 0);
      area[a] = account.slot[a].address;
   }
}

static void play(unsigned long requests)
{
   while (requests-- > 0) {
      int a = (int)draw(&account.random, AREAS), c = (int)draw(&account.random, CELLS);
      int kind = (int)draw(&account.random, 100), pool = (int)draw(&account.random, POOLS);
      if (kind == 0)
         destroy_pool(pool);
      else if (kind == 1)
         trim_pool(pool);
      else if (kind == 2)
         rename_pool(pool);
      else if (kind < 8 && a >= OUTSIDE)
         change_area(a);
      else if (kind == 9) {
         VALGRIND_FREELIKE_BLOCK(handle, 8);
         account_unmatched();
      } else if (!area[a])
         continue;
      else if (!cells[a][c].address)
         announce(a, c);
      else if (kind < 30)
         resize(a, c);
      else if (kind < 40)
         move(a, c);
      else if (kind < 70)
         end(a, c);
   }
}

static void lesson_random(void)
{
   for (int a = 0; a < OUTSIDE; a++)
      area[a] = mmap(NULL, CELLS * CELL_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                     -1, 0);
   for (int p = 0; p < POOLS; p++) {
      name[p] = handle + p;
      VALGRIND_CREATE_MEMPOOL(name[p], 0, 0);
   }
   begin("program");
   play(scaled(40000));
   begin("second half");
   play(scaled(40000));
   check(account.blocks > 20 && pool_live > 1000, "nothing is left");
}

/* Sizes for which no address space has room are the program's mistakes; so is a resize to
   one. The others' numbers stay as they are. */
static void lesson_too_large(void)
{
   enum { IGNORED = 6 };
   begin("program");
   account_malloc(0, 10000);
   char *block = account.slot[0].address;
   VALGRIND_MALLOCLIKE_BLOCK(block, ~(size_t)0, 0, 0);
   VALGRIND_MEMPOOL_ALLOC(name, block + 1000, ~(size_t)0 / 2);
   VALGRIND_MALLOCLIKE_BLOCK(handle, ~(size_t)0 / 4, 0, 0);
   VALGRIND_RESIZEINPLACE_BLOCK(handle, ~(size_t)0 / 4, ~(size_t)0 / 8, 0);
   VALGRIND_FREELIKE_BLOCK(handle, 0);
   account_unmatched();

   VALGRIND_MEMPOOL_ALLOC(name, block + 2000, 100);
   pool_change(100, true);
   VALGRIND_MEMPOOL_CHANGE(name, block + 2000, block + 2000, ~(size_t)0);
   VALGRIND_MALLOCLIKE_BLOCK(area, 200, 0, 0);
   account_obtained(1, (char *)area, 200);
   VALGRIND_RESIZEINPLACE_BLOCK(area, 200, ~(size_t)0 - 7, 0);
   VALGRIND_MEMPOOL_CHANGE(name, block + 2000, block + 3000, ~(size_t)0 / 3);
   pool_change(-100, false);
   begin("half of it");
   VALGRIND_FREELIKE_BLOCK(area, 0);
   account_given_back(1);
   VALGRIND_DESTROY_MEMPOOL(name);
   expect("-", "!block-too-large", IGNORED);
}

int main(int argc, char **argv)
{
   static const struct lesson lessons[] = {
      {"random", lesson_random}, {"too-large", lesson_too_large}, {0}};
   int status = teach(argc, argv, lessons);
   account_print(false);
   for (int p = 0; p < account.phases; p++) {
      expect(account.phase[p].name, "pool.entry", pool_entry[p]);
      expect(account.phase[p].name, "pool.peak", pool_peak[p]);
      expect(account.phase[p].name, "pool.exit", pool_live);
      expect(account.phase[p].name, "pool.count", pool_count[p]);
   }
   return status;
}
