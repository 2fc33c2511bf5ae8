/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_elf_file.h: bounds-checked access to the records of an ELF file.
 *
 * Internal to the ELF reader. Everything in an ELF file but a few single records
 * is a table of records of one size: program headers, section headers, the dynamic
 * section, hash buckets, symbols. A scan walks such a table through one chunk of
 * memory, so that a large file costs few, sequential reads, and it is the one place
 * where a table is checked against the end of the file.
 *
 * The two classes differ in where fields lie and how wide addresses are. `struct
 * pm_elf_layout` holds this as numbers, so that no code is written twice.
 */
#ifndef PM_ELF_FILE_H
#define PM_ELF_FILE_H

#include "pm_elf.h"

enum { PM_ELF_CHUNK_BYTES = 64 * 1024 };

/* Sizes of records and offsets of fields, in bytes. Fields that both classes have
   at the same place are not listed. */
struct pm_elf_layout {
   uint8_t address;
   uint8_t header, h_entry, h_phoff, h_shoff, h_phentsize, h_phnum, h_shentsize, h_shnum;
   uint8_t segment, p_flags, p_offset, p_vaddr, p_filesz, p_align; /* p_type is at 0 */
   uint8_t section, s_offset, s_size, s_link, s_addralign, s_entsize; /* sh_type at 4 */
   uint8_t symbol, y_info, y_shndx, y_value, y_size; /* st_name is at 0 */
   uint8_t dyn;                                      /* two addresses: tag, value */
};

/* By the class that elf->is_64 tells. */
const struct pm_elf_layout *pm_elf_layout_of(const struct pm_elf *elf);

static inline uint16_t pm_elf_u16(const uint8_t *at)
{
   return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t pm_elf_u32(const uint8_t *at)
{
   return pm_elf_u16(at) | (uint32_t)pm_elf_u16(at + 2) << 16;
}

/* A field that is as wide as an address of this class. */
static inline uint64_t pm_elf_address(const struct pm_elf_layout *layout, const uint8_t *at)
{
   return layout->address == 8 ? pm_elf_u32(at) | (uint64_t)pm_elf_u32(at + 4) << 32
                               : pm_elf_u32(at);
}

/* Whether the file has these bytes. */
static inline bool pm_elf_contains(const struct pm_elf *elf, uint64_t offset, uint64_t bytes)
{
   return offset <= elf->file->bytes && bytes <= elf->file->bytes - offset;
}

/* Whether the file has a table of `records` records. */
static inline bool pm_elf_contains_table(const struct pm_elf *elf, uint64_t offset,
                                         uint64_t records, size_t record_bytes)
{
   return records <= elf->file->bytes / record_bytes &&
          pm_elf_contains(elf, offset, records * record_bytes);
}

/* `bytes` > 0 into `to`: PM_ELF_OK, PM_ELF_TRUNCATED or PM_ELF_UNREADABLE. */
enum pm_elf_status pm_elf_read(const struct pm_elf *elf, uint64_t offset, void *to, size_t bytes);

/* A walk through a table. Scans that share a chunk do not overlap in time. */
struct pm_elf_scan {
   const struct pm_elf *elf;
   uint8_t *chunk; /* PM_ELF_CHUNK_BYTES */
   size_t record_bytes;
   uint64_t next;             /* offset of the first record not yet in the chunk */
   uint64_t left;             /* records not yet in the chunk */
   size_t held, passed;       /* bytes in the chunk, and of these handed out */
   enum pm_elf_status status; /* PM_ELF_OK, or why the walk ended early */
};

/* Start with `records` records at `offset`; a table that the file does not hold
   completely is PM_ELF_TRUNCATED and has no records. */
void pm_elf_scan_begin(struct pm_elf_scan *scan, const struct pm_elf *elf, uint8_t *chunk,
                       uint64_t offset, uint64_t records, size_t record_bytes);

/* The next record, valid until the next call; NULL: no more, or trouble (status). */
const uint8_t *pm_elf_scan_next(struct pm_elf_scan *scan);

#endif
