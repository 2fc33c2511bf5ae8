/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_elf_symbols.c: the functions that a symbol table of an ELF file names; see
 * pm_elf.h.
 *
 * The string table is loaded whole, since names lie in it in no order; the symbols
 * stream past it.
 */
#include "pm_elf.h"

#include "pm_elf_file.h"
#include "pm_host.h"

enum { INDEX_UNDEFINED = 0, INDEX_ABSOLUTE = 0xfff1, INDEX_COMMON = 0xfff2 };

/* A name in the loaded string table, NUL-terminated there, with the version that
   .symtab names carry cut off. Cutting in place is harmless to names that share
   the bytes: they end at the same @. NULL: unusable. */
static const char *symbol_name(char *strings, uint64_t string_bytes, uint64_t at, bool versioned)
{
   char *name = strings + at;

   if (at >= string_bytes)
      return NULL;
   for (size_t length = 0; length <= PM_ELF_NAME_MAX; length++) {
      if (versioned && length > 0 && name[length] == '@')
         name[length] = '\0';
      if (name[length] == '\0')
         return name;
   }
   return NULL;
}

static bool may_be_function(uint8_t type, uint16_t section)
{
   return (type == PM_ELF_FUNC || type == PM_ELF_IFUNC || type == PM_ELF_NOTYPE) &&
          section != INDEX_UNDEFINED && section != INDEX_ABSOLUTE && section != INDEX_COMMON;
}

/* strings: string_bytes of the file and one NUL more. */
static enum pm_elf_status report_symbols(const struct pm_elf *elf, enum pm_elf_table table,
                                         uint8_t *chunk, char *strings,
                                         pm_elf_each *each, void *ctx)
{
   const struct pm_elf_layout *l = pm_elf_layout_of(elf);
   const struct pm_elf_place *place = &elf->tables[table];
   enum pm_elf_status names = PM_ELF_OK;
   const uint8_t *y;
   struct pm_elf_scan scan;

   pm_elf_scan_begin(&scan, elf, chunk, place->offset, place->entries, l->symbol);
   while ((y = pm_elf_scan_next(&scan)) != NULL) {
      struct pm_elf_symbol symbol;
      uint8_t info = y[l->y_info];

      symbol.type = info & 15;
      if (!may_be_function(symbol.type, pm_elf_u16(y + l->y_shndx)))
         continue;
      symbol.name =
         symbol_name(strings, place->string_bytes, pm_elf_u32(y), table == PM_ELF_SYMTAB);
      if (symbol.name == NULL) {
         names = PM_ELF_MALFORMED;
         continue;
      }
      if (symbol.name[0] == '\0')
         continue;
      symbol.address = pm_elf_address(l, y + l->y_value);
      symbol.bytes = pm_elf_address(l, y + l->y_size);
      symbol.binding = info >> 4;
      symbol.table = table;
      each(ctx, &symbol);
   }
   return scan.status != PM_ELF_OK ? scan.status : names;
}

enum pm_elf_status pm_elf_symbols(const struct pm_elf *elf, enum pm_elf_table table,
                                  pm_elf_each *each, void *ctx)
{
   const struct pm_elf_place *place = &elf->tables[table];
   const struct pm_host *host = elf->host;
   enum pm_elf_status status = PM_ELF_OK;
   size_t string_room;
   uint8_t *chunk;
   char *strings;

   if (place->entries == 0)
      return PM_ELF_OK;
   if (place->string_bytes > PM_ELF_STRINGS_MAX)
      return PM_ELF_TOO_LARGE;
   string_room = (size_t)place->string_bytes + 1;
   chunk = host->alloc(PM_ELF_CHUNK_BYTES);
   strings = host->alloc(string_room);
   if (chunk == NULL || strings == NULL)
      status = PM_ELF_NO_MEMORY;
   if (status == PM_ELF_OK && place->string_bytes > 0)
      status = pm_elf_read(elf, place->string_offset, strings, string_room - 1);
   if (status == PM_ELF_OK) {
      strings[string_room - 1] = '\0';
      status = report_symbols(elf, table, chunk, strings, each, ctx);
   }
   host->release(strings, string_room);
   host->release(chunk, PM_ELF_CHUNK_BYTES);
   return status;
}
