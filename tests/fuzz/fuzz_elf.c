/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_elf.c: any bytes as an ELF file.
 *
 * Besides what the sanitizers see: no read leaves the file, names end, memory comes
 * back, and the work is linear in the size of the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "hosted.h"
#include "pm_elf.h"

enum {
   READS_OF_FILE = 20,      /* each table and string table is read a few times */
   READS_OF_NOTES = 1 << 22 /* bytes: notes have a limit of their own */
};

struct input {
   const uint8_t *bytes;
   size_t count;
   uint64_t read; /* bytes handed out */
};

static void require(bool condition, const char *what)
{
   if (condition)
      return;
   fprintf(stderr, "fuzz_elf: not true: %s\n", what);
   abort();
}

static bool read_input(void *ctx, uint64_t offset, void *to, size_t bytes)
{
   struct input *input = ctx;

   require(bytes > 0 && offset <= input->count && bytes <= input->count - offset,
           "reads are inside the file");
   memcpy(to, input->bytes + offset, bytes);
   input->read += bytes;
   return true;
}

static void take_symbol(void *ctx, const struct pm_elf_symbol *symbol)
{
   size_t length = strlen(symbol->name);

   (void)ctx;
   require(length > 0 && length <= PM_ELF_NAME_MAX, "names are neither empty nor too long");
   require(symbol->type == PM_ELF_FUNC || symbol->type == PM_ELF_IFUNC ||
           symbol->type == PM_ELF_NOTYPE, "only functions are reported");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
   struct input input = {.bytes = bytes, .count = count};
   struct pm_elf_file file = {.read = read_input, .ctx = &input, .bytes = count};
   struct pm_elf elf;

   if (pm_elf_open(&elf, &hosted, &file) == PM_ELF_OK) {
      require(memchr(elf.soname, '\0', sizeof elf.soname) != NULL, "the soname ends");
      require(elf.build_id_bytes <= PM_ELF_BUILD_ID_MAX, "the build-id fits");
      for (int table = 0; table < PM_ELF_TABLES; table++)
         (void)pm_elf_symbols(&elf, (enum pm_elf_table)table, take_symbol, NULL);
   }
   require(hosted_live_bytes() == 0, "memory comes back");
   require(input.read <= (uint64_t)READS_OF_FILE * count + READS_OF_NOTES, "the work is linear");
   return 0;
}
