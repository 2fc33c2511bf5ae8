/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_elf.c: symbols and identity of an ELF file that nobody vouches for; see
 * pm_elf.h, and pm_elf_file.h for how the file is read.
 *
 * Opening takes one pass over each table, in an order that lets a later pass
 * use what an earlier one found: header, program headers, dynamic section (which
 * needs the segments to turn addresses into offsets), section headers. All passes
 * share one chunk.
 */
#include "pm_elf.h"

#include "pm_elf_file.h"
#include "pm_host.h"
#include "pm_text.h"

enum {
   NOTES_MAX = 1024 * 1024, /* bytes of notes looked through for a build-id */
   NOTE_HEADER = 12,
   IDENT_BYTES = 16,
   HEADER_MAX = 64 /* the largest single record: a header, or a section header */
};

enum { CLASS_32 = 1, CLASS_64 = 2, LITTLE_ENDIAN_DATA = 1, CURRENT_VERSION = 1 };
enum { SEGMENT_LOAD = 1, SEGMENT_DYNAMIC = 2, SEGMENT_NOTE = 4, SEGMENT_EXECUTABLE = 1 };
enum { SECTION_SYMTAB = 2, SECTION_STRTAB = 3, SECTION_NOTE = 7, SECTION_DYNSYM = 11 };
enum { SEGMENTS_ELSEWHERE = 0xffff }; /* PN_XNUM */
enum { NOTE_GNU_BUILD_ID = 3 };
enum {
   DYN_END = 0,
   DYN_HASH = 4,
   DYN_STRTAB = 5,
   DYN_SYMTAB = 6,
   DYN_STRSZ = 10,
   DYN_SYMENT = 11,
   DYN_SONAME = 14,
   DYN_GNU_HASH = 0x6ffffef5
};

/* What pm_elf_open needs while it runs. */
struct opening {
   struct pm_elf *elf;
   const struct pm_elf_layout *layout;
   uint8_t *chunk;
   uint64_t segments_at, segments; /* program headers: offset, number */
   uint64_t sections_at, sections; /* section headers: offset, number */
   uint64_t notes_left;            /* bytes of notes that may still be looked at */
};

static void scan_segments(const struct opening *o, struct pm_elf_scan *scan)
{
   pm_elf_scan_begin(scan, o->elf, o->chunk, o->segments_at, o->segments, o->layout->segment);
}

/* Where the byte at `address` lies in the file. */
static enum pm_elf_status offset_of(const struct opening *o, uint64_t address, uint64_t *offset)
{
   const struct pm_elf_layout *l = o->layout;
   const uint8_t *p;
   struct pm_elf_scan scan;

   scan_segments(o, &scan);
   while ((p = pm_elf_scan_next(&scan)) != NULL) {
      uint64_t inside = address - pm_elf_address(l, p + l->p_vaddr);
      uint64_t start = pm_elf_address(l, p + l->p_offset);

      /* An address before the segment wraps to one far behind it. */
      if (pm_elf_u32(p) != SEGMENT_LOAD || inside >= pm_elf_address(l, p + l->p_filesz))
         continue;
      if (!pm_elf_contains(o->elf, start, inside))
         return PM_ELF_TRUNCATED;
      *offset = start + inside;
      return PM_ELF_OK;
   }
   return scan.status != PM_ELF_OK ? scan.status : PM_ELF_MALFORMED;
}

static uint64_t align_up(uint64_t value, uint64_t alignment)
{
   return (value + alignment - 1) & ~(alignment - 1);
}

/* Look for the build-id in an area of notes. Notes are padded to 4 bytes, or to 8
   where the area says so; all arithmetic is on 32-bit sizes in 64 bits. Damage
   only ends the search: nothing else depends on notes. */
static void find_build_id(struct opening *o, uint64_t offset, uint64_t bytes, uint64_t alignment)
{
   struct pm_elf *elf = o->elf;
   uint8_t note[NOTE_HEADER + 4]; /* and the name "GNU" with its NUL */

   alignment = alignment == 8 ? 8 : 4;
   if (elf->build_id_bytes > 0 || !pm_elf_contains(elf, offset, bytes))
      return;
   while (bytes >= sizeof note && o->notes_left >= sizeof note) {
      uint64_t name_bytes, content_bytes, content, size;

      if (pm_elf_read(elf, offset, note, sizeof note) != PM_ELF_OK)
         return;
      name_bytes = pm_elf_u32(note);
      content_bytes = pm_elf_u32(note + 4);
      content = align_up(NOTE_HEADER + name_bytes, alignment);
      size = content + content_bytes;
      if (size > bytes)
         return;
      if (pm_elf_u32(note + 8) == NOTE_GNU_BUILD_ID && name_bytes == 4 &&
          pm_memcmp(note + NOTE_HEADER, "GNU", 4) == 0 && content_bytes > 0 &&
          content_bytes <= PM_ELF_BUILD_ID_MAX) {
         if (pm_elf_read(elf, offset + content, elf->build_id, (size_t)content_bytes) == PM_ELF_OK)
            elf->build_id_bytes = (size_t)content_bytes;
         return;
      }
      size = align_up(size, alignment);
      if (size >= bytes)
         return;
      offset += size;
      bytes -= size;
      o->notes_left -= size < o->notes_left ? size : o->notes_left;
   }
}

/* The header: class, kind, and where the two header tables are. */
static enum pm_elf_status open_header(struct opening *o)
{
   struct pm_elf *elf = o->elf;
   const struct pm_elf_layout *l;
   uint8_t h[HEADER_MAX];
   enum pm_elf_status status;

   if (elf->file->bytes < IDENT_BYTES)
      return PM_ELF_FOREIGN;
   status = pm_elf_read(elf, 0, h, IDENT_BYTES);
   if (status != PM_ELF_OK)
      return status;
   if (pm_memcmp(h, "\177ELF", 4) != 0)
      return PM_ELF_FOREIGN;
   if ((h[4] != CLASS_32 && h[4] != CLASS_64) || h[5] != LITTLE_ENDIAN_DATA ||
       h[6] != CURRENT_VERSION)
      return PM_ELF_UNSUPPORTED;
   elf->is_64 = h[4] == CLASS_64;
   o->layout = l = pm_elf_layout_of(elf);
   status = pm_elf_read(elf, 0, h, l->header);
   if (status != PM_ELF_OK)
      return status;
   elf->type = pm_elf_u16(h + 16);
   elf->machine = pm_elf_u16(h + 18);
   elf->entry = pm_elf_address(l, h + l->h_entry);

   o->segments_at = pm_elf_address(l, h + l->h_phoff);
   o->segments = o->segments_at == 0 ? 0 : pm_elf_u16(h + l->h_phnum);
   if (o->segments == SEGMENTS_ELSEWHERE)
      return PM_ELF_UNSUPPORTED; /* the kernel loads none of these either */
   if (o->segments > 0 && pm_elf_u16(h + l->h_phentsize) != l->segment)
      return PM_ELF_MALFORMED;

   o->sections_at = pm_elf_address(l, h + l->h_shoff);
   o->sections = pm_elf_u16(h + l->h_shnum);
   if (o->sections_at != 0 && pm_elf_u16(h + l->h_shentsize) != l->section)
      elf->sections = PM_ELF_MALFORMED;
   return PM_ELF_OK;
}

/* The program headers: text, build-id, and where the dynamic section is. */
static enum pm_elf_status open_segments(struct opening *o, uint64_t *dynamic_at,
                                        uint64_t *dynamic_bytes)
{
   struct pm_elf *elf = o->elf;
   const struct pm_elf_layout *l = o->layout;
   const uint8_t *p;
   struct pm_elf_scan scan;

   scan_segments(o, &scan);
   while ((p = pm_elf_scan_next(&scan)) != NULL) {
      uint64_t offset = pm_elf_address(l, p + l->p_offset);
      uint64_t bytes = pm_elf_address(l, p + l->p_filesz);

      switch (pm_elf_u32(p)) {
      case SEGMENT_LOAD:
         if (!elf->has_text && (pm_elf_u32(p + l->p_flags) & SEGMENT_EXECUTABLE) != 0) {
            elf->has_text = true;
            elf->text_address = pm_elf_address(l, p + l->p_vaddr);
            elf->text_offset = offset;
            elf->text_bytes = bytes;
         }
         break;
      case SEGMENT_DYNAMIC:
         *dynamic_at = offset;
         *dynamic_bytes = bytes;
         break;
      case SEGMENT_NOTE:
         find_build_id(o, offset, bytes, pm_elf_address(l, p + l->p_align));
         break;
      }
   }
   return scan.status;
}

/* Values of the dynamic section; 0: the tag is not there. */
struct dynamic {
   uint64_t symtab, syment, strtab, strsz, hash, gnu_hash, soname;
};

static enum pm_elf_status read_dynamic(const struct opening *o, uint64_t offset, uint64_t bytes,
                                       struct dynamic *d)
{
   const struct pm_elf_layout *l = o->layout;
   const uint8_t *record;
   struct pm_elf_scan scan;

   pm_elf_scan_begin(&scan, o->elf, o->chunk, offset, bytes / l->dyn, l->dyn);
   while ((record = pm_elf_scan_next(&scan)) != NULL) {
      uint64_t tag = pm_elf_address(l, record), value = pm_elf_address(l, record + l->address);

      switch (tag) {
      case DYN_END:
         return PM_ELF_OK;
      case DYN_HASH:
         d->hash = value;
         break;
      case DYN_STRTAB:
         d->strtab = value;
         break;
      case DYN_SYMTAB:
         d->symtab = value;
         break;
      case DYN_STRSZ:
         d->strsz = value;
         break;
      case DYN_SYMENT:
         d->syment = value;
         break;
      case DYN_SONAME:
         d->soname = value;
         break;
      case DYN_GNU_HASH:
         d->gnu_hash = value;
         break;
      }
   }
   return scan.status;
}

/* A GNU hash table does not tell the number of symbols: it is one more than
   the highest index that a chain reaches. The chain that starts highest, ended by an
   odd value, reaches it. Without any chain only the unhashed symbols exist. */
static enum pm_elf_status count_gnu_hashed(const struct opening *o, uint64_t table, uint64_t *count)
{
   uint8_t h[16];
   uint64_t buckets, first_hashed, offset, highest = 0;
   const uint8_t *word;
   struct pm_elf_scan scan;
   enum pm_elf_status status = pm_elf_read(o->elf, table, h, sizeof h);

   if (status != PM_ELF_OK)
      return status;
   buckets = pm_elf_u32(h);
   first_hashed = pm_elf_u32(h + 4);
   /* Below 2^36 beyond a table that lies in the file: cannot wrap. */
   offset = table + sizeof h + (uint64_t)pm_elf_u32(h + 8) * o->layout->address;
   pm_elf_scan_begin(&scan, o->elf, o->chunk, offset, buckets, 4);
   while ((word = pm_elf_scan_next(&scan)) != NULL)
      if (pm_elf_u32(word) > highest)
         highest = pm_elf_u32(word);
   if (scan.status != PM_ELF_OK)
      return scan.status;
   if (highest < first_hashed) {
      *count = first_hashed;
      return highest == 0 ? PM_ELF_OK : PM_ELF_MALFORMED;
   }

   offset += 4 * buckets + 4 * (highest - first_hashed);
   if (!pm_elf_contains(o->elf, offset, 0))
      return PM_ELF_TRUNCATED;
   pm_elf_scan_begin(&scan, o->elf, o->chunk, offset, (o->elf->file->bytes - offset) / 4, 4);
   while ((word = pm_elf_scan_next(&scan)) != NULL) {
      highest++;
      if ((pm_elf_u32(word) & 1) != 0) {
         *count = highest;
         return PM_ELF_OK;
      }
   }
   return scan.status != PM_ELF_OK ? scan.status : PM_ELF_TRUNCATED;
}

static enum pm_elf_status count_dynsym(const struct opening *o, const struct dynamic *d,
                                       uint64_t *count)
{
   uint64_t offset;
   uint8_t h[8];
   enum pm_elf_status status;

   if (d->hash == 0 && d->gnu_hash == 0)
      return PM_ELF_MALFORMED;
   status = offset_of(o, d->hash != 0 ? d->hash : d->gnu_hash, &offset);
   if (status != PM_ELF_OK)
      return status;
   if (d->hash == 0)
      return count_gnu_hashed(o, offset, count);
   status = pm_elf_read(o->elf, offset, h, sizeof h);
   *count = pm_elf_u32(h + 4); /* nchain: one entry a symbol */
   return status;
}

static enum pm_elf_status check_place(const struct pm_elf *elf, const struct pm_elf_place *place)
{
   bool fits = pm_elf_contains_table(elf, place->offset, place->entries,
                                     pm_elf_layout_of(elf)->symbol) &&
               pm_elf_contains(elf, place->string_offset, place->string_bytes);

   return fits ? PM_ELF_OK : PM_ELF_TRUNCATED;
}

/* A name that does not fit or does not end stays unknown. */
static enum pm_elf_status read_soname(struct pm_elf *elf, uint64_t strings, uint64_t string_bytes,
                                      uint64_t at)
{
   uint64_t bytes = sizeof elf->soname;
   enum pm_elf_status status;

   if (at >= string_bytes)
      return PM_ELF_MALFORMED;
   if (bytes > string_bytes - at)
      bytes = string_bytes - at;
   status = pm_elf_read(elf, strings + at, elf->soname, (size_t)bytes);
   for (uint64_t i = 0; status == PM_ELF_OK && i < bytes; i++)
      if (elf->soname[i] == '\0')
         return PM_ELF_OK;
   elf->soname[0] = '\0';
   return status;
}

/* The loader's view: soname and .dynsym. */
static enum pm_elf_status open_dynamic(struct opening *o, uint64_t offset, uint64_t bytes)
{
   struct pm_elf *elf = o->elf;
   struct dynamic d = {0};
   struct pm_elf_place place = {0};
   enum pm_elf_status status = read_dynamic(o, offset, bytes, &d), soname = PM_ELF_OK;

   if (status != PM_ELF_OK || d.strtab == 0)
      return status;
   status = offset_of(o, d.strtab, &place.string_offset);
   if (status != PM_ELF_OK)
      return status;
   place.string_bytes = d.strsz;
   status = check_place(elf, &place);
   if (status != PM_ELF_OK)
      return status;
   if (d.soname != 0)
      soname = read_soname(elf, place.string_offset, place.string_bytes, d.soname);
   if (d.symtab == 0)
      return soname;
   if (d.syment != o->layout->symbol)
      return PM_ELF_MALFORMED;
   status = offset_of(o, d.symtab, &place.offset);
   if (status == PM_ELF_OK)
      status = count_dynsym(o, &d, &place.entries);
   if (status == PM_ELF_OK)
      status = check_place(elf, &place);
   if (status != PM_ELF_OK)
      return status;
   elf->tables[PM_ELF_DYNSYM] = place;
   return soname;
}

/* The string table that a symbol table's section header links to. */
static enum pm_elf_status link_strings(const struct opening *o, uint64_t index,
                                       struct pm_elf_place *place)
{
   const struct pm_elf_layout *l = o->layout;
   uint8_t s[HEADER_MAX];
   enum pm_elf_status status;

   if (index >= o->sections)
      return PM_ELF_MALFORMED;
   status = pm_elf_read(o->elf, o->sections_at + index * l->section, s, l->section);
   if (status != PM_ELF_OK)
      return status;
   if (pm_elf_u32(s + 4) != SECTION_STRTAB)
      return PM_ELF_MALFORMED;
   place->string_offset = pm_elf_address(l, s + l->s_offset);
   place->string_bytes = pm_elf_address(l, s + l->s_size);
   return check_place(o->elf, place);
}

/* A symbol table as its section header describes it. */
struct section_table {
   bool found;
   uint64_t offset, bytes, entry_bytes, link;
};

static enum pm_elf_status take_table(struct opening *o, const struct section_table *from,
                                     enum pm_elf_table table)
{
   struct pm_elf_place place = {0};
   enum pm_elf_status status;

   if (!from->found || o->elf->tables[table].entries > 0)
      return PM_ELF_OK;
   if (from->entry_bytes != o->layout->symbol)
      return PM_ELF_MALFORMED;
   place.offset = from->offset;
   place.entries = from->bytes / from->entry_bytes;
   status = link_strings(o, from->link, &place);
   if (status == PM_ELF_OK)
      o->elf->tables[table] = place;
   return status;
}

/* The view of linkers and debuggers: .symtab, and what the loader's did not tell. */
static enum pm_elf_status open_sections(struct opening *o)
{
   const struct pm_elf_layout *l = o->layout;
   struct section_table tables[PM_ELF_TABLES] = {0};
   enum pm_elf_status status, symtab_status;
   const uint8_t *s;
   struct pm_elf_scan scan;

   if (o->sections == 0) { /* more than fit into the header's field: in the first one */
      uint8_t first[HEADER_MAX];

      status = pm_elf_read(o->elf, o->sections_at, first, l->section);
      if (status != PM_ELF_OK)
         return status;
      o->sections = pm_elf_address(l, first + l->s_size);
   }
   pm_elf_scan_begin(&scan, o->elf, o->chunk, o->sections_at, o->sections, l->section);
   while ((s = pm_elf_scan_next(&scan)) != NULL) {
      uint32_t type = pm_elf_u32(s + 4);

      if (type == SECTION_SYMTAB || type == SECTION_DYNSYM) {
         struct section_table *t =
            &tables[type == SECTION_SYMTAB ? PM_ELF_SYMTAB : PM_ELF_DYNSYM];

         t->found = true;
         t->offset = pm_elf_address(l, s + l->s_offset);
         t->bytes = pm_elf_address(l, s + l->s_size);
         t->entry_bytes = pm_elf_address(l, s + l->s_entsize);
         t->link = pm_elf_u32(s + l->s_link);
      } else if (type == SECTION_NOTE) {
         find_build_id(o, pm_elf_address(l, s + l->s_offset), pm_elf_address(l, s + l->s_size),
                       pm_elf_address(l, s + l->s_addralign));
      }
   }
   if (scan.status != PM_ELF_OK)
      return scan.status;
   symtab_status = take_table(o, &tables[PM_ELF_SYMTAB], PM_ELF_SYMTAB);
   status = take_table(o, &tables[PM_ELF_DYNSYM], PM_ELF_DYNSYM);
   return symtab_status != PM_ELF_OK ? symtab_status : status;
}

enum pm_elf_status pm_elf_open(struct pm_elf *elf, const struct pm_host *host,
                               const struct pm_elf_file *file)
{
   struct opening o = {.elf = elf, .notes_left = NOTES_MAX};
   uint64_t dynamic_at = 0, dynamic_bytes = 0;
   enum pm_elf_status status;

   memset(elf, 0, sizeof *elf);
   elf->host = host;
   elf->file = file;
   status = open_header(&o);
   if (status != PM_ELF_OK)
      return status;
   o.chunk = host->alloc(PM_ELF_CHUNK_BYTES);
   if (o.chunk == NULL)
      return PM_ELF_NO_MEMORY;
   status = open_segments(&o, &dynamic_at, &dynamic_bytes);
   if (status == PM_ELF_OK) {
      if (dynamic_bytes > 0)
         elf->dynamic = open_dynamic(&o, dynamic_at, dynamic_bytes);
      if (o.sections_at != 0 && elf->sections == PM_ELF_OK)
         elf->sections = open_sections(&o);
      elf->has_symtab = elf->tables[PM_ELF_SYMTAB].entries > 0;
   }
   host->release(o.chunk, PM_ELF_CHUNK_BYTES);
   return status;
}

const char *pm_elf_status_text(enum pm_elf_status status)
{
   switch (status) {
   case PM_ELF_OK:
      return "no error";
   case PM_ELF_FOREIGN:
      return "not an ELF file";
   case PM_ELF_UNSUPPORTED:
      return "an ELF file of an unsupported kind";
   case PM_ELF_TRUNCATED:
      return "the file ends too early";
   case PM_ELF_MALFORMED:
      return "the file is damaged";
   case PM_ELF_TOO_LARGE:
      return "its table of names is larger than 1 GiB";
   case PM_ELF_UNREADABLE:
      return "the file could not be read";
   case PM_ELF_NO_MEMORY:
      return "no memory left";
   }
   return "unknown error";
}
