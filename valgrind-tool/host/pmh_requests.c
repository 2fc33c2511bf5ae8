/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_requests.c: one table of requests. */
#include "pmh_requests.h"
#include "pmh_monitor.h"
#include "pmh_measure.h"
#include "pmh_report.h"
#include "pmh_services.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "valgrind.h"
#include "pm_pools.h"
#include "profmem.h"

static struct pm_pools pools;

static struct pm_call_thread *thread(void)
{
   return &pmh_thread_now()->calls;
}

static UWord malloclike(UWord *arg)
{
   pm_pools_alloc(&pools, thread(), 0, arg[1], arg[2]);
   return 0;
}

static UWord resizeinplace(UWord *arg)
{
   pm_pools_resize(&pools, thread(), arg[1], arg[3]);
   return 0;
}

static UWord freelike(UWord *arg)
{
   pm_pools_free(&pools, thread(), arg[1]);
   return 0;
}

static UWord mempool_alloc(UWord *arg)
{
   pm_pools_alloc(&pools, thread(), arg[1], arg[2], arg[3]);
   return 0;
}

static UWord mempool_free(UWord *arg)
{
   pm_pools_free(&pools, thread(), arg[2]);
   return 0;
}

static UWord mempool_destroy(UWord *arg)
{
   pm_pools_destroy(&pools, thread(), arg[1]);
   return 0;
}

static UWord mempool_trim(UWord *arg)
{
   pm_pools_trim(&pools, thread(), arg[1], arg[2], arg[3]);
   return 0;
}

static UWord mempool_move(UWord *arg)
{
   pm_pools_rename(&pools, arg[1], arg[2]);
   return 0;
}

static UWord mempool_change(UWord *arg)
{
   pm_pools_change(&pools, thread(), arg[1], arg[2], arg[3], arg[4]);
   return 0;
}

static UWord nothing(UWord *arg)
{
   return 0;
}

/* --- phases ------------------------------------------------------------------ */

/* A name as a request gives it: arg[1] its address, arg[2] its length, or all ones
   when it ends with a 0 byte. PROFMEM_DONE, or what is wrong. */
static UWord name_at(const UWord *arg, const HChar **name, SizeT *bytes)
{
   *name = (const HChar *)arg[1];
   *bytes = arg[2];
   if (arg[2] != ~(UWord)0) {
      /* Bytes beyond the longest name are not looked at. */
      SizeT looked_at = arg[2] > PM_PHASE_NAME_MAX ? 1 : arg[2];
      return looked_at == 0 || VG_(am_is_valid_for_client)(arg[1], looked_at, VKI_PROT_READ)
                ? PROFMEM_DONE
                : PROFMEM_NAME_UNREADABLE;
   }
   for (*bytes = 0; *bytes <= PM_PHASE_NAME_MAX; ++*bytes) {
      Addr at = arg[1] + *bytes;
      Bool new_page = *bytes == 0 || at % VKI_PAGE_SIZE == 0;
      if (new_page && !VG_(am_is_valid_for_client)(at, 1, VKI_PROT_READ))
         return PROFMEM_NAME_UNREADABLE;
      if (*(const HChar *)at == '\0')
         break;
   }
   return PROFMEM_DONE;
}

static UWord read_name(const UWord *arg, const HChar **name, SizeT *bytes)
{
   UWord result = name_at(arg, name, bytes);
   pmh_phases.names_unreadable += result == PROFMEM_NAME_UNREADABLE;
   return result;
}

/* The same for a name that was read. */
static UWord name_result(const HChar *name, SizeT bytes)
{
   static const UWord results[] = {[PM_NAME_GOOD] = PROFMEM_DONE,
                                   [PM_NAME_TOO_LONG] = PROFMEM_NAME_TOO_LONG,
                                   [PM_NAME_NOT_UTF8] = PROFMEM_NAME_NOT_UTF8};
   return results[pm_phase_name_fault(name, bytes)];
}

/* The phase of the name; NULL and why in *result. */
static struct pm_declared *declared_of(const UWord *arg, UWord *result)
{
   const HChar *name;
   SizeT bytes;
   *result = read_name(arg, &name, &bytes);
   if (*result != PROFMEM_DONE)
      return NULL;
   struct pm_declared *declared =
      pm_phase_table_declare(&pmh_phases, name, bytes, PM_PHASE_REQUEST);
   if (!declared) {
      *result = name_result(name, bytes);
      if (*result == PROFMEM_DONE)
         *result = PROFMEM_NO_MEMORY;
   }
   return declared;
}

static UWord phase_begin(UWord *arg)
{
   UWord result;
   struct pm_declared *declared = declared_of(arg, &result);
   if (!declared)
      return result;
   struct pm_phase_caller caller = pmh_caller();
   ULong twice = declared->trouble[PM_PHASE_BEGUN_TWICE];
   if (pm_phase_table_begin(&pmh_phases, declared, &caller))
      return PROFMEM_DONE;
   return declared->trouble[PM_PHASE_BEGUN_TWICE] != twice ? PROFMEM_BEGUN_TWICE
                                                           : PROFMEM_NO_MEMORY;
}

static UWord phase_end(UWord *arg)
{
   UWord result;
   struct pm_declared *declared = declared_of(arg, &result);
   if (!declared)
      return result;
   struct pm_phase_caller caller = pmh_caller();
   ULong without = declared->trouble[PM_PHASE_ENDED_WITHOUT_BEGIN];
   if (pm_phase_table_end(&pmh_phases, declared, &caller, true))
      return PROFMEM_DONE;
   return declared->trouble[PM_PHASE_ENDED_WITHOUT_BEGIN] != without ? PROFMEM_NOT_OPEN
                                                                     : PROFMEM_AMBIGUOUS;
}

/* The members of struct profmem_numbers, in their order. */
static const enum pm_metric members[] = {
   PM_METRIC_HEAP_ENTRY, PM_METRIC_HEAP_ENTRY_BLOCKS, PM_METRIC_HEAP_PEAK,
   PM_METRIC_HEAP_PEAK_BLOCKS, PM_METRIC_HEAP_EXIT, PM_METRIC_HEAP_EXIT_BLOCKS,
   PM_METRIC_HEAP_GROWTH, PM_METRIC_HEAP_SCRATCH_PEAK, PM_METRIC_HEAP_RETAINED,
   PM_METRIC_HEAP_RELEASED, PM_METRIC_HEAP_RESIZED, PM_METRIC_ALLOCATIONS_COUNT,
   PM_METRIC_ALLOCATIONS_BYTES, PM_METRIC_ALLOCATIONS_FAILED,
   PM_METRIC_ALLOCATIONS_TEMPORARY, PM_METRIC_REALLOCATIONS_COUNT,
   PM_METRIC_REALLOCATIONS_BYTES, PM_METRIC_DEALLOCATIONS_COUNT,
   PM_METRIC_DEALLOCATIONS_BYTES, PM_METRIC_DEALLOCATIONS_UNMATCHED,
   PM_METRIC_TRAFFIC_BLOCKS, PM_METRIC_TRAFFIC_BYTES, PM_METRIC_MAPPED_PEAK,
   PM_METRIC_ALLOCATOR_MAPPED_PEAK, PM_METRIC_INSTRUCTIONS_TOTAL,
   PM_METRIC_INSTRUCTIONS_ALLOCATOR, PM_METRIC_INSTRUCTIONS_PROGRAM,
   PM_METRIC_INSTRUCTIONS_OWN_THREAD, PM_METRIC_SYSCALLS_COUNT,
};

enum { MEMBERS = sizeof members / sizeof *members };
_Static_assert(MEMBERS * sizeof(struct profmem_value) == sizeof(struct profmem_numbers),
               "one row for each member of struct profmem_numbers");

static UWord phase_read(UWord *arg)
{
   const HChar *name;
   SizeT bytes;
   UWord result = read_name(arg, &name, &bytes);
   if (result != PROFMEM_DONE)
      return result;
   result = name_result(name, bytes);
   if (result != PROFMEM_DONE)
      return result;
   if (!VG_(am_is_valid_for_client)(arg[3], arg[4], VKI_PROT_READ | VKI_PROT_WRITE))
      return PROFMEM_NAME_UNREADABLE;
   struct pm_declared *declared = pm_phase_table_find(&pmh_phases, name, bytes);
   struct pm_phase_caller caller = pmh_caller();
   uint64_t value[PM_METRICS];
   if (!declared || !pm_phase_table_read(&pmh_phases, declared, &caller, value))
      return PROFMEM_NOT_OPEN;
   /* An older program's struct has fewer members than the table, a newer one's
      more; those stay unavailable. */
   struct profmem_value *numbers = (struct profmem_value *)arg[3];
   for (UInt m = 0; m < MEMBERS && (m + 1) * sizeof *numbers <= arg[4]; m++) {
      numbers[m].available = !pmh_unavailable(declared, members[m]);
      numbers[m].value = numbers[m].available ? value[members[m]] : 0;
   }
   return PROFMEM_DONE;
}

static UWord watching(UWord *arg)
{
   return 1;
}


static const struct {
   UWord request;
   UWord (*handle)(UWord *arg); /* arg[1] and on: its arguments. Its result */
} table[] = {
   {PROFMEM_REQUEST_WATCHING, watching},
   {PROFMEM_REQUEST_BEGIN, phase_begin},
   {PROFMEM_REQUEST_END, phase_end},
   {PROFMEM_REQUEST_READ, phase_read},
   {VG_USERREQ__MALLOCLIKE_BLOCK, malloclike},
   {VG_USERREQ__RESIZEINPLACE_BLOCK, resizeinplace},
   {VG_USERREQ__FREELIKE_BLOCK, freelike},
   {VG_USERREQ__CREATE_MEMPOOL, nothing},
   {VG_USERREQ__DESTROY_MEMPOOL, mempool_destroy},
   {VG_USERREQ__MEMPOOL_ALLOC, mempool_alloc},
   {VG_USERREQ__MEMPOOL_FREE, mempool_free},
   {VG_USERREQ__MEMPOOL_TRIM, mempool_trim},
   {VG_USERREQ__MOVE_MEMPOOL, mempool_move},
   {VG_USERREQ__MEMPOOL_CHANGE, mempool_change},
};

static Bool handle(ThreadId tid, UWord *arg, UWord *result)
{
   if (arg[0] == VG_USERREQ__GDB_MONITOR_COMMAND) {
      /* Nobody's request: no thread of the program makes it. */
      *result = pmh_monitor((const HChar *)arg[1]);
      return *result != 0;
   }
   for (UInt r = 0; r < sizeof table / sizeof *table; r++) {
      if (table[r].request != arg[0])
         continue;
      pmh_thread_switch(tid);
      *result = table[r].handle(arg);
      pmh_watch_returns(pmh_thread_now());
      return True;
   }
   return False;
}

void pmh_requests_begin(void)
{
   pm_pools_init(&pools, &pmh_host, &pmh_calls);
}

void pmh_requests_register(void)
{
   VG_(needs_client_requests)(handle);
}
