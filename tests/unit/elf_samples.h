/* SPDX-License-Identifier: GPL-2.0-or-later */
/* elf_samples.h: files in memory, and symbols as text, for the tests of the ELF reader. */
#ifndef ELF_SAMPLES_H
#define ELF_SAMPLES_H

#include "pm_elf.h"

/* A file in memory. A read that is not inside it fails the test. */
struct image {
   uint8_t *bytes;
   uint64_t count;          /* bytes that exist */
   uint64_t zeroes;         /* bytes that follow, all 0, without memory */
   unsigned long reads;     /* so far */
   unsigned long fail_read; /* this one fails, counted from 1; 0: none */
   struct pm_elf_file file;
};

void image_init(struct image *image, const void *bytes, uint64_t count);
void image_load(struct image *image, const char *path);
void image_release(struct image *image);

/* Texts that can be sorted and compared. {0} is none. */
struct lines {
   char **line;
   size_t count;
};

void add_line(struct lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sort_lines(struct lines *lines);
void release_lines(struct lines *lines);
bool has_line(const struct lines *lines, const char *line);

/* A pm_elf_each whose ctx is a struct lines: "address size TYPE BINDING name", the
   address in hexadecimal, the words as readelf writes them. */
void collect_symbol(void *ctx, const struct pm_elf_symbol *symbol);

#endif
