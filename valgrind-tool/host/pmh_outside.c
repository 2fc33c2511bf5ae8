/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_outside.c: the table of calls that take something in; random numbers. */
#include "pmh_outside.h"
#include "pmh_core.h"
#include "pmh_measure.h"
#include "pmh_options.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pm_random.h"

static struct pm_random numbers;

void pmh_outside_begin(void)
{
   pm_random_init(&numbers, pmh_options.random_seed);
   /* An image that a traced exec has started draws other numbers than what started it:
      that has drawn as many as its place among the images says. */
   const HChar *report = pmh_options.image_report;
   for (const HChar *at = report ? report + VG_(strlen)(report) : NULL;
        at && at > report && (at[-1] == '.' || (at[-1] >= '0' && at[-1] <= '9')); at--)
      pm_random_branch(&numbers, (ULong)at[-1]);
}

void pmh_random_take(void *to, SizeT bytes)
{
   pm_random_take(&numbers, to, bytes);
}

void pmh_outside_after_fork(UInt number)
{
   pm_random_branch(&numbers, number);
}

static void count(enum pm_counter what)
{
   pmh_heap.state.counter[what]++;
}

void pmh_outside_clock_read(void)
{
   count(PM_COUNT_CLOCK_READS);
}

void pmh_outside_random_read(void)
{
   count(PM_COUNT_RANDOM_READS);
}

/* --- reads through descriptors ------------------------------------------------------ */

/* Where a call puts what it has read. */
enum into { BUFFER, VECTOR, NOWHERE };

static void fill_vector(const struct vki_iovec *vector, UWord count, SizeT bytes)
{
   for (UWord v = 0; v < count && bytes > 0; v++) {
      SizeT part = vector[v].iov_len < bytes ? vector[v].iov_len : bytes;
      pmh_random_take(vector[v].iov_base, part);
      bytes -= part;
   }
}

static Bool is_random_device(const struct vg_stat *file)
{
   enum { MEMORY_DEVICES = 1, RANDOM = 8, URANDOM = 9 };
   UInt major = (UInt)(file->rdev >> 8) & 0xfff, minor = (UInt)file->rdev & 0xff;
   return VKI_S_ISCHR(file->mode) && major == MEMORY_DEVICES &&
          (minor == RANDOM || minor == URANDOM);
}

static Bool is_socket(const struct vg_stat *file)
{
   enum { FORMAT = 0170000, SOCKET = 0140000 };
   return (file->mode & FORMAT) == SOCKET;
}

static Bool is_object(Addr start, SizeT bytes)
{
   static const HChar magic[4] = "\177ELF";
   return bytes >= sizeof magic && VG_(memcmp)((void *)start, magic, sizeof magic) == 0;
}

static void after_read(UWord *args, SizeT bytes, enum into into)
{
   struct vg_stat file;
   if (VG_(fstat)((Int)args[0], &file) != 0)
      return;
   if (is_socket(&file)) {
      count(PM_COUNT_NETWORK_CALLS);
   } else if (is_random_device(&file)) {
      count(PM_COUNT_RANDOM_READS);
      if (pmh_options.fixed_random && into == BUFFER)
         pmh_random_take((void *)args[1], bytes);
      else if (pmh_options.fixed_random && into == VECTOR)
         fill_vector((const struct vki_iovec *)args[1], args[2], bytes);
   } else if (into != BUFFER || !is_object(args[1], bytes)) {
      count(PM_COUNT_FILE_READS);
   }
}

/* A file is mapped once as a whole, then perhaps parts of it over that. The mapping itself
   is not looked at: where the file is shorter, that would be a fault. */
static void after_mmap(UWord *args)
{
   HChar start[4];
   if ((args[3] & (VKI_MAP_ANONYMOUS | VKI_MAP_FIXED)) || (args[2] & VKI_PROT_EXEC))
      return;
   SysRes got = VG_(pread)((Int)args[4], start, sizeof start, 0);
   if (!sr_isError(got) && !is_object((Addr)start, sr_Res(got)))
      count(PM_COUNT_FILE_READS);
}

static void after_getrandom(UWord *args, UWord result)
{
   count(PM_COUNT_RANDOM_READS);
   if (pmh_options.fixed_random)
      pmh_random_take((void *)args[0], result);
}

/* --- the table ------------------------------------------------------------------------ */

static const struct {
   UInt number;
   enum pm_counter counter;
} counted[] = {
   {__NR_clock_gettime, PM_COUNT_CLOCK_READS},
   {__NR_gettimeofday, PM_COUNT_CLOCK_READS},
   {__NR_times, PM_COUNT_CLOCK_READS},
   {__NR_getrusage, PM_COUNT_CLOCK_READS},
   {__NR_sysinfo, PM_COUNT_CLOCK_READS},
#if defined(__NR_time)
   {__NR_time, PM_COUNT_CLOCK_READS},
#endif
#if defined(__NR_clock_gettime64)
   {__NR_clock_gettime64, PM_COUNT_CLOCK_READS},
#endif
   {__NR_getpid, PM_COUNT_PID_READS},
   {__NR_getppid, PM_COUNT_PID_READS},
   {__NR_gettid, PM_COUNT_PID_READS},
   {__NR_getsid, PM_COUNT_PID_READS},
   {__NR_getpgid, PM_COUNT_PID_READS},
#if defined(__NR_getpgrp)
   {__NR_getpgrp, PM_COUNT_PID_READS},
#endif
   {__NR_getdents64, PM_COUNT_FILE_READS},
#if defined(__NR_getdents)
   {__NR_getdents, PM_COUNT_FILE_READS},
#endif
   {__NR_sendfile, PM_COUNT_FILE_READS},
   {__NR_splice, PM_COUNT_FILE_READS},
#if defined(__NR_socketcall)
   {__NR_socketcall, PM_COUNT_NETWORK_CALLS},
#else
   {__NR_connect, PM_COUNT_NETWORK_CALLS},
   {__NR_accept, PM_COUNT_NETWORK_CALLS},
   {__NR_accept4, PM_COUNT_NETWORK_CALLS},
   {__NR_sendto, PM_COUNT_NETWORK_CALLS},
   {__NR_sendmsg, PM_COUNT_NETWORK_CALLS},
   {__NR_recvfrom, PM_COUNT_NETWORK_CALLS},
   {__NR_recvmsg, PM_COUNT_NETWORK_CALLS},
#endif
   {__NR_sendmmsg, PM_COUNT_NETWORK_CALLS},
   {__NR_recvmmsg, PM_COUNT_NETWORK_CALLS},
   {__NR_wait4, PM_COUNT_PROCESSES},
   {__NR_waitid, PM_COUNT_PROCESSES},
};

static const struct {
   UInt number;
   enum into into;
} reads[] = {
   {__NR_read, BUFFER},     {__NR_pread64, BUFFER},   {__NR_readv, VECTOR},
   {__NR_preadv, VECTOR},
#if defined(__NR_preadv2)
   {__NR_preadv2, VECTOR},
#endif
};

void pmh_outside_after(ThreadId tid, UInt number, UWord *args, UWord result)
{
   for (UInt c = 0; c < sizeof counted / sizeof *counted; c++)
      if (counted[c].number == number)
         count(counted[c].counter);
   for (UInt r = 0; r < sizeof reads / sizeof *reads && result > 0; r++)
      if (reads[r].number == number)
         after_read(args, result, reads[r].into);
#if defined(__NR_mmap2)
   if (number == __NR_mmap2)
#else
   if (number == __NR_mmap)
#endif
      after_mmap(args);
   if (number == __NR_getrandom)
      after_getrandom(args, result);
}
