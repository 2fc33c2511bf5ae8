/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_services.c: memory, files and failure for the core, from Valgrind. */
#include "pmh_services.h"
#include "pmh_memory.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

static void host_broken(const char *file, int line, const char *invariant)
{
   VG_(umsg)("profmem: broken invariant at %s:%d: %s\n", file, line, invariant);
   VG_(tool_panic)("this is a fault in profmem");
}

void pmh_out_of_memory(const HChar *what)
{
   VG_(umsg)("profmem: error: out of memory for %s\n", what);
   VG_(exit)(1);
}

const struct pm_host pmh_host = {
   .alloc = pmh_memory_alloc,
   .release = pmh_memory_release,
   .reserve = pmh_memory_reserve,
   .unreserve = pmh_memory_unreserve,
   .broken = host_broken,
};

static bool read_at(void *ctx, uint64_t offset, void *to, size_t bytes)
{
   Int fd = (Int)(Word)ctx;
   if (VG_(lseek)(fd, (Off64T)offset, VKI_SEEK_SET) != (Off64T)offset)
      return false;
   for (UChar *at = to; bytes > 0;) {
      Int n = VG_(read)(fd, at, bytes > 0x40000000 ? 0x40000000 : (Int)bytes);
      if (n <= 0)
         return false;
      at += n;
      bytes -= n;
   }
   return true;
}

Bool pmh_file_open(struct pm_elf_file *file, const HChar *path)
{
   Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
   if (fd < 0)
      return False;
   struct vg_stat stat;
   if (VG_(fstat)(fd, &stat) != 0 || !VKI_S_ISREG(stat.mode)) {
      VG_(close)(fd);
      return False;
   }
   *file = (struct pm_elf_file){
      .read = read_at, .ctx = (void *)(Word)fd, .bytes = (uint64_t)stat.size};
   return True;
}

void pmh_file_close(struct pm_elf_file *file)
{
   VG_(close)((Int)(Word)file->ctx);
}

HChar *pmh_keep(const HChar *text)
{
   return VG_(strdup)("profmem.text", text);
}

const HChar *pmh_base_name(const HChar *path)
{
   const HChar *slash = VG_(strrchr)(path, '/');
   return slash ? slash + 1 : path;
}

Bool pmh_begins_with(const HChar *text, const HChar *start)
{
   return VG_(strncmp)(text, start, VG_(strlen)(start)) == 0;
}
