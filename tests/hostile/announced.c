/* SPDX-License-Identifier: GPL-2.0-or-later */
/* announced.c: blocks announced by Valgrind's client requests, at random.
 *
 *    announced random FILE
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
   cells[a][c] = (struct cell){address, bytes, pool};
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

/* All of a pool, in the order of their addresses: ends lie in no cell but their own. */
static void trim(int pool, char *start, size_t bytes)
{
   for (int a = 0; a < AREAS; a++)
      for (int c = 0; c < CELLS; c++) {
         struct cell *cell = &cells[a][c];
         if (!cell->address || cell->pool != pool)
            continue;
         char *from = cell->address > start ? cell->address : start;
         char *to = cell->address + cell->bytes < start + bytes ? cell->address + cell->bytes
                                                                : start + bytes;
         if (from > to || (from == to && (cell->bytes > 0 || from == start + bytes)))
            gone(a, c);
      }
}

static void destroy_pool(int pool)
{
   VALGRIND_DESTROY_MEMPOOL(name[pool]);
   trim(pool, NULL, 0);
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
   for (int b = 0; b < AREAS; b++)
      for (int c = 0; c < CELLS; c++)
         if (cells[b][c].address && cells[b][c].pool == pool &&
             (b != a || c < first || c >= first + count))
            gone(b, c);
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

int main(int argc, char **argv)
{
   static const struct lesson lessons[] = {{"random", lesson_random}, {0}};
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
