/* SPDX-License-Identifier: GPL-2.0-or-later */
/* account.h: a program's own ledger of its heap, over its phases and its processes.
 *
 * Blocks are held in slots. Every call that obtains, resizes or gives back one goes
 * through here and is entered for each phase that is open, from its arguments and its
 * result alone. Unlike the accounts of hostile.h it knows what each phase found and what
 * a fork does to them; it is for one thread at a time, and static: it must not be part of
 * what it counts.
 */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "hostile.h"
#include "profmem.h"

enum { SLOTS = 320, PHASES = 8 };

struct held {
   char *address; /* NULL: the slot is empty */
   long long bytes;
   long birth;    /* event that obtained it */
};

struct phase_account {
   const char *name;
   bool open, begun; /* begun: in this process */
   long begin;       /* last event before it */
   long long entry, entry_blocks, peak, peak_blocks, exit, exit_blocks, move_peak;
   long long scratch, scratch_peak, retained, released, resized;
   long long obtained, obtained_bytes, zero_size, temporary, failed;
   long long reallocated, reallocated_bytes, reallocated_net, moved, resize_failed;
   long long given_back, given_back_bytes, unmatched;
   long long at_begin[SLOTS]; /* sizes of the blocks then */
};

static struct {
   struct held slot[SLOTS];
   struct phase_account phase[PHASES];
   int phases;
   long event; /* the last one's number */
   bool among_others; /* others have blocks, too: nothing is said of the whole heap */
   long long live, blocks;
   uint64_t random;
} account = {.random = 88172645463325252u};

/* The running thread's last event, if it obtained a block, else 0. */
static _Thread_local long account_fresh;

/* --- phases ------------------------------------------------------------------------ */

/* An instance begins, of a phase that is declared already or not. */
static inline void account_opens(struct phase_account *phase)
{
   *phase = (struct phase_account){.name = phase->name,
                                   .open = true,
                                   .begun = true,
                                   .begin = account.event,
                                   .entry = account.live,
                                   .entry_blocks = account.blocks,
                                   .peak = account.live,
                                   .peak_blocks = account.blocks,
                                   .move_peak = account.live};
   for (int s = 0; s < SLOTS; s++)
      phase->at_begin[s] = account.slot[s].address ? account.slot[s].bytes : 0;
}

/* The phases are begun and ended once each. */
static inline void account_begin(const char *name)
{
   check(account.phases < PHASES, "too many phases");
   struct phase_account *phase = &account.phase[account.phases++];
   phase->name = name;
   account_opens(phase);
   if (strcmp(name, "program") != 0)
      profmem_begin(name);
}

static inline void account_end(const char *name)
{
   for (int p = 0; p < account.phases; p++)
      if (account.phase[p].open && strcmp(account.phase[p].name, name) == 0) {
         account.phase[p].open = false;
         account.phase[p].exit = account.live;
         account.phase[p].exit_blocks = account.blocks;
         if (strcmp(name, "program") != 0)
            profmem_end(name);
         return;
      }
   stop("no such phase is open");
}

/* In a forked child: what is open goes on as begun now, what had ended has not been. */
static inline void account_forked(void)
{
   for (int p = 0; p < account.phases; p++)
      if (account.phase[p].open)
         account_opens(&account.phase[p]);
      else
         account.phase[p].begun = false;
}

/* --- events ------------------------------------------------------------------------- */

static inline void account_live(long long change)
{
   account.live += change;
   for (int p = 0; p < account.phases; p++) {
      struct phase_account *phase = &account.phase[p];
      if (!phase->open)
         continue;
      if (account.live > phase->peak) {
         phase->peak = account.live;
         phase->peak_blocks = account.blocks;
      }
      if (account.live > phase->move_peak)
         phase->move_peak = account.live;
      if (phase->scratch > phase->scratch_peak)
         phase->scratch_peak = phase->scratch;
   }
}

static inline void account_obtained(int s, void *address, long long bytes)
{
   check(address != NULL && account.slot[s].address == NULL, "obtained");
   account.slot[s] = (struct held){address, bytes, ++account.event};
   account_fresh = account.event;
   account.blocks++;
   for (int p = 0; p < account.phases; p++) {
      struct phase_account *phase = &account.phase[p];
      if (!phase->open)
         continue;
      phase->obtained++;
      phase->obtained_bytes += bytes;
      phase->zero_size += bytes == 0;
      phase->scratch += bytes;
      phase->retained += bytes;
   }
   account_live(bytes);
}

/* The slot is emptied; the call that gives its block back comes before or after. */
static inline void account_given_back(int s)
{
   struct held gone = account.slot[s];
   check(gone.address != NULL, "given back");
   account.slot[s].address = NULL;
   bool temporary = gone.birth == account_fresh;
   account.event++;
   account_fresh = 0;
   account.blocks--;
   for (int p = 0; p < account.phases; p++) {
      struct phase_account *phase = &account.phase[p];
      if (!phase->open)
         continue;
      phase->given_back++;
      phase->given_back_bytes += gone.bytes;
      if (gone.birth > phase->begin) {
         phase->temporary += temporary;
         phase->scratch -= gone.bytes;
         phase->retained -= gone.bytes;
      } else {
         long long grown = gone.bytes - phase->at_begin[s];
         phase->scratch -= grown > 0 ? grown : 0;
         phase->released += gone.bytes;
      }
   }
   account_live(-gone.bytes);
}

static inline void account_resized(int s, void *address, long long bytes)
{
   struct held *held = &account.slot[s];
   check(address != NULL && held->address != NULL, "resized");
   long long old = held->bytes;
   bool moved = address != (void *)held->address;
   account.event++;
   account_fresh = 0;
   held->address = address;
   held->bytes = bytes;
   for (int p = 0; p < account.phases; p++) {
      struct phase_account *phase = &account.phase[p];
      if (!phase->open)
         continue;
      phase->reallocated++;
      phase->reallocated_bytes += bytes;
      phase->reallocated_net += bytes - old;
      phase->moved += moved;
      if (held->birth > phase->begin) {
         phase->scratch += bytes - old;
         phase->retained += bytes - old;
      } else {
         long long begin = phase->at_begin[s];
         phase->scratch += (bytes > begin ? bytes - begin : 0) - (old > begin ? old - begin : 0);
         phase->resized += bytes - old;
      }
      if (moved && account.live + bytes > phase->move_peak)
         phase->move_peak = account.live + bytes;
   }
   account_live(bytes - old);
}

static inline void account_failed(bool resize)
{
   for (int p = 0; p < account.phases; p++) {
      account.phase[p].failed += account.phase[p].open && !resize;
      account.phase[p].resize_failed += account.phase[p].open && resize;
   }
}

/* A deallocation function was called with what is no block. */
static inline void account_unmatched(void)
{
   for (int p = 0; p < account.phases; p++)
      account.phase[p].unmatched += account.phase[p].open;
}

/* --- calls --------------------------------------------------------------------------- */

static inline void account_malloc(int s, size_t bytes)
{
   account_obtained(s, malloc(bytes), (long long)bytes);
}

static inline void account_realloc(int s, size_t bytes)
{
   check(bytes > 0, "a resize to nothing");
   account_resized(s, realloc(account.slot[s].address, bytes), (long long)bytes);
}

static inline void account_free(int s)
{
   free(account.slot[s].address);
   account_given_back(s);
}

/* That many calls at random. Some blocks are so large that the allocator maps them. */
static inline void account_play(long calls)
{
   while (calls-- > 0) {
      int s = (int)draw(&account.random, SLOTS);
      size_t bytes = draw(&account.random, 8) ? draw(&account.random, 600) : draw(&account.random, 300000);
      if (!account.slot[s].address)
         account_malloc(s, bytes);
      else if (draw(&account.random, 3) == 0)
         account_realloc(s, bytes + 1);
      else
         account_free(s);
   }
}

/* --- what must be reported -------------------------------------------------------------- */

static inline void account_say(const struct phase_account *phase)
{
   const struct line {
      const char *what;
      long long value;
   } whole[] = {
      {"heap.entry", phase->entry},
      {"heap.entry-blocks", phase->entry_blocks},
      {"heap.peak", phase->peak},
      {"heap.peak-blocks", phase->peak_blocks},
      {"heap.exit", phase->exit},
      {"heap.exit-blocks", phase->exit_blocks},
      {"heap.move-peak", phase->move_peak},
   }, own[] = {
      {"@instances", 1},
      {"heap.growth", phase->peak - phase->entry},
      {"heap.scratch-peak", phase->scratch_peak},
      {"heap.retained", phase->retained},
      {"heap.released", phase->released},
      {"heap.resized", phase->resized},
      {"allocations.count", phase->obtained},
      {"allocations.bytes", phase->obtained_bytes},
      {"allocations.zero-size", phase->zero_size},
      {"allocations.temporary", phase->temporary},
      {"allocations.failed", phase->failed},
      {"reallocations.count", phase->reallocated},
      {"reallocations.bytes", phase->reallocated_bytes},
      {"reallocations.net-bytes", phase->reallocated_net},
      {"reallocations.moved", phase->moved},
      {"reallocations.failed", phase->resize_failed},
      {"deallocations.count", phase->given_back},
      {"deallocations.bytes", phase->given_back_bytes},
      {"deallocations.unmatched", phase->unmatched},
      {"deallocations.unseen", 0},
   };
   for (size_t l = 0; l < sizeof whole / sizeof *whole && !account.among_others; l++)
      expect(phase->name, whole[l].what, whole[l].value);
   for (size_t l = 0; l < sizeof own / sizeof *own; l++)
      expect(phase->name, own[l].what, own[l].value);
}

/* The process ends, or its image does, with what is open: what is expected of every phase.
   exec: an exec cuts phases short without a mistake of the program. */
static inline void account_print(bool exec)
{
   for (int p = 0; p < account.phases; p++) {
      struct phase_account *phase = &account.phase[p];
      bool program = strcmp(phase->name, "program") == 0;
      if (!phase->begun) {
         expect(phase->name, "@instances", 0);
         expect_text(phase->name, "heap.peak", "unavailable");
         continue;
      }
      if (phase->open) {
         phase->exit = account.live;
         phase->exit_blocks = account.blocks;
      }
      account_say(phase);
      if (program && phase->unmatched)
         expect("-", "!unmatched-deallocation", phase->unmatched);
      if (program)
         continue;
      expect_text(phase->name, "@complete", phase->open ? "no" : "yes");
      if (phase->open && !exec)
         expect(phase->name, "!phase-open-at-end", 1);
   }
}

/* The same into a file. */
static inline void account_close(const char *file, bool exec)
{
   open_ledger(file);
   account_print(exec);
   close(ledger_file);
}

#endif
