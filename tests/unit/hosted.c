/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosted.c: the core's host services for tests and fuzzers; see hosted.h. */
#include "hosted.h"

#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Before each block; poisoned, so that AddressSanitizer sees who runs into it. */
struct header {
   _Alignas(16) size_t bytes;
};

static size_t live_bytes, most_bytes;
static unsigned long fail_in;
static bool has_failed, fails_on; /* and from then on */

static void abort_broken(const char *file, int line, const char *invariant)
{
   fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, invariant);
   abort();
}

void (*hosted_broken)(const char *file, int line, const char *invariant) = abort_broken;

static void broken(const char *file, int line, const char *invariant)
{
   hosted_broken(file, line, invariant);
   abort();
}

static bool fails_now(void)
{
   if (fails_on && has_failed)
      return true;
   if (fail_in == 0 || --fail_in > 0)
      return false;
   has_failed = true;
   return true;
}

static void *host_alloc(size_t bytes)
{
   struct header *header;

   if (bytes == 0)
      broken(__FILE__, __LINE__, "bytes > 0");
   if (fails_now() || bytes > SIZE_MAX - sizeof *header)
      return NULL;
   header = malloc(sizeof *header + bytes);
   if (header == NULL)
      return NULL;
   header->bytes = bytes;
   memset(header + 1, 0xa5, bytes);
   ASAN_POISON_MEMORY_REGION(header, sizeof *header);
   live_bytes += bytes;
   if (live_bytes > most_bytes)
      most_bytes = live_bytes;
   return header + 1;
}

static void host_release(void *p, size_t bytes)
{
   struct header *header;

   if (p == NULL)
      return;
   header = (struct header *)p - 1;
   ASAN_UNPOISON_MEMORY_REGION(header, sizeof *header);
   if (header->bytes != bytes)
      broken(__FILE__, __LINE__, "released with the size of the allocation");
   live_bytes -= bytes;
   free(header);
}

static void *host_reserve(size_t bytes)
{
   void *p;

   if (fails_now())
      return NULL;
   p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
            0);
   return p == MAP_FAILED ? NULL : p;
}

static void host_unreserve(void *p, size_t bytes)
{
   if (p)
      munmap(p, bytes);
}

const struct pm_host hosted = {
   .alloc = host_alloc,
   .release = host_release,
   .reserve = host_reserve,
   .unreserve = host_unreserve,
   .broken = broken,
};

void hosted_fail_alloc(unsigned long n)
{
   fail_in = n;
   has_failed = fails_on = false;
}

void hosted_fail_all_from(unsigned long n)
{
   hosted_fail_alloc(n);
   fails_on = true;
}

bool hosted_has_failed(void)
{
   return has_failed;
}

size_t hosted_live_bytes(void)
{
   return live_bytes;
}

size_t hosted_most_bytes(void)
{
   return most_bytes;
}

void hosted_forget_most(void)
{
   most_bytes = live_bytes;
}
