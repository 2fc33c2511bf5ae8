/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_kernel_time.c: clocks, spans and moments in the program's memory. */
#include "pmh_kernel_time.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_vki.h"

enum pm_clock_kind pmh_clock_kind(Int clock)
{
   switch (clock) {
   case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM:
      return PM_CLOCK_REALTIME;
   case CLOCK_TAI:
      return PM_CLOCK_TAI;
   case CLOCK_PROCESS:
      return PM_CLOCK_PROCESS;
   case CLOCK_THREAD:
      return PM_CLOCK_THREAD;
   default:
      return clock < 0 ? PM_CLOCK_PROCESS : PM_CLOCK_MONOTONIC;
   }
}

Bool pmh_is_processor_use(enum pm_clock_kind kind)
{
   return kind == PM_CLOCK_PROCESS || kind == PM_CLOCK_THREAD;
}

static Bool read_words(Addr at, Bool wide, Long *seconds, Long *parts)
{
   SizeT bytes = wide ? 2 * sizeof(Long) : 2 * sizeof(Word);
   if (!at || !VG_(am_is_valid_for_client)(at, bytes, VKI_PROT_READ))
      return False;
   *seconds = wide ? ((Long *)at)[0] : ((Word *)at)[0];
   *parts = wide ? ((Long *)at)[1] : ((Word *)at)[1];
   return True;
}

Bool pmh_read_ns(UWord arg, enum pmh_layout layout, ULong *ns)
{
   if (layout == MILLISECONDS) {
      *ns = (ULong)(UInt)arg * 1000000;
      return (Int)arg >= 0;
   }
   Long seconds, parts, per_s = layout == TIMEVAL ? 1000000 : (Long)NS_PER_S;
   if (!read_words(arg, layout == TIMESPEC_64, &seconds, &parts) || seconds < 0 || parts < 0 ||
       parts >= per_s)
      return False;
   ULong of_seconds;
   if (__builtin_mul_overflow((ULong)seconds, NS_PER_S, &of_seconds) ||
       __builtin_add_overflow(of_seconds, (ULong)parts * (NS_PER_S / (ULong)per_s), ns))
      *ns = UINT64_MAX;
   return True;
}

void pmh_write_ns(Addr at, enum pmh_layout layout, ULong ns)
{
   ULong seconds = ns / NS_PER_S, parts = ns % NS_PER_S;
   if (layout == TIMEVAL)
      parts /= 1000;
   if (layout == TIMESPEC_64) {
      ((ULong *)at)[0] = seconds;
      ((ULong *)at)[1] = parts;
   } else {
      ((UWord *)at)[0] = (UWord)seconds;
      ((UWord *)at)[1] = (UWord)parts;
   }
}

Addr pmh_value_of(Addr setting, enum pmh_layout layout)
{
   return setting + 2 * (layout == TIMESPEC_64 ? sizeof(Long) : sizeof(Word));
}
