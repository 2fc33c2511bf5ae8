/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_table.c: rows of text in aligned columns. See pr_table.h. */
#include "pr_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pr_text.h"

enum { GAP = 2 }; /* blanks between columns */

void pr_table_init(struct pr_table *table, const char *alignment)
{
   *table = (struct pr_table){.alignment = alignment};
}

void pr_table_release(struct pr_table *table)
{
   free(table->text);
   free(table->cells);
   pr_table_init(table, table->alignment);
}

void pr_table_clear(struct pr_table *table)
{
   table->count = 0;
   table->text_bytes = 0;
}

/* Room for a cell and for so many bytes of text; false: no memory left. */
static bool make_room(struct pr_table *table, size_t bytes)
{
   if (table->count == table->capacity) {
      size_t capacity = table->capacity ? table->capacity * 2 : 512;
      struct pr_table_cell *cells = realloc(table->cells, capacity * sizeof *cells);
      if (!cells)
         return false;
      table->cells = cells;
      table->capacity = capacity;
   }
   if (bytes > table->text_capacity - table->text_bytes) {
      size_t capacity = (table->text_capacity + bytes) * 2;
      char *text = realloc(table->text, capacity);
      if (!text)
         return false;
      table->text = text;
      table->text_capacity = capacity;
   }
   return true;
}

void pr_table_add(struct pr_table *table, const char *text)
{
   size_t bytes = text ? strlen(text) : 0;
   if (!make_room(table, bytes + 1)) {
      table->exhausted = true;
      return;
   }
   char *copy = table->text + table->text_bytes;
   if (bytes)
      memcpy(copy, text, bytes);
   copy[bytes] = '\0';
   table->cells[table->count++] =
      (struct pr_table_cell){table->text_bytes, pr_text_write(NULL, copy, bytes)};
   table->text_bytes += bytes + 1;
}

void pr_table_addf(struct pr_table *table, const char *format, ...)
{
   char *text = NULL;
   va_list arguments;
   va_start(arguments, format);
   int bytes = vasprintf(&text, format, arguments);
   va_end(arguments);
   if (bytes < 0) {
      table->exhausted = true;
      return;
   }
   pr_table_add(table, text);
   free(text);
}

static void print_blanks(size_t count, FILE *out)
{
   static const char blanks[] = "                                ";
   for (; count >= sizeof blanks; count -= sizeof blanks - 1)
      fwrite(blanks, 1, sizeof blanks - 1, out);
   fwrite(blanks, 1, count, out);
}

/* Blanks are owed until something follows them. */
static void print_row(const struct pr_table *table, const struct pr_table_cell *cells,
                      const size_t *widths, size_t indent, FILE *out)
{
   size_t owed = indent;
   for (size_t c = 0; table->alignment[c]; c++) {
      if (widths[c] == 0)
         continue;
      size_t fill = widths[c] - cells[c].columns;
      if (table->alignment[c] == 'r')
         owed += fill;
      if (cells[c].columns) {
         print_blanks(owed, out);
         owed = 0;
         pr_text_puts(out, table->text + cells[c].offset);
      }
      if (table->alignment[c] != 'r')
         owed += fill;
      owed += GAP;
   }
   putc('\n', out);
}

void pr_table_print(const struct pr_table *table, size_t indent, FILE *out)
{
   size_t columns = strlen(table->alignment);
   size_t widths[PR_TABLE_COLUMNS_MAX] = {0};
   size_t whole = table->count - table->count % columns;
   for (size_t i = 0; i < whole; i++)
      if (table->cells[i].columns > widths[i % columns])
         widths[i % columns] = table->cells[i].columns;
   for (size_t row = 0; row < whole; row += columns)
      print_row(table, table->cells + row, widths, indent, out);
}
