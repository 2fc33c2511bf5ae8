/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pr_table.c: rows of text in aligned columns. See pr_table.h. */
#include "pr_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pr_text.h"

enum {
   GAP = 2,        /* blanks between columns */
   LABEL_MIN = 20, /* a shorter one is not cut */
};

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
   pr_table_add_cut(table, text, 0);
}

void pr_table_add_cut(struct pr_table *table, const char *text, size_t columns)
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
   size_t needed = columns ? pr_text_puts_cut(NULL, copy, columns)
                           : pr_text_write(NULL, copy, bytes);
   table->cells[table->count++] =
      (struct pr_table_cell){table->text_bytes, needed, table->emphasis};
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

static void print_cell(const struct pr_table *table, const struct pr_table_cell *cell,
                       size_t columns, const struct pr_style *style, FILE *out)
{
   if (cell->emphasis != PR_PLAIN)
      pr_style_emphasize(style, cell->emphasis, out);
   pr_text_puts_cut(out, table->text + cell->offset, columns);
   if (cell->emphasis != PR_PLAIN)
      pr_style_emphasize(style, PR_PLAIN, out);
}

/* A part of a table that fits the line: the label, unless it is among them, and columns
   [from, to). */
struct part {
   size_t from, to;
   bool has_label;
};

static size_t next_column(const struct pr_table *table, const struct part *part, size_t column)
{
   return part->has_label && column == table->label ? part->from : column + 1;
}

/* Nothing, not even a line, if all cells are empty. Blanks are owed until something
   follows them. */
static void print_part(const struct pr_table *table, const struct part *part,
                       const struct pr_table_cell *cells, const size_t *widths, size_t indent,
                       const struct pr_style *style, FILE *out)
{
   size_t owed = indent;
   bool is_empty = true;
   for (size_t c = part->has_label ? table->label : part->from; c < part->to;
        c = next_column(table, part, c)) {
      if (widths[c] == 0)
         continue;
      size_t used = cells[c].columns;
      if (used > widths[c])
         used = pr_text_puts_cut(NULL, table->text + cells[c].offset, widths[c]);
      size_t fill = widths[c] - used;
      if (table->alignment[c] == 'r')
         owed += fill;
      if (used) {
         print_blanks(owed, out);
         owed = 0;
         print_cell(table, &cells[c], used, style, out);
         is_empty = false;
      }
      if (table->alignment[c] != 'r')
         owed += fill;
      owed += GAP;
   }
   if (!is_empty)
      putc('\n', out);
}

void pr_table_measure(const struct pr_table *table, size_t widths[PR_TABLE_COLUMNS_MAX])
{
   size_t columns = strlen(table->alignment);
   memset(widths, 0, PR_TABLE_COLUMNS_MAX * sizeof *widths);
   for (size_t i = 0; i < table->count - table->count % columns; i++)
      if (table->cells[i].columns > widths[i % columns])
         widths[i % columns] = table->cells[i].columns;
}

size_t pr_table_left(const struct pr_table *table, size_t column, size_t last, size_t indent,
                     const struct pr_style *style)
{
   size_t widths[PR_TABLE_COLUMNS_MAX], used = indent;
   pr_table_measure(table, widths);
   for (size_t c = 0; c <= last; c++)
      used += c == column || widths[c] == 0 ? 0 : widths[c] + GAP;
   return style->width > used ? style->width - used : 0;
}

/* Where the columns do not fit one line, the label stands with each part of them: it takes no
   more than two thirds of the line, or what the others leave. */
static void narrow_label(const struct pr_table *table, size_t *widths, size_t columns,
                         size_t indent, const struct pr_style *style)
{
   size_t others = indent;
   for (size_t c = 0; c < columns; c++)
      others += c == table->label || widths[c] == 0 ? 0 : widths[c] + GAP;
   size_t left = style->width > others ? style->width - others : 0;
   size_t share = style->width * 2 / 3, most = left > share ? left : share;
   most = most > LABEL_MIN ? most : LABEL_MIN;
   if (style->width && widths[table->label] > most)
      widths[table->label] = most;
}

/* The columns from `from` on that fit: at least one. */
static struct part fitting_part(const struct pr_table *table, const size_t *widths, size_t columns,
                                size_t from, size_t indent, const struct pr_style *style)
{
   struct part part = {from, from, from > table->label};
   size_t used = indent;
   if (part.has_label && widths[table->label])
      used += widths[table->label] + GAP;
   for (bool has_any = false; part.to < columns; part.to++) {
      size_t width = widths[part.to];
      if (width == 0)
         continue;
      if (style->width && used + width > style->width && has_any)
         break;
      used += width + GAP;
      has_any = true;
   }
   return part;
}

void pr_table_print(const struct pr_table *table, size_t indent, const struct pr_style *style,
                    FILE *out)
{
   size_t columns = strlen(table->alignment);
   size_t widths[PR_TABLE_COLUMNS_MAX];
   pr_table_measure(table, widths);
   narrow_label(table, widths, columns, indent, style);
   for (size_t from = 0; from < columns;) {
      struct part part = fitting_part(table, widths, columns, from, indent, style);
      if (from > 0)
         putc('\n', out);
      for (size_t at = 0; at + columns <= table->count; at += columns)
         print_part(table, &part, table->cells + at, widths, indent, style, out);
      from = part.to;
   }
}

void pr_table_print_row(const struct pr_table *table, size_t row,
                        const size_t widths[PR_TABLE_COLUMNS_MAX], size_t indent,
                        const struct pr_style *style, FILE *out)
{
   size_t columns = strlen(table->alignment);
   const struct part all = {0, columns, false};
   print_part(table, &all, table->cells + row * columns, widths, indent, style, out);
}
