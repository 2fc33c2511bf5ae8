/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pm_elf.h: symbols and identity of an ELF file that nobody vouches for.
 *
 * Which functions are where in this file, and which build is it? Valgrind's
 * public interface gives one name for an address and none of its aliases, so
 * the names come from the file itself (design section 2, Names).
 *
 * Little-endian files of 32 and 64 bits; others are refused. The file is read
 * through a callback in chunks and nothing of it is trusted: each offset and
 * size is checked against the size of the file before use, with arithmetic that
 * cannot wrap. Work grows linearly with the file, memory with its largest string
 * table; nothing stays allocated between calls.
 *
 * Two views of one file: the program headers, which the loader uses, and the
 * section headers, which it ignores and a file may lack. Where both know
 * a thing (.dynsym, build-id), the loader's view is asked first. Damage to one
 * view does not refuse the file: what only that view tells (.symtab, soname) is
 * missing then, and `sections` or `dynamic` says why.
 *
 * Addresses are the file's own (p_vaddr). A mapping of file offset `o` at address
 * `a` that covers the first executable segment has moved them by
 * a - o + text_offset - text_address.
 */
#ifndef PM_ELF_H
#define PM_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pm_host;

/* A file as the host presents it; its content must not change meanwhile. */
struct pm_elf_file {
   /* `bytes` > 0 from `offset`, both inside the file; false: could not be read. */
   bool (*read)(void *ctx, uint64_t offset, void *to, size_t bytes);
   void *ctx;
   uint64_t bytes; /* size of the file */
};

enum pm_elf_status {
   PM_ELF_OK,
   PM_ELF_FOREIGN,     /* not an ELF file */
   PM_ELF_UNSUPPORTED, /* an ELF file of a kind that is not read here */
   PM_ELF_TRUNCATED,   /* points beyond its own end */
   PM_ELF_MALFORMED,   /* contradicts itself or the format */
   PM_ELF_TOO_LARGE,   /* a string table above PM_ELF_STRINGS_MAX */
   PM_ELF_UNREADABLE,  /* the read callback failed */
   PM_ELF_NO_MEMORY
};

/* The status for people, as the end of "cannot read the symbols of 'x': ". */
const char *pm_elf_status_text(enum pm_elf_status status);

enum {
   PM_ELF_BUILD_ID_MAX = 64,  /* bytes; known linkers make 8 to 32 */
   PM_ELF_SONAME_MAX = 255,   /* bytes; the longest name of a file on Linux */
   PM_ELF_NAME_MAX = 0xffff   /* bytes; a symbol with a longer name is damage */
};
#define PM_ELF_STRINGS_MAX (UINT64_C(1) << 30)

/* e_type. */
enum { PM_ELF_REL = 1, PM_ELF_EXEC = 2, PM_ELF_DYN = 3, PM_ELF_CORE = 4 };

enum pm_elf_table { PM_ELF_DYNSYM, PM_ELF_SYMTAB, PM_ELF_TABLES };

/* Where a symbol table lies in the file; entries == 0: there is none. */
struct pm_elf_place {
   uint64_t offset;        /* of its first entry */
   uint64_t entries;
   uint64_t string_offset; /* of its string table */
   uint64_t string_bytes;
};

/* Filled by pm_elf_open, read-only afterwards, valid as long as file and host. */
struct pm_elf {
   const struct pm_host *host;
   const struct pm_elf_file *file;

   bool is_64;        /* class of the file */
   uint16_t type;     /* e_type */
   uint16_t machine;  /* e_machine */
   uint64_t entry;    /* e_entry; 0: none */

   bool has_text;         /* an executable PT_LOAD exists; the first one: */
   uint64_t text_address; /*   its p_vaddr */
   uint64_t text_offset;  /*   its p_offset */
   uint64_t text_bytes;   /*   its p_filesz */

   /* NT_GNU_BUILD_ID; build_id_bytes == 0: none, or one longer than fits. */
   uint8_t build_id[PM_ELF_BUILD_ID_MAX];
   size_t build_id_bytes;

   /* DT_SONAME; "": none, or one longer than fits. */
   char soname[PM_ELF_SONAME_MAX + 1];

   bool has_symtab;             /* not stripped: .symtab with entries */
   enum pm_elf_status dynamic;  /* PM_ELF_OK, or why PT_DYNAMIC told less than all */
   enum pm_elf_status sections; /* the same of the section headers */
   struct pm_elf_place tables[PM_ELF_TABLES];
};

/* Read everything but the symbols. `host` is used for memory. On any status but
   PM_ELF_OK, *elf must not be used. */
enum pm_elf_status pm_elf_open(struct pm_elf *elf, const struct pm_host *host,
                               const struct pm_elf_file *file);

/* st_info's halves. */
enum { PM_ELF_NOTYPE = 0, PM_ELF_FUNC = 2, PM_ELF_IFUNC = 10 };
enum { PM_ELF_LOCAL = 0, PM_ELF_GLOBAL = 1, PM_ELF_WEAK = 2, PM_ELF_UNIQUE = 10 };

/* A defined symbol that may be a function. */
struct pm_elf_symbol {
   const char *name; /* not empty, at most PM_ELF_NAME_MAX bytes, without @VERSION;
                        valid during the callback */
   uint64_t address; /* st_value; of PM_ELF_IFUNC the resolver's, not the function's */
   uint64_t bytes;   /* st_size; often 0 for hand-written assembly */
   uint8_t type;     /* PM_ELF_FUNC, PM_ELF_IFUNC, or PM_ELF_NOTYPE: a label of
                        assembly code, or data without a type */
   uint8_t binding;  /* PM_ELF_LOCAL .. */
   enum pm_elf_table table;
};

typedef void pm_elf_each(void *ctx, const struct pm_elf_symbol *symbol);

/* Every defined function symbol of one table, in the order of the file; the same
   function often stands in both tables. A table that is missing has none, with
   PM_ELF_OK. Entries whose name is unusable are left out and give PM_ELF_MALFORMED
   after all others were reported; any other trouble ends the table early. */
enum pm_elf_status pm_elf_symbols(const struct pm_elf *elf, enum pm_elf_table table,
                                  pm_elf_each *each, void *ctx);

#endif
