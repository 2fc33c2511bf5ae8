/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hostile_libc.c: handlers that allocate while the C library's malloc is under way.
 *
 *    hostile_libc LESSON LEDGER
 *
 * The library's functions must not be called there, so the handlers have an allocator of
 * their own, je_malloc and je_free, which the tool knows by their names. A fault inside
 * malloc is had by taking away the page in which the library keeps the size of what is
 * left of its heap. Handlers see from the address that they interrupted that it is the
 * object that malloc is in.
 */
#define _GNU_SOURCE
#include "hostile.h"
#include "profmem.h"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

enum { PAGE_BYTES = 4096, KEPT = 64 };

static struct deeds deeds, of_handlers;
static struct live live;
static uintptr_t libc_start, libc_end;
static volatile long handled;
static long landed_inside, landed_outside;
static char *taken_page;
static size_t taken_bytes;

/* The header says that they call back nobody; a handler is as if they did. */
static void *(*volatile libc_malloc)(size_t) = malloc;
static void (*volatile libc_free)(void *) = free;

/* ---- The handlers' allocator: used from begin to end, and then again. */

static char arena[1 << 20] __attribute__((aligned(16)));
static size_t used;

FUNCTION void *je_malloc(size_t bytes)
{
   size_t whole = (bytes + 31) / 16 * 16;
   if (used + whole > sizeof arena)
      used = 0;
   used += whole;
   return arena + used - whole;
}

FUNCTION void je_free(void *address)
{
   *(volatile char *)address = 0;
}

/* ---- Where the library is. */

static int find_libc(struct dl_phdr_info *info, size_t bytes, void *address)
{
   (void)bytes;
   for (int p = 0; p < info->dlpi_phnum; p++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[p];
      uintptr_t start = info->dlpi_addr + part->p_vaddr;
      if (part->p_type == PT_LOAD && (part->p_flags & PF_X) && (uintptr_t)address >= start &&
          (uintptr_t)address - start < part->p_memsz) {
         libc_start = start;
         libc_end = start + part->p_memsz;
      }
   }
   return 0;
}

static void look(void *context)
{
   const ucontext_t *interrupted = context;
#if defined(__x86_64__)
   uintptr_t at = (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#else
   uintptr_t at = interrupted->uc_mcontext.pc;
#endif
   if (at >= libc_start && at < libc_end)
      landed_inside++;
   else
      landed_outside++;
}

/* A handler's own blocks: what is 64 handlers old is given back. order: the program's
   entries are not under way, so that all have one order. */
static void allocate_in_handler(bool order)
{
   static char *kept[KEPT];
   static size_t sizes[KEPT];
   long slot = handled++ % KEPT;
   struct deeds *mine = order ? &deeds : &of_handlers;
   if (kept[slot]) {
      je_free(kept[slot]);
      did_release(mine, (unsigned long)(handled - KEPT) * 2, sizes[slot], false);
      if (order)
         live_add(&live, -(long long)sizes[slot], -1);
   }
   sizes[slot] = (size_t)handled % 1000;
   kept[slot] = je_malloc(sizes[slot]);
   did_obtain(mine, (unsigned long)handled * 2, sizes[slot]);
   if (order)
      live_add(&live, (long long)sizes[slot], 1);
}

/* ---- faults: inside the library's functions. */

static void faulted(int number, siginfo_t *info, void *context)
{
   (void)number;
   check((char *)info->si_addr >= taken_page && (char *)info->si_addr < taken_page + taken_bytes,
         "another address");
   check(mprotect(taken_page, taken_bytes, PROT_READ | PROT_WRITE) == 0, "mprotect");
   look(context);
   allocate_in_handler(true);
}

/* No access to the page that the block ends in, and the head of what is behind it. */
static void take_page_behind(char *block)
{
   uintptr_t head = (uintptr_t)block + malloc_usable_size(block);
   taken_page = (char *)(head & ~(uintptr_t)(PAGE_BYTES - 1));
   taken_bytes = PAGE_BYTES;
   check(mprotect(taken_page, taken_bytes, PROT_NONE) == 0, "mprotect");
}

/* Blocks too large for the caches of small ones, of which the last is given back to what
   is left of the heap, or the next one is cut from there. */
static void faults(void)
{
   unsigned long rounds = scaled(10000) / 2 + 1, serial = 1;
   struct sigaction action = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO};
   check(sigaction(SIGSEGV, &action, NULL) == 0, "sigaction");
   profmem_begin("libc");
   for (unsigned long r = 0; r < rounds; r++) {
      size_t bytes = 1500 + r % 1000;
      char *first = libc_malloc(bytes);
      check(first != NULL, "no memory");
      did_obtain(&deeds, serial += 2, bytes);
      live_add(&live, (long long)bytes, 1);
      take_page_behind(first);
      char *second = libc_malloc(bytes + 8);
      did_obtain(&deeds, serial += 2, bytes + 8);
      live_add(&live, (long long)bytes + 8, 1);
      take_page_behind(second);
      did_release(&deeds, serial, bytes + 8, false);
      live_add(&live, -(long long)bytes - 8, -1);
      libc_free(second);
      did_release(&deeds, serial - 2, bytes, false);
      live_add(&live, -(long long)bytes, -1);
      libc_free(first);
   }
   profmem_end("libc");
   check(landed_inside == 2 * (long)rounds && landed_outside == 0, "a fault landed elsewhere");
   expect_sums("libc", &deeds);
   expect("libc", "allocations.temporary", deeds.temporary);
   expect_live("libc", &live);
   note("inside", landed_inside);
   print("%ld faults inside the libc\n", landed_inside);
}

/* ---- timers: the same at any time. */

static void ticks(int number, siginfo_t *info, void *context)
{
   (void)number;
   (void)info;
   look(context);
   allocate_in_handler(false);
}

static void timers(void)
{
   long wanted = (long)scaled(1000);
   struct sigaction action = {.sa_sigaction = ticks, .sa_flags = SA_SIGINFO};
   struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
   uint64_t chance = 1;
   static char *kept[KEPT];
   static size_t sizes[KEPT];
   check(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
   profmem_begin("libc");
   check(setitimer(ITIMER_REAL, &every, NULL) == 0, "setitimer");
   while (handled < wanted) {
      uint64_t slot = draw(&chance, KEPT);
      if (kept[slot]) {
         did_release(&deeds, 0, sizes[slot], false);
         libc_free(kept[slot]);
      }
      sizes[slot] = draw(&chance, 3000);
      kept[slot] = libc_malloc(sizes[slot]);
      did_obtain(&deeds, 1, sizes[slot]);
   }
   check(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
   profmem_end("libc");
   add_deeds(&deeds, &of_handlers);
   expect_sums("libc", &deeds);
   expect("libc", "heap.exit", deeds.allocated_bytes - deeds.released_bytes);
   note("inside", landed_inside);
   note("outside", landed_outside);
   print("%ld signals of a timer\n", wanted);
}

static const struct lesson lessons[] = {
   {"faults", faults},
   {"timers", timers},
   {NULL, NULL},
};

int main(int argc, char **argv)
{
   libc_free(libc_malloc(1));
   dl_iterate_phdr(find_libc, (void *)(uintptr_t)malloc);
   check(libc_start != 0, "where is malloc?");
   return teach(argc, argv, lessons);
}
