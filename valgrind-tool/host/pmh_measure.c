/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_measure.c: the state of the measured process; pmh_measure.h has the terms. */
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_platform.h"
#include "pmh_services.h"
#include "pmh_sites.h"
#include "pmh_stacks.h"
#include "pmh_symbols.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

static struct pm_counters without_profile = {.watch = UINT64_MAX};
struct pm_counters *pmh_counters = &without_profile;
struct pm_stretches pmh_stretches;
struct pm_profile pmh_profile;
struct pm_fates pmh_fates;
struct pm_sites pmh_sites;
struct pm_thread_counts pmh_thread_counts;
struct pm_heap pmh_heap;
struct pm_calls pmh_calls;
struct pm_phase_table pmh_phases;
struct pm_activations pmh_activations;

static struct pmh_thread **by_number; /* every thread there ever was, from 1 */
static UInt number_slots;
static struct pmh_thread **by_tid; /* by Valgrind's id, which is used again; NULL: none */
static UInt tid_slots;
static UInt threads_created;
static struct pmh_thread *running; /* NULL: none */
static struct pmh_thread *ran_last; /* NULL: none has run */
static ThreadId running_tid = VG_INVALID_THREADID;
static Bool in_client_code;        /* running_tid executes translated code */
static ULong running_since;        /* pmh_counters->instrs when it started to run */
static ULong handed_out;           /* pmh_counters->instrs when they were counted for
                                      the threads of the open instances last */

/* --- what the core asks about the guest ------------------------------------ */

static uint64_t word_at(uint64_t address)
{
   SizeT bytes = sizeofIRType(pmh_platform.word);
   if (!VG_(am_is_valid_for_client)(address, bytes, VKI_PROT_READ))
      return 0;
   if (bytes == sizeof(UInt))
      return *(UInt *)(Addr)address;
   return *(ULong *)(Addr)address;
}

/* What was executed last came here. A call ends at its return address; by way of a linkage
   table it comes from the caller's object. */
static bool is_own_jump(const struct pm_entry *entry)
{
   if (pm_stretches_end(&pmh_stretches, (UInt)pmh_counters->stretch) == entry->return_address)
      return false;
   const struct pmh_object *object = pmh_object_at((Addr)entry->came_from);
   return object && object == pmh_object_at((Addr)entry->function->address);
}

static struct pm_guest guest = {.word_at = word_at, .same_stack = pmh_same_stack,
                                .is_own_release = pmh_symbols_own_release,
                                .is_own_jump = is_own_jump};

/* --- threads ---------------------------------------------------------------- */

static void *grown(void *array, UInt *slots, UInt needed, SizeT bytes)
{
   if (needed < *slots)
      return array;
   UInt more = needed * 2 + 2;
   array = VG_(realloc)("profmem.threads", array, more * bytes);
   VG_(memset)((UChar *)array + *slots * bytes, 0, (more - *slots) * bytes);
   *slots = more;
   return array;
}

void pmh_thread_created(ThreadId tid)
{
   struct pmh_thread *thread = VG_(calloc)("profmem.thread", 1, sizeof *thread);
   threads_created++;
   by_number = grown(by_number, &number_slots, threads_created, sizeof *by_number);
   by_tid = grown(by_tid, &tid_slots, tid, sizeof *by_tid);
   by_number[threads_created] = by_tid[tid] = thread;
   thread->activations.number = threads_created;
   if (!pm_call_thread_init(&pmh_calls, &thread->calls, threads_created))
      pmh_out_of_memory("a thread");
}

struct pmh_thread *pmh_thread_now(void)
{
   tl_assert(running);
   return running;
}

ULong pmh_thread_instrs(const struct pmh_thread *thread)
{
   return thread->instrs + (thread == running ? pmh_counters->instrs - running_since : 0);
}

/* Count the running thread's instructions for it in the open instances. */
static void hand_out_instrs(void)
{
   const struct pm_thread_count done = {.instrs = pmh_counters->instrs - handed_out};
   handed_out = pmh_counters->instrs;
   if (running && done.instrs > 0)
      pm_thread_counts_add(&pmh_thread_counts, &pmh_heap.phases, running->calls.heap.number,
                           &done);
}

/* No other tool's shadow registers are there, but a handler's return brings back those of
   before it. */
static void show_counters(ThreadId tid)
{
   const struct pmh_registers shown = {.instrs = pmh_counters->instrs, .counters = pmh_counters};
   VG_(set_shadow_regs_area)(tid, 1, 0, sizeof shown, (const UChar *)&shown);
}

void pmh_read_instrs(void)
{
   if (in_client_code)
      VG_(get_shadow_regs_area)(running_tid, (UChar *)&pmh_counters->instrs, 1,
                                offsetof(struct pmh_registers, instrs), sizeof(ULong));
}

void pmh_client_code_starts(ThreadId tid)
{
   show_counters(tid);
   in_client_code = True;
}

Bool pmh_client_code_stops(void)
{
   Bool executed = in_client_code;
   pmh_read_instrs();
   in_client_code = False;
   return executed;
}

/* Nobody runs. */
static void stop_running(void)
{
   pm_calls_pause(&pmh_calls);
   hand_out_instrs();
   if (running) {
      running->instrs = pmh_thread_instrs(running);
      running->arrived = pmh_counters->arrived;
   }
   running = NULL;
   running_tid = VG_INVALID_THREADID;
   pmh_counters->watch = UINT64_MAX;
}

void pmh_thread_switch(ThreadId tid)
{
   if (tid >= tid_slots || !by_tid[tid])
      pmh_thread_created(tid);
   if (by_tid[tid] == running)
      return;
   stop_running();
   running = by_tid[tid];
   pmh_heap.state.counter[PM_COUNT_THREAD_SWITCHES] += ran_last && running != ran_last;
   ran_last = running;
   running_since = pmh_counters->instrs;
   pmh_counters->arrived = running->arrived;
   running_tid = tid;
   pm_calls_resume(&pmh_calls, &running->calls);
   pmh_watch_returns(running);
}

void pmh_activations_gone(Addr start, Addr end)
{
   for (ThreadId t = 0; t < tid_slots; t++)
      if (by_tid[t])
         pm_activations_stack_gone(&by_tid[t]->activations, start, end);
}

void pmh_thread_gone(ThreadId tid)
{
   struct pmh_thread *thread = tid < tid_slots ? by_tid[tid] : NULL;
   if (!thread)
      return;
   if (thread == running)
      stop_running();
   pm_call_thread_exit(&pmh_calls, &thread->calls);
   pmh_sync();
   pm_activations_thread_exit(&pmh_activations, &thread->activations);
   pmh_stacks_alternate(&thread->alternate, 0, 0);
   by_tid[tid] = NULL;
}

/* --- begin and end ----------------------------------------------------------- */

void pmh_sync(void)
{
   uint64_t *counter = pmh_heap.state.counter;
   pmh_read_instrs();
   pm_calls_sync(&pmh_calls);
   hand_out_instrs();
   counter[PM_COUNT_REP_ITERATIONS] = pmh_counters->rep_iterations;
   counter[PM_COUNT_REP_ENDED_BY_CONDITION] = pmh_counters->rep_ended_by_condition;
   counter[PM_COUNT_CLIENT_REQUESTS] = pmh_counters->client_requests;
}

static void use_counters(struct pm_counters *counters, const struct pm_counters *so_far)
{
   *counters = *so_far;
   pmh_counters = counters;
   pmh_calls.instrs = &counters->instrs;
}

/* Translated code counts for the phases that are open from now on. */
static void choose_profile(void *unused)
{
   const struct pm_counters so_far = *pmh_counters; /* its place may be gone then */
   use_counters(pm_profile_now(&pmh_profile, &pmh_heap.phases), &so_far);
   if (running_tid != VG_INVALID_THREADID)
      show_counters(running_tid);
}

UInt pmh_stretch_id(const struct pm_stretch *stretch, const UChar *lengths,
                    const struct pm_instr *told)
{
   UInt id = pm_stretches_id(&pmh_stretches, stretch, lengths,
                             pmh_options.instr ? told : NULL);
   if (pmh_options.functions && !pm_profile_holds(&pmh_profile, id))
      choose_profile(NULL);
   return id;
}

/* For the phases: number is a thread's by creation. The first thread may not have
   been created yet. */
static uint64_t instrs_by_number(uint32_t number)
{
   return number <= threads_created ? pmh_thread_instrs(by_number[number]) : 0;
}

struct pm_phase_caller pmh_caller(void)
{
   pmh_sync();
   return (struct pm_phase_caller){pmh_thread_now()->calls.heap.number, instrs_by_number};
}

struct pm_phase_caller pmh_monitor_caller(void)
{
   pmh_sync();
   return (struct pm_phase_caller){0, instrs_by_number};
}

UInt pmh_thread_total(void)
{
   return threads_created;
}

const struct pm_phase *pmh_program(void)
{
   return &pmh_phases.declared[0]->phase;
}

void pmh_measure_begin(void)
{
   pm_heap_init(&pmh_heap, &pmh_host);
   pm_sites_init(&pmh_sites, &pmh_host);
   pm_fates_init(&pmh_fates, &pmh_host, pmh_options.free_stacks);
   pm_thread_counts_init(&pmh_thread_counts, &pmh_host);
   pmh_heap.phases.threads = &pmh_thread_counts;
   if (pmh_options.stacks) {
      pmh_heap.phases.sites = &pmh_sites;
      guest.site = pmh_site_now;
      pmh_heap.fates = &pmh_fates;
      if (pmh_options.free_stacks)
         guest.site_at_entry = pmh_site_at_entry;
   }
   pmh_heap.phases.list_first = (ULong)pmh_options.phase_instances;
   guest.return_pops_bytes = pmh_platform.return_pops_bytes;
   pm_calls_init(&pmh_calls, &pmh_host, &guest, &pmh_heap,
                 &pmh_counters->instrs);
   pmh_activations = (struct pm_activations){.host = &pmh_host, .guest = &guest,
                                             .table = &pmh_phases,
                                             .thread_instrs = instrs_by_number};
   static const struct pm_phase_caller first_thread = {1, instrs_by_number};
   if (pmh_options.functions)
      pmh_heap.phases.open_changed = choose_profile;
   if (!pm_stretches_init(&pmh_stretches, &pmh_host, pmh_options.instr))
      pmh_out_of_memory("the tables at the start");
   if (pmh_options.functions && !pm_profile_init(&pmh_profile, &pmh_host, &pmh_stretches)) {
      VG_(umsg)("profmem: error: no address space for the profile; with a limit on it "
                "(ulimit -v) use --functions=no\n");
      VG_(exit)(1);
   }
   if (!pm_timeline_init(&pmh_heap.timeline, &pmh_host, (UInt)pmh_options.timeline_points, 0, 0) ||
       !pm_phase_table_init(&pmh_phases, &pmh_host, &pmh_heap) ||
       !pm_phase_table_begin(&pmh_phases, pmh_phases.declared[0], &first_thread))
      pmh_out_of_memory("the tables at the start");
}

void pmh_measure_after_fork(ThreadId tid)
{
   pmh_thread_switch(tid);
   for (ThreadId t = 0; t < tid_slots; t++)
      if (t != tid)
         pmh_thread_gone(t);
   pmh_sync();
   pm_sites_after_fork(&pmh_sites);
   pm_fates_after_fork(&pmh_fates);
   pm_thread_counts_after_fork(&pmh_thread_counts);
   pm_timeline_restart(&pmh_heap.timeline, pmh_counters->instrs,
                       pmh_heap.state.gauge[PM_GAUGE_LIVE_BYTES]);
   pm_phase_table_after_fork(&pmh_phases, instrs_by_number);
   if (pmh_options.functions) {
      use_counters(&without_profile, pmh_counters);
      pm_profile_clear(&pmh_profile);
      choose_profile(NULL);
   }
}

void pmh_measure_end(void)
{
   if (pmh_heap.lost)
      pm_heap_give_up(&pmh_heap);
   pmh_sync();
   pm_phase_table_end_all(&pmh_phases, instrs_by_number);
}
