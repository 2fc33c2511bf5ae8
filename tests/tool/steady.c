/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady.c: a library to preload, so that a program's instructions repeat.
 *
 * For comparing two tools, which need two runs: takes away what differs between
 * runs (the clock and randomness as seeds) and between tools (the list of the
 * process's mappings, in which Valgrind's own stand, and which glibc reads to
 * find the first thread's stack).  Both tools run the program with it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

time_t time(time_t *result)
{
   if (result != NULL)
      *result = 1000000000;
   return 1000000000;
}

ssize_t getrandom(void *buffer, size_t bytes, unsigned int flags)
{
   (void)flags;
   memset(buffer, 0x5a, bytes);
   return (ssize_t)bytes;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
   (void)thread;
   (void)attributes;
   return ENOSYS;
}
