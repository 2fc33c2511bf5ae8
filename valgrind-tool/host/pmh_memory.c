/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_memory.c: mappings, and pieces of mappings; pmh_memory.h says what for.
 *
 * From MAPPED_FROM bytes on each piece is a mapping of its own, which goes back to the
 * kernel when it is released: tables that double rely on it. Smaller ones are cut from
 * mappings of ARENA_BYTES and kept for their size when they are released; whoever
 * releases one knows its size. Sizes are rounded up to one of four steps between powers
 * of two, so that at most a fifth is lost.
 *
 * After each mapping HEADROOM_BYTES more must be to be had, else it is given back and
 * refused. Valgrind maps a new part of its translation cache when the last one is full,
 * which is the largest thing that it asks for. Small pieces may take half of the headroom:
 * when the large tables are refused, and given up, threads and phases still come and go.
 */
#include "pmh_memory.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

enum {
   MAPPED_FROM = 64 << 10,
   ARENA_BYTES = 512 << 10,
   HEADROOM_BYTES = 64 << 20,
   GRANT_BYTES = 1 << 20,
   STEP_BYTES = 16, /* the smallest, and the alignment */
   CLASSES = 48,
};

/* A piece that is not in use. */
struct piece {
   struct piece *next;
};

static struct piece *unused[CLASSES];
static UChar *arena; /* what is left of the last one */
static SizeT arena_bytes;

static void *map(SizeT bytes)
{
#if __VALGRIND_MAJOR__ == 3 && __VALGRIND_MINOR__ < 21
   return VG_(am_shadow_alloc)(VG_PGROUNDUP(bytes));
#else
   SysRes mapped = VG_(am_shadow_alloc)(VG_PGROUNDUP(bytes));
   return sr_isError(mapped) ? NULL : (void *)sr_Res(mapped);
#endif
}

static void unmap(void *p, SizeT bytes)
{
   VG_(am_munmap_valgrind)((Addr)p, VG_PGROUNDUP(bytes));
}

static Bool is_room_for(SizeT bytes)
{
   void *p = map(bytes);
   if (p)
      unmap(p, bytes);
   return p != NULL;
}

static void *map_leaving(SizeT bytes, SizeT headroom)
{
   void *p = map(bytes);
   if (!p || is_room_for(headroom))
      return p;
   unmap(p, bytes);
   return NULL;
}

void *pmh_memory_reserve(SizeT bytes)
{
   return map_leaving(bytes, HEADROOM_BYTES);
}

void pmh_memory_unreserve(void *p, SizeT bytes)
{
   if (p)
      unmap(p, bytes);
}

/* The class of a size below MAPPED_FROM, which is rounded up to what its pieces have. */
static UInt class_of(SizeT *bytes)
{
   SizeT step = STEP_BYTES;
   UInt class = 0;
   for (; *bytes > 8 * step; step *= 2)
      class += 4;
   SizeT steps = (*bytes + step - 1) / step;
   *bytes = steps * step;
   return class + (UInt)steps - 1;
}

/* What is left of an arena that is too small is not used any more. */
static void *cut(SizeT bytes)
{
   if (arena_bytes < bytes) {
      UChar *more = map_leaving(ARENA_BYTES, HEADROOM_BYTES / 2);
      if (!more)
         return NULL;
      arena = more;
      arena_bytes = ARENA_BYTES;
   }
   void *p = arena;
   arena += bytes;
   arena_bytes -= bytes;
   return p;
}

void *pmh_memory_alloc(SizeT bytes)
{
   if (bytes >= MAPPED_FROM)
      return pmh_memory_reserve(bytes);
   struct piece **first = &unused[class_of(&bytes)], *piece = *first;
   if (!piece)
      return cut(bytes);
   *first = piece->next;
   return piece;
}

void pmh_memory_release(void *p, SizeT bytes)
{
   if (!p)
      return;
   if (bytes >= MAPPED_FROM) {
      unmap(p, bytes);
      return;
   }
   struct piece **first = &unused[class_of(&bytes)], *piece = p;
   piece->next = *first;
   *first = piece;
}

Bool pmh_memory_for(SizeT bytes)
{
   static SizeT granted;
   if (granted < bytes) {
      SizeT grant = bytes > GRANT_BYTES ? bytes : GRANT_BYTES;
      if (!is_room_for(HEADROOM_BYTES + grant))
         return False;
      granted = grant;
   }
   granted -= bytes;
   return True;
}
