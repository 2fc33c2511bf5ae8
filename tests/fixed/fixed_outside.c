/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fixed_outside.c: a static program that takes in known numbers of things from outside,
 * in a phase of its own, and says how many. What its C library does at its start lies
 * before that.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "profmem.h"

static void *nothing(void *unused)
{
   return unused;
}

static unsigned long clocks(void)
{
   struct timespec spec;
   struct timeval value;
   for (int n = 0; n < 3; n++)
      syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &spec);
   syscall(SYS_gettimeofday, &value, NULL);
#if defined(__x86_64__)
   volatile unsigned long long ticks = 0;
   for (int n = 0; n < 5; n++)
      ticks += __rdtsc();
   return 3 + 1 + 5;
#else
   return 3 + 1;
#endif
}

static unsigned long randoms(int device)
{
   char bytes[16];
   syscall(SYS_getrandom, bytes, sizeof bytes, 0);
   return read(device, bytes, 8) == 8 ? 2 : 0;
}

static unsigned long files(const char *self)
{
   char bytes[64];
   int file = open("/proc/self/status", O_RDONLY), object = open(self, O_RDONLY), pipes[2];
   unsigned long count = read(file, bytes, sizeof bytes) > 0;
   close(file);
   if (read(object, bytes, sizeof bytes) < 0) /* an object file: it does not count */
      abort();
   close(object);
   file = open("/etc/passwd", O_RDONLY);
   count += mmap(NULL, 1, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED;
   while (read(file, bytes, sizeof bytes) > 0) /* the last one reads nothing */
      count++;
   close(file);
   if (pipe(pipes) == 0 && write(pipes[1], "x", 1) == 1)
      count += read(pipes[0], bytes, 1) == 1;
   return count;
}

static unsigned long network(void)
{
   int pair[2];
   char byte;
   if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
      return 0;
   unsigned long count = send(pair[0], "ab", 2, 0) == 2;
   count += read(pair[1], &byte, 1) == 1;
   return count + (recv(pair[1], &byte, 1, 0) == 1);
}

static unsigned long processes(void)
{
   int status;
   fflush(stdout);
   pid_t child = fork();
   if (child == 0)
      _exit(0);
   return 1 + (waitpid(child, &status, 0) == child);
}

int main(int argc, char **argv)
{
   static char buffer[BUFSIZ];
   pthread_t thread;
   setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
   free(malloc(1)); /* the allocator's first call asks for random numbers */
   profmem_begin("known");
   int device = open("/dev/urandom", O_RDONLY);
   (void)argc;
   pthread_create(&thread, NULL, nothing, NULL);
   pthread_join(thread, NULL);
   unsigned long clock_reads = clocks(), random_reads = randoms(device), pid_reads = 4;
   for (unsigned long n = 0; n < pid_reads; n++)
      syscall(n % 2 ? SYS_getpid : SYS_gettid);
   printf("clock-reads=%lu\nrandom-reads=%lu\npid-reads=%lu\n", clock_reads, random_reads,
          pid_reads);
   printf("file-reads=%lu\n", files(argv[0]));
   printf("network-calls=%lu\n", network());
   printf("processes=%lu\n", processes());
   profmem_end("known");
   return 0;
}
