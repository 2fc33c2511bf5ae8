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
   for (size_t i = 0; i < table->count; i++)
      free(table->cells[i]);
   free(table->cells);
   pr_table_init(table, table->alignment);
}

/* Takes `cell` over. NULL: it could not be made. */
static void add_cell(struct pr_table *table, char *cell)
{
   if (cell && table->count == table->capacity) {
      size_t capacity = table->capacity ? table->capacity * 2 : 64;
      char **larger = realloc(table->cells, capacity * sizeof *larger);
      if (larger) {
         table->cells = larger;
         table->capacity = capacity;
      }
   }
   if (!cell || table->count == table->capacity) {
      table->exhausted = true;
      free(cell);
      return;
   }
   table->cells[table->count++] = cell;
}

void pr_table_add(struct pr_table *table, const char *text)
{
   add_cell(table, strdup(text ? text : ""));
}

void pr_table_addf(struct pr_table *table, const char *format, ...)
{
   char *text = NULL;
   va_list arguments;
   va_start(arguments, format);
   int bytes = vasprintf(&text, format, arguments);
   va_end(arguments);
   add_cell(table, bytes < 0 ? NULL : text);
}

static void print_blanks(size_t count, FILE *out)
{
   while (count--)
      putc(' ', out);
}

/* Blanks are owed until something follows them. */
static void print_row(char *const *cells, size_t columns, const char *alignment,
                      const size_t *widths, size_t indent, FILE *out)
{
   size_t owed = indent;
   for (size_t c = 0; c < columns; c++) {
      if (widths[c] == 0)
         continue;
      size_t fill = widths[c] - pr_text_puts(NULL, cells[c]);
      if (alignment[c] == 'r')
         owed += fill;
      if (cells[c][0]) {
         print_blanks(owed, out);
         owed = 0;
         pr_text_puts(out, cells[c]);
      }
      if (alignment[c] != 'r')
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
   for (size_t i = 0; i < whole; i++) {
      size_t width = pr_text_puts(NULL, table->cells[i]);
      if (width > widths[i % columns])
         widths[i % columns] = width;
   }
   for (size_t row = 0; row < whole; row += columns)
      print_row(table->cells + row, columns, table->alignment, widths, indent, out);
}
