/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elf_samples.c: files in memory, and symbols as text; see elf_samples.h. */
#include "elf_samples.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_image(void *ctx, uint64_t offset, void *to, size_t bytes)
{
   struct image *image = ctx;
   uint64_t size = image->count + image->zeroes;

   if (bytes == 0 || offset > size || bytes > size - offset)
      fail_msg("read of %zu bytes at %" PRIu64 " of %" PRIu64, bytes, offset, size);
   if (++image->reads == image->fail_read)
      return false;
   memset(to, 0, bytes);
   if (offset < image->count)
      memcpy(to, image->bytes + offset,
             bytes < image->count - offset ? bytes : image->count - offset);
   return true;
}

void image_init(struct image *image, const void *bytes, uint64_t count)
{
   memset(image, 0, sizeof *image);
   image->bytes = malloc(count + 1);
   memcpy(image->bytes, bytes, count);
   image->count = count;
   image->file = (struct pm_elf_file){.read = read_image, .ctx = image, .bytes = count};
}

void image_load(struct image *image, const char *path)
{
   FILE *file = fopen(path, "rb");
   long count;

   if (file == NULL)
      fail_msg("cannot open %s", path);
   assert_int_equal(fseek(file, 0, SEEK_END), 0);
   count = ftell(file);
   assert_true(count > 0);
   rewind(file);
   image_init(image, "", 0);
   image->bytes = realloc(image->bytes, (size_t)count);
   assert_int_equal(fread(image->bytes, 1, (size_t)count, file), count);
   fclose(file);
   image->count = image->file.bytes = (uint64_t)count;
}

void image_release(struct image *image)
{
   free(image->bytes);
   image->bytes = NULL;
}

void add_line(struct lines *lines, const char *format, ...)
{
   va_list args;

   if ((lines->count & (lines->count + 1)) == 0)
      lines->line = realloc(lines->line, 2 * (lines->count + 1) * sizeof *lines->line);
   va_start(args, format);
   assert_true(vasprintf(&lines->line[lines->count++], format, args) >= 0);
   va_end(args);
}

static int compare_lines(const void *a, const void *b)
{
   return strcmp(*(char *const *)a, *(char *const *)b);
}

void sort_lines(struct lines *lines)
{
   if (lines->count > 0)
      qsort(lines->line, lines->count, sizeof *lines->line, compare_lines);
}

void release_lines(struct lines *lines)
{
   for (size_t i = 0; i < lines->count; i++)
      free(lines->line[i]);
   free(lines->line);
   memset(lines, 0, sizeof *lines);
}

bool has_line(const struct lines *lines, const char *line)
{
   for (size_t i = 0; i < lines->count; i++)
      if (strcmp(lines->line[i], line) == 0)
         return true;
   return false;
}

static const char *type_name(unsigned type)
{
   return type == PM_ELF_FUNC ? "FUNC" : type == PM_ELF_IFUNC ? "IFUNC" : "NOTYPE";
}

static const char *binding_name(unsigned binding)
{
   return binding == PM_ELF_LOCAL ? "LOCAL" : binding == PM_ELF_WEAK ? "WEAK"
        : binding == PM_ELF_GLOBAL ? "GLOBAL" : "UNIQUE";
}

void collect_symbol(void *ctx, const struct pm_elf_symbol *symbol)
{
   assert_true(symbol->name[0] != '\0');
   assert_true(strlen(symbol->name) <= PM_ELF_NAME_MAX);
   add_line(ctx, "%" PRIx64 " %" PRIu64 " %s %s %s", symbol->address, symbol->bytes,
            type_name(symbol->type), binding_name(symbol->binding), symbol->name);
}
