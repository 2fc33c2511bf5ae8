/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pm_elf_damage.c: the ELF reader on files made by hand.
 *
 * One small file holds everything that the reader looks at, in both views, each
 * thing told apart by its name: what a test changes shows in what is found, and in
 * which reason is given. Then the same file cut short at every byte, with every byte
 * changed, and with every read and allocation failing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "elf_samples.h"
#include "hosted.h"
#include "pm_elf.h"

/* ---- The file. */

struct note {
   uint32_t name_bytes, content_bytes, type;
   char name[4];
   uint8_t content[8];
};

struct crafted {
   Elf64_Ehdr header;
   Elf64_Phdr segments[4]; /* text, a second text, dynamic, notes */
   Elf64_Shdr sections[5]; /* none, .symtab, its strings, .dynsym, its strings */
   struct note notes[2];   /* padded to 8 bytes; the second is the build-id */
   Elf64_Dyn dynamic[8];
   Elf64_Sym symbols[2]; /* .symtab */
   char symbol_names[16];
   Elf64_Sym dynamic_symbols[4]; /* the first two are not in the hash table */
   struct {
      uint32_t buckets, first_hashed, bloom_words, bloom_shift;
      uint64_t bloom[1];
      uint32_t bucket[2], chain[2];
   } hash;
   struct {
      uint32_t buckets, symbols;
   } sysv_hash; /* the part that is read; no DT_HASH points here unless a test says so */
   char dynamic_names[32];
};

enum { BASE = 0x10000 }; /* address of the file's first byte */

#define OFFSET(member) offsetof(struct crafted, member)
#define ADDRESS(member) (BASE + OFFSET(member))

/* Places in `dynamic` that tests change. */
enum { D_STRTAB, D_STRSZ, D_SYMTAB, D_SYMENT, D_GNU_HASH, D_SONAME, D_SPARE };

static void craft_headers(struct crafted *c)
{
   static const uint8_t ident[] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT};

   memcpy(c->header.e_ident, ident, sizeof ident);
   c->header.e_type = ET_DYN;
   c->header.e_phoff = OFFSET(segments);
   c->header.e_phentsize = sizeof c->segments[0];
   c->header.e_phnum = 4;
   c->header.e_shoff = OFFSET(sections);
   c->header.e_shentsize = sizeof c->sections[0];
   c->header.e_shnum = 5;
   c->segments[0] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE,
                                 .p_filesz = sizeof *c};
   c->segments[1] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 2 * BASE,
                                 .p_offset = 64, .p_filesz = 64};
   c->segments[2] = (Elf64_Phdr){.p_type = PT_DYNAMIC, .p_offset = OFFSET(dynamic),
                                 .p_filesz = sizeof c->dynamic};
   c->segments[3] = (Elf64_Phdr){.p_type = PT_NOTE, .p_offset = OFFSET(notes),
                                 .p_filesz = sizeof c->notes, .p_align = 8};
   c->sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB, .sh_offset = OFFSET(symbols),
                                 .sh_size = sizeof c->symbols, .sh_entsize = sizeof(Elf64_Sym),
                                 .sh_link = 2};
   c->sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = OFFSET(symbol_names),
                                 .sh_size = sizeof c->symbol_names};
   /* One symbol less than there are, to tell who has been asked. */
   c->sections[3] = (Elf64_Shdr){.sh_type = SHT_DYNSYM, .sh_offset = OFFSET(dynamic_symbols),
                                 .sh_size = 3 * sizeof(Elf64_Sym),
                                 .sh_entsize = sizeof(Elf64_Sym), .sh_link = 4};
   c->sections[4] = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = OFFSET(dynamic_names),
                                 .sh_size = sizeof c->dynamic_names};
}

static void craft(struct crafted *c)
{
   const Elf64_Sym function = {.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1};

   memset(c, 0, sizeof *c);
   craft_headers(c);
   c->notes[0] = (struct note){4, 4, NT_GNU_ABI_TAG, "GNU", {0}};
   c->notes[1] = (struct note){4, 8, NT_GNU_BUILD_ID, "GNU", {1, 2, 3, 4, 5, 6, 7, 8}};
   c->dynamic[D_STRTAB] = (Elf64_Dyn){DT_STRTAB, {ADDRESS(dynamic_names)}};
   c->dynamic[D_STRSZ] = (Elf64_Dyn){DT_STRSZ, {sizeof c->dynamic_names}};
   c->dynamic[D_SYMTAB] = (Elf64_Dyn){DT_SYMTAB, {ADDRESS(dynamic_symbols)}};
   c->dynamic[D_SYMENT] = (Elf64_Dyn){DT_SYMENT, {sizeof(Elf64_Sym)}};
   c->dynamic[D_GNU_HASH] = (Elf64_Dyn){DT_GNU_HASH, {ADDRESS(hash)}};
   c->dynamic[D_SONAME] = (Elf64_Dyn){DT_SONAME, {14}};
   c->dynamic[D_SPARE] = (Elf64_Dyn){DT_DEBUG, {0}};
   c->symbols[1] = function;
   c->symbols[1].st_name = 1;
   c->symbols[1].st_value = 0x40;
   memcpy(c->symbol_names, "\0malloc@V", 10);
   for (unsigned i = 1; i < 4; i++) {
      c->dynamic_symbols[i] = function;
      c->dynamic_symbols[i].st_name = 4 * i - 3;
      c->dynamic_symbols[i].st_value = i;
   }
   memcpy(c->dynamic_names, "\0one\0two\0six\0\0libcrafted.so", 28);
   c->hash.buckets = 2;
   c->hash.first_hashed = 2;
   c->hash.bloom_words = 1;
   c->hash.bucket[1] = 2;
   c->hash.chain[1] = 1; /* the chain of two symbols ends */
   c->sysv_hash.symbols = 2;
}

/* What the reader finds. */
struct found {
   enum pm_elf_status open;
   enum pm_elf_status read[PM_ELF_TABLES]; /* of pm_elf_symbols */
   struct pm_elf elf;                      /* its file is gone */
   struct lines symbols[PM_ELF_TABLES];
};

static void find_in(struct found *found, struct image *image)
{
   memset(found, 0, sizeof *found);
   found->open = pm_elf_open(&found->elf, &hosted, &image->file);
   for (int table = 0; found->open == PM_ELF_OK && table < PM_ELF_TABLES; table++)
      found->read[table] = pm_elf_symbols(&found->elf, (enum pm_elf_table)table, collect_symbol,
                                          &found->symbols[table]);
   assert_int_equal(hosted_live_bytes(), 0);
}

static void find(struct found *found, const struct crafted *c)
{
   struct image image;

   image_init(&image, c, sizeof *c);
   find_in(found, &image);
   image_release(&image);
}

static void forget(struct found *found)
{
   for (int table = 0; table < PM_ELF_TABLES; table++)
      release_lines(&found->symbols[table]);
}

/* Symbols of .dynsym by the hash table, by the section header, and of .symtab. */
enum { BY_HASH = 3, BY_SECTION = 2, IN_SYMTAB = 1 };

/* Find, and require these reasons and numbers of symbols. */
static void check(const struct crafted *c, enum pm_elf_status dynamic, size_t dynsym_count,
                  enum pm_elf_status sections, size_t symtab_count)
{
   struct found found;

   find(&found, c);
   assert_int_equal(found.open, PM_ELF_OK);
   assert_int_equal(found.elf.dynamic, dynamic);
   assert_int_equal(found.elf.sections, sections);
   assert_int_equal(found.symbols[PM_ELF_DYNSYM].count, dynsym_count);
   assert_int_equal(found.symbols[PM_ELF_SYMTAB].count, symtab_count);
   forget(&found);
}

static void the_sound_file_tells_everything(void **state)
{
   struct crafted c;
   struct found found;

   (void)state;
   craft(&c);
   find(&found, &c);
   assert_int_equal(found.open, PM_ELF_OK);
   assert_int_equal(found.elf.dynamic, PM_ELF_OK);
   assert_int_equal(found.elf.sections, PM_ELF_OK);
   assert_true(found.elf.has_text);
   assert_int_equal(found.elf.text_address, BASE); /* the first of two */
   assert_int_equal(found.elf.text_offset, 0);
   assert_int_equal(found.elf.build_id_bytes, 8);
   assert_memory_equal(found.elf.build_id, c.notes[1].content, 8);
   assert_string_equal(found.elf.soname, "libcrafted.so");
   assert_int_equal(found.symbols[PM_ELF_DYNSYM].count, BY_HASH);
   assert_string_equal(found.symbols[PM_ELF_DYNSYM].line[0], "1 0 FUNC GLOBAL one");
   assert_string_equal(found.symbols[PM_ELF_DYNSYM].line[1], "2 0 FUNC GLOBAL two");
   assert_string_equal(found.symbols[PM_ELF_DYNSYM].line[2], "3 0 FUNC GLOBAL six");
   assert_int_equal(found.symbols[PM_ELF_SYMTAB].count, IN_SYMTAB);
   assert_string_equal(found.symbols[PM_ELF_SYMTAB].line[0], "40 0 FUNC GLOBAL malloc");
   forget(&found);
}

/* ---- The header. */

static enum pm_elf_status open_bytes(const void *bytes, size_t count)
{
   struct image image;
   struct pm_elf elf;
   enum pm_elf_status status;

   image_init(&image, bytes, count);
   status = pm_elf_open(&elf, &hosted, &image.file);
   image_release(&image);
   return status;
}

static void foreign_files_are_refused(void **state)
{
   const Elf64_Ehdr sound = {
      .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
   };
   Elf64_Ehdr header = sound;

   (void)state;
   assert_int_equal(open_bytes("", 0), PM_ELF_FOREIGN);
   assert_int_equal(open_bytes("#!/bin/sh\nexit 0\n", 17), PM_ELF_FOREIGN);
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_OK);
   assert_int_equal(open_bytes(&header, EI_NIDENT - 1), PM_ELF_FOREIGN);
   assert_int_equal(open_bytes(&header, sizeof header - 1), PM_ELF_TRUNCATED);
   header.e_ident[EI_DATA] = ELFDATA2MSB;
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_UNSUPPORTED);
   header = sound;
   header.e_ident[EI_CLASS] = 3;
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_UNSUPPORTED);
   header = sound;
   header.e_ident[EI_VERSION] = 2;
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_UNSUPPORTED);
   header = sound;
   header.e_phoff = sizeof header;
   header.e_phnum = 1;
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_MALFORMED); /* e_phentsize 0 */
   header.e_phentsize = sizeof(Elf64_Phdr);
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_TRUNCATED);
   header.e_phoff = UINT64_MAX - 8;
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_TRUNCATED);
   header.e_phnum = PN_XNUM;
   assert_int_equal(open_bytes(&header, sizeof header), PM_ELF_UNSUPPORTED);
}

/* ---- The dynamic section. */

static void damage_to_the_dynamic_section_has_a_reason(void **state)
{
   struct crafted c;

   (void)state;
   craft(&c);
   c.segments[2].p_offset = sizeof c - 8;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* An address in no segment: before the first, and the byte behind it. */
   craft(&c);
   c.dynamic[D_STRTAB].d_un.d_ptr = BASE - 1;
   check(&c, PM_ELF_MALFORMED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.segments[0].p_filesz = OFFSET(dynamic_names);
   check(&c, PM_ELF_MALFORMED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* In a segment that the file does not hold. */
   craft(&c);
   c.segments[0].p_offset = UINT64_MAX - 8;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.dynamic[D_STRSZ].d_un.d_val++;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.dynamic[D_SYMENT].d_un.d_val = 16;
   check(&c, PM_ELF_MALFORMED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.dynamic[D_SYMTAB].d_un.d_ptr = 0x1234;
   check(&c, PM_ELF_MALFORMED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* No table of symbols at all is no damage. */
   craft(&c);
   c.dynamic[D_SYMTAB].d_tag = DT_DEBUG;
   check(&c, PM_ELF_OK, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* What stands behind the end does not count. */
   craft(&c);
   c.dynamic[D_STRTAB].d_tag = DT_NULL;
   check(&c, PM_ELF_OK, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
}

static void hash_tables_tell_the_number_of_symbols(void **state)
{
   struct crafted c;

   (void)state;
   craft(&c);
   c.dynamic[D_SPARE] = (Elf64_Dyn){DT_HASH, {ADDRESS(sysv_hash)}};
   check(&c, PM_ELF_OK, 1, PM_ELF_OK, IN_SYMTAB); /* DT_HASH knows directly: asked first */
   c.sysv_hash.symbols = UINT32_MAX;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* Nothing hashed: the others remain. */
   craft(&c);
   c.hash.bucket[1] = 0;
   check(&c, PM_ELF_OK, 1, PM_ELF_OK, IN_SYMTAB);
   /* A chain that begins before the first hashed symbol. */
   c.hash.bucket[0] = 1;
   check(&c, PM_ELF_MALFORMED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* The highest chain, not the last bucket's, leads to the last symbol. */
   craft(&c);
   c.hash.bucket[0] = 3;
   c.hash.chain[0] = 1;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_OK, IN_SYMTAB);
   /* A chain that does not end: only even words follow to the end of the file. */
   craft(&c);
   c.hash.chain[1] = 0;
   memset(c.dynamic_names, 0, sizeof c.dynamic_names);
   check(&c, PM_ELF_TRUNCATED, 0, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.hash.bucket[1] = UINT32_MAX;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.hash.bloom_words = UINT32_MAX;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   craft(&c);
   c.hash.buckets = UINT32_MAX;
   check(&c, PM_ELF_TRUNCATED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   /* Without a hash table nothing tells. */
   craft(&c);
   c.dynamic[D_GNU_HASH].d_tag = DT_DEBUG;
   check(&c, PM_ELF_MALFORMED, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
}

/* The crafted file with a second string table behind it, for the dynamic section. */
struct with_names {
   struct crafted c;
   char names[PM_ELF_SONAME_MAX + 3];
};

static void sonames_are_whole_or_unknown(void **state)
{
   static struct with_names large;
   struct found found;
   struct crafted c;

   (void)state;
   /* Outside the table: damage, and the symbols are there. */
   craft(&c);
   c.dynamic[D_SONAME].d_un.d_val = sizeof c.dynamic_names;
   check(&c, PM_ELF_MALFORMED, BY_HASH, PM_ELF_OK, IN_SYMTAB);
   /* Only the end of the table ends it. */
   craft(&c);
   memset(c.dynamic_names + 14, 'x', sizeof c.dynamic_names - 14);
   find(&found, &c);
   assert_string_equal(found.elf.soname, "");
   forget(&found);

   craft(&large.c);
   large.c.segments[0].p_filesz = sizeof large;
   large.c.dynamic[D_STRTAB].d_un.d_ptr = BASE + sizeof large.c;
   large.c.dynamic[D_STRSZ].d_un.d_val = sizeof large.names;
   large.c.dynamic[D_SONAME].d_un.d_val = 1;
   for (int longer = 0; longer < 2; longer++) {
      struct image image;

      memset(large.names + 1, 'n', PM_ELF_SONAME_MAX + (size_t)longer);
      image_init(&image, &large, sizeof large);
      find_in(&found, &image);
      assert_int_equal(strlen(found.elf.soname), longer ? 0 : PM_ELF_SONAME_MAX);
      forget(&found);
      image_release(&image);
   }
}

/* ---- Notes. */

static size_t build_id_bytes(const struct crafted *c)
{
   struct found found;

   find(&found, c);
   assert_int_equal(found.open, PM_ELF_OK);
   forget(&found);
   return found.elf.build_id_bytes;
}

static void build_ids_are_whole_or_unknown(void **state)
{
   struct crafted c;

   (void)state;
   craft(&c);
   c.segments[3].p_align = 4; /* the second note would have to begin earlier */
   assert_int_equal(build_id_bytes(&c), 0);
   craft(&c);
   c.segments[3].p_filesz--; /* the note reaches out of its area */
   assert_int_equal(build_id_bytes(&c), 0);
   craft(&c);
   c.notes[1].content_bytes = 9;
   assert_int_equal(build_id_bytes(&c), 0);
   c.notes[1].content_bytes = 0;
   assert_int_equal(build_id_bytes(&c), 0);
   c.notes[1].content_bytes = UINT32_MAX;
   assert_int_equal(build_id_bytes(&c), 0);
   craft(&c);
   c.notes[1].name[0] = 'g'; /* someone else's note of the same number */
   assert_int_equal(build_id_bytes(&c), 0);
   craft(&c);
   c.notes[1].type = NT_GNU_HWCAP;
   assert_int_equal(build_id_bytes(&c), 0);
   craft(&c);
   c.segments[3].p_offset = UINT64_MAX - 8;
   assert_int_equal(build_id_bytes(&c), 0);
   /* Longer than the field: unknown, not cut. */
   craft(&c);
   c.notes[1].content_bytes = PM_ELF_BUILD_ID_MAX + 1;
   c.segments[3].p_filesz += PM_ELF_BUILD_ID_MAX;
   assert_int_equal(build_id_bytes(&c), 0);
   c.notes[1].content_bytes = PM_ELF_BUILD_ID_MAX;
   assert_int_equal(build_id_bytes(&c), PM_ELF_BUILD_ID_MAX);
   /* By a section header when no segment tells. */
   craft(&c);
   c.segments[3].p_type = PT_NULL;
   assert_int_equal(build_id_bytes(&c), 0);
   c.sections[4] = (Elf64_Shdr){.sh_type = SHT_NOTE, .sh_offset = OFFSET(notes),
                                .sh_size = sizeof c.notes, .sh_addralign = 8};
   assert_int_equal(build_id_bytes(&c), 8);
}

/* An endless list of empty notes does not keep the reader busy. */
static void notes_are_limited(void **state)
{
   enum { AREA = 1 << 24, SMALLEST_NOTE = 12 };
   struct image image;
   struct found found;
   struct crafted c;

   (void)state;
   craft(&c);
   c.segments[3].p_offset = sizeof c;
   c.segments[3].p_filesz = AREA;
   c.segments[3].p_align = 4;
   image_init(&image, &c, sizeof c);
   image.zeroes = AREA;
   image.file.bytes += AREA;
   find_in(&found, &image);
   assert_int_equal(found.open, PM_ELF_OK);
   assert_true(image.reads > 1000);
   assert_true(image.reads < AREA / SMALLEST_NOTE / 8);
   forget(&found);
   image_release(&image);
}

/* ---- Sections and symbols. */

static void damage_to_sections_has_a_reason(void **state)
{
   struct crafted c;

   (void)state;
   craft(&c);
   c.header.e_shentsize--;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_MALFORMED, 0);
   craft(&c);
   c.header.e_shnum = 0xff00;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_TRUNCATED, 0);
   craft(&c);
   c.sections[1].sh_entsize = 1;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_MALFORMED, 0);
   craft(&c);
   c.sections[1].sh_size = UINT64_MAX;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_TRUNCATED, 0);
   craft(&c);
   c.header.e_shnum = 2; /* the strings' header follows, but does not belong to the table */
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_MALFORMED, 0);
   craft(&c);
   c.sections[2].sh_type = SHT_PROGBITS;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_MALFORMED, 0);
   craft(&c);
   c.sections[2].sh_size = UINT64_MAX;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_TRUNCATED, 0);
   /* One damaged table does not hide the other. */
   craft(&c);
   c.segments[2].p_type = PT_NULL;
   check(&c, PM_ELF_OK, BY_SECTION, PM_ELF_OK, IN_SYMTAB);
   c.sections[3].sh_entsize = 1;
   check(&c, PM_ELF_OK, 0, PM_ELF_MALFORMED, IN_SYMTAB);
}

static void many_sections_are_counted_in_the_first(void **state)
{
   struct crafted c;

   (void)state;
   craft(&c);
   c.header.e_shnum = 0;
   c.sections[0].sh_size = 5;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_OK, IN_SYMTAB);
   c.sections[0].sh_size = UINT64_MAX;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_TRUNCATED, 0);
   /* 64 times this number is 64 times 5 again in 64 bits. */
   c.sections[0].sh_size = (UINT64_C(1) << 58) + 5;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_TRUNCATED, 0);
}

static void only_defined_functions_are_reported(void **state)
{
   static const uint16_t nowhere[] = {SHN_UNDEF, SHN_ABS, SHN_COMMON};
   struct crafted c;

   (void)state;
   for (int i = 0; i < 3; i++) {
      craft(&c);
      c.symbols[1].st_shndx = nowhere[i];
      check(&c, PM_ELF_OK, BY_HASH, PM_ELF_OK, 0);
   }
   craft(&c);
   c.symbols[1].st_shndx = SHN_XINDEX; /* a section of high number */
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_OK, IN_SYMTAB);
   for (unsigned type = 0; type < 16; type++) {
      craft(&c);
      c.symbols[1].st_info = (unsigned char)ELF64_ST_INFO(STB_GLOBAL, type);
      check(&c, PM_ELF_OK, BY_HASH, PM_ELF_OK,
            type == STT_FUNC || type == STT_NOTYPE || type == STT_GNU_IFUNC);
   }
}

static void unusable_names_are_left_out(void **state)
{
   struct crafted c;
   struct found found;

   (void)state;
   /* The end of the table ends a name without NUL. */
   craft(&c);
   memset(c.symbol_names, 'x', sizeof c.symbol_names);
   find(&found, &c);
   assert_int_equal(found.read[PM_ELF_SYMTAB], PM_ELF_OK);
   assert_string_equal(found.symbols[PM_ELF_SYMTAB].line[0], "40 0 FUNC GLOBAL xxxxxxxxxxxxxxx");
   forget(&found);
   /* Outside the table; the other symbol is still reported. */
   craft(&c);
   c.symbols[0] = c.symbols[1];
   c.symbols[0].st_name = sizeof c.symbol_names;
   find(&found, &c);
   assert_int_equal(found.read[PM_ELF_SYMTAB], PM_ELF_MALFORMED);
   assert_int_equal(found.symbols[PM_ELF_SYMTAB].count, 1);
   forget(&found);
   /* No name at all. */
   craft(&c);
   c.symbols[1].st_name = 0;
   check(&c, PM_ELF_OK, BY_HASH, PM_ELF_OK, 0);
}

static void versions_are_cut_from_symtab(void **state)
{
   struct crafted c;
   struct found found;

   (void)state;
   /* A name that begins with @ is no version of an empty one. */
   craft(&c);
   memcpy(c.symbol_names, "\0@@a", 5);
   find(&found, &c);
   assert_string_equal(found.symbols[PM_ELF_SYMTAB].line[0], "40 0 FUNC GLOBAL @");
   forget(&found);
   /* .dynsym has its versions elsewhere: an @ is part of the name. */
   craft(&c);
   c.dynamic_names[2] = '@';
   find(&found, &c);
   assert_string_equal(found.symbols[PM_ELF_DYNSYM].line[0], "1 0 FUNC GLOBAL o@e");
   forget(&found);
}

static void tables_of_names_are_limited(void **state)
{
   struct crafted c;
   struct found found;
   struct image image;

   (void)state;
   craft(&c);
   c.sections[2].sh_size = PM_ELF_STRINGS_MAX + 1;
   image_init(&image, &c, sizeof c);
   image.zeroes = 2 * PM_ELF_STRINGS_MAX;
   image.file.bytes += image.zeroes;
   find_in(&found, &image);
   assert_int_equal(found.elf.sections, PM_ELF_OK);
   assert_int_equal(found.read[PM_ELF_DYNSYM], PM_ELF_OK);
   assert_int_equal(found.read[PM_ELF_SYMTAB], PM_ELF_TOO_LARGE);
   forget(&found);
   image_release(&image);
}

/* ---- Damage in general. */

/* The result of opening, else of the first table or view that is trouble. */
static enum pm_elf_status status_of(struct image *image)
{
   enum pm_elf_status status;
   struct found found;

   find_in(&found, image);
   assert_non_null(memchr(found.elf.soname, '\0', sizeof found.elf.soname));
   assert_true(found.elf.build_id_bytes <= PM_ELF_BUILD_ID_MAX);
   status = found.open;
   for (int table = 0; status == PM_ELF_OK && table < PM_ELF_TABLES; table++)
      status = found.read[table];
   if (status == PM_ELF_OK)
      status = found.elf.dynamic;
   if (status == PM_ELF_OK)
      status = found.elf.sections;
   forget(&found);
   return status;
}

static void the_file_may_end_at_any_byte(void **state)
{
   struct crafted c;

   (void)state;
   craft(&c);
   for (size_t count = 0; count <= sizeof c; count++) {
      enum pm_elf_status status;
      struct image image;

      image_init(&image, &c, count);
      status = status_of(&image);
      image_release(&image);
      if (count < EI_NIDENT)
         assert_int_equal(status, PM_ELF_FOREIGN);
      else
         assert_int_equal(status, count < sizeof c ? PM_ELF_TRUNCATED : PM_ELF_OK);
   }
}

static void any_byte_may_be_damaged(void **state)
{
   static const uint8_t values[] = {0x00, 0x01, 0x02, 0x7f, 0x80, 0xfe, 0xff};
   unsigned long troubles = 0;
   struct image image;
   struct crafted c;

   (void)state;
   craft(&c);
   image_init(&image, &c, sizeof c);
   for (size_t at = 0; at < sizeof c; at++) {
      uint8_t sound = image.bytes[at];

      for (size_t v = 0; v < sizeof values; v++) {
         image.bytes[at] = values[v];
         troubles += status_of(&image) != PM_ELF_OK;
      }
      image.bytes[at] = sound;
   }
   assert_true(troubles > 500); /* or nothing of it was looked at */
   image_release(&image);
}

static void every_read_may_fail(void **state)
{
   unsigned long reads, without_effect = 0;
   struct image image;
   struct crafted c;

   (void)state;
   craft(&c);
   image_init(&image, &c, sizeof c);
   assert_int_equal(status_of(&image), PM_ELF_OK);
   reads = image.reads;
   assert_true(reads >= 10);
   for (unsigned long n = 1; n <= reads; n++) {
      enum pm_elf_status status;

      image.reads = 0;
      image.fail_read = n;
      status = status_of(&image);
      assert_true(status == PM_ELF_UNREADABLE || status == PM_ELF_OK);
      without_effect += status == PM_ELF_OK;
   }
   /* Two notes and the content of one: the build-id is unknown then, nothing else. */
   assert_int_equal(without_effect, 3);
   image_release(&image);
}

static void every_allocation_may_fail(void **state)
{
   unsigned long n = 0;
   struct image image;
   struct crafted c;

   (void)state;
   craft(&c);
   image_init(&image, &c, sizeof c);
   for (;;) {
      enum pm_elf_status status;

      hosted_fail_alloc(++n);
      status = status_of(&image);
      if (!hosted_has_failed()) {
         assert_int_equal(status, PM_ELF_OK);
         break;
      }
      assert_int_equal(status, PM_ELF_NO_MEMORY);
   }
   hosted_fail_alloc(0);
   assert_int_equal(n - 1, 5); /* a chunk; a chunk and strings for each table */
   image_release(&image);
}

static void every_status_has_a_text(void **state)
{
   (void)state;
   for (int a = PM_ELF_OK; a <= PM_ELF_NO_MEMORY; a++) {
      assert_string_not_equal(pm_elf_status_text((enum pm_elf_status)a), "unknown error");
      for (int b = PM_ELF_OK; b < a; b++)
         assert_string_not_equal(pm_elf_status_text((enum pm_elf_status)a),
                                 pm_elf_status_text((enum pm_elf_status)b));
   }
}

int main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_sound_file_tells_everything),
      cmocka_unit_test(foreign_files_are_refused),
      cmocka_unit_test(damage_to_the_dynamic_section_has_a_reason),
      cmocka_unit_test(hash_tables_tell_the_number_of_symbols),
      cmocka_unit_test(sonames_are_whole_or_unknown),
      cmocka_unit_test(build_ids_are_whole_or_unknown),
      cmocka_unit_test(notes_are_limited),
      cmocka_unit_test(damage_to_sections_has_a_reason),
      cmocka_unit_test(many_sections_are_counted_in_the_first),
      cmocka_unit_test(only_defined_functions_are_reported),
      cmocka_unit_test(unusable_names_are_left_out),
      cmocka_unit_test(versions_are_cut_from_symtab),
      cmocka_unit_test(tables_of_names_are_limited),
      cmocka_unit_test(the_file_may_end_at_any_byte),
      cmocka_unit_test(any_byte_may_be_damaged),
      cmocka_unit_test(every_read_may_fail),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(every_status_has_a_text),
   };

   return cmocka_run_group_tests_name("pm_elf_damage", tests, NULL, NULL);
}
