/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_calls.c: pairing of entries and returns; pm_calls.h has the terms. */
#include "pm_calls.h"
#include "pm_room.h"

void pm_calls_init(struct pm_calls *calls, const struct pm_host *host,
                   const struct pm_guest *guest, struct pm_heap *heap, const uint64_t *instrs)
{
   *calls =
      (struct pm_calls){.host = host, .guest = guest, .heap = heap, .instrs = instrs};
}

/* --- growing arrays ------------------------------------------------------- */

#define RESERVE_ONE(host, thread, array, kind)                                            \
   pm_reserve_one(host, (void **)&(thread)->array, (thread)->kind##_count,                   \
               &(thread)->kind##_capacity, sizeof *(thread)->array)

/* --- the current level ---------------------------------------------------- */

static struct pm_level *level_of(const struct pm_call_thread *thread)
{
   return &thread->levels[thread->level_count - 1];
}

bool pm_calls_pending(const struct pm_call_thread *thread)
{
   return thread->call_count > level_of(thread)->first_call;
}

/* Is there a call on any level, or a handler? For most entries there is none. */
static bool anything_pending(const struct pm_call_thread *thread)
{
   return thread->call_count > 0 || thread->level_count > 1;
}

/* Where in thread->inner the blocks made inside the outermost pending call
   start. */
static uint32_t first_inner_of_level(const struct pm_call_thread *thread)
{
   return pm_calls_pending(thread) ? thread->calls[level_of(thread)->first_call].first_inner
                                   : thread->inner_count;
}

static uint64_t *counter(struct pm_calls *calls, enum pm_counter which)
{
   return &calls->heap->state.counter[which];
}

/* --- the allocator's instructions ----------------------------------------- */

void pm_calls_sync(struct pm_calls *calls)
{
   *counter(calls, PM_COUNT_INSTRUCTIONS) = *calls->instrs;
   if (calls->allocator_running) {
      *counter(calls, PM_COUNT_INSTRUCTIONS_ALLOCATOR) +=
         *calls->instrs - calls->allocator_since;
      calls->allocator_since = *calls->instrs;
   }
}

void pm_calls_pause(struct pm_calls *calls)
{
   pm_calls_sync(calls);
   calls->allocator_running = false;
}

void pm_calls_resume(struct pm_calls *calls, const struct pm_call_thread *thread)
{
   pm_calls_sync(calls);
   calls->allocator_running = pm_calls_pending(thread);
   calls->allocator_since = *calls->instrs;
}

/* --- blocks --------------------------------------------------------------- */

/* The event at hand carries the stamp of now. */
static void stamp(struct pm_calls *calls)
{
   *counter(calls, PM_COUNT_INSTRUCTIONS) = *calls->instrs;
}

/* A deallocation carries its site only if that is asked for. entry: of the call that
   gives the block back; NULL: the thread is where its site is. */
static void stamp_release(struct pm_calls *calls, struct pm_call_thread *thread,
                          const struct pm_entry *entry)
{
   const struct pm_guest *guest = calls->guest;
   stamp(calls);
   if (guest->site_at_entry)
      thread->heap.site = entry ? guest->site_at_entry(entry) : guest->site();
}

/* An event that asks for memory carries its site besides: that of the call which
   causes it, the outermost one, also for what that leaves behind. */
static void stamp_site(struct pm_calls *calls, struct pm_call_thread *thread)
{
   stamp(calls);
   thread->heap.site = calls->guest->site ? calls->guest->site() : 0;
}

PM_SELDOM static void end_unseen(struct pm_calls *calls, struct pm_call_thread *thread,
                                 pm_block_id id)
{
   struct pm_heap *heap = calls->heap;
   if (pm_block_state(pm_ledger_block(&heap->ledger, id)) == PM_BLOCK_INNER) {
      /* Of a call of another thread, which finds it gone when it commits. */
      pm_ledger_unfile(&heap->ledger, id);
      pm_block_set(pm_ledger_block(&heap->ledger, id), PM_BLOCK_INNER_GONE, 0);
      return;
   }
   ++*counter(calls, PM_COUNT_DEALLOCATIONS_UNSEEN);
   stamp_release(calls, thread, NULL);
   pm_heap_given_back(heap, &thread->heap, id, true);
}

/* An allocation function has returned an address that is still filed: its old
   block has ended on a path that was not seen. */
static void end_stale(struct pm_calls *calls, struct pm_call_thread *thread, uint64_t address)
{
   struct pm_heap *heap = calls->heap;
   pm_block_id id = heap->lost ? 0 : pm_ledger_find(&heap->ledger, address);
   if (id)
      end_unseen(calls, thread, id);
}

/* Merge those that hold address, or, if ends, those that end there. Whether any was. */
static bool merge_inner_at(struct pm_calls *calls, struct pm_call_thread *thread,
                           uint32_t first, uint64_t address, bool ends)
{
   bool merged = false;
   for (uint32_t i = first; i < thread->inner_count; i++) {
      pm_block_id id = thread->inner[i];
      if (!id || calls->heap->lost)
         continue;
      struct pm_ledger *ledger = &calls->heap->ledger;
      const struct pm_block *block = pm_ledger_block(ledger, id);
      uint64_t offset = address - block->address;
      bool holds = ends ? offset == block->size_bytes : !offset || offset < block->size_bytes;
      if (pm_block_state(block) == PM_BLOCK_INNER && holds &&
          pm_ledger_find(ledger, block->address) == id) {
         pm_heap_unfile_inner(calls->heap, id);
         thread->inner[i] = 0;
         merged = true;
      }
   }
   return merged;
}

/* The inner blocks from `first` on that hold address were its raw material; so was one
   that only has room for a header, when the outer block has no bytes. One that is being
   resized is not: where it will be is not known yet. */
PM_SELDOM static void merge_all_inner(struct pm_calls *calls, struct pm_call_thread *thread,
                                      uint32_t first, uint64_t address, uint64_t size_bytes)
{
   if (!merge_inner_at(calls, thread, first, address, false) && size_bytes == 0)
      merge_inner_at(calls, thread, first, address, true);
}

static void merge_inner(struct pm_calls *calls, struct pm_call_thread *thread, uint32_t first,
                        uint64_t address, uint64_t size_bytes)
{
   if (first < thread->inner_count)
      merge_all_inner(calls, thread, first, address, size_bytes);
}

/* The outermost call is over, and taken off the stack: what is left of its inner
   blocks, which start at `first`, becomes events. If another call is pending, on
   another stack, it is the outermost one now, and the blocks made since its entry
   are its own. */
PM_SELDOM static void commit_all_inner(struct pm_calls *calls, struct pm_call_thread *thread,
                                       uint32_t first)
{
   struct pm_heap *heap = calls->heap;
   uint32_t end = pm_calls_pending(thread) ? first_inner_of_level(thread) : thread->inner_count;
   for (uint32_t i = first; i < end && !heap->lost; i++) {
      pm_block_id id = thread->inner[i];
      if (!id)
         continue;
      if (pm_block_state(pm_ledger_block(&heap->ledger, id)) == PM_BLOCK_INNER_GONE) {
         pm_ledger_drop(&heap->ledger, id);
      } else {
         stamp_site(calls, thread);
         pm_heap_obtained(heap, &thread->heap, id);
      }
   }
   for (uint32_t i = end; i < thread->inner_count; i++)
      thread->inner[i - (end - first)] = thread->inner[i];
   thread->inner_count -= end - first;
   for (uint32_t c = level_of(thread)->first_call; c < thread->call_count; c++)
      thread->calls[c].first_inner -= end - first;
}

static void commit_inner(struct pm_calls *calls, struct pm_call_thread *thread, uint32_t first)
{
   if (first < thread->inner_count)
      commit_all_inner(calls, thread, first);
}

/* thread has obtained a block: inside a call an inner one, else an event. */
static void obtain(struct pm_calls *calls, struct pm_call_thread *thread, bool inner,
                   uint64_t address, uint64_t size_bytes)
{
   end_stale(calls, thread, address);
   pm_block_id id = pm_heap_file(calls->heap, address, size_bytes);
   if (!id)
      return;
   if (!inner) {
      stamp_site(calls, thread);
      pm_heap_obtained(calls->heap, &thread->heap, id);
   } else if (RESERVE_ONE(calls->host, thread, inner, inner)) {
      thread->inner[thread->inner_count++] = id;
   } else {
      calls->heap->lost = true;
   }
}

/* A block that is not filed any more was given back; entry as for stamp_release(). */
static void end_block(struct pm_calls *calls, struct pm_call_thread *thread, pm_block_id id,
                      const struct pm_entry *entry)
{
   struct pm_block *block = pm_ledger_block(&calls->heap->ledger, id);
   if (pm_block_state(block) == PM_BLOCK_INNER) {
      pm_block_set(block, PM_BLOCK_INNER_GONE, 0);
   } else {
      stamp_release(calls, thread, entry);
      pm_heap_given_back(calls->heap, &thread->heap, id, false);
   }
}

/* Take the block at address out of the index; 0: there is none. */
static pm_block_id unfile(struct pm_calls *calls, uint64_t address)
{
   struct pm_heap *heap = calls->heap;
   if (heap->lost)
      return 0;
   pm_block_id id;
   const struct pm_block *block = pm_ledger_take(&heap->ledger, address, &id);
   if (!block)
      return 0;
   if (heap->phases.sites)
      pm_sites_soon(heap->phases.sites, &heap->phases, block->site);
   return id;
}

static void resize_block(struct pm_calls *calls, struct pm_call_thread *thread, pm_block_id id,
                         uint64_t address, uint64_t size_bytes)
{
   struct pm_heap *heap = calls->heap;
   end_stale(calls, thread, address);
   if (heap->lost)
      return;
   struct pm_block *block = pm_ledger_block(&heap->ledger, id);
   bool ignored = pm_heap_ignores(heap, size_bytes);
   if (pm_block_state(block) == PM_BLOCK_INNER || ignored) {
      block->address = address;
      block->size_bytes = ignored ? block->size_bytes : size_bytes;
      pm_heap_refile(heap, id);
   } else {
      stamp_site(calls, thread);
      pm_heap_resized(heap, &thread->heap, id, address, size_bytes);
   }
}

/* --- the end of a call ---------------------------------------------------- */

static void end_obtain(struct pm_calls *calls, struct pm_call_thread *thread,
                       const struct pm_call *call, bool inner, uint64_t result)
{
   uint64_t address = result;
   /* There, the result is an int: the rest of the register means nothing. */
   if (call->out_address)
      address = (uint32_t)result == 0 ? calls->guest->word_at(call->out_address) : 0;
   if (address)
      merge_inner(calls, thread, call->first_inner, address, call->size_bytes);
   if (!inner)
      commit_inner(calls, thread, call->first_inner);
   if (address)
      obtain(calls, thread, inner, address, call->size_bytes);
   else if (!inner)
      ++*counter(calls, PM_COUNT_ALLOCATIONS_FAILED);
}

PM_SELDOM static void end_resize(struct pm_calls *calls, struct pm_call_thread *thread,
                                 const struct pm_call *call, bool inner, uint64_t result)
{
   if (call->of_outer) {
      if (!inner)
         commit_inner(calls, thread, call->first_inner);
      return;
   }
   enum pm_alloc_does does = pm_allockinds[call->function->kind].does;
   uint64_t address = result;
   if (does == PM_DOES_RESIZE_IN_PLACE)
      address = result >= call->size_bytes ? call->old_address : 0;
   else if (address)
      merge_inner(calls, thread, call->first_inner, address, call->size_bytes);
   if (!inner)
      commit_inner(calls, thread, call->first_inner);

   bool releases = does == PM_DOES_RESIZE_OR_RELEASE ||
                   (does == PM_DOES_RESIZE && call->size_bytes == 0);
   if (address && call->old_block) {
      resize_block(calls, thread, call->old_block, address, call->size_bytes);
   } else if (address) {
      /* The block was unmatched at the entry; from here on it is known. */
      obtain(calls, thread, inner, address, call->size_bytes);
   } else {
      if (!inner && !(does == PM_DOES_RESIZE && call->size_bytes == 0))
         ++*counter(calls, PM_COUNT_REALLOCATIONS_FAILED);
      if (call->old_block && !calls->heap->lost) {
         if (releases) {
            end_block(calls, thread, call->old_block, NULL);
         } else {
            end_stale(calls, thread, call->old_address);
            pm_heap_refile(calls->heap, call->old_block);
         }
      }
   }
}

/* Take call c off the stack; nearly always it is the last one. */
static void take_off(struct pm_call_thread *thread, uint32_t c)
{
   thread->call_count--;
   for (; c < thread->call_count; c++)
      thread->calls[c] = thread->calls[c + 1];
}

/* No call is pending any more. */
static void close_account(struct pm_calls *calls)
{
   pm_calls_sync(calls);
   calls->allocator_running = false;
}

/* What a call, which is off the stack, comes to by having returned. */
static inline void take_effect(struct pm_calls *calls, struct pm_call_thread *thread,
                               const struct pm_call *call, bool inner, uint64_t result)
{
   switch (pm_allockinds[call->function->kind].does) {
   case PM_DOES_OBTAIN:
      end_obtain(calls, thread, call, inner, result);
      break;
   case PM_DOES_RESIZE:
   case PM_DOES_RESIZE_OR_RELEASE:
   case PM_DOES_RESIZE_IN_PLACE:
      if (call->old_address)
         end_resize(calls, thread, call, inner, result);
      else
         end_obtain(calls, thread, call, inner, result);
      break;
   case PM_DOES_RELEASE:
      if (!inner)
         commit_inner(calls, thread, call->first_inner);
      break;
   }
}

/* Call c has returned. It is the innermost one, unless stacks are interleaved. */
static void end_call(struct pm_calls *calls, struct pm_call_thread *thread, uint32_t c,
                     uint64_t result)
{
   bool inner = c > level_of(thread)->first_call;
   const struct pm_call call = thread->calls[c];
   take_off(thread, c);
   take_effect(calls, thread, &call, inner, result);
   if (!pm_calls_pending(thread))
      close_account(calls);
}

/* Call c's frame is gone. A call that failed to return a block has failed; what it
   was to resize is as it was. */
PM_SELDOM static void drop_call(struct pm_calls *calls, struct pm_call_thread *thread, uint32_t c)
{
   bool inner = c > level_of(thread)->first_call;
   const struct pm_call call = thread->calls[c];
   take_off(thread, c);
   enum pm_alloc_does does = pm_allockinds[call.function->kind].does;
   if (!inner) {
      commit_inner(calls, thread, call.first_inner);
      if (does != PM_DOES_RELEASE)
         ++*counter(calls, call.old_address ? PM_COUNT_REALLOCATIONS_FAILED
                                            : PM_COUNT_ALLOCATIONS_FAILED);
   }
   if (call.old_block && !calls->heap->lost) {
      end_stale(calls, thread, call.old_address);
      pm_heap_refile(calls->heap, call.old_block);
   }
   if (!pm_calls_pending(thread))
      close_account(calls);
}

static void drop_all(struct pm_calls *calls, struct pm_call_thread *thread)
{
   while (pm_calls_pending(thread))
      drop_call(calls, thread, thread->call_count - 1);
}

/* --- frames that are gone ------------------------------------------------- */

static bool above(struct pm_calls *calls, uint64_t stack_pointer, uint64_t frame, bool or_at)
{
   return (or_at ? stack_pointer >= frame : stack_pointer > frame) &&
          calls->guest->same_stack(stack_pointer, frame);
}

/* Leave the handlers that were left by a jump: code runs at or above the place
   that they interrupted. With it go the handlers that interrupted them; what these
   interrupted can be on the alternate stack, where it says nothing. */
PM_SELDOM static void leave_handlers(struct pm_calls *calls, struct pm_call_thread *thread,
                                     uint64_t stack_pointer)
{
   uint32_t l = 1;
   while (l < thread->level_count &&
          !above(calls, stack_pointer, thread->levels[l].interrupted_sp, true))
      l++;
   while (thread->level_count > l)
      pm_calls_signal_end(calls, thread);
}

static void leave_levels(struct pm_calls *calls, struct pm_call_thread *thread,
                         uint64_t stack_pointer)
{
   if (thread->level_count > 1)
      leave_handlers(calls, thread, stack_pointer);
}

/* The same before a call or another handler begins. Handlers that run have interrupted
   code of one stack, then perhaps handlers on the alternate one, and that stack's code
   never again: if it runs, the later ones were left. */
static void leave_other_stack(struct pm_calls *calls, struct pm_call_thread *thread,
                              uint64_t stack_pointer)
{
   uint32_t l = thread->level_count;
   while (l > 1 &&
          !calls->guest->same_stack(stack_pointer, thread->levels[l - 1].interrupted_sp))
      l--;
   while (l > 1 && thread->level_count > l)
      pm_calls_signal_end(calls, thread);
}

/* --- entries -------------------------------------------------------------- */

static uint64_t asked_size(const struct pm_allockind *kind, const uint64_t args[PM_ARGS])
{
   uint64_t size = kind->size == PM_ARG_NONE ? 0 : args[kind->size];
   if (kind->count != PM_ARG_NONE && __builtin_mul_overflow(size, args[kind->count], &size))
      size = UINT64_MAX; /* the function refuses; only "not 0" matters */
   return size;
}

static uint64_t argument(signed char number, const uint64_t args[PM_ARGS])
{
   return number == PM_ARG_NONE ? 0 : args[number];
}

/* A deallocation of what is no block, outside every other call: the program's
   mistake, unless the allocator tidies up. */
static bool is_unmatched(const struct pm_calls *calls, const struct pm_entry *entry)
{
   return !calls->guest->is_own_release ||
          !calls->guest->is_own_release(entry->function, entry->return_address);
}

static void release_block(struct pm_calls *calls, struct pm_call_thread *thread, bool inner,
                          uint64_t address, const struct pm_entry *entry)
{
   if (!address || calls->heap->lost)
      return;
   pm_block_id id = unfile(calls, address);
   if (id)
      end_block(calls, thread, id, entry);
   else if (!inner && is_unmatched(calls, entry))
      ++*counter(calls, PM_COUNT_DEALLOCATIONS_UNMATCHED);
}

/* Drop the calls whose frame cannot be there any more now that a function is
   entered. Where a return address is pushed, another one in the same place
   means that the older frame is gone. */
static void drop_gone_at_entry(struct pm_calls *calls, struct pm_call_thread *thread,
                               const struct pm_entry *entry)
{
   for (uint32_t c = thread->call_count; c > level_of(thread)->first_call; c--) {
      const struct pm_call *call = &thread->calls[c - 1];
      bool replaced = entry->stack_pointer == call->stack_pointer &&
                      entry->return_address != call->return_address;
      if (replaced || above(calls, entry->stack_pointer, call->stack_pointer, false))
         drop_call(calls, thread, c - 1);
   }
}

static bool in_frame_of(const struct pm_entry *entry, const struct pm_call *call)
{
   return call->stack_pointer == entry->stack_pointer &&
          call->return_address == entry->return_address;
}

/* A pending call of the same function in the same frame; NULL: none. */
static const struct pm_call *same_call(const struct pm_call_thread *thread,
                                       const struct pm_entry *entry)
{
   for (uint32_t c = thread->call_count; c > level_of(thread)->first_call; c--)
      if (thread->calls[c - 1].function == entry->function &&
          in_frame_of(entry, &thread->calls[c - 1]))
         return &thread->calls[c - 1];
   return NULL;
}

/* The call was left by a jump, and its caller calls once more: drop it, and what it
   had jumped to. */
static void drop_same(struct pm_calls *calls, struct pm_call_thread *thread,
                      const struct pm_entry *entry)
{
   bool dropped = false;
   for (uint32_t c = thread->call_count; c > level_of(thread)->first_call && !dropped; c--) {
      const struct pm_call *call = &thread->calls[c - 1];
      if (!in_frame_of(entry, call))
         continue;
      dropped = call->function == entry->function;
      drop_call(calls, thread, c - 1);
   }
}

/* Has its own code jumped to the function's first instruction? */
static bool jumped_back(const struct pm_calls *calls, const struct pm_entry *entry)
{
   const struct pm_function *function = entry->function;
   return entry->came_from - function->address < function->size_bytes ||
          (calls->guest->is_own_jump && calls->guest->is_own_jump(entry));
}

/* Compare the entry with what is pending: drop what it shows to be gone. True: it is
   no call, but part of the pending one. */
PM_SELDOM static bool is_part_of_pending(struct pm_calls *calls,
                                         struct pm_call_thread *thread,
                                         const struct pm_entry *entry)
{
   const struct pm_function *function = entry->function;
   const struct pm_allockind *kind = &pm_allockinds[function->kind];
   /* Where the caller runs, as for the return: both find the same level. */
   uint64_t caller = entry->stack_pointer + calls->guest->return_pops_bytes;
   leave_levels(calls, thread, caller);
   leave_other_stack(calls, thread, caller);
   drop_gone_at_entry(calls, thread, entry);

   const struct pm_call *same = same_call(thread, entry);
   if (same && jumped_back(calls, entry)) {
      uint64_t address = argument(kind->old, entry->args);
      if (kind->does == PM_DOES_RELEASE && address != same->old_address)
         release_block(calls, thread, true, address, entry);
      return true;
   }
   if (same)
      drop_same(calls, thread, entry);
   return false;
}

void pm_calls_enter(struct pm_calls *calls, struct pm_call_thread *thread,
                    const struct pm_entry *entry)
{
   bool inner = false;
   if (anything_pending(thread)) {
      if (is_part_of_pending(calls, thread, entry))
         return;
      inner = pm_calls_pending(thread);
   }
   const struct pm_allockind *kind = &pm_allockinds[entry->function->kind];
   entry->function->calls++;
   if (!RESERVE_ONE(calls->host, thread, calls, call)) {
      calls->heap->lost = true;
      return;
   }
   if (!inner) {
      calls->allocator_running = true;
      calls->allocator_since = *calls->instrs;
   }
   struct pm_call *call = &thread->calls[thread->call_count++];
   *call = (struct pm_call){
      .function = entry->function,
      .stack_pointer = entry->stack_pointer,
      .return_address = entry->return_address,
      .old_address = argument(kind->old, entry->args),
      .first_inner = thread->inner_count,
   };
   if (kind->does == PM_DOES_RELEASE) {
      release_block(calls, thread, inner, call->old_address, entry);
      return;
   }
   call->size_bytes = asked_size(kind, entry->args);
   call->out_address = argument(kind->out, entry->args);
   if (call->old_address) {
      call->old_block = unfile(calls, call->old_address);
      if (!call->old_block && inner)
         call->of_outer = true;
      else if (!call->old_block)
         ++*counter(calls, PM_COUNT_DEALLOCATIONS_UNMATCHED);
   }
}

/* --- returns -------------------------------------------------------------- */

uint64_t pm_calls_watch_all(const struct pm_calls *calls, const struct pm_call_thread *thread)
{
   uint64_t watch = UINT64_MAX;
   for (uint32_t l = 1; l < thread->level_count; l++)
      if (thread->levels[l].interrupted_sp < watch)
         watch = thread->levels[l].interrupted_sp;
   for (uint32_t c = level_of(thread)->first_call; c < thread->call_count; c++) {
      uint64_t sp = thread->calls[c].stack_pointer + calls->guest->return_pops_bytes;
      if (sp < watch)
         watch = sp;
   }
   return watch;
}

PM_SELDOM static void return_of_several(struct pm_calls *calls, struct pm_call_thread *thread,
                                        uint64_t stack_pointer, uint64_t target,
                                        uint64_t result)
{
   uint64_t pops = calls->guest->return_pops_bytes;
   leave_levels(calls, thread, stack_pointer);
   /* All of the level: stacks are interleaved when a coroutine is switched to from
      inside a call, or after a jump out of one. */
   for (uint32_t c = thread->call_count; c > level_of(thread)->first_call; c--) {
      const struct pm_call *call = &thread->calls[c - 1];
      uint64_t returned = call->stack_pointer + pops;
      bool at = stack_pointer == returned;
      if (at && target == call->return_address)
         end_call(calls, thread, c - 1, result);
      else if ((at && pops) || above(calls, stack_pointer, returned, false))
         drop_call(calls, thread, c - 1);
   }
}

bool pm_calls_return(struct pm_calls *calls, struct pm_call_thread *thread,
                     uint64_t stack_pointer, uint64_t target, uint64_t result)
{
   const struct pm_call *call = thread->calls;
   if (thread->level_count > 1 || thread->call_count != 1 ||
       stack_pointer != call->stack_pointer + calls->guest->return_pops_bytes ||
       target != call->return_address) {
      return_of_several(calls, thread, stack_pointer, target, result);
      return false;
   }
   /* Nearly always. The call stays in its place until another one is entered. */
   thread->call_count = 0;
   take_effect(calls, thread, call, false, result);
   close_account(calls);
   return true;
}

/* --- signals and threads -------------------------------------------------- */

void pm_calls_signal_begin(struct pm_calls *calls, struct pm_call_thread *thread,
                           uint64_t interrupted_sp)
{
   leave_levels(calls, thread, interrupted_sp);
   leave_other_stack(calls, thread, interrupted_sp);
   if (!RESERVE_ONE(calls->host, thread, levels, level)) {
      calls->heap->lost = true;
      return;
   }
   pm_calls_pause(calls);
   thread->levels[thread->level_count++] = (struct pm_level){
      .first_call = thread->call_count, .interrupted_sp = interrupted_sp};
}

void pm_calls_signal_end(struct pm_calls *calls, struct pm_call_thread *thread)
{
   drop_all(calls, thread);
   if (thread->level_count > 1)
      thread->level_count--;
   pm_calls_resume(calls, thread);
}

bool pm_call_thread_init(struct pm_calls *calls, struct pm_call_thread *thread, uint32_t number)
{
   *thread = (struct pm_call_thread){.heap.number = number};
   if (!RESERVE_ONE(calls->host, thread, levels, level))
      return false;
   thread->levels[thread->level_count++] = (struct pm_level){.interrupted_sp = UINT64_MAX};
   return true;
}

void pm_call_thread_exit(struct pm_calls *calls, struct pm_call_thread *thread)
{
   /* Whoever runs is another thread, in a forked child: its account stays as it is. */
   bool another_runs = calls->allocator_running;
   pm_calls_pause(calls);
   while (thread->level_count > 1)
      pm_calls_signal_end(calls, thread);
   drop_all(calls, thread);
   calls->allocator_running = another_runs;
   calls->allocator_since = *calls->instrs;
   const struct pm_host *host = calls->host;
   host->release(thread->calls, thread->call_capacity * sizeof *thread->calls);
   host->release(thread->levels, thread->level_capacity * sizeof *thread->levels);
   host->release(thread->inner, thread->inner_capacity * sizeof *thread->inner);
   *thread = (struct pm_call_thread){.heap = thread->heap};
}

/* --- announced blocks ----------------------------------------------------- */

void pm_calls_announce(struct pm_calls *calls, struct pm_call_thread *thread, uint64_t address,
                       uint64_t size_bytes)
{
   bool inner = pm_calls_pending(thread);
   if (inner)
      merge_inner(calls, thread, first_inner_of_level(thread), address, size_bytes);
   obtain(calls, thread, inner, address, size_bytes);
}

bool pm_calls_announce_resize(struct pm_calls *calls, struct pm_call_thread *thread,
                              uint64_t address, uint64_t size_bytes)
{
   pm_block_id id = unfile(calls, address);
   if (id)
      resize_block(calls, thread, id, address, size_bytes);
   return id != 0;
}

bool pm_calls_announce_end(struct pm_calls *calls, struct pm_call_thread *thread,
                           uint64_t address)
{
   pm_block_id id = unfile(calls, address);
   if (id)
      end_block(calls, thread, id, NULL);
   return id != 0;
}
