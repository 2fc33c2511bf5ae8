/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sawtooth.c: many call chains that allocate, and a heap that rises in teeth.
 *
 *    sawtooth SITES TEETH [flat|near|account|check]
 *
 * SLOTS blocks are obtained, as many from each of SITES call chains. A tooth gives one of
 * them back, at random, and obtains one that is a byte larger in its place by the same
 * chain: with each tooth the live bytes reach a new maximum, and what lives then is
 * another picture. Half of the teeth are in phase `first`, half in `second`. At the end
 * every third block is given back, outside of both.
 *
 * flat: the new block is as large as the old one, so that there is no new maximum. near:
 * for a while only a few slots next to each other are chosen from, then the next ones, so
 * that most of what a tooth needs was needed shortly before, whatever number of sites.
 *
 * A chain is a walk of LEVELS steps through two functions, which the digits of the site's
 * number decide: from which of two lines it goes on, and into which function.
 *
 * account: prints each phase's numbers for each site, as tests/tool/sites/sites_ledger.h
 * describes. A phase's picture is what lives after its last tooth, since none is higher;
 * check makes sure of that by a copy at each new maximum.
 */
#include "profmem.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEVELS = 9, MOST_SITES = 1 << 2 * LEVELS, SLOTS = 200000, SMALLEST = 16 };
enum { NEAR_SLOTS = 1000, NEAR_TEETH = 50000 };

static void stop(const char *reason)
{
   fprintf(stderr, "sawtooth: %s\n", reason);
   _exit(1);
}

/* ---- Chains. */

#define APART __attribute__((noipa))
/* A call, and where it stands. */
#define HERE(line, call) ((line) = __LINE__, (call))
/* What makes its code one that is merged with no other's and does not end in a call. */
#define PLACE __asm__ volatile("# %0" : : "i"(__LINE__))

static int obtain_line, main_line;
static struct lines {
   int on[2]; /* to the next step, by the digit */
   int down;  /* to obtain() */
} left_lines, right_lines;

APART static void *obtain(unsigned bytes)
{
   void *block = HERE(obtain_line, malloc(bytes));
   PLACE;
   return block;
}

static void *right(unsigned level, unsigned path, unsigned bytes);

APART static void *left(unsigned level, unsigned path, unsigned bytes)
{
   void *(*next)(unsigned, unsigned, unsigned) = path & 2 ? right : left;
   void *block;
   if (level == LEVELS) {
      block = HERE(left_lines.down, obtain(bytes));
      PLACE;
   } else if (path & 1) {
      block = HERE(left_lines.on[1], next(level + 1, path >> 2, bytes));
      PLACE;
   } else {
      block = HERE(left_lines.on[0], next(level + 1, path >> 2, bytes));
      PLACE;
   }
   return block;
}

APART static void *right(unsigned level, unsigned path, unsigned bytes)
{
   void *(*next)(unsigned, unsigned, unsigned) = path & 2 ? right : left;
   void *block;
   if (level == LEVELS) {
      block = HERE(right_lines.down, obtain(bytes));
      PLACE;
   } else if (path & 1) {
      block = HERE(right_lines.on[1], next(level + 1, path >> 2, bytes));
      PLACE;
   } else {
      block = HERE(right_lines.on[0], next(level + 1, path >> 2, bytes));
      PLACE;
   }
   return block;
}

/* ---- Blocks. */

static unsigned site_count, teeth;
static void *blocks[SLOTS];
static unsigned sizes[SLOTS], births[SLOTS]; /* births: the tooth; 0: before the first */

static unsigned site_of(unsigned slot)
{
   return slot % site_count;
}

static unsigned random_slot(bool is_near, unsigned tooth)
{
   static uint64_t state = 1;
   state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   unsigned among = is_near ? NEAR_SLOTS : SLOTS, from = tooth / NEAR_TEETH * NEAR_SLOTS;
   return ((unsigned)(state >> 33) % among + (is_near ? from : 0)) % SLOTS;
}

/* ---- The account. */

static struct phase {
   const char *name;
   unsigned from, to; /* teeth, inclusive */
   struct row {
      uint64_t peak_bytes, peak_blocks, traffic_bytes, traffic_blocks, temporary_blocks;
      uint64_t retained_bytes, retained_blocks;
   } rows[MOST_SITES];
} phases[3] = {{.name = "program"}, {.name = "first"}, {.name = "second"}};
enum { PROGRAM, FIRST, SECOND, PHASES };

static struct live {
   uint64_t bytes, blocks;
} live[MOST_SITES], picture[MOST_SITES];
static uint64_t largest_bytes[MOST_SITES], all_bytes, highest_bytes;
static bool is_accounting, is_checking;
static int last_obtained; /* slot, if obtaining it was the last event; else -1 */

static bool is_in(const struct phase *phase, unsigned tooth)
{
   return tooth >= phase->from && tooth <= phase->to;
}

static void enter_obtained(unsigned slot, unsigned tooth)
{
   unsigned site = site_of(slot);
   live[site].bytes += sizes[slot];
   live[site].blocks++;
   all_bytes += sizes[slot];
   last_obtained = (int)slot;
   if (live[site].bytes > largest_bytes[site])
      largest_bytes[site] = live[site].bytes;
   for (int p = 0; p < PHASES; p++)
      if (is_in(&phases[p], tooth)) {
         phases[p].rows[site].traffic_bytes += sizes[slot];
         phases[p].rows[site].traffic_blocks++;
      }
   if (is_checking && all_bytes > highest_bytes) {
      highest_bytes = all_bytes;
      memcpy(picture, live, site_count * sizeof *live);
   }
}

static void enter_given_back(unsigned slot, unsigned tooth)
{
   unsigned site = site_of(slot);
   for (int p = 0; p < PHASES; p++)
      if (last_obtained == (int)slot && is_in(&phases[p], births[slot]) &&
          is_in(&phases[p], tooth))
         phases[p].rows[site].temporary_blocks++;
   live[site].bytes -= sizes[slot];
   live[site].blocks--;
   all_bytes -= sizes[slot];
   last_obtained = -1;
}

static void enter_peak(struct phase *phase)
{
   if (is_checking && memcmp(picture, live, site_count * sizeof *live) != 0)
      stop("the last tooth is not the highest");
   for (unsigned s = 0; s < site_count; s++) {
      phase->rows[s].peak_bytes = live[s].bytes;
      phase->rows[s].peak_blocks = live[s].blocks;
   }
}

static void enter_end(struct phase *phase)
{
   for (unsigned slot = 0; slot < SLOTS; slot++)
      if (blocks[slot] && is_in(phase, births[slot])) {
         phase->rows[site_of(slot)].retained_bytes += sizes[slot];
         phase->rows[site_of(slot)].retained_blocks++;
      }
}

static void print_frame(const char *function, int line, const char *program)
{
   printf("\t%s|sawtooth.c|%d|%s|", function, line, program);
}

/* Out of the innermost frame, by the digits of the site's number from the last one on. */
static void print_frames(unsigned site, const char *program)
{
   print_frame("obtain", obtain_line, program);
   for (int level = LEVELS; level >= 0; level--) {
      bool is_right = level > 0 && (site >> (2 * level - 1)) & 1;
      const struct lines *lines = is_right ? &right_lines : &left_lines;
      int line = level == LEVELS ? lines->down : lines->on[(site >> 2 * level) & 1];
      print_frame(is_right ? "right" : "left", line, program);
   }
   print_frame("main", main_line, program);
   putchar('\n');
}

static void print_phase(const struct phase *phase, const char *program)
{
   for (unsigned s = 0; s < site_count; s++) {
      const struct row *row = &phase->rows[s];
      printf("site\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, phase->name, largest_bytes[s],
             row->peak_bytes, row->peak_blocks);
      printf("\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64,
             row->traffic_bytes, row->traffic_blocks, row->temporary_blocks,
             row->retained_bytes, row->retained_blocks);
      print_frames(s, program);
   }
}

static void print_account(const char *path)
{
   static char buffer[1 << 16]; /* the library's own would be a site */
   setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
   const char *slash = strrchr(path, '/');
   for (int p = 0; p < PHASES; p++)
      print_phase(&phases[p], slash ? slash + 1 : path);
   fflush(stdout);
}

/* ---- Steps. */

static void change_phase(int (*request)(const char *), int phase)
{
   if (profmem_watching() && request(phases[phase].name) != PROFMEM_DONE)
      stop("a phase that cannot be changed");
}

static void before(unsigned slot, unsigned tooth, unsigned growth)
{
   for (int p = FIRST; p < PHASES; p++)
      if (tooth == phases[p].from)
         change_phase(profmem_begin, p);
   if (tooth > 0) {
      if (is_accounting)
         enter_given_back(slot, tooth);
      free(blocks[slot]);
   }
   sizes[slot] = tooth == 0 ? SMALLEST + slot % 64 : sizes[slot] + growth;
   births[slot] = tooth;
}

static void after(unsigned slot, unsigned tooth)
{
   if (!blocks[slot])
      stop("no memory");
   if (is_accounting)
      enter_obtained(slot, tooth);
   for (int p = FIRST; p < PHASES; p++)
      if (tooth == phases[p].to && tooth > 0) {
         change_phase(profmem_end, p);
         if (is_accounting) {
            enter_peak(&phases[p]);
            enter_end(&phases[p]);
         }
      }
}

static void end(void)
{
   if (is_accounting)
      enter_peak(&phases[PROGRAM]);
   for (unsigned slot = 0; slot < SLOTS; slot += 3) {
      if (is_accounting)
         enter_given_back(slot, teeth + 1);
      free(blocks[slot]);
      blocks[slot] = NULL;
   }
   if (is_accounting)
      enter_end(&phases[PROGRAM]);
}

int main(int argc, char **argv)
{
   if (argc < 3)
      stop("usage: sawtooth SITES TEETH [flat|near|account|check]");
   const char *mode = argc > 3 ? argv[3] : "";
   site_count = (unsigned)strtoul(argv[1], NULL, 10);
   teeth = (unsigned)strtoul(argv[2], NULL, 10);
   is_checking = strcmp(mode, "check") == 0;
   is_accounting = is_checking || strcmp(mode, "account") == 0;
   bool is_near = strcmp(mode, "near") == 0;
   unsigned growth = strcmp(mode, "flat") != 0;
   if (site_count < 1 || site_count > MOST_SITES)
      stop("too many sites");
   phases[PROGRAM].to = teeth + 1; /* the end's */
   phases[FIRST].from = 1;
   phases[FIRST].to = teeth / 2;
   phases[SECOND].from = teeth / 2 + 1;
   phases[SECOND].to = teeth;

   for (unsigned step = 0; step < SLOTS + teeth; step++) {
      unsigned tooth = step < SLOTS ? 0 : step - SLOTS + 1;
      unsigned slot = tooth == 0 ? step : random_slot(is_near, tooth);
      before(slot, tooth, growth);
      blocks[slot] = HERE(main_line, left(0, site_of(slot), sizes[slot]));
      after(slot, tooth);
   }
   end();
   if (is_accounting)
      print_account(argv[0]);
   _exit(0);
}
