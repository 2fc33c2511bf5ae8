/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pmh_services.c: memory, files and failure for the core, from Valgrind.
 *
 * Small pieces come from Valgrind's allocator. From LARGE_BYTES on they are
 * mapped one by one: they go back to the kernel when they are released, which
 * tables that double rely on, and running out of memory is an answer instead of
 * the end of the process.
 */
#include "pmh_services.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "valgrind.h"

enum { LARGE_BYTES = 256 * 1024 };

static void *map_pages(size_t bytes)
{
#if __VALGRIND_MAJOR__ == 3 && __VALGRIND_MINOR__ < 21
   return VG_(am_shadow_alloc)(VG_PGROUNDUP(bytes));
#else
   SysRes mapped = VG_(am_shadow_alloc)(VG_PGROUNDUP(bytes));
   return sr_isError(mapped) ? NULL : (void *)sr_Res(mapped);
#endif
}

static void *host_alloc(size_t bytes)
{
   return bytes >= LARGE_BYTES ? map_pages(bytes) : VG_(malloc)("profmem", bytes);
}

static void unmap_pages(void *p, size_t bytes)
{
   if (p)
      VG_(am_munmap_valgrind)((Addr)p, VG_PGROUNDUP(bytes));
}

static void host_release(void *p, size_t bytes)
{
   if (!p)
      return;
   if (bytes >= LARGE_BYTES)
      unmap_pages(p, bytes);
   else
      VG_(free)(p);
}

static void host_broken(const char *file, int line, const char *invariant)
{
   VG_(umsg)("profmem: broken invariant at %s:%d: %s\n", file, line, invariant);
   VG_(tool_panic)("this is a fault in profmem");
}

const struct pm_host pmh_host = {
   .alloc = host_alloc,
   .release = host_release,
   .reserve = map_pages,
   .unreserve = unmap_pages,
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
