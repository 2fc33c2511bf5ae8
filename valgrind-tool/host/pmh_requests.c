/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_requests.c: one table of requests; those of valgrind.h for announced blocks. */
#include "pmh_requests.h"
#include "pmh_measure.h"
#include "pmh_services.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_tooliface.h"
#include "valgrind.h"
#include "pm_pools.h"

static struct pm_pools pools;

static struct pm_call_thread *thread(void)
{
   return &pmh_thread_now()->calls;
}

static void malloclike(const UWord *arg)
{
   pm_pools_alloc(&pools, thread(), 0, arg[1], arg[2]);
}

static void resizeinplace(const UWord *arg)
{
   pm_pools_resize(&pools, thread(), arg[1], arg[3]);
}

static void freelike(const UWord *arg)
{
   pm_pools_free(&pools, thread(), arg[1]);
}

static void mempool_alloc(const UWord *arg)
{
   pm_pools_alloc(&pools, thread(), arg[1], arg[2], arg[3]);
}

static void mempool_free(const UWord *arg)
{
   pm_pools_free(&pools, thread(), arg[2]);
}

static void mempool_destroy(const UWord *arg)
{
   pm_pools_destroy(&pools, thread(), arg[1]);
}

static void mempool_trim(const UWord *arg)
{
   pm_pools_trim(&pools, thread(), arg[1], arg[2], arg[3]);
}

static void mempool_move(const UWord *arg)
{
   pm_pools_rename(&pools, arg[1], arg[2]);
}

static void mempool_change(const UWord *arg)
{
   pm_pools_change(&pools, thread(), arg[1], arg[2], arg[3], arg[4]);
}

static void nothing(const UWord *arg)
{
}

static const struct {
   UWord request;
   void (*handle)(const UWord *arg);
} table[] = {
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
   for (UInt r = 0; r < sizeof table / sizeof *table; r++) {
      if (table[r].request != arg[0])
         continue;
      pmh_thread_switch(tid);
      table[r].handle(arg);
      pmh_watch_returns();
      *result = 0;
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
