/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_elf_file.c: bounds-checked access to the records of an ELF file; see
 * pm_elf_file.h. */
#include "pm_elf_file.h"

static const struct pm_elf_layout layout_32 = {
   .address = 4,
   .header = 52, .h_entry = 24, .h_phoff = 28, .h_shoff = 32,
   .h_phentsize = 42, .h_phnum = 44, .h_shentsize = 46, .h_shnum = 48,
   .segment = 32, .p_flags = 24, .p_offset = 4, .p_vaddr = 8, .p_filesz = 16, .p_align = 28,
   .section = 40, .s_offset = 16, .s_size = 20, .s_link = 24, .s_addralign = 32, .s_entsize = 36,
   .symbol = 16, .y_info = 12, .y_shndx = 14, .y_value = 4, .y_size = 8,
   .dyn = 8,
};

static const struct pm_elf_layout layout_64 = {
   .address = 8,
   .header = 64, .h_entry = 24, .h_phoff = 32, .h_shoff = 40,
   .h_phentsize = 54, .h_phnum = 56, .h_shentsize = 58, .h_shnum = 60,
   .segment = 56, .p_flags = 4, .p_offset = 8, .p_vaddr = 16, .p_filesz = 32, .p_align = 48,
   .section = 64, .s_offset = 24, .s_size = 32, .s_link = 40, .s_addralign = 48, .s_entsize = 56,
   .symbol = 24, .y_info = 4, .y_shndx = 6, .y_value = 8, .y_size = 16,
   .dyn = 16,
};

const struct pm_elf_layout *pm_elf_layout_of(const struct pm_elf *elf)
{
   return elf->is_64 ? &layout_64 : &layout_32;
}

enum pm_elf_status pm_elf_read(const struct pm_elf *elf, uint64_t offset, void *to, size_t bytes)
{
   if (!pm_elf_contains(elf, offset, bytes))
      return PM_ELF_TRUNCATED;
   return elf->file->read(elf->file->ctx, offset, to, bytes) ? PM_ELF_OK : PM_ELF_UNREADABLE;
}

void pm_elf_scan_begin(struct pm_elf_scan *scan, const struct pm_elf *elf, uint8_t *chunk,
                       uint64_t offset, uint64_t records, size_t record_bytes)
{
   scan->elf = elf;
   scan->chunk = chunk;
   scan->record_bytes = record_bytes;
   scan->next = offset;
   scan->left = records;
   scan->held = scan->passed = 0;
   scan->status = PM_ELF_OK;
   if (!pm_elf_contains_table(elf, offset, records, record_bytes)) {
      scan->status = PM_ELF_TRUNCATED;
      scan->left = 0;
   }
}

const uint8_t *pm_elf_scan_next(struct pm_elf_scan *scan)
{
   const uint8_t *record;

   if (scan->passed == scan->held) {
      uint64_t records = PM_ELF_CHUNK_BYTES / scan->record_bytes;

      if (records > scan->left)
         records = scan->left;
      if (records == 0)
         return NULL;
      scan->held = (size_t)records * scan->record_bytes;
      scan->passed = 0;
      scan->status = pm_elf_read(scan->elf, scan->next, scan->chunk, scan->held);
      if (scan->status != PM_ELF_OK) {
         scan->held = 0;
         scan->left = 0;
         return NULL;
      }
      scan->next += scan->held;
      scan->left -= records;
   }
   record = scan->chunk + scan->passed;
   scan->passed += scan->record_bytes;
   return record;
}
