/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_inlines.c: of which objects it is read what was inlined where. */
#include "pmh_inlines.h"
#include "pmh_services.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"

/* As good as True for the core, and another value than the command line gives. */
enum { UNLESS_LIBC = 2 };

static Bool unless_libc;

void pmh_inlines_default(void)
{
   VG_(clo_read_inline_info) = UNLESS_LIBC;
}

void pmh_inlines_begin(Bool stacks)
{
   if (!stacks)
      VG_(clo_read_inline_info) = False;
   unless_libc = VG_(clo_read_inline_info) == UNLESS_LIBC;
}

/* A file of glibc's, by its name: libc.so.6, libc-2.31.so and their like. */
static Bool is_libc(const HChar *path)
{
   static const HChar *const beginnings[] = {
      "libc.so.6", "libc-2.", "libm.so.6", "libm-2.", "libpthread.so.0", "libpthread-2.",
   };
   const HChar *name = pmh_base_name(path);
   for (UInt i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
      if (pmh_begins_with(name, beginnings[i]))
         return True;
   return False;
}

void pmh_inlines_before_mmap(Int fd)
{
   HChar link[64], path[4096];
   if (!unless_libc || fd < 0)
      return;
   VG_(snprintf)(link, sizeof link, "/proc/self/fd/%d", fd);
   SSizeT length = VG_(readlink)(link, path, sizeof path - 1);
   if (length < 0)
      return;
   path[length] = 0;
   if (is_libc(path))
      VG_(clo_read_inline_info) = False;
}

void pmh_inlines_after_mmap(void)
{
   if (unless_libc)
      VG_(clo_read_inline_info) = True;
}
