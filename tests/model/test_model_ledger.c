/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_model_ledger.c: the ledger and the address order against a plain array, their
 * memory, and that their cost does not grow.
 *
 * Cost is not a matter of time here: it is the length of the walks that the tables
 * make necessary, which is read off the tables themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "hosted.h"
#include "model_random.h"
#include "pm_ledger.h"

/* --- lockstep ------------------------------------------------------------------- */

enum { RECORDS = 700, STEPS = 6000, PLACES = 2000 };

struct known {
   pm_block_id id;
   uint64_t address, size_bytes;
   bool filed;
};

struct trace {
   struct model_random random;
   struct pm_ledger ledger;
   struct known known[RECORDS];
   uint32_t count;
   uint64_t ordered_from_bytes;
};

static struct known *filed_at(struct trace *t, uint64_t address)
{
   for (uint32_t k = 0; k < t->count; k++)
      if (t->known[k].filed && t->known[k].address == address)
         return &t->known[k];
   return NULL;
}

/* Blocks do not overlap: each lies between its place and the next one. */
enum { PLACE_BYTES = 4096 };

static struct known *holding(struct trace *t, uint64_t address)
{
   for (uint32_t k = 0; k < t->count; k++) {
      struct known *known = &t->known[k];
      if (known->filed && known->size_bytes >= t->ordered_from_bytes &&
          address >= known->address && address < known->address + known->size_bytes)
         return known;
   }
   return NULL;
}

static uint64_t some_address(struct trace *t)
{
   return PLACE_BYTES * (uint64_t)(1 + model_below(&t->random, PLACES));
}

static void add(struct trace *t)
{
   if (t->count == RECORDS)
      return;
   struct known *known = &t->known[t->count];
   uint64_t address = some_address(t);
   known->address = address;
   known->size_bytes = model_below(&t->random, PLACE_BYTES + 1);
   known->id = pm_ledger_new(&t->ledger, address, known->size_bytes, PM_BLOCK_LIVE);
   assert_int_not_equal(known->id, 0);
   for (uint32_t k = 0; k < t->count; k++)
      assert_int_not_equal(t->known[k].id, known->id);
   struct pm_block *block = pm_ledger_block(&t->ledger, known->id);
   assert_int_equal(block->address, address);
   assert_int_equal(block->size_bytes, known->size_bytes);
   assert_int_equal(block->sizes, 0);
   assert_int_equal(block->site, 0);
   assert_int_equal(pm_block_state(block), PM_BLOCK_LIVE);
   known->filed = false;
   t->count++;
}

static void drop(struct trace *t, struct known *known)
{
   if (known->filed)
      pm_ledger_unfile(&t->ledger, known->id);
   pm_ledger_drop(&t->ledger, known->id);
   *known = t->known[--t->count];
}

static void step(struct trace *t)
{
   uint32_t choice = model_below(&t->random, 100);
   if (choice < 35 || t->count == 0) {
      add(t);
      return;
   }
   struct known *known = &t->known[model_below(&t->random, t->count)];
   if (choice < 70 && !known->filed && !filed_at(t, known->address)) {
      assert_true(pm_ledger_file(&t->ledger, known->id));
      known->filed = true;
   } else if (choice < 85 && known->filed) {
      pm_ledger_unfile(&t->ledger, known->id);
      known->filed = false;
      known->address = pm_ledger_block(&t->ledger, known->id)->address = some_address(t);
   } else if (choice >= 88) {
      drop(t, known);
   }
}

static void check(struct trace *t)
{
   uint64_t address = some_address(t);
   struct known *known = filed_at(t, address);
   assert_int_equal(pm_ledger_find(&t->ledger, address), known ? known->id : 0);
   assert_int_equal(pm_ledger_find(&t->ledger, address + 16), 0);
   address += model_below(&t->random, PLACE_BYTES);
   known = holding(t, address);
   assert_int_equal(pm_ledger_holding(&t->ledger, address), known ? known->id : 0);
}

static void check_all(struct trace *t)
{
   uint64_t filed = 0;
   for (uint32_t k = 0; k < t->count; k++) {
      const struct known *known = &t->known[k];
      const struct pm_block *block = pm_ledger_block(&t->ledger, known->id);
      assert_int_equal(block->address, known->address);
      assert_int_equal(block->size_bytes, known->size_bytes);
      filed += known->filed;
      if (known->filed)
         assert_int_equal(pm_ledger_find(&t->ledger, known->address), known->id);
   }
   assert_int_equal(t->ledger.filed, filed);
   assert_int_equal(pm_ledger_memory_bytes(&t->ledger), hosted_live_bytes());
}

static void run(unsigned long number)
{
   struct trace t = {.random.state = number, .ordered_from_bytes = PM_STACK_BLOCK_BYTES};
   pm_ledger_init(&t.ledger, &hosted);
   assert_int_equal(pm_ledger_find(&t.ledger, PLACE_BYTES), 0);
   assert_int_equal(pm_ledger_holding(&t.ledger, PLACE_BYTES), 0);
   int order_all_at = (int)model_below(&t.random, 2 * STEPS);
   for (int s = 0; s < STEPS; s++) {
      if (s == order_all_at) {
         assert_true(pm_ledger_order_all(&t.ledger));
         t.ordered_from_bytes = 0;
      }
      step(&t);
      check(&t);
      if (s % 500 == 0)
         check_all(&t);
   }
   check_all(&t);
   pm_ledger_release(&t.ledger);
   assert_int_equal(hosted_live_bytes(), 0);
}

static void a_ledger_finds_what_an_array_finds(void **state)
{
   unsigned long first = model_setting("PM_MODEL_FIRST", 1);
   unsigned long traces = model_setting("PM_MODEL_TRACES", 30);
   (void)state;
   for (unsigned long n = 0; n < traces; n++)
      run(first + n);
}

/* --- the order -------------------------------------------------------------------- */

enum { KEYS = 400 };

static void run_order(unsigned long number)
{
   struct model_random random = {number};
   struct pm_order order;
   uint32_t ids[KEYS] = {0}; /* by address, which is a multiple of 8; 0: not there */
   pm_order_init(&order, &hosted);
   for (uint32_t s = 1; s < 3000; s++) {
      uint32_t key = model_below(&random, KEYS);
      if (ids[key] && model_chance(&random, 70)) {
         pm_order_remove(&order, key * 8);
         ids[key] = 0;
      } else if (!ids[key] && model_chance(&random, 70)) {
         assert_true(pm_order_add(&order, key * 8, s));
         ids[key] = s;
      } else {
         pm_order_remove(&order, key * 8 + 1); /* not there: nothing happens */
      }
      uint32_t asked = model_below(&random, KEYS * 8), below = 0, above = 0;
      for (uint32_t k = 0; k < KEYS; k++) {
         if (ids[k] && k * 8 <= asked)
            below = ids[k];
         if (ids[KEYS - 1 - k] && (KEYS - 1 - k) * 8 >= asked)
            above = ids[KEYS - 1 - k];
      }
      assert_int_equal(pm_order_at_or_below(&order, asked), below);
      assert_int_equal(pm_order_at_or_above(&order, asked), above);
   }
   /* Nodes are used again: there are never more than keys, and the one unused. */
   assert_in_range(order.used, 1, KEYS + 1);
   pm_order_release(&order);
   assert_int_equal(hosted_live_bytes(), 0);
}

static void an_order_finds_the_neighbours_an_array_finds(void **state)
{
   unsigned long first = model_setting("PM_MODEL_FIRST", 1);
   unsigned long traces = model_setting("PM_MODEL_TRACES", 60);
   (void)state;
   for (unsigned long n = 0; n < traces; n++)
      run_order(first + n);
}

/* --- addresses as allocators give them ---------------------------------------------- */

static uint64_t sequential(uint64_t i)
{
   return UINT64_C(0x555555559000) + 32 * i;
}

/* Blocks of 4096 bytes, and of 16 KiB, with a header before each. */
static uint64_t with_header_4k(uint64_t i)
{
   return UINT64_C(0x555555559010) + 4112 * i;
}

static uint64_t with_header_16k(uint64_t i)
{
   return UINT64_C(0x555555559010) + 16400 * i;
}

static uint64_t pages(uint64_t i)
{
   return UINT64_C(0x7f0000000000) + 4096 * i;
}

static uint64_t scattered(uint64_t i)
{
   struct model_random random = {i};
   return model_u64(&random) >> 16 & ~UINT64_C(15);
}

/* Small classes in slabs, many slabs in arenas that start at multiples of 64 MiB. */
static uint64_t arenas(uint64_t i)
{
   return (i & 63) * (UINT64_C(1) << 26) + (i >> 6) * 48 + UINT64_C(0x7e0000000000);
}

/* The same place in address ranges of 4 GiB each. */
static uint64_t ranges(uint64_t i)
{
   return (i << 32) + 16;
}

static uint64_t huge_pages(uint64_t i)
{
   return UINT64_C(0x7c0000000000) + (i << 21);
}

static const struct {
   const char *name;
   uint64_t (*address)(uint64_t i);
   uint64_t most; /* blocks that there can be */
} patterns[] = {
   {"sequential", sequential, UINT64_MAX},
   {"4 KiB with header", with_header_4k, UINT64_MAX},
   {"16 KiB with header", with_header_16k, UINT64_MAX},
   {"pages", pages, UINT64_MAX},
   {"scattered", scattered, UINT64_MAX},
   {"arenas", arenas, UINT64_MAX},
   {"ranges", ranges, UINT64_C(1) << 15}, /* of 47 bits */
   {"huge pages", huge_pages, UINT64_C(1) << 20},
};

static void file(struct pm_ledger *ledger, uint64_t address, uint64_t size_bytes)
{
   pm_block_id id = pm_ledger_new(ledger, address, size_bytes, PM_BLOCK_LIVE);
   assert_int_not_equal(id, 0);
   assert_true(pm_ledger_file(ledger, id));
}

/* Records that a search for a block looks at on average. */
static double walk(const struct pm_ledger *ledger)
{
   double records = 0;
   for (uint64_t s = 0; s < ledger->table_slots; s++) {
      uint64_t length = 0;
      for (pm_block_id id = ledger->table[s]; id; id = pm_ledger_block(ledger, id)->next)
         records += (double)++length;
   }
   return records / (double)ledger->filed;
}

/* As many blocks as slots make walks of 1.5 records when the hash is as good as chance; a
   small table has more luck, good or bad. */
static void walks_do_not_grow(void **state)
{
   (void)state;
   for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
      struct pm_ledger ledger;
      pm_ledger_init(&ledger, &hosted);
      uint64_t blocks = patterns[p].most < 840000 ? patterns[p].most : 840000;
      for (uint64_t i = 0; i < blocks; i++) {
         file(&ledger, patterns[p].address(i), 32);
         bool full = ledger.filed == ledger.table_slots;
         if (full && walk(&ledger) > (i < 10000 ? 1.8 : 1.6))
            fail_msg("%s: %" PRIu64 " blocks: %f records looked at", patterns[p].name,
                     ledger.filed, walk(&ledger));
      }
      assert_in_range(ledger.filed, ledger.table_slots / 4, ledger.table_slots);
      pm_ledger_release(&ledger);
   }
}

/* Of a node, from the root. */
static uint32_t depth(const struct pm_order *order, uint64_t address)
{
   uint32_t n = order->root, depth = 1;
   while (order->nodes[n].address != address) {
      n = address < order->nodes[n].address ? order->nodes[n].left : order->nodes[n].right;
      depth++;
   }
   return depth;
}

static void the_order_stays_flat(void **state)
{
   (void)state;
   for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
      struct pm_order order;
      pm_order_init(&order, &hosted);
      enum { LOG_NODES = 17, NODES = 1 << LOG_NODES };
      for (uint32_t i = 0; i < NODES; i++)
         assert_true(pm_order_add(&order, patterns[p].address(i), i + 1));
      double sum = 0;
      uint32_t most = 0;
      for (uint32_t i = 0; i < NODES; i++) {
         uint32_t d = depth(&order, patterns[p].address(i));
         sum += d;
         most = d > most ? d : most;
      }
      /* Chance gives 1.4 x log2 on average, and about 3 x log2 for the deepest. */
      if (sum / NODES > 2 * LOG_NODES || most > 4 * LOG_NODES)
         fail_msg("%s: depth %f on average, %" PRIu32 " at most", patterns[p].name,
                  sum / NODES, most);
      pm_order_release(&order);
   }
}

/* --- memory -------------------------------------------------------------------------- */

/* "<= 64 bytes per live block, table growth included": at every moment, the moments at
   which a table is moved to a larger one included. One chunk of records is not used up,
   and the first tables are as large as they are. */
static void ten_million_blocks_take_64_bytes_each(void **state)
{
   enum { BLOCKS = 10000000 };
   const uint64_t chunk_bytes = sizeof(struct pm_block) << PM_LEDGER_CHUNK_SHIFT;
   const uint64_t first_table_bytes = sizeof(pm_block_id) << 14;
   struct pm_ledger ledger;
   double worst = 0;
   (void)state;
   pm_ledger_init(&ledger, &hosted);
   size_t others = hosted_live_bytes();
   hosted_forget_most();
   for (uint64_t n = 1; n <= BLOCKS; n++) {
      file(&ledger, sequential(n), 32);
      size_t most = hosted_most_bytes() - others;
      if (most > 64 * n + chunk_bytes + first_table_bytes + 8192)
         fail_msg("%" PRIu64 " blocks needed %zu bytes", n, most);
      double each = (double)most / (double)n;
      if (n > 100000 && each > worst)
         worst = each;
   }
   print_message("# at worst %.1f bytes for a live block, in the end %.1f\n", worst,
                 (double)(hosted_live_bytes() - others) / BLOCKS);
   for (uint64_t n = 1; n <= BLOCKS; n += 997)
      assert_int_not_equal(pm_ledger_find(&ledger, sequential(n)), 0);
   pm_ledger_release(&ledger);
   assert_int_equal(hosted_live_bytes(), others);
}

/* What comes and goes leaves nothing behind. */
static void memory_does_not_grow_without_blocks(void **state)
{
   struct pm_ledger ledger;
   (void)state;
   pm_ledger_init(&ledger, &hosted);
   for (uint64_t i = 0; i < 1000; i++)
      file(&ledger, sequential(i), 4096);
   uint64_t bytes = pm_ledger_memory_bytes(&ledger);
   for (uint64_t i = 0; i < 200000; i++) {
      pm_block_id id = pm_ledger_find(&ledger, sequential(i));
      pm_ledger_unfile(&ledger, id);
      pm_ledger_drop(&ledger, id);
      file(&ledger, sequential(i + 1000), 4096);
   }
   assert_int_equal(pm_ledger_memory_bytes(&ledger), bytes);
   pm_ledger_release(&ledger);
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ledger_finds_what_an_array_finds),
      cmocka_unit_test(an_order_finds_the_neighbours_an_array_finds),
      cmocka_unit_test(walks_do_not_grow),
      cmocka_unit_test(the_order_stays_flat),
      cmocka_unit_test(ten_million_blocks_take_64_bytes_each),
      cmocka_unit_test(memory_does_not_grow_without_blocks),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
