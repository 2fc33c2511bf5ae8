/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_ifunc.c: allocation functions, and a phase, that are chosen when the program
 * starts.
 *
 *    hostile_ifunc LESSON LEDGER
 *
 * The symbols je_malloc, je_realloc, je_free and chosen_phase are of functions that choose (IFUNC);
 * what they choose has names that say nothing.
 */
#include "hostile.h"
#include "profmem.h"

static char arena[1 << 24] __attribute__((aligned(16)));
static size_t used;

static FUNCTION void *plain_take(size_t bytes)
{
   char *block = arena + used;
   used += (bytes + 31) / 16 * 16;
   return used <= sizeof arena ? block : NULL;
}

/* The one that is chosen: what it calls is its own business. */
static FUNCTION void *careful_take(size_t bytes)
{
   void *block = plain_take(bytes);
   if (block)
      memset(block, 0xa5, bytes);
   return block;
}

static FUNCTION void give(void *block)
{
   if (block)
      *(volatile char *)block = 0;
}

static FUNCTION void *resize(void *block, size_t bytes)
{
   void *other = careful_take(bytes);
   if (other && block)
      memcpy(other, block, bytes < 16 ? bytes : 16);
   return other;
}

/* Run before anything else does. */
static void *(*choose_take(void))(size_t)
{
   return sizeof(void *) == 4 ? plain_take : careful_take;
}

static void (*choose_give(void))(void *)
{
   return give;
}

static void *(*choose_resize(void))(void *, size_t)
{
   return resize;
}

void *je_malloc(size_t bytes) __attribute__((ifunc("choose_take")));
void je_free(void *block) __attribute__((ifunc("choose_give")));
void *je_realloc(void *block, size_t bytes) __attribute__((ifunc("choose_resize")));

/* Its frame is a phase. */
static FUNCTION void works(size_t bytes)
{
   char *block = je_malloc(bytes);
   check(block != NULL, "no memory");
   je_free(block);
   NO_TAIL_CALL;
}

static void (*choose_phase(void))(size_t)
{
   return works;
}

void chosen_phase(size_t bytes) __attribute__((ifunc("choose_phase")));

static void ifuncs(void)
{
   unsigned long rounds = scaled(10000);
   struct deeds all = {0}, of_phase = {0};
   struct live live = {0};
   void *(*volatile obtains)(size_t) = je_malloc;
   char *kept = NULL;
   size_t kept_bytes = 0;
   profmem_begin("ifuncs");
   for (unsigned long r = 1; r <= rounds; r++) {
      size_t bytes = r % 1000;
      chosen_phase(bytes);
      did_obtain(&all, r * 2, bytes);
      did_release(&all, r * 2, bytes, false);
      did_obtain(&of_phase, r * 2, bytes);
      did_release(&of_phase, r * 2, bytes, false);
      live_add(&live, (long long)bytes, 1);
      live_add(&live, -(long long)bytes, -1);
      if (r % 100 == 1) {
         if (kept) {
            je_free(kept);
            did_release(&all, r * 2 - 199, kept_bytes, false);
            live_add(&live, -(long long)kept_bytes, -1);
         }
         kept = obtains(10);
         did_obtain(&all, r * 2 + 1, 10);
         live_add(&live, 10, 1);
         kept = je_realloc(kept, kept_bytes = 20 + r % 7);
         did_resize(&all, 10, kept_bytes, true);
         live_add(&live, (long long)kept_bytes - 10, 0);
      }
   }
   profmem_end("ifuncs");
   expect_sums("ifuncs", &all);
   expect("ifuncs", "allocations.temporary", all.temporary);
   expect_live("ifuncs", &live);
   expect("chosen_phase", "@instances", (long long)rounds);
   expect_text("chosen_phase", "@complete", "yes");
   expect_sums("chosen_phase", &of_phase);
   print("%lu rounds\n", rounds);
}

static const struct lesson lessons[] = {
   {"ifuncs", ifuncs},
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   return teach(argc, argv, lessons);
}
