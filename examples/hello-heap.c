/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hello-heap.c: a program with a heap that is easy to check by hand.
 *
 * It reads numbers 0..999 as text into records of its own, keeps the even
 * ones, and sorts a copy. What profmem must say about this file's own calls:
 *
 *   1000 records of 32 bytes are obtained, 500 are given back at once;
 *   one table grows by realloc, 64 entries at first, doubled when full;
 *   the sorted copy is the peak: it lives beside records and table;
 *   10 records are never given back.
 *
 * The C library's own blocks come on top: stdio's buffer, and what qsort obtains.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 1000, FIRST_ENTRIES = 64, FORGOTTEN = 10 };

struct record {
   int value;
   char text[28];
};

struct table {
   struct record **records;
   size_t used;     /* entries that hold a record */
   size_t entries;  /* entries there is room for */
};

static void *must(void *block)
{
   if (block == NULL) {
      perror("hello-heap");
      exit(EXIT_FAILURE);
   }
   return block;
}

static struct record *read_record(int value)
{
   struct record *record = must(malloc(sizeof *record));

   record->value = value;
   snprintf(record->text, sizeof record->text, "number %d", value);
   return record;
}

static void keep(struct table *table, struct record *record)
{
   if (table->used == table->entries) {
      table->entries = table->entries == 0 ? FIRST_ENTRIES : 2 * table->entries;
      table->records = must(realloc(table->records, table->entries * sizeof *table->records));
   }
   table->records[table->used++] = record;
}

static int compare_text(const void *a, const void *b)
{
   const struct record *left = a;
   const struct record *right = b;

   return strcmp(left->text, right->text);
}

static void print_first_sorted(const struct table *table)
{
   struct record *copy = must(calloc(table->used, sizeof *copy));

   for (size_t i = 0; i < table->used; i++)
      copy[i] = *table->records[i];
   qsort(copy, table->used, sizeof *copy, compare_text);
   printf("%zu records, the first in order is \"%s\"\n", table->used, copy[0].text);
   free(copy);
}

int main(void)
{
   struct table table = {0};

   for (int value = 0; value < NUMBERS; value++) {
      struct record *record = read_record(value);

      if (value % 2 == 0)
         keep(&table, record);
      else
         free(record);
   }
   print_first_sorted(&table);

   for (size_t i = FORGOTTEN; i < table.used; i++)
      free(table.records[i]);
   free(table.records);
   return EXIT_SUCCESS;
}
