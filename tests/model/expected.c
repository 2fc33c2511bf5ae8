/* SPDX-License-Identifier: GPL-2.0-or-later */
/* expected.c: the rules for calls, one after the other; see expected.h. */
#include "expected.h"

#include <stdlib.h>

void expected_init(struct expected *x)
{
   *x = (struct expected){0};
}

void expected_release(struct expected *x)
{
   for (int t = 0; t < EXPECTED_THREADS; t++)
      for (int l = 0; l < EXPECTED_LEVELS; l++)
         free(x->threads[t].levels[l].inner);
   free(x->blocks);
   history_release(&x->history);
}

void expected_thread_begin(struct expected *x, uint32_t thread)
{
   x->threads[thread].level_count = 1;
}

static struct expected_level *level_of(struct expected *x, uint32_t thread)
{
   return &x->threads[thread].levels[x->threads[thread].level_count - 1];
}

bool expected_pending(const struct expected *x, uint32_t thread)
{
   return level_of((struct expected *)x, thread)->call_count > 0;
}

/* --- blocks ------------------------------------------------------------------ */

int expected_find(const struct expected *x, uint64_t address)
{
   for (int b = 0; b < x->block_count; b++)
      if (x->blocks[b].state != EXPECTED_GONE && x->blocks[b].filed &&
          x->blocks[b].address == address)
         return b;
   return EXPECTED_NONE;
}

static void become_live(struct expected *x, uint32_t thread, struct expected_block *block)
{
   block->state = EXPECTED_LIVE;
   block->number = history_obtained(&x->history, thread, block->size_bytes);
}

/* "one given back meanwhile is no event, nor is its deallocation" */
static void give_back(struct expected *x, uint32_t thread, struct expected_block *block)
{
   if (block->state == EXPECTED_LIVE)
      history_given_back(&x->history, thread, block->number);
   block->state = EXPECTED_GONE;
}

/* "An allocation function that returns an address still filed ends the old block
   first: a deallocation, counted also in deallocations.unseen" */
static void end_filed(struct expected *x, uint32_t thread, uint64_t address)
{
   int b = expected_find(x, address);
   if (b == EXPECTED_NONE)
      return;
   if (x->blocks[b].state == EXPECTED_LIVE)
      history_counted(&x->history, PM_METRIC_DEALLOCATIONS_UNSEEN, 1);
   give_back(x, thread, &x->blocks[b]);
}

/* "An inner allocation enters the address index at its own return, uncounted" */
static void obtain(struct expected *x, uint32_t thread, bool is_inner, uint64_t address,
                   uint64_t size_bytes)
{
   end_filed(x, thread, address);
   x->blocks = realloc(x->blocks, (size_t)(x->block_count + 1) * sizeof *x->blocks);
   if (!x->blocks)
      abort();
   int b = x->block_count++;
   x->blocks[b] = (struct expected_block){.state = EXPECTED_INNER, .filed = true,
                                          .address = address, .size_bytes = size_bytes};
   if (!is_inner) {
      become_live(x, thread, &x->blocks[b]);
      return;
   }
   struct expected_level *level = level_of(x, thread);
   level->inner =
      realloc(level->inner, (size_t)(level->inner_count + 1) * sizeof *level->inner);
   if (!level->inner)
      abort();
   level->inner[level->inner_count++] = (struct expected_inner){b, x->moment};
}

static void resize(struct expected *x, uint32_t thread, int b, uint64_t address,
                   uint64_t size_bytes)
{
   end_filed(x, thread, address);
   struct expected_block *block = &x->blocks[b];
   if (block->state == EXPECTED_LIVE)
      history_resized(&x->history, thread, block->number, size_bytes,
                      address != block->address);
   block->address = address;
   block->size_bytes = size_bytes;
   block->filed = true;
}

/* --- inner blocks -------------------------------------------------------------- */

/* "the one whose block holds the outer result merges into it" */
static void merge(struct expected *x, uint32_t thread, const struct expected_call *call,
                  uint64_t address)
{
   struct expected_level *level = level_of(x, thread);
   for (int i = 0; i < level->inner_count; i++) {
      struct expected_block *block = &x->blocks[level->inner[i].block];
      bool holds = address == block->address || (address > block->address &&
                                                 address < block->address + block->size_bytes);
      if (level->inner[i].returned > call->entered && block->state == EXPECTED_INNER &&
          block->filed && holds)
         block->state = EXPECTED_GONE;
   }
}

/* "the others become events then, in the order of their returns, before it". If
   another call is pending, on another stack, it is the outermost now, and what was
   made since its entry is its own. */
static void commit(struct expected *x, uint32_t thread)
{
   struct expected_level *level = level_of(x, thread);
   int kept = 0;
   for (int i = 0; i < level->inner_count; i++) {
      struct expected_block *block = &x->blocks[level->inner[i].block];
      if (level->call_count > 0 && level->inner[i].returned > level->calls[0]->entered)
         level->inner[kept++] = level->inner[i];
      else if (block->state == EXPECTED_INNER)
         become_live(x, thread, block);
   }
   level->inner_count = kept;
}

/* --- calls ---------------------------------------------------------------------- */

static bool resizes(const struct expected_call *call)
{
   return call->old_address != 0 && call->does != PM_DOES_RELEASE;
}

/* "free takes effect at its entry" */
static void release(struct expected *x, uint32_t thread, bool is_inner, uint64_t address)
{
   if (address == 0)
      return;
   int b = expected_find(x, address);
   if (b != EXPECTED_NONE)
      give_back(x, thread, &x->blocks[b]);
   else if (!is_inner)
      history_counted(&x->history, PM_METRIC_DEALLOCATIONS_UNMATCHED, 1);
}

struct expected_call *expected_enter(struct expected *x, uint32_t thread,
                                     enum pm_alloc_does does, uint64_t size_bytes,
                                     uint64_t old_address)
{
   struct expected_level *level = level_of(x, thread);
   bool is_inner = level->call_count > 0;
   struct expected_call *call = calloc(1, sizeof *call);
   if (!call || level->call_count == EXPECTED_CALLS)
      abort();
   *call = (struct expected_call){.does = does, .size_bytes = size_bytes,
                                  .old_address = old_address, .old_block = EXPECTED_NONE,
                                  .entered = ++x->moment};
   level->calls[level->call_count++] = call;
   if (does == PM_DOES_RELEASE)
      release(x, thread, is_inner, old_address);
   if (!resizes(call))
      return call;

   /* "realloc takes its block out of the address index at entry (live unchanged)" */
   call->old_block = expected_find(x, old_address);
   if (call->old_block != EXPECTED_NONE)
      x->blocks[call->old_block].filed = false;
   else if (is_inner)
      call->part_of_outer = true;
   else
      history_counted(&x->history, PM_METRIC_DEALLOCATIONS_UNMATCHED, 1);
   return call;
}

void expected_again(struct expected *x, uint32_t thread, struct expected_call *call,
                    uint64_t old_address)
{
   if (call->does == PM_DOES_RELEASE && old_address != call->old_address)
      release(x, thread, true, old_address);
}

/* Off the list of pending calls. True: it was the outermost one. */
static bool take_off(struct expected *x, uint32_t thread, struct expected_call *call)
{
   struct expected_level *level = level_of(x, thread);
   bool outermost = level->calls[0] == call;
   int c = 0;
   while (level->calls[c] != call)
      c++;
   for (; c + 1 < level->call_count; c++)
      level->calls[c] = level->calls[c + 1];
   level->call_count--;
   x->moment++;
   return outermost;
}

/* "or the old one on failure" */
static void file_again(struct expected *x, uint32_t thread, const struct expected_call *call)
{
   if (call->old_block == EXPECTED_NONE)
      return;
   end_filed(x, thread, call->old_address);
   x->blocks[call->old_block].filed = true;
}

static void return_failed(struct expected *x, uint32_t thread, const struct expected_call *call,
                          bool outermost)
{
   /* "realloc(p,0) is a deallocation if it returns NULL" */
   bool gave_back = call->does == PM_DOES_RESIZE && call->old_address && call->size_bytes == 0;
   if (outermost && !gave_back)
      history_counted(&x->history,
                      resizes(call) ? PM_METRIC_REALLOCATIONS_FAILED
                                    : PM_METRIC_ALLOCATIONS_FAILED,
                      1);
   if (call->old_block == EXPECTED_NONE)
      return;
   if (gave_back || call->does == PM_DOES_RESIZE_OR_RELEASE)
      give_back(x, thread, &x->blocks[call->old_block]);
   else
      file_again(x, thread, call);
}

void expected_return(struct expected *x, uint32_t thread, struct expected_call *call,
                     uint64_t address)
{
   bool outermost = take_off(x, thread, call);
   bool has_result = call->does != PM_DOES_RELEASE && !call->part_of_outer;
   if (has_result && address && call->does != PM_DOES_RESIZE_IN_PLACE)
      merge(x, thread, call, address);
   if (outermost)
      commit(x, thread);
   if (has_result && !address)
      return_failed(x, thread, call, outermost);
   else if (has_result && call->old_block != EXPECTED_NONE)
      resize(x, thread, call->old_block, address, call->size_bytes);
   else if (has_result)
      obtain(x, thread, !outermost, address, call->size_bytes);
   free(call);
}

void expected_drop(struct expected *x, uint32_t thread, struct expected_call *call)
{
   bool outermost = take_off(x, thread, call);
   if (outermost)
      commit(x, thread);
   if (outermost && call->does != PM_DOES_RELEASE)
      history_counted(&x->history,
                      resizes(call) ? PM_METRIC_REALLOCATIONS_FAILED
                                    : PM_METRIC_ALLOCATIONS_FAILED,
                      1);
   file_again(x, thread, call);
   free(call);
}

/* --- levels, instructions ---------------------------------------------------------- */

void expected_level_begin(struct expected *x, uint32_t thread)
{
   if (x->threads[thread].level_count++ == EXPECTED_LEVELS)
      abort();
}

void expected_level_end(struct expected *x, uint32_t thread)
{
   if (expected_pending(x, thread))
      abort();
   x->threads[thread].level_count--;
}

void expected_executed(struct expected *x, uint32_t thread, uint64_t instrs)
{
   history_executed(&x->history, thread, instrs, expected_pending(x, thread));
}

/* --- announced blocks ---------------------------------------------------------------- */

void expected_announce(struct expected *x, uint32_t thread, uint64_t address,
                       uint64_t size_bytes)
{
   x->moment++;
   obtain(x, thread, expected_pending(x, thread), address, size_bytes);
}

bool expected_announce_resize(struct expected *x, uint32_t thread, uint64_t address,
                              uint64_t size_bytes)
{
   int b = expected_find(x, address);
   if (b == EXPECTED_NONE)
      return false;
   x->blocks[b].filed = false;
   resize(x, thread, b, address, size_bytes);
   return true;
}

bool expected_announce_end(struct expected *x, uint32_t thread, uint64_t address)
{
   int b = expected_find(x, address);
   if (b != EXPECTED_NONE)
      give_back(x, thread, &x->blocks[b]);
   return b != EXPECTED_NONE;
}
