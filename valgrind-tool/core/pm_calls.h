/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_calls.h: from observed calls of allocation functions to heap events.
 *
 * The host reports entries of allocation functions and returns; this module
 * keeps the calls that have not returned, pairs returns with them, and decides
 * which heap events happened and when (design section 2).
 *
 * Pending calls form a stack per thread. A return completes a call when stack
 * pointer and return target both match. A call whose frame is gone (longjmp,
 * exception) is dropped at the first return or entry above its frame on the
 * same stack.
 *
 * A call inside another one is the outer call's business: a block that an
 * inner call obtains is *inner*: found by its address, but no event yet. When a
 * call returns an address inside an inner block made during it, the inner block
 * was the raw material and vanishes; all others become events when the
 * outermost call has returned or was dropped, in the order of their returns,
 * before it. An inner block given back meanwhile was never an event.
 *
 * A signal handler starts a new *level*: the calls of the interrupted code are
 * set aside until the handler returns, or is found to have been left.
 *
 * Order of effects: a deallocation at its entry, everything else at the return;
 * a resize takes its block out of the address index from entry to return.
 *
 * Instructions of the allocator: those of the calling thread while a call of
 * its current level is pending. The host pauses and resumes the account when
 * it switches threads.
 *
 * Cost: O(1) per entry and per return that pm_calls_watch() lets through; the
 * host needs to report no other.
 */
#ifndef PM_CALLS_H
#define PM_CALLS_H

#include "pm_allocfns.h"
#include "pm_heap.h"

/* An allocation function found in an object: a row of the coverage section. */
struct pm_function {
   const char *name;     /* symbol */
   const char *object;   /* base name of the object's file */
   enum pm_allockind_id kind;
   uint64_t address;     /* of its first instruction, where it was found last */
   uint64_t size_bytes;  /* of its code, as the symbol says; 0 unknown */
   uint64_t calls;       /* entries */
};

/* An entry of an allocation function. */
struct pm_entry {
   struct pm_function *function;
   uint64_t stack_pointer;  /* before the first instruction */
   uint64_t return_address;
   uint64_t came_from;      /* address of code executed just before */
   uint64_t args[PM_ARGS];
};

struct pm_call {
   struct pm_function *function;
   uint64_t stack_pointer;
   uint64_t return_address;
   uint64_t size_bytes;     /* asked for */
   uint64_t old_address;    /* argument: the block; 0 none */
   uint64_t out_address;    /* argument: where the result is stored; 0 none */
   pm_block_id old_block;   /* of old_address, unfiled while the call runs; 0 none */
   bool of_outer;           /* resizes a block that is the outer call's business */
   uint32_t first_inner;    /* inner blocks from here on were made during it */
};

struct pm_level {
   uint32_t first_call;     /* calls from here on belong to the level */
   uint64_t interrupted_sp; /* stack pointer of the code below; for the first
                               level, UINT64_MAX: nothing is below */
};

struct pm_call_thread {
   struct pm_heap_thread heap;
   struct pm_call *calls;
   uint32_t call_count, call_capacity;
   struct pm_level *levels; /* the first one is always there */
   uint32_t level_count, level_capacity;
   pm_block_id *inner; /* inner blocks in order of their returns; 0 merged away */
   uint32_t inner_count, inner_capacity;
};

/* What the host knows of the guest. */
struct pm_guest {
   /* The guest's word at address, 0 where none can be read. */
   uint64_t (*word_at)(uint64_t address);
   /* Are both stack pointers in the same stack? */
   bool (*same_stack)(uint64_t a, uint64_t b);
   /* The site of the running thread's present call chain; NULL: sites are not told
      apart. */
   uint32_t (*site)(void);
   /* The site of the call whose entry this is; NULL: who gives blocks back is not
      asked. */
   uint32_t (*site_at_entry)(const struct pm_entry *entry);
   /* Does the allocator itself call this deallocation function from there, outside
      its other functions? glibc gives a thread's cache of free chunks back that way
      when the thread ends: no block of the program's. NULL: no allocator does. */
   bool (*is_own_release)(const struct pm_function *function, uint64_t return_address);
   /* Has code of the function's own object, but outside it, jumped to this entry, as
      glibc's malloc does by way of its first hook? False: it was called. NULL: no
      allocator jumps back. */
   bool (*is_own_jump)(const struct pm_entry *entry);
   /* Bytes that a return adds to the stack pointer it finds at entry. */
   uint64_t return_pops_bytes;
};

struct pm_calls {
   const struct pm_host *host;
   const struct pm_guest *guest;
   struct pm_heap *heap;
   const uint64_t *instrs;       /* instructions executed by the process so far; the
                                    caller may move them */
   bool allocator_running;       /* the running thread's account is open */
   uint64_t allocator_since;     /* instrs when it was opened */
};

void pm_calls_init(struct pm_calls *calls, const struct pm_host *host,
                   const struct pm_guest *guest, struct pm_heap *heap, const uint64_t *instrs);

/* A thread that has just been created. False: no memory. */
bool pm_call_thread_init(struct pm_calls *calls, struct pm_call_thread *thread, uint32_t number);

/* A thread that is gone and does not run: its pending calls are dropped. */
void pm_call_thread_exit(struct pm_calls *calls, struct pm_call_thread *thread);

/* thread, which runs, has entered an allocation function. */
void pm_calls_enter(struct pm_calls *calls, struct pm_call_thread *thread,
                    const struct pm_entry *entry);

/* Only returns that leave the stack pointer at this value or above concern
   pm_calls_return(); UINT64_MAX: none does. */
static inline uint64_t pm_calls_watch(const struct pm_calls *calls,
                                      const struct pm_call_thread *thread);

/* thread has executed a return: the stack pointer after it, where it went, and
   the register that holds a function's result. True: what it ended was all there was,
   and no return concerns pm_calls_return() now. */
bool pm_calls_return(struct pm_calls *calls, struct pm_call_thread *thread,
                     uint64_t stack_pointer, uint64_t target, uint64_t result);

/* A signal handler starts on thread, which was interrupted at that stack
   pointer; it has returned. */
void pm_calls_signal_begin(struct pm_calls *calls, struct pm_call_thread *thread,
                           uint64_t interrupted_sp);
void pm_calls_signal_end(struct pm_calls *calls, struct pm_call_thread *thread);

/* thread stops running for now; thread runs from now on. */
void pm_calls_pause(struct pm_calls *calls);
void pm_calls_resume(struct pm_calls *calls, const struct pm_call_thread *thread);

/* Bring PM_COUNT_INSTRUCTIONS_ALLOCATOR up to date. */
void pm_calls_sync(struct pm_calls *calls);

/* Is an allocation call pending on thread's current level? */
bool pm_calls_pending(const struct pm_call_thread *thread);

/* Blocks that the program announces by requests, with an address that is not
   0: obtained, resized in place, given back. Inside a pending call they are
   inner ones. The last two say whether such a block was known. */
void pm_calls_announce(struct pm_calls *calls, struct pm_call_thread *thread, uint64_t address,
                       uint64_t size_bytes);
bool pm_calls_announce_resize(struct pm_calls *calls, struct pm_call_thread *thread,
                              uint64_t address, uint64_t size_bytes);
bool pm_calls_announce_end(struct pm_calls *calls, struct pm_call_thread *thread,
                           uint64_t address);

/* pm_calls_watch() of a thread that is in a handler, or in several calls. */
PM_SELDOM uint64_t pm_calls_watch_all(const struct pm_calls *calls,
                                      const struct pm_call_thread *thread);

static inline uint64_t pm_calls_watch(const struct pm_calls *calls,
                                      const struct pm_call_thread *thread)
{
   if (thread->level_count > 1 || thread->call_count > 1)
      return pm_calls_watch_all(calls, thread);
   return thread->call_count == 0
             ? UINT64_MAX : thread->calls[0].stack_pointer + calls->guest->return_pops_bytes;
}

#endif
