/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_syscalls.c: one table of the system calls that are looked at. */
#include "pmh_syscalls.h"
#include "pmh_clock.h"
#include "pmh_inlines.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pmh_outside.h"
#include "pmh_process.h"
#include "pmh_services.h"
#include "pmh_stacks.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pm_ranges.h"

static struct pm_ranges ranges;
static Bool ranges_lost;
static Addr brk_start, brk_end; /* 0: the program has not asked yet */

/* --- the anonymous address range ------------------------------------------------ */

static enum pm_range_owner owner(void)
{
   return pm_calls_pending(&pmh_thread_now()->calls) ? PM_RANGE_ALLOCATOR : PM_RANGE_PROGRAM;
}

static void ranges_changed(bool done)
{
   static const enum pm_gauge gauges[PM_RANGE_OWNERS] = {
      [PM_RANGE_PROGRAM] = PM_GAUGE_MAPPED_BYTES,
      [PM_RANGE_ALLOCATOR] = PM_GAUGE_ALLOCATOR_MAPPED_BYTES,
   };
   if (!done) {
      ranges_lost = True;
      pmh_heap.lost = true;
   }
   if (ranges_lost)
      return;
   for (Int o = 0; o < PM_RANGE_OWNERS; o++) {
      pmh_heap.state.gauge[gauges[o]] = pm_ranges_bytes(&ranges, o);
      pm_phases_gauge(&pmh_heap.phases, &pmh_heap.state, gauges[o]);
   }
}

static void before_mmap(ThreadId tid, UWord *args)
{
   if (!(args[3] & VKI_MAP_ANONYMOUS))
      pmh_inlines_before_mmap((Int)args[4]);
}

static void failed_mmap(ThreadId tid)
{
   pmh_inlines_after_mmap();
}

static void after_mmap(ThreadId tid, UWord *args, UWord result)
{
   pmh_inlines_after_mmap();
   Addr end = result + VG_PGROUNDUP(args[1]);
   if (args[3] & VKI_MAP_ANONYMOUS)
      ranges_changed(pm_ranges_add(&ranges, result, end, owner()));
   else
      ranges_changed(pm_ranges_remove(&ranges, result, end));
}

static void after_munmap(ThreadId tid, UWord *args, UWord result)
{
   ranges_changed(pm_ranges_remove(&ranges, args[0], args[0] + VG_PGROUNDUP(args[1])));
}

static void after_mremap(ThreadId tid, UWord *args, UWord result)
{
   Addr old_end = args[0] + VG_PGROUNDUP(args[1]);
   Addr new_end = result + VG_PGROUNDUP(args[2]);
   ranges_changed(pm_ranges_move(&ranges, args[0], old_end, result, new_end));
}

/* A shared segment is no anonymous memory, and may take the place of some. */
static void after_shmat(ThreadId tid, UWord *args, UWord result)
{
   const NSegment *segment = VG_(am_find_nsegment)(result);
   if (segment)
      ranges_changed(pm_ranges_remove(&ranges, result, segment->end + 1));
}

/* The first call only asks: what lies below was there before the program. */
static void after_brk(ThreadId tid, UWord *args, UWord result)
{
   if (!brk_start) {
      brk_start = brk_end = VG_PGROUNDUP(result);
      return;
   }
   Addr end = VG_PGROUNDUP(result);
   if (end < brk_start)
      end = brk_start;
   if (end > brk_end)
      ranges_changed(pm_ranges_add(&ranges, brk_end, end, owner()));
   else if (end < brk_end)
      ranges_changed(pm_ranges_remove(&ranges, end, brk_end));
   brk_end = end;
}

/* --- stacks of handlers ----------------------------------------------------------- */

static void after_sigaltstack(ThreadId tid, UWord *args, UWord result)
{
   enum { DISABLE = 2 };
   const vki_stack_t *stack = (const vki_stack_t *)args[0];
   if (!stack)
      return;
   Bool none = (stack->ss_flags & DISABLE) != 0;
   pmh_stacks_alternate(&pmh_thread_now()->alternate, none ? 0 : (Addr)stack->ss_sp,
                        none ? 0 : stack->ss_size);
}

/* --- ends ------------------------------------------------------------------------ */

static void before_exit(ThreadId tid, UWord *args)
{
   pmh_process_exits(tid, (Int)args[0], False);
}

static void before_exit_group(ThreadId tid, UWord *args)
{
   pmh_process_exits(tid, (Int)args[0], True);
}

static const HChar *readable_path(Addr path)
{
   return VG_(am_is_valid_for_client)(path, 1, VKI_PROT_READ) ? (const HChar *)path : NULL;
}

static void before_execve(ThreadId tid, UWord *args)
{
   pmh_process_before_exec(tid, readable_path(args[0]));
}

/* A path relative to a descriptor, or the descriptor itself, has a name in /proc. */
static void before_execveat(ThreadId tid, UWord *args)
{
   const HChar *path = readable_path(args[1]);
   static HChar name[4096 + 64];
   if (path && path[0] != '/' && (Int)args[0] != VKI_AT_FDCWD) {
      VG_(snprintf)(name, sizeof name, "/proc/self/fd/%d%s%s", (Int)args[0],
                    path[0] ? "/" : "", path);
      path = name;
   }
   pmh_process_before_exec(tid, path);
}

/* --- the table ------------------------------------------------------------------- */

static const struct {
   UInt number;
   void (*before)(ThreadId tid, UWord *args);
   void (*after)(ThreadId tid, UWord *args, UWord result); /* when it has succeeded */
   void (*failed)(ThreadId tid);
} table[] = {
#if defined(__NR_mmap2)
   {__NR_mmap2, before_mmap, after_mmap, failed_mmap},
#else
   {__NR_mmap, before_mmap, after_mmap, failed_mmap},
#endif
   {__NR_munmap, NULL, after_munmap, NULL},
   {__NR_mremap, NULL, after_mremap, NULL},
   {__NR_brk, NULL, after_brk, NULL},
#if defined(__NR_shmat)
   {__NR_shmat, NULL, after_shmat, NULL},
#endif
   {__NR_sigaltstack, NULL, after_sigaltstack, NULL},
   {__NR_exit, before_exit, NULL, NULL},
   {__NR_exit_group, before_exit_group, NULL, NULL},
   {__NR_execve, before_execve, NULL, pmh_process_exec_failed},
#if defined(__NR_execveat)
   {__NR_execveat, before_execveat, NULL, pmh_process_exec_failed},
#endif
};

enum { SYSCALLS = sizeof table / sizeof *table };

static void before_syscall(ThreadId tid, UInt number, UWord *args, UInt count)
{
   pmh_thread_switch(tid);
   pmh_heap.state.counter[PM_COUNT_SYSCALLS]++;
   if (pmh_options.fixed_clock)
      pmh_clock_before(tid, number, args);
   for (Int s = 0; s < SYSCALLS; s++)
      if (table[s].number == number && table[s].before)
         table[s].before(tid, args);
}

static void after_syscall(ThreadId tid, UInt number, UWord *args, UInt count, SysRes result)
{
   pmh_thread_switch(tid);
   if (pmh_options.fixed_clock)
      pmh_clock_after(tid, number, args, result);
   if (!sr_isError(result))
      pmh_outside_after(tid, number, args, sr_Res(result));
   for (Int s = 0; s < SYSCALLS; s++) {
      if (table[s].number != number)
         continue;
      if (sr_isError(result) && table[s].failed)
         table[s].failed(tid);
      else if (!sr_isError(result) && table[s].after)
         table[s].after(tid, args, sr_Res(result));
   }
}

void pmh_syscalls_register(void)
{
   pm_ranges_init(&ranges, &pmh_host);
   VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
}
