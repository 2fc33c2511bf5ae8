/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plug.c: a library with an allocator under a name that is known, or, with
   -DPLUG_UNKNOWN, under one that is not. */
#ifdef PLUG_UNKNOWN
#define ALLOCATE xx_malloc
#define RELEASE xx_free
#else
#define ALLOCATE mi_malloc
#define RELEASE mi_free
#endif

static char block[1000];

__attribute__((noinline)) void *ALLOCATE(long bytes)
{
   __asm__ volatile("" : : "r"(bytes));
   return block;
}

__attribute__((noinline)) void RELEASE(void *p)
{
   __asm__ volatile("" : : "r"(p));
}

void *go(long bytes)
{
   void *p = ALLOCATE(bytes);
   RELEASE(p);
   return p;
}
